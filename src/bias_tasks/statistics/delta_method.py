"""Cluster-robust covariance of several metrics of the same items, by the delta method.

A metric k is a ratio R_k = sum(top) / sum(bottom) over items, such as the score in format k.
Linearized (the delta method), its error is the sum of the items' *influences*
(top - R_k * bottom) / sum(bottom), which vary from cluster to cluster.
"""

import numpy as np

from bias_tasks.statistics.effective_size import Floats, Ints


def ratio_covariance(top: Floats, bottom: Floats, cluster: Ints) -> Floats:
    """Return the cluster-robust covariance of the ratios of k formats, k by k.

    A format with answers in a single cluster shows no spread. One answer in it is assumed to vary
    like an answer in the other formats on average, and independently; nan if there are no others.

    Args:
        top: Numerators, n items by k formats; 0 for an item without an answer in the format.
        bottom: Denominators, n by k, likewise. No column is all 0.
        cluster: The cluster of each item, from 0.
    """
    total: Floats = bottom.sum(axis=0)
    influence = (top - (top.sum(axis=0) / total) * bottom) / total
    sums, has_answers = sum_by_cluster(influence, cluster), sum_by_cluster(bottom, cluster) > 0
    clusters = has_answers.sum(axis=0)
    spread = clusters > 1
    # Deviations from a mean of m clusters have (m - 1) / m of the variance.
    scaled: Floats = sums * np.sqrt(clusters / np.maximum(clusters - 1, 1))
    covariance: Floats = scaled.T @ scaled
    once = (np.diagonal(covariance) * total)[spread].mean() if spread.any() else np.nan
    covariance[~spread] = covariance[:, ~spread] = 0.0
    covariance[~spread, ~spread] = once / total[~spread]
    return covariance


def correlation(covariance: Floats) -> Floats:
    """Return the correlations of a covariance. A metric without spread correlates with none."""
    errors = np.sqrt(np.nan_to_num(np.diagonal(covariance)))
    scale = np.divide(1, errors, out=np.zeros_like(errors), where=errors > 0)
    related = np.clip(np.nan_to_num(covariance) * scale[:, None] * scale, -1.0, 1.0)
    np.fill_diagonal(related, 1.0)
    return related


def sum_by_cluster(values: Floats, cluster: Ints) -> Floats:
    """Return the sum of each column over each cluster. There may be no columns."""
    sums = np.zeros((int(cluster.max()) + 1, values.shape[1]))
    np.add.at(sums, cluster, values)
    return sums
