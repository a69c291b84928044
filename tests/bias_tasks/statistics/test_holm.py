"""Holm's adjustment against the reference implementation."""

from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from bias_tasks.statistics.holm import holm


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_equals_statsmodels(p_values):
    with patch("gc.collect"):  # which it calls each time: seconds where much is loaded
        expected = multipletests(p_values, method="holm")[1]
    assert holm(p_values) == pytest.approx(list(expected))


def test_by_hand():
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm([0.6, 0.7]) == [1.0, 1.0]
    assert holm([]) == []
