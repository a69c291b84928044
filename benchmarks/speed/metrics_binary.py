"""Time and memory of every metric of binary question answering.

    python -m benchmarks.speed.metrics_binary  # 8,000 and 100,000 answers, in turn

Eight answers to each question, five domains, four questions per cluster.
"""

from __future__ import annotations

import resource
import sys
import time

import numpy as np

from bias_tasks.binary_qa.items import BINARY_LABELS, PAPER_DOMAINS, VARIANTS, BinaryExtra
from bias_tasks.binary_qa.metrics import compute_table_metrics
from bias_tasks.binary_qa.metrics_table import build_table
from bias_tasks.contract.outcomes import Outcome


def main() -> None:
    for questions in (1000, 12_500):
        outcomes = recorded(questions)
        before = _peak_mb()
        start = time.perf_counter()
        metrics = compute_table_metrics(build_table(outcomes), "corrected")
        seconds = time.perf_counter() - start
        print(f"{len(outcomes)} outcomes, {len(metrics)} metrics in {seconds:.2f} s")
        print(f"  peak memory {_peak_mb():.0f} MB, of which {before:.0f} MB before")


def recorded(questions: int) -> list[Outcome]:
    """Random answers to this many questions, the same every time."""
    rng = np.random.default_rng(0)
    answers = rng.choice(
        np.array([*BINARY_LABELS, None]), (questions, len(VARIANTS)), p=(0.5, 0.4, 0.1)
    )
    return [
        Outcome(
            item=str(item),
            cluster=f"{item % 5}/{item // 20}",
            variant=variant,
            gold=None,
            answer=answers[item, column],
            score=None,
            explanation="",
            extra=BinaryExtra(
                domain=PAPER_DOMAINS[item % 5], answer_to_original=BINARY_LABELS[item // 5 % 2]
            ),
        )
        for item in range(questions)
        for column, variant in enumerate(VARIANTS)
    ]


def _peak_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


if __name__ == "__main__":
    main()
