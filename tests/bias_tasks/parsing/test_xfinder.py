"""The runner for xFinder's annotated outputs, on rows of the same shape."""

import importlib
import json
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner

SCRIPT = Path(__file__).parents[3] / "benchmarks" / "studies" / "xfinder_study.py"
CAPITALS = [["A", "Vienna"], ["B", "Graz"], ["C", "Linz"]]
# KAF shuffles the pairs.
PLANETS = [["C", "The planet with the largest ring system of all"], ["A", "Mars"], ["B", "Venus"]]
TOPICS = ["World", "Sports", "Business"]


def kaf_row(
    answer_type: str, question: str, output: str, answer_range: Any, gold: str
) -> dict[str, Any]:
    """Return a row with the fields of KAF.

    Args:
        answer_type: Type of the answer.
        question: Question with its options.
        output: Output of a model.
        answer_range: The labels, or pairs of letter and text; also as a string.
        gold: The annotated key answer.
    """
    return {
        "model_name": "model",
        "dataset": "written for this test",
        "key_answer_type": answer_type,
        "question": question,
        "llm_output": output,
        "correct_answer": "not used",
        "standard_answer_range": answer_range,
        "gold_label": gold,
        "xFinder_output": "not used",
    }


CAPITAL = "What is the capital of Austria? Answer Choices: (A) Vienna (B) Graz (C) Linz"
PLANET = (
    "Which one is Saturn? Answer Choices: (A) Mars (B) Venus "
    "(C) The planet with the largest ring system of all"
)
ALPHABET_ROWS = [
    kaf_row("alphabet option", CAPITAL, "The answer is (A) Vienna.", CAPITALS, "A"),
    kaf_row("alphabet_option", CAPITAL, "Answer: B", str(CAPITALS), "B"),
    # The text of the option is long enough to be an echo of the question.
    kaf_row("alphabet option", PLANET, f"The answer is (C) {PLANETS[0][1]}.", PLANETS, "C"),
    kaf_row("alphabet option", CAPITAL, "Austria has nine states.", CAPITALS, "C"),
    kaf_row("alphabet option", PLANET, "Answer: A", PLANETS, "B"),
]
CATEGORICAL_ROWS = [
    kaf_row("categorical label", "Is ice cold? Yes or No?", "Yes.", ["Yes", "No"], "Yes"),
    kaf_row(
        "categorical label",
        "It rains. Does somebody sing? true, false or neither?",
        "The answer is neither.",
        json.dumps(["true", "false", "neither"]),
        "neither",
    ),
    kaf_row("categorical label", "The cup final is on Sunday.", "Answer: Sports", TOPICS, "Sports"),
    kaf_row(
        "categorical label",
        "Shares fall.",
        "I enjoy long walks by the sea.",
        TOPICS,
        "[No valid answer]",
    ),
    kaf_row("categorical label", "0 or 1 for a good review: awful.", "0", ["0", "1"], "1"),
]
MATH_ROW = kaf_row("math", "What is 2 + 2?", "It is 4.", "a(n) number / set / vector", "4")
ROWS = [*ALPHABET_ROWS, *CATEGORICAL_ROWS, MATH_ROW]


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the runner as a module."""
    monkeypatch.syspath_prepend(SCRIPT.parent)
    return importlib.import_module(SCRIPT.stem)


def test_counts_outcomes_by_type(script: ModuleType) -> None:
    counts, skipped = script.count_outcomes(ROWS)
    assert counts == {
        "alphabet option": Counter(right=3, unparsed=1, wrong=1),
        "categorical label": Counter(right=4, wrong=1),
    }
    assert skipped == Counter(math=1)


def test_prints_a_table_for_each_file_format(script: ModuleType, tmp_path: Path) -> None:
    paths = tmp_path / "rows.json", tmp_path / "rows.jsonl"
    paths[0].write_text(json.dumps(ROWS, indent=1), encoding="utf-8")
    paths[1].write_text("\n".join(map(json.dumps, ROWS)) + "\n", encoding="utf-8")
    result = CliRunner().invoke(script.main, [*map(str, paths)])
    assert result.exit_code == 0, result.output
    for line in (
        "| alphabet option | 5 | 3 | 1 | 1 | 60.0% |",
        "| categorical label | 5 | 4 | 0 | 1 | 80.0% |",
        "| both | 10 | 7 | 1 | 2 | 70.0% |",
        "Skipped: 1 math",
    ):
        assert result.output.splitlines().count(line) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no rows"),
        ('{"key_answer_type": ', "line 1 is not JSON"),
        ("[1]", "row 1: no string 'key_answer_type' in 1"),
        (json.dumps([MATH_ROW, {"key_answer_type": "alphabet option"}]), "row 2: standard_answer"),
        (json.dumps({**ROWS[0], "gold_label": None}), "row 1: no string 'gold_label' in ['model"),
        (json.dumps({**ROWS[0], "standard_answer_range": ["A", "B"]}), "pairs of letter and text"),
        (json.dumps({**ROWS[0], "standard_answer_range": "print(\n1)"}), "no list or too long"),
        (json.dumps({**ROWS[0], "standard_answer_range": f"[{'1,' * 10**5}]"}), "too long"),
        (json.dumps({**ROWS[0], "standard_answer_range": "[" * 19_000}), "no list or too long"),
        ("[" * 10**6, "rows.json: "),
    ],
)
def test_a_malformed_file_is_one_error_line(
    script: ModuleType, tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "rows.json"
    path.write_text(text, encoding="utf-8")
    result = CliRunner().invoke(script.main, [str(path)])
    assert result.exit_code == 1
    [line] = result.output.splitlines()
    assert line.startswith(f"Error: {path}: ")
    assert message in line
    assert len(line) < len(str(path)) + 300


def test_a_file_in_another_encoding_is_one_error_line(script: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    path.write_bytes(b"\xff\xfe[")
    result = CliRunner().invoke(script.main, [str(path)])
    assert result.exit_code == 1
    assert len(result.output.splitlines()) == 1
