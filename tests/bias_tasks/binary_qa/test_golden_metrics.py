"""The paper's printed tables come out of its printed cells."""

import json
import statistics

import pytest

from bias_tasks.binary_qa.metrics_score import CORE, DEFAULT_WEIGHTS, mbs

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


def test_table_6_is_what_the_cells_average_to(tables):
    """Its words have no definition; they follow the means and spreads over the fifteen models."""

    def over_models(rows):
        columns = zip(tables["domains"], zip(*rows, strict=True), strict=True)
        return {domain: (statistics.mean(of), statistics.pstdev(of)) for domain, of in columns}

    f1, prc = (over_models(tables[f"{name}_by_domain"].values()) for name in ("f1", "prc"))
    lean = over_models(
        [domain["delta_recall"] for domain in row] for row in tables["delta_by_domain"].values()
    )
    for domain in ("reading", "multi_hop"):  # good
        assert min(f1[domain][0], prc[domain][0]) > 0.9
    assert f1["translation"][0] < 0.7 < f1["ethics"][0] < 0.85  # poor, medium
    assert max(f1, key=lambda domain: f1[domain][1]) == "numerical"  # mixed
    assert abs(lean["multi_hop"][0]) < 0.01  # balanced
    assert 0.02 < lean["reading"][0] < 0.05  # a slight No-bias
    assert min(lean["translation"][0], lean["ethics"][0]) > 0.15  # No-bias
    assert prc["translation"][0] < 0.8 < prc["ethics"][0] < 0.9  # medium, medium to good
