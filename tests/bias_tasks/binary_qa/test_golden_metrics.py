"""The paper's printed tables come out of its printed cells."""

import json

import pytest

from bias_tasks.binary_qa.metrics.score import CORE, DEFAULT_WEIGHTS, mbs

ROUNDING = 0.01
"""Of cells printed with two decimals, and of what is computed from such cells."""

MISPRINT = ("Llama 4 Maverick", "nrc")
"""Printed as 0.68 overall, while its five domains have a mean of 0.668."""


@pytest.fixture
def tables(golden):
    return json.loads((golden / "binary_qa_tables.json").read_text(encoding="utf-8"))


def by_domain(tables, model):
    """Per-domain values of the figures whose tables give them."""
    values = {name: tables[f"{name}_by_domain"].get(model) for name in ("f1", "prc", "nrc")}
    deltas = tables["delta_by_domain"].get(model, [])
    for name in ("delta_recall", "delta_precision"):
        values[name] = [domain[name] for domain in deltas]
    return {name: row for name, row in values.items() if row}


def test_weights_are_the_papers(tables):
    assert tables["weights"] == DEFAULT_WEIGHTS


def test_score_of_all_sixteen_rows(tables):
    assert len(tables["overall"]) == 16
    for model, row in tables["overall"].items():
        score = mbs(row, tables["stdev_over_domains"][model], DEFAULT_WEIGHTS)
        assert score == pytest.approx(row["mbs"], abs=0.3), model


def test_deviations_are_over_the_population_of_domains(tables):
    compared = 0
    for model, printed in tables["stdev_over_domains"].items():
        for name, values in by_domain(tables, model).items():
            mean = sum(values) / len(values)
            deviation = (sum((value - mean) ** 2 for value in values) / len(values)) ** 0.5
            assert deviation == pytest.approx(printed[name], abs=ROUNDING), (model, name)
            compared += 1
    assert compared > 40


def test_rates_over_all_domains_are_the_mean_of_equal_domains(tables):
    for model, row in tables["overall"].items():
        for name, values in by_domain(tables, model).items():
            if name in ("prc", "nrc", "delta_recall") and (model, name) != MISPRINT:
                mean = sum(values) / len(values)
                assert mean == pytest.approx(row[name], abs=ROUNDING), (model, name)


def test_every_core_metric_is_weighed():
    assert set(DEFAULT_WEIGHTS) == set(CORE)
    assert sum(DEFAULT_WEIGHTS.values()) == pytest.approx(0.9)
