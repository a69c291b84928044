"""Every worked case of the page is read as it says there, in both protocols."""

from pathlib import Path

import pytest
import yaml

from bias_tasks.instruction_boundary.reading.choice import read_choice
from bias_tasks.instruction_boundary.reading.judging import read_judging


def _cases(form):
    return yaml.safe_load(Path(__file__).with_name(f"worked_{form}.yaml").read_text("utf-8"))[
        "cases"
    ]


CHOICE, JUDGING = _cases("choice"), _cases("judging")


def _choice(answer, protocol, first):
    """The numbers of the options that are read, as the text counts them, or the label."""
    reading = read_choice(answer, n_options=4, first=first, protocol=protocol)
    if reading.label in (None, "none", "invalid"):
        return reading.label
    return ", ".join(str(option + first) for option in reading.options)


@pytest.mark.parametrize("case", CHOICE)
def test_a_worked_choice(case):
    assert _choice(case["answer"], "corrected", 1) == case["read as"]
    assert _choice(case["answer"], "published", 0) == case["published"]


@pytest.mark.parametrize("case", JUDGING)
def test_a_worked_judgement(case):
    assert read_judging(case["answer"]).label == case["read as"]
    assert read_judging(case["answer"], protocol="published").label == case["published"]


def test_every_label_and_unread_answers_are_worked():
    judged = [case["read as"] for case in JUDGING]
    assert min(map(judged.count, ("True", "False", "Unknown"))) >= 5
    chosen = [case["read as"] for case in CHOICE]
    assert min(judged.count(None), chosen.count(None), chosen.count("none")) >= 5
