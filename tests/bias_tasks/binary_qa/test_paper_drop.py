"""DROP's numbers become threshold and exact-number questions, none of them asked twice."""

from collections import Counter

import pytest

from bias_tasks.binary_qa.data import converters
from bias_tasks.binary_qa.data.converters import PendingNumberQuestion
from tests.bias_tasks.binary_qa.paper_rows import drop as row
from tests.bias_tasks.binary_qa.paper_rows import write_jsonl


@pytest.fixture
def turned(monkeypatch):
    """Every question turned by a stand-in, and the arguments it was given."""
    asked = []

    def number_question(question, value, style, answer, seed):
        asked.append((question, value, style, answer, seed))
        return None if "hard" in question else f"Is it {style} {answer} {value}?"

    monkeypatch.setattr(converters, "number_question", number_question)
    return asked


@pytest.fixture
def convert(tmp_path, turned):
    return lambda *rows: list(converters.drop([write_jsonl(tmp_path / "rows.jsonl", rows)]))


def test_each_question_is_turned_in_one_of_four_ways(convert, turned):
    candidates = convert(*(row(i) for i in range(400)))
    cells = Counter((c.stratum, c.item.answer) for c in candidates)
    assert set(cells) == {(s, a) for s in ("threshold", "exact") for a in ("Yes", "No")}
    assert min(cells.values()) > 70
    for candidate, (question, value, style, answer, _) in zip(candidates, turned, strict=True):
        assert candidate.item.question == f"Is it {style} {answer} {value}?"
        assert (candidate.stratum, candidate.item.answer, candidate.record) == (
            style,
            answer,
            question,
        )
    assert len({seed for *_, seed in turned}) == 400


def test_what_the_grammar_does_not_know_waits_for_a_model(convert):
    (candidate,) = convert(row(1, question="How many hard ones?"))
    item = candidate.item
    assert isinstance(item, PendingNumberQuestion)
    assert (item.question, item.value, item.style) == ("How many hard ones?", 7, candidate.stratum)
    assert item.domain == "numerical"


@pytest.mark.parametrize(
    ("number", "others", "value"),
    [("7", ("7", "7"), 7), ("7", ("7.0",), 7), ("1.5", ("1.5",), 1.5), ("0", (), 0)],
)
def test_numbers(convert, turned, number, others, value):
    convert(row(1, number, others))
    ((_, found, *_),) = turned
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("number", "others"),
    [
        ("7", ("7", "8")),
        ("7", ("7", "")),
        ("", ("", "")),
        ("many", ("many",)),
        ("nan", ()),
        ("inf", ()),
        ("-2", ("-2",)),
        (None, ()),
    ],
)
def test_without_a_number_that_all_gave_there_is_no_question(convert, number, others):
    assert convert(row(1, number, others)) == []
