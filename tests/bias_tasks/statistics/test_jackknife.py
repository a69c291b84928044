"""Leaving one cluster out after the other, against the formulas that it stands for."""

import numpy as np
import pytest

from bias_tasks.statistics.jackknife import Sums, correct_bias, standard_errors

VALUES = np.array([3.0, 1.0, 4.0, 1.0, 5.0, 9.0])


def means(sums):
    return sums[:, :1] / sums[:, 1:]


def sums_of(values, cluster):
    return Sums.from_columns(np.column_stack([values, np.ones(values.size)]), cluster)


def test_sums_without_each_cluster():
    found = sums_of(VALUES, np.array([7, 7, 2, 2, 2, 5]))
    assert found.all_items.tolist() == [[23, 6]]
    assert found.without.tolist() == [[13, 3], [14, 5], [19, 4]]


def test_the_error_of_a_mean_is_the_known_one():
    found = sums_of(VALUES, np.arange(6))
    assert standard_errors(means(found.without)) == pytest.approx(VALUES.std(ddof=1) / 6**0.5)


def test_the_square_of_a_mean_loses_the_mean_s_variance():
    found = sums_of(VALUES, np.arange(6))
    square = correct_bias(means(found.all_items)[0] ** 2, means(found.without) ** 2)
    assert square == pytest.approx(VALUES.mean() ** 2 - VALUES.var(ddof=1) / 6)
