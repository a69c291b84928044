"""Every answer of `reading_cases.yaml` is read as it says there."""

from pathlib import Path

import pytest
import yaml

from bias_tasks.complex_eval.reading.scores import (
    read_criterion_scores,
    read_first_error,
    read_flaws,
    read_score,
)

CASES = yaml.safe_load((Path(__file__).parent / "reading_cases.yaml").read_text(encoding="utf-8"))
CRITERIA, DIMENSIONS = ["Theme", "Pacing"], ["Anthropomorphism", "Character Fidelity"]
SCALE = (1, 10)
READ = {
    "score": lambda text: read_score(text, SCALE),
    "scores": lambda text: read_criterion_scores(text, CRITERIA, SCALE),
    "first error": lambda text: read_first_error(text, 6),
    "flaws": lambda text: read_flaws(text, DIMENSIONS, SCALE),
}


@pytest.mark.parametrize(
    ("asked", "text", "value"),
    [
        pytest.param(asked, *case, id=f"{asked}-{number}")
        for asked, cases in CASES.items()
        for number, case in enumerate(cases)
    ],
)
def test_an_answer(asked, text, value):
    reading = READ[asked](text)
    if value is None:
        assert reading.value is None, reading.detail
        assert reading.span is None
        assert reading.reason in ("refusal", "invalid_response_format")
        return
    if asked == "flaws":
        value = tuple(map(tuple, value))
    assert reading.value == value, reading.detail
    start, end = reading.span
    assert 0 <= start < end <= len(text)
    assert reading.reason is None


def test_a_criterion_may_be_called_like_the_reasoning():
    said = '{"reasoning": "It reasons well.", "scores": {"Reasoning": 8}}'
    assert read_criterion_scores(said, ["Reasoning"], SCALE).value == {"Reasoning": 8}


def test_there_are_enough_cases():
    assert all(len(cases) >= 25 for cases in CASES.values())
    assert sum(value is None for cases in CASES.values() for _, value in cases) >= 80
