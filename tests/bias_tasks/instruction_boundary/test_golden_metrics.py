"""The paper's table 3: accuracies and robustness scores follow from its printed rates."""

import json

import pytest

from bias_tasks.instruction_boundary.items import (
    SettingOutcome as Outcome,
)
from bias_tasks.instruction_boundary.metrics import (
    scorecard,
)


@pytest.fixture
def rows(golden):
    table = json.loads((golden / "instruction_boundary_table3.json").read_text(encoding="utf-8"))
    return table["rows"]


def rated(form, rates):
    """An item for each label and rate: right in a share of epochs equal to the rate (percent)."""
    return [
        Outcome(str(i), str(i), form, "vanilla", label, percent / 100)
        for i, (label, percent) in enumerate(rates)
    ]


def judging(row):
    sr, gr = row["sr_judging"], row["gr_judging"]
    return rated("judging", [("True", sr), ("False", sr), ("Unknown", gr), ("Unknown", gr)])


def choice(row):
    labels = {"single": "sr_choice", "none": "gr_choice_none", "multiple": "gr_choice_multiple"}
    return rated("choice", [(label, row[column]) for label, column in labels.items()])


def test_judging_accuracy(rows):
    checked = [row for row in rows if row["consistent_judging"]]
    assert len(checked) == 30
    for row in checked:
        card = scorecard(judging(row))
        for name in ("judging/acc", "judging/acc_balanced"):
            assert 100 * card[name].value == pytest.approx(row["acc_judging"], abs=0.02), row


def test_choice_accuracy(rows):
    checked = [row for row in rows if row["consistent_choice"]]
    assert len(checked) == 32
    for row in checked:
        card = scorecard(choice(row))
        for name in ("choice/acc", "choice/acc_balanced"):
            assert 100 * card[name].value == pytest.approx(row["acc_choice"], abs=0.06), row


def test_robustness_score(rows):
    checked = [row for row in rows if row["rs_matches_judging_harmonic_mean"]]
    assert len(checked) == 32
    for row in checked:
        rs = 100 * scorecard(judging(row))["rs"].value
        assert rs == pytest.approx(row["rs_published"], abs=0.02), row
