"""A smaller version of the study of intervals, false alarms and planted effects."""

import numpy as np
import pytest
from scipy.stats import binom

from tests.bias_tasks.studies import load_study

SETS, ALARMS = 40, 250
# Coverages of 93 % and 5 % of alarms give shares within these in all but one case in ten thousand.
LOWEST = binom.ppf(1e-4, SETS, 0.93) / SETS
MOST = binom.ppf(1 - 1e-4, ALARMS, 0.05) / ALARMS


@pytest.fixture(scope="module")
def study():
    return load_study("coverage_probe")


@pytest.fixture(scope="module")
def shares(study):
    """By name of design, of data sets with 100 items."""
    names = ("insensitive", "one probe", "items, certain", "both, graded", "both, fours")
    return {
        design.name: study.coverage(design, 100, SETS, ALARMS)
        for design in study.DESIGNS
        if design.name in names
    }


def test_intervals_cover_what_was_planted(study, shares):
    for name, found in shares.items():
        assert set(study.COLUMNS) - set(found) <= {"same_answer"}
        for column in set(study.COLUMNS) & set(found):
            assert found[column] >= LOWEST, (name, column)


def test_a_respondent_that_nothing_moves_raises_few_alarms(study, shares):
    found = shares["insensitive"]
    assert found[study.ALARM] <= MOST
    assert found[study.FRAGILE] <= MOST
    assert found[study.FRAGILE] > 0


def test_what_is_planted_is_found_where_it_is(study, shares):
    assert shares["one probe"][study.FALL] > 0.3
    # Items that change both ways change no score, and yet do not keep theirs.
    assert shares["items, certain"][study.FALL] <= 0.2
    assert shares["items, certain"][study.FRAGILE] == 1


def test_the_planted_truth_is_what_many_items_show(study):
    design = next(each for each in study.DESIGNS if each.name == "both, graded")
    known = study.truths(design)
    card = study.card_of(study.simulated(design, 20_000, np.random.default_rng(0)))
    for name, truth in known.items():
        assert card[name].value == pytest.approx(truth, abs=0.02), name


def test_the_section_says_what_was_found(study):
    found = dict.fromkeys(study.COLUMNS, 0.951) | {"worst": 0.91}
    found |= {study.ALARM: 0.031, study.FALL: 0.5, study.FRAGILE: 0.25}
    page = study.report([(study.DESIGNS[0], 50, found)], 200)
    assert page.startswith(study.HEADING)
    assert "| insensitive | 50 | 95.1 | 95.1 | 95.1 | 95.1 | 95.1 | **91.0** |" in page
    assert "| insensitive | 50 | 3.1 | 50.0 | 25.0 |" in page
