"""Metrics against the numbers that the paper prints."""

import json
from statistics import pstdev

import pytest

from bias_tasks.binary_qa.metrics_mbs import DEFAULT_WEIGHTS, compute_mbs


def test_mbs_of_the_sixteen_printed_rows(golden):
    tables = json.loads((golden / "binary_qa_tables.json").read_text(encoding="utf-8"))
    assert len(tables["overall"]) == 16
    for model, row in tables["overall"].items():
        score = compute_mbs(row, tables["stdev_over_domains"][model], DEFAULT_WEIGHTS)
        assert score == pytest.approx(row["mbs"], abs=0.3), model


def test_printed_deviations_follow_from_the_printed_domains(golden):
    """To 0.01, since both are printed with two decimals."""
    tables = json.loads((golden / "binary_qa_tables.json").read_text(encoding="utf-8"))
    checked, deviating = 0, []
    for metric in ("f1", "prc", "nrc"):
        for model, by_domain in tables[f"{metric}_by_domain"].items():
            checked += 1
            # Table 5 abbreviates the names of two models.
            printed = tables["stdev_over_domains"][model.replace("Med ", "Medium ")][metric]
            if pstdev(by_domain) != pytest.approx(printed, abs=0.0101):
                deviating.append((model, metric, printed))
    assert checked == 45
    assert deviating == []
