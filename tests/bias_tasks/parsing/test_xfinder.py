"""The runner for xFinder's annotated outputs, on rows of the same shape."""

import importlib
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

SCRIPT = Path(__file__).parents[3] / "benchmarks" / "studies" / "xfinder_study.py"
CAPITALS = [["A", "Vienna"], ["B", "Graz"], ["C", "Linz"]]
# KAF shuffles the pairs.
PLANETS = [["C", "The planet with the largest ring system of all"], ["A", "Mars"], ["B", "Venus"]]
TOPICS = ["World", "Sports", "Business"]


def kaf_row(answer_type, question, output, answer_range, gold):
    """Return a row with the fields of KAF; the range has labels, or pairs of letter and text."""
    fields = {"key_answer_type": answer_type, "question": question, "llm_output": output}
    return fields | {"standard_answer_range": answer_range, "gold_label": gold}


CAPITAL = "What is the capital of Austria? Answer Choices: (A) Vienna (B) Graz (C) Linz"
PLANET = (
    "Which one is Saturn? Answer Choices: (A) Mars (B) Venus "
    "(C) The planet with the largest ring system of all"
)
SPORT, LETTERS, LABELS = "The cup final is on Sunday.", "alphabet option", "categorical label"
MATH_ROW = kaf_row("math", "What is 2 + 2?", "It is 4.", "a(n) number / set / vector", "4")
ROWS = [
    kaf_row(LETTERS, CAPITAL, "The answer is (A) Vienna.", CAPITALS, "A"),
    kaf_row("alphabet_option", CAPITAL, "Answer: B", str(CAPITALS), "B"),
    # The text of the option is long enough to be an echo of the question.
    kaf_row(LETTERS, PLANET, f"The answer is (C) {PLANETS[0][1]}.", PLANETS, "C"),
    kaf_row(LETTERS, CAPITAL, "Austria has nine states.", CAPITALS, "C"),
    kaf_row(LETTERS, PLANET, "Answer: A", PLANETS, "B"),
    kaf_row(LABELS, "Is ice cold? Yes or No?", "Yes.", ["Yes", "No"], "Yes"),
    kaf_row(
        LABELS, "It rains.", "The answer is neither.", '["true", "false", "neither"]', "neither"
    ),
    kaf_row(LABELS, SPORT, "Answer: Sports", TOPICS, "Sports"),
    kaf_row(LABELS, "Shares fall.", "I enjoy long walks.", TOPICS, "[No valid answer]"),
    kaf_row(LABELS, "0 or 1 for a good review: awful.", "0", ["0", "1"], "1"),
    MATH_ROW,
]


@pytest.fixture
def run(monkeypatch, tmp_path):
    """Return a function that writes a file and runs the study on it."""
    monkeypatch.syspath_prepend(SCRIPT.parent)
    study = importlib.import_module(SCRIPT.stem)

    def run(name, content):
        path = tmp_path / name
        path.write_bytes(content)
        return path, CliRunner().invoke(study.main, [str(path)])

    return run


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("rows.json", json.dumps(ROWS, indent=1)),
        ("rows.jsonl", "\n".join(map(json.dumps, ROWS)) + "\n"),
    ],
)
def test_prints_a_table_for_each_file_format(run, name, content):
    _, result = run(name, content.encode())
    assert result.exit_code == 0, result.output
    for line in (
        "| alphabet option | 5 | 3 | 1 | 1 | 60.0% |",
        "| categorical label | 5 | 4 | 0 | 1 | 80.0% |",
        "| both | 10 | 7 | 1 | 2 | 70.0% |",
        "Skipped: 1 math",
    ):
        assert line in result.output.splitlines()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no rows"),
        ('{"key_answer_type": ', "line 1 is not JSON"),
        ("[1]", "row 1: no string 'key_answer_type' in 1"),
        (json.dumps([MATH_ROW, {"key_answer_type": "alphabet option"}]), "row 2: standard_answer"),
        (json.dumps({**ROWS[0], "gold_label": None}), "row 1: no string 'gold_label' in ['key_ans"),
        (json.dumps({**ROWS[0], "standard_answer_range": ["A", "B"]}), "pairs of letter and text"),
        (json.dumps({**ROWS[0], "standard_answer_range": "print(\n1)"}), "no list or too long"),
        (json.dumps({**ROWS[0], "standard_answer_range": f"[{'1,' * 10**5}]"}), "too long"),
        (json.dumps({**ROWS[0], "standard_answer_range": "[" * 19_000}), "no list or too long"),
        ("[" * 10**6, "rows.json: "),
        (b"\xff\xfe[", "rows.json: "),
    ],
)
def test_a_malformed_file_is_one_error_line(run, text, message):
    path, result = run("rows.json", text if isinstance(text, bytes) else text.encode())
    assert result.exit_code == 1
    [line] = result.output.splitlines()
    assert line.startswith(f"Error: {path}: ")
    assert message in line
    assert len(line) < len(str(path)) + 300
