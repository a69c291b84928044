"""All figures of one run."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from bias_tasks.items.binary_qa import VARIANTS
from bias_tasks.metrics.binary_qa.classes import class_figures
from bias_tasks.metrics.binary_qa.consistency import COMPARED, Protocol, consistency
from bias_tasks.metrics.binary_qa.outcome import BinaryOutcome
from bias_tasks.metrics.binary_qa.score import CORE, DEFAULT_WEIGHTS, check_weights, mbs
from bias_tasks.metrics.binary_qa.table import MISSING, UNREAD, Table, table
from bias_tasks.metrics.estimate import Estimate
from bias_tasks.metrics.intervals import NOTHING, rate


def binary_scorecard(
    outcomes: Sequence[BinaryOutcome],
    *,
    protocol: Protocol = "corrected",
    weights: Mapping[str, float] | None = None,
) -> dict[str, Estimate]:
    weighed = check_weights(DEFAULT_WEIGHTS if weights is None else weights)
    if not outcomes:
        return {}
    run = table(outcomes)
    figures = _figures(run, protocol)
    parts = {name: _figures(run.of_domain(i), protocol) for i, name in enumerate(run.domains)}
    for name in CORE:
        if name in figures:
            figures[f"std/{name}"] = _std([part.get(name, NOTHING) for part in parts.values()])
    if all(name in figures for name in weighed):
        figures["mbs"] = _mbs(figures, weighed)
    for domain, part in parts.items():
        figures |= {f"{domain}/{name}": estimate for name, estimate in part.items()}
    count = float(len(run.domains))
    return figures | {"domains": Estimate(count, count, count, run.gold.size)}


def _figures(part: Table, protocol: Protocol) -> dict[str, Estimate]:
    figures = {}
    original = part.answer("original")
    if part.asked("original"):
        figures |= class_figures(part)
        yes = part.values(original == 0, original != MISSING)
        figures["yes_rate"] = rate(part.sample(yes))
    for name, compared in COMPARED.items():
        if part.asked("original", *compared):
            figures[name] = rate(part.sample(consistency(part, name, protocol)))
    for variant in VARIANTS:
        if part.asked(variant):
            answer = part.answer(variant)
            right = part.values(answer == part.right(variant), answer != MISSING)
            figures[f"acc/{variant}"] = rate(part.sample(right))
    asked = (part.answers != MISSING).sum(axis=1)
    unread = (part.answers == UNREAD).sum(axis=1) / asked
    figures["unread"] = rate(part.sample(part.values(unread, asked > 0)))
    return figures


def _std(parts: list[Estimate]) -> Estimate:
    if len(parts) < 2 or not all(part.n for part in parts):
        return NOTHING
    value = float(np.std([part.value for part in parts]))
    return Estimate(value, math.nan, math.nan, sum(part.n for part in parts))


def _mbs(figures: Mapping[str, Estimate], weights: Mapping[str, float]) -> Estimate:
    needed = [figures[n] for n in weights] + [figures[f"std/{n}"] for n in weights]
    if not all(figure.n for figure in needed):
        return NOTHING
    value = mbs(
        {name: figures[name].value for name in weights},
        {name: figures[f"std/{name}"].value for name in weights},
        weights,
    )
    return Estimate(value, math.nan, math.nan, figures["f1"].n)
