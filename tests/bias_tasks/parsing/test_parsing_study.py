"""The study of the parser's accuracy: extractors, outcomes, tables."""

import re

import pytest
from click.testing import CliRunner

from benchmarks.studies import parsing_study as study
from benchmarks.studies.answer_extractors import EXTRACTORS, applies
from tests.bias_tasks.parsing import recorded
from tests.bias_tasks.parsing.recorded import WRITTEN, RecordedAnswer, count_outcomes, outcome

PLANETS = ["Mars", "Venus", "Earth"]
NAMES = tuple(EXTRACTORS)


def choice(text, says=(1,), options=PLANETS, labels="letters", source="planets"):
    arguments = {"form": "choice", "options": options, "option_labels": labels}
    return RecordedAnswer("1", source, text, arguments, None if says is None else list(says))


def yes_no(text, says="Yes"):
    return RecordedAnswer("2", "questions", text, {"form": "yes_no"}, says)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("(A) is wrong. It is (B)", ([1], [1], None, None)),
        ("The answer is B. Not A.", (None, [1], None, None)),
        ("**ANSWER: B**", ([1], [1], [1], [1])),
        ("Answer: B\n\nLet me check: A", ([0], [1], [1], [1])),
        ("answer: B", ([1], [1], [1], [1])),
        ("Venus, of course.", ([1], None, None, None)),
        ("정답: $B$", (None, [1], None, [1])),
        ("The answer is (D).", (None, None, None, None)),
        ("I do not know.", (None, None, None, None)),
    ],
)
def test_letters(text, values):
    assert tuple(EXTRACTORS[name][0]([choice(text)])[0] for name in NAMES) == values


def test_options_without_texts_and_several_options():
    lm_eval, inspect = EXTRACTORS["lm-eval"][0], EXTRACTORS["Inspect"][0]
    assert lm_eval([choice("So: B", options=3), yes_no("No. Yes")]) == [[1], "Yes"]
    sets = [choice("ANSWER: A, C", source=source) for source in (WRITTEN, "planets")]
    assert inspect(sets) == [[0, 2], None]
    labels = [yes_no(text) for text in ("ANSWER: no", "ANSWER: maybe", "No")]
    assert inspect(labels) == ["No", None, None]


def test_extractors_apply_to_the_forms_they_are_made_for():
    numbered = choice("2", labels="numbers")
    score = RecordedAnswer("3", "judge", "7", {"form": "score", "scale": (1, 10)}, 7.0)
    assert not any(applies(name, answer) for name in NAMES for answer in (numbered, score))
    assert all(applies(name, choice("B")) for name in NAMES)
    assert [name for name in NAMES if applies(name, yes_no("Yes"))] == ["lm-eval", "Inspect"]


def test_outcomes():
    pairs = [([1], [1]), (None, [1]), ([0], [1]), ([0], None), (None, None), ([], [])]
    expected = ["right", "unparsed", "wrong", "invented", "silent", "right"]
    assert [outcome(value, says) for value, says in pairs] == expected
    answers = [choice("", says) for _, says in pairs]
    counts = count_outcomes(answers, [value for value, _ in pairs])
    assert recorded.precision(counts) == recorded.recall(counts) == 2 / 4


def test_rows_of_all_files_are_declared():
    """Further files declare the question under `options`."""
    for options, expected in (({"options_texts": PLANETS}, PLANETS), ({}, 3)):
        row = {"form": "choice", "options": {"n": 3, "letters": True, **options}}
        declared = {"form": "choice", "options": expected, "option_labels": "letters"}
        assert recorded.parser_arguments(row) == declared
    declared = recorded.parser_arguments({"form": "judging", "shown": 2})
    assert declared["allowed_labels"] == ("True", "False")


def test_tables():
    answers = [("recorded", choice("B")), ("recorded", choice("Hm", None)), ("new", yes_no("No"))]
    rows = study.measure(answers)
    assert "| choice, letters | 2 | 100 / 100 | - / 0.0 | 100 / 100 | - / 0.0 |" in (
        study.form_table(rows)
    )
    assert "| new | 1 | 0.0 / 0.0 | 1 | 0 |" in study.set_table(rows)
    assert "| yes_no | questions | no | 0 | 0 | 1 | 0 | 0 / 1 | | 0 / 0 | |" in (
        study.source_table(rows)
    )


def test_answers_that_several_files_have_count_once(tmp_path):
    path = tmp_path / "recorded.jsonl"
    rows = (study.ROOT / "tests/bias_tasks/parsing/recorded.jsonl").read_text(encoding="utf-8")
    path.write_text(rows, encoding="utf-8")
    assert study.read_sets([tmp_path]) == study.read_sets([])


def test_a_disabled_piece_never_matches_and_comes_back():
    class Owner:
        pattern = re.compile("a")

    with study.disabled(Owner, "pattern"):
        assert not Owner.pattern.search("a")
    assert Owner.pattern.search("a")
    table = study.piece_table(
        [("recorded", choice("B"))], {"patterns": lambda: study.disabled(Owner, "pattern")}
    )
    assert table.endswith("| `patterns` | +0 | +0 | +0 | 0 |")


def test_only_write_changes_the_pages(monkeypatch, tmp_path):
    monkeypatch.setattr(study, "read_sets", lambda paths: [("recorded", choice("B"))])
    page = tmp_path / "page.md"
    blocks = "\n".join(f"<!-- {name} -->\nold\n<!-- end -->" for name in study.PAGES)
    page.write_text(blocks, encoding="utf-8")
    monkeypatch.setattr(study, "PAGES", dict.fromkeys(study.PAGES, page))
    runner = CliRunner(env={"BIAS_TASKS_ANSWERS": ""})
    assert "choice, letters" in runner.invoke(study.main, []).output
    assert page.read_text(encoding="utf-8") == blocks
    runner.invoke(study.main, ["--write"])
    assert "old" not in page.read_text(encoding="utf-8")
