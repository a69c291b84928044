"""The mean bias over the groups of a run."""

import math

import pytest

from bias_tasks.output_format.metrics.mean_bias import mean_over_groups
from bias_tasks.statistics.estimate import Estimate


def test_groups_of_one_data_set_add_up_and_others_in_squares():
    same = {
        ("gsm8k", "zs", "wrapping"): Estimate(10.0, 7.0, 14.0, 20),
        ("gsm8k", "zs_cot", "wrapping"): Estimate(20.0, 19.0, 22.0, 20),
    }
    assert mean_over_groups(same) == Estimate(15.0, 15 - 4 / 2, 15 + 6 / 2, 40)
    other = {
        ("a", "zs", "x"): Estimate(10.0, 7.0, 14.0, 20),
        ("b", "zs", "x"): Estimate(20.0, 16.0, 23.0, 5),
    }
    found = mean_over_groups(other)
    assert (found.value, found.ci_low, found.ci_high) == pytest.approx((15, 15 - 5 / 2, 15 + 5 / 2))
    assert found.n == 25


def test_one_group_without_a_value_leaves_none():
    groups = {
        ("a", "zs", "x"): Estimate(10.0, 7.0, 14.0, 20),
        ("a", "zs", "y"): Estimate(math.nan, math.nan, math.nan, 0),
    }
    assert math.isnan(mean_over_groups(groups).value)
