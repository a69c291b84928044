"""Whether an answer stays the same under a probe, and whether it stays as right."""

from __future__ import annotations

import numpy as np

from bias_tasks.probing.items import PLAIN
from bias_tasks.probing.metrics.table import Table
from bias_tasks.statistics.effective_size import Floats
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.intervals import rate


def agreement(run: Table) -> dict[str, Estimate]:
    """By probe, and over all: `same_answer`, `same_score`, `coverage`.

    Two answers of which none was read are not the same: nothing was said.
    """
    card: dict[str, Estimate] = {}
    answers, scores = [], []
    for probe in run.probes:
        answers.append(_same_answers(run, probe))
        scores.append(_same_scores(run, probe))
        card[f"same_answer/{probe}"] = rate(run.sample(answers[-1]))
        card[f"same_score/{probe}"] = rate(run.sample(scores[-1]))
        applies: Floats = run.asked[:, run.variants.index(probe)].astype(float)
        card[f"coverage/{probe}"] = rate(run.sample(applies))
    for again in run.repeats[:1]:
        card["same_answer/repeat"] = rate(run.sample(_same_answers(run, again)))
        card["same_score/repeat"] = rate(run.sample(_same_scores(run, again)))
    if answers:
        card["same_answer"] = rate(run.sample(*_pooled(answers)))
        card["same_score"] = rate(run.sample(*_pooled(scores)))
    return card


def _same_answers(run: Table, variant: str) -> Floats:
    """1, 0, or nan where the item was not asked in both ways; one a row."""
    plain, said = run.answers(PLAIN), run.answers(variant)
    both = run.asked[:, run.variants.index(PLAIN)] & run.asked[:, run.variants.index(variant)]
    same = (plain == said) & (plain >= 0)
    found: Floats = np.where(both, same.astype(float), np.nan)
    return found


def _same_scores(run: Table, variant: str) -> Floats:
    """1, 0, or nan where one of the two has no score; one a row."""
    plain, under = run.of(PLAIN), run.of(variant)
    found: Floats = np.where(np.isnan(plain + under), np.nan, (plain == under).astype(float))
    return found


def _pooled(columns: list[Floats]) -> tuple[Floats, Floats]:
    """The mean of each row over its numbers, and how many these are."""
    values = np.column_stack(columns)
    known = ~np.isnan(values)
    count = known.sum(axis=1).astype(float)
    total = np.where(known, values, 0.0).sum(axis=1)
    return np.divide(total, count, out=np.full(count.size, np.nan), where=count > 0), count
