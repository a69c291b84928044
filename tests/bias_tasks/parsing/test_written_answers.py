"""Written answers, none of which may be parsed as something that it does not say.

People who had not seen the parser wrote the 260 answers of `written_answers.jsonl`: 60 restate what
a prompt suggests, in words of all sorts, before they give their own value or none.
`misread_kinds.jsonl` has ten texts of each kind that parsers of evaluation projects misread.
"""

import json
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from bias_tasks.parsing import parse_answer
from tests.bias_tasks.parsing.recorded import outcome, value_of

MIN_RIGHT = {
    "restated suggestion": 46,
    "chain of thought": 30,
    "sets, denials, lists, JSON": 27,
    "contradictions, several values, templates, cut off": 6,
    "other languages": 18,
    "judges": 28,
    "judging and yes/no": 23,
}
"""Answers of each kind that are parsed right."""


def read_rows(name):
    path = Path(__file__).with_name(f"{name}.jsonl")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


WRITTEN, MISREAD = read_rows("written_answers"), read_rows("misread_kinds")


def count_by_kind(**arguments):
    """The outcomes of the answers of each kind, and the texts that are parsed as another value."""
    counts, false = defaultdict(Counter), []
    for row in WRITTEN:
        parsed = parse_answer(row["text"], form=row["form"], **row["options"], **arguments)
        found = outcome(value_of(parsed, row["form"]), row["says"])
        counts[row["kind"]][found] += 1
        false += [row["text"]] if found in ("wrong", "invented") else []
    return counts, false


def test_the_last_resort_adds_values_and_no_answer_is_misread():
    counts, false = count_by_kind()
    assert not false
    right = {kind: counts[kind]["right"] for kind in MIN_RIGHT}
    assert all(right[kind] >= least for kind, least in MIN_RIGHT.items()), right
    counts, false = count_by_kind(last_resort=False)
    assert not false
    assert sum(right.values()) >= sum(kind["right"] for kind in counts.values()) + 5


@pytest.mark.parametrize("kind", sorted({row["kind"] for row in MISREAD}))
def test_no_text_of_the_kind_is_misread(kind):
    """Each text says what is expected of it, or is unparsed where nothing else is right."""
    rows = [row for row in MISREAD if row["kind"] == kind]
    assert len(rows) == 10
    for row in rows:
        parsed = parse_answer(row["text"], form=row["form"], **row.get("asked", {}))
        value = (
            value_of(parsed, row["form"]) if row["form"] in ("choice", "score") else parsed.label
        )
        assert value == row["says"] or (value is None and row.get("or_null", False)), row
