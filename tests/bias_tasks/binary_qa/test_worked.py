"""Every worked case of the page is read as it says there."""

from pathlib import Path

import pytest
import yaml

from bias_tasks.binary_qa.reading.yes_no import read_yes_no

WORKED = yaml.safe_load(Path(__file__).with_name("worked_yesno.yaml").read_text("utf-8"))


@pytest.mark.parametrize("case", WORKED["cases"])
def test_a_worked_case(case):
    assert read_yes_no(case["answer"], "Is it red?").label == case["read as"]


def test_both_answers_and_unread_ones_are_worked():
    labels = [case["read as"] for case in WORKED["cases"]]
    assert min(labels.count("Yes"), labels.count("No"), labels.count(None)) >= 7
