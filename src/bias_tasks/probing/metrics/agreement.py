"""Whether an answer stays the same under a probe, and whether it stays as right."""

from __future__ import annotations

import numpy as np

from bias_tasks.probing.items import PLAIN
from bias_tasks.probing.metrics.table import Table, row_means
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
    nobody: Floats = np.zeros(run.item.size)
    card |= {f"coverage/{probe}": rate(run.sample(nobody)) for probe in run.in_vain}
    if run.repeats:
        card["same_answer/repeat"] = _pooled(
            run, [_same_answers(run, each) for each in run.repeats]
        )
        card["same_score/repeat"] = _pooled(run, [_same_scores(run, each) for each in run.repeats])
    if answers:
        card["same_answer"], card["same_score"] = _pooled(run, answers), _pooled(run, scores)
    return card


def _pooled(run: Table, columns: list[Floats]) -> Estimate:
    """The rate over all of several columns."""
    return rate(run.sample(*row_means(np.column_stack(columns))))


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
