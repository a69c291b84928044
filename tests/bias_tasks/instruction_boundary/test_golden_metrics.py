"""Metrics against the numbers that the paper prints."""

import json

import pytest

from tests.bias_tasks.instruction_boundary.test_metrics import answered, compute


def rated(rates):
    """One item per label and rate, correct in a share of epochs equal to the rate (percent)."""
    return [
        answered(str(i), label, label, score=rate / 100) for i, (label, rate) in enumerate(rates)
    ]


def test_the_papers_table_3_follows_from_its_printed_rates(golden):
    """Accuracies and robustness scores, without the rows whose printed values contradict."""
    table = json.loads((golden / "instruction_boundary_table3.json").read_text(encoding="utf-8"))
    checked = {"judging": 0, "choice": 0, "rs": 0}
    for row in table["rows"]:
        sr, gr = row["sr_judging"], row["gr_judging"]
        rates = [("True", sr), ("False", sr), ("Unknown", gr), ("Unknown", gr)]
        judging = compute(rated(rates))
        rates = [(label, row[f"gr_choice_{label}"]) for label in ("none", "multiple")]
        choice = compute(rated([("single", row["sr_choice"]), *rates]))
        for form, metrics, near in (("judging", judging, 0.02), ("choice", choice, 0.06)):
            checked[form] += row[f"consistent_{form}"]
            for name in ("acc", "acc_balanced"):
                value = 100 * metrics[f"{form}/{name}"].value
                if row[f"consistent_{form}"]:
                    assert value == pytest.approx(row[f"acc_{form}"], abs=near), row
        if row["rs_matches_judging_harmonic_mean"]:
            checked["rs"] += 1
            assert 100 * judging["rs"].value == pytest.approx(row["rs_published"], abs=0.02), row
    assert checked == {"judging": 30, "choice": 32, "rs": 32}
