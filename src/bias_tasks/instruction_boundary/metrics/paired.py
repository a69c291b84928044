"""What a setting changes against vanilla on the same items."""

from __future__ import annotations

import numpy as np

from bias_tasks.instruction_boundary.items import FORMS, LABELS
from bias_tasks.instruction_boundary.metrics.rates import sample
from bias_tasks.instruction_boundary.metrics.table import Table
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.intervals import difference, rate


def pairs(setting: Table, vanilla: Table) -> tuple[Table, Table]:
    """The rows of the items that stand under both, in the same order."""
    _, here, there = np.intersect1d(
        setting.item, vanilla.item, assume_unique=True, return_indices=True
    )
    return setting.take(here), vanilla.take(there)


def paired_figures(setting: Table, vanilla: Table) -> dict[str, Estimate]:
    """Signed change of accuracy, its absolute value `abs_delta_acc`, and the flips behind it.

    Both tables hold the same items in the same order (see `pairs`).
    """
    change = setting.ok - vanilla.ok
    figures = {"delta_acc": difference(sample(setting, change))}
    figures["abs_delta_acc"] = absolute(figures["delta_acc"])
    figures["flips/lost"] = rate(sample(setting, vanilla.ok * (1 - setting.ok)))
    figures["flips/gained"] = rate(sample(setting, (1 - vanilla.ok) * setting.ok))
    masks = {form: setting.of(*LABELS[form]) for form in FORMS}
    if all(rows.any() for rows in masks.values()):
        for form, rows in masks.items():
            name = f"{form}/delta_acc"
            figures[name] = difference(sample(setting, change, rows.astype(float)))
    return figures


def absolute(change: Estimate) -> Estimate:
    """The size of a change: its interval folded at 0."""
    low, high = sorted((abs(change.ci_low), abs(change.ci_high)))
    if change.ci_low <= 0 <= change.ci_high:
        low = 0.0
    return Estimate(abs(change.value), low, high, change.n)
