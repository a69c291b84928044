"""Time and memory of every figure of a run of 100,000 recorded answers.

    python benchmarks/metrics_100k.py

Both forms, vanilla and four settings on the same 20,000 items, four items a cluster.
"""

from __future__ import annotations

import resource
import sys
import time

import numpy as np

from bias_tasks.family import Outcome
from bias_tasks.instruction_boundary.items import FORMS, LABELS
from bias_tasks.instruction_boundary.metrics import scorecard

SETTINGS = ("vanilla", "multi_turn", "conformity", "few_shot", "vagueness")


def main() -> None:
    outcomes = recorded(100_000)
    before = _peak_mb()
    start = time.perf_counter()
    figures = scorecard(outcomes)
    seconds = time.perf_counter() - start
    print(f"{len(outcomes)} outcomes, {len(figures)} figures in {seconds:.2f} s")
    print(f"peak memory {_peak_mb():.0f} MB, of which the outcomes {before:.0f} MB")


def recorded(n: int) -> list[Outcome]:
    """Random outcomes of n answers, the same every time."""
    rng = np.random.default_rng(0)
    items = n // len(SETTINGS)
    golds, others, right = rng.integers(3, size=items), rng.integers(3, size=n), rng.random(n) < 0.5
    outcomes = []
    for row in range(n):
        variant, item = divmod(row, items)
        form = FORMS[item % 2]
        gold = LABELS[form][golds[item]]
        answer = gold if right[row] else LABELS[form][others[row]]
        suggested = LABELS[form][0]
        own = {
            "form": form,
            "label": answer,
            "gold_label": gold,
            "judged": False,
            "suggested": suggested,
            "suggestion_is_gold": suggested == gold,
            "at_suggestion": answer == suggested,
            "origin": None,
        }
        score, cluster = float(answer == gold), str(item // 4)
        outcomes.append(
            Outcome(str(item), cluster, SETTINGS[variant], gold, answer, score, "", own=own)
        )
    return outcomes


def _peak_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


if __name__ == "__main__":
    main()
