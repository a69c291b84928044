"""A smaller version of the coverage study of the yes/no figures."""

import pytest
from scipy.stats import binom

from tests.bias_tasks.studies import load_study

SETS = 40
# A coverage of 93 % gives at least this share in all but one case in ten thousand.
LOWEST = binom.ppf(1e-4, SETS, 0.93) / SETS


@pytest.fixture(scope="module")
def study():
    return load_study("coverage_binary")


@pytest.mark.parametrize("name", ["any, fours", "even"])
def test_intervals_cover_the_truth(study, name):
    [design] = [d for d in study.DESIGNS if d.name == name and d.domains == 5]
    covered = study.coverage(design, 150, SETS)
    assert set(covered) == {*study.WHOLE, *study.OVER, *study.AVERAGES}
    assert not {metric: share for metric, share in covered.items() if share < LOWEST}


def test_intervals_are_not_merely_wide(study):
    """Where the truth is moved by more than the noise, they miss it."""
    [design] = [d for d in study.DESIGNS if d.name == "any" and d.domains == 5]
    rng = study.np.random.default_rng(0)
    weights = study.check_weights(study.DEFAULT_WEIGHTS)
    for _ in range(5):
        table, truths = study.data_set(design, 600, rng)
        figures = study.figures_of(table, "corrected", weights)
        for name in ("f1", "delta_recall", "prc", "nrc", "arc", "sc"):
            assert figures[name].ci_high - figures[name].ci_low < 0.18, name
        assert figures["mbs"].ci_high - figures["mbs"].ci_low < 10
        assert abs(figures["mbs"].value - truths["mbs"]) < 10


def test_the_report_marks_what_lies_outside(study):
    rows = [(study.DESIGNS[0], 50, {"f1": 0.951, "sc": 0.91})]
    section = study._table(rows, study.WHOLE)
    assert "| 95.1 |" in section
    assert "| **91.0** |" in section
    assert "1 of 2 shares lie between 93 and 97 %, 1 below, 0 above" in section
