"""The covariance of ratios, by hand."""

import numpy as np
import pytest

from bias_tasks.statistics.delta_method import ratio_covariance


def covariance(*formats, clusters):
    """Return the covariance of formats, each with one answer per item; None is no answer."""
    top = np.array([[score or 0 for score in scores] for scores in formats], float).T
    bottom = np.array([[score is not None for score in scores] for scores in formats], float).T
    return ratio_covariance(top, bottom, np.array(clusters))


def test_two_clusters_have_the_variance_of_their_mean_and_one_has_none():
    """Answers 1 and 0: a variance of 1/2 with n - 1, and half of it for their mean."""
    assert covariance([1, 0], clusters=[0, 1]) == pytest.approx(np.array([[0.25]]))
    assert np.isnan(covariance([1, 0], clusters=[0, 0])).all()


def test_a_format_in_one_cluster_has_the_variance_per_answer_of_the_others():
    """The first format has 0.25 * 2 per answer, so the second, with four answers, has 0.5 / 4."""
    formats = [1, None, None, None, 0], [1, 1, 0, 0, None]
    expected = np.array([[0.25, 0], [0, 0.125]])
    assert covariance(*formats, clusters=[0, 0, 0, 0, 1]) == pytest.approx(expected)
    # In two clusters, the four answers vary as one of the first format does, and with it.
    expected = np.full((2, 2), 0.25)
    assert covariance(*formats, clusters=[0, 0, 1, 1, 1]) == pytest.approx(expected)
