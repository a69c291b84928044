"""A smaller version of the study of judges' intervals, false alarms and planted pulls."""

import pytest
from scipy.stats import binom

from tests.bias_tasks.studies import load_study

SETS, ALARMS = 40, 150
# Coverages of 93 % and 5 % of alarms give shares within these in all but one case in ten thousand.
LOWEST = binom.ppf(1e-4, SETS, 0.93) / SETS
MOST = binom.ppf(1 - 1e-4, ALARMS, 0.05) / ALARMS


@pytest.fixture(scope="module")
def study():
    return load_study("coverage_judging")


@pytest.fixture(scope="module")
def shares(study):
    """By name of design, of data sets with 100 pairs."""
    names = ("unbiased, ties", "first", "pull", "both, fours")
    return {
        design.name: study.coverage(design, 100, SETS, ALARMS)
        for design in study.DESIGNS
        if design.name in names
    }


def test_intervals_cover_what_was_planted(study, shares):
    for name, found in shares.items():
        for column in study.COLUMNS:
            assert found[column] >= LOWEST, (name, column)


def test_an_unbiased_judge_raises_few_alarms(study, shares):
    assert shares["unbiased, ties"][study.ALARM] <= MOST
    assert shares["unbiased, ties"][study.ORDER_FOUND] <= MOST


def test_what_is_planted_is_found_where_it_is(study, shares):
    assert shares["first"][study.ORDER_FOUND] > 0.95
    assert shares["first"][study.PULL_FOUND] <= 0.2
    assert shares["pull"][study.PULL_FOUND] > 0.3
    assert shares["pull"][study.ORDER_FOUND] <= 0.2
