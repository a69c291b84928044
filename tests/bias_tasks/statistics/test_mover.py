"""Limits of a difference, made of both figures' own."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.statistics.mover import interval_p_value, mover, mover_between_runs


def test_independent_errors_add_as_squares_and_those_that_go_together_leave_less():
    # 0.6 with arms 0.3 down and 0.4 up; 0.2 with arms 0.1 down and 0.4 up.
    limits = mover((0.3, 0.6, 1.0), (0.1, 0.2, 0.6), 0.0)
    assert limits == pytest.approx((0.4 - math.hypot(0.3, 0.4), 0.4 + math.hypot(0.4, 0.1)))
    # 0.3^2 + 0.4^2 - 2 * 0.5 * 0.3 * 0.4 = 0.13
    low, _ = mover((0.3, 0.6, 1.0), (0.1, 0.2, 0.6), 0.5)
    assert low == pytest.approx(0.4 - math.sqrt(0.13))


def test_the_same_figure_twice_has_no_difference_however_skewed_its_limits():
    figure = (0.0, 0.1, 0.9)
    assert mover_between_runs(figure, figure, 1.0) == (0.0, 0.0)
    assert mover(figure, figure, 1.0) != (0.0, 0.0)


@given(st.floats(-1, 1), st.floats(0.001, 1), st.floats(0.001, 1))
def test_p_is_below_5_percent_just_where_the_limits_exclude_0(value, down, up):
    low, high = value - down, value + up
    if min(abs(low), abs(high)) > 1e-9:
        assert (interval_p_value(value, low, high) < 0.05) == (low > 0 or high < 0)
