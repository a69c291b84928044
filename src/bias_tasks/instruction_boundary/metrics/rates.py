"""Accuracy, its parts, robustness score and output ratios of one variant."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from bias_tasks.instruction_boundary.items import FORMS, LABELS, Form
from bias_tasks.instruction_boundary.metrics.gaps import gap
from bias_tasks.instruction_boundary.metrics.outcome import INVALID, UNREAD
from bias_tasks.instruction_boundary.metrics.robustness import mean_robustness, robustness
from bias_tasks.instruction_boundary.metrics.table import Table
from bias_tasks.statistics.effective_size import Floats, WeightedSample
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.intervals import NOTHING, rate

GROUPS: Mapping[Form, Mapping[str, tuple[str, ...]]] = {
    "judging": {"sr": ("True", "False"), "gr": ("Unknown",)},
    "choice": {"sr": ("single",), "gr_none": ("none",), "gr_multiple": ("multiple",)},
}
"""Gold labels behind each rate: sr over tense labels, gr over sparse ones (paper, section 2.2)."""


def variant_figures(table: Table) -> dict[str, Estimate]:
    """Every figure of one variant that needs no other variant, by its name."""
    figures: dict[str, Estimate] = {}
    scores = []
    for form in FORMS:
        part = table.take(table.of(*LABELS[form]))
        if part.ok.size:
            figures |= _form_figures(form, part)
            scores.append(_robustness(form, part))
    figures["rs"] = mean_robustness(scores)
    for name in (INVALID, UNREAD):
        figures[f"or/{name}"] = _output(table, name)
    figures["unread"] = figures[f"or/{UNREAD}"]
    figures["judge_usage"] = rate(sample(table, table.judged))
    return figures


def sample(table: Table, values: Floats, weights: Floats | None = None) -> WeightedSample:
    """One value for each row, with the rows' clusters and strata; weights default to equal."""
    even = np.ones(values.size) if weights is None else weights
    return WeightedSample(values, table.cluster, table.stratum, even)


def _form_figures(form: Form, table: Table) -> dict[str, Estimate]:
    figures = {"acc": rate(sample(table, table.ok))}
    balanced = np.zeros(table.ok.size)
    for name, labels in GROUPS[form].items():
        rows = table.of(*labels)
        figures[name] = rate(sample(table, table.ok, rows.astype(float)))
        balanced[rows] = 1 / max(figures[name].n, 1)
    complete = all(figures[name].n for name in GROUPS[form])
    figures["acc_balanced"] = rate(sample(table, table.ok, balanced)) if complete else NOTHING
    tense, *sparse = GROUPS[form]
    for name in sparse:
        labels, others = GROUPS[form][name], GROUPS[form][tense]
        figures[name.replace("gr", "gap")] = gap(table, labels, others)
    named = {f"{form}/{name}": figure for name, figure in figures.items()}
    return named | {f"or/{label}": _output(table, label) for label in LABELS[form]}


def _output(table: Table, label: str) -> Estimate:
    """Share of an output label among the rows that say which labels came out."""
    shares = table.share(label)
    known = ~np.isnan(shares)
    return rate(sample(table, np.where(known, shares, 0.0), known.astype(float)))


def _robustness(form: Form, table: Table) -> Estimate:
    rows = table.of(*GROUPS[form]["sr"])
    tense, sparse = table.take(rows), table.take(~rows)
    return robustness(sample(tense, tense.ok), sample(sparse, sparse.ok))
