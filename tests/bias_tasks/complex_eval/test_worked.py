"""The worked cases of the pages are read as they say."""

from pathlib import Path

import pytest
import yaml

from bias_tasks.complex_eval.reading.scores import (
    read_criterion_scores,
    read_first_error,
    read_flaws,
    read_score,
)

WORKED = yaml.safe_load((Path(__file__).parent / "worked_judges.yaml").read_text(encoding="utf-8"))
SCALE = (1, 10)
READ = {
    "score": lambda text: read_score(text, SCALE),
    "scores": lambda text: read_criterion_scores(text, ["Plot", "Style"], SCALE),
    "first error": lambda text: read_first_error(text, 5),
    "flaws": lambda text: read_flaws(text, ["Voice", "Plot"], SCALE),
}


@pytest.mark.parametrize("case", WORKED["cases"], ids=lambda case: case["answer"][:40])
def test_worked_case(case):
    reading = READ[case["asked"]](case["answer"])
    value = reading.value
    if case["asked"] == "flaws" and value is not None:
        value = [list(flaw) for flaw in value]
    assert value == case["read as"], reading.detail
    assert reading.detail


def test_every_reader_is_shown():
    asked = [case["asked"] for case in WORKED["cases"]]
    assert set(asked) == set(READ)
    assert all(asked.count(name) >= 14 for name in READ)
