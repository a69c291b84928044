"""A smaller version of the coverage study: the intervals cover planted truths."""

import pytest
from scipy.stats import binom

from tests.bias_tasks.studies import load_study

SETS = 400
# A coverage of 93 to 97 % gives shares within these in all but one case in ten thousand.
LOWEST, HIGHEST = binom.ppf(5e-5, SETS, 0.93) / SETS, binom.ppf(1 - 5e-5, SETS, 0.97) / SETS


@pytest.fixture(scope="module")
def study():
    return load_study("coverage")


def designs(study):
    wide, mix = study.ACCURACY, study.PAPER_MIX
    return {
        "independent items": (study.DRAWN[0], 50),
        "labels of very different rates": (
            study.Design(
                "contrast",
                "judging",
                {"True": (0.8, 0.95), "False": (0.8, 0.95), "Unknown": (0.05, 0.2)},
                (0.2, 0.4),
                mix=mix,
            ),
            150,
        ),
        "ten items a cluster": (
            study.Design(
                "tens", "choice", dict.fromkeys(("single", "multiple", "none"), wide), wide, 10, 0.3
            ),
            150,
        ),
    }


@pytest.mark.parametrize(
    "name", ["independent items", "labels of very different rates", "ten items a cluster"]
)
def test_intervals_cover_the_truth(study, name):
    design, n = designs(study)[name]
    covered = study.coverage(design, n, SETS)
    assert {"rs", "delta_acc", "adopted", f"{design.form}/acc", f"{design.form}/sr"} <= set(covered)
    outside = {metric: share for metric, share in covered.items() if not LOWEST <= share <= HIGHEST}
    assert not outside


def test_the_report_marks_what_lies_outside(study):
    rows = [(study.DRAWN[0], 50, "vanilla", {"acc": 0.951, "rs": 0.91})]
    page = study.report(rows, 2000)
    assert "| 95.1 |" in page
    assert "| **91.0** |" in page
    assert "1 of 2 shares lie between 93 and 97 %." in page
