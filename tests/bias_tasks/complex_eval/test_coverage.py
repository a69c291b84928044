"""A smaller version of the coverage study of judges under auxiliary information."""

import pytest
from scipy.stats import binom

from tests.bias_tasks.studies import load_study

SETS = 40
# A coverage of 93 % gives at least this share in all but one case in ten thousand.
LOWEST = binom.ppf(1e-4, SETS, 0.93) / SETS


@pytest.fixture(scope="module")
def study():
    return load_study("coverage_judges")


@pytest.mark.parametrize(
    ("group", "name"),
    [
        ("PAIRS", "any, fours"),
        ("PAIRS", "unbiased"),
        ("ATTACKS", "any, fours"),
        ("ATTACKS", "unbiased"),
        ("ATTACKS", "math"),
        ("FLAWS", "ceiling, fours"),
    ],
)
def test_intervals_cover_the_truth(study, group, name):
    [design] = [d for d in getattr(study, group) if d.name == name]
    covered = study.coverage(design, 150, SETS)
    assert len(covered) >= 9
    assert not {figure: share for figure, share in covered.items() if share < LOWEST}


def test_intervals_are_not_merely_wide(study):
    rng = study.np.random.default_rng(0)
    widest = {"acc/none": 0.12, "gain/reference": 0.12, "asr_excess/format": 0.12}
    widest |= {"delta/format": 3, "breakpoint": 1, "ceiling": 1, "floor": 0.5}
    for design in (study.PAIRS[1], study.ATTACKS[1], study.FLAWS[2]):
        figures, truths = study.data_set(design, 600, rng)
        for name in widest.keys() & truths.keys():
            assert figures[name].ci_high - figures[name].ci_low < widest[name], name
