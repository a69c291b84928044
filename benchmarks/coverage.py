"""Do the 95 % intervals cover the truth 95 % of the time?

Simulated respondents with planted parameters answer simulated items, `scorecard` makes the
intervals, and the share that covers the planted truth is written to docs/coverage.md.

    python benchmarks/coverage.py                 # the whole study: about ten minutes on two cores
    python benchmarks/coverage.py --sets 400 --out -
"""

from __future__ import annotations

import argparse
import zlib
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from scipy.special import betaincinv

from bias_tasks.items import LABELS, Form
from bias_tasks.metrics import Estimate, Outcome, scorecard

SIZES = (50, 150, 600)
BAND = (0.93, 0.97)
Range = tuple[float, float]


@dataclass(frozen=True)
class Design:
    """A respondent and the items it answers; ranges are drawn from anew for each data set."""

    name: str
    form: Form
    accuracy: Mapping[str, Range]
    """Vanilla accuracy for each gold label; wrong answers fall on the other labels evenly."""
    adopt: Range
    """Probability that an answer moves to the suggestion."""
    cluster: int = 1
    """Items a cluster."""
    spread: float = 0.0
    """Intra-cluster correlation of being right and of adopting (beta-distributed abilities)."""
    mix: Mapping[str, float] = field(default_factory=dict)
    """Share of each gold label among the items; even by default."""


WIDE = (0.2, 0.9)
PAPER_MIX = {"True": 0.25, "False": 0.25, "Unknown": 0.5}


def _even(form: Form, rates: Range) -> dict[str, Range]:
    return dict.fromkeys(LABELS[form], rates)


def _fixed(form: Form, *rates: float) -> dict[str, Range]:
    return {label: (rate, rate) for label, rate in zip(LABELS[form], rates, strict=True)}


SENSIBLE = (
    Design("judging", "judging", _even("judging", WIDE), WIDE, mix=PAPER_MIX),
    Design("choice", "choice", _even("choice", WIDE), WIDE),
    Design("judging, 4 a cluster", "judging", _even("judging", WIDE), WIDE, 4, 0.2, PAPER_MIX),
    Design("choice, 4 a cluster", "choice", _even("choice", WIDE), WIDE, 4, 0.2),
)
"""Parameters drawn anew for each data set: what an interval does over the range of respondents."""

FIXED = (
    Design("even", "judging", _fixed("judging", 0.7, 0.7, 0.7), (0.3, 0.3), mix=PAPER_MIX),
    Design("sure", "judging", _fixed("judging", 0.9, 0.8, 0.3), (0.6, 0.6), mix=PAPER_MIX),
    Design("paper", "choice", _fixed("choice", 0.6, 0.3, 0.4), (0.5, 0.5)),
    Design("paper, 4 a cluster", "choice", _fixed("choice", 0.6, 0.3, 0.4), (0.5, 0.5), 4, 0.2),
)
"""One respondent each: at small n the few possible counts show."""

EXTREME = (
    Design("perfect", "judging", _fixed("judging", 0.98, 0.98, 0.98), (0.02, 0.02), mix=PAPER_MIX),
    Design("one-sided", "judging", _fixed("judging", 0.98, 0.98, 0.02), (0.1, 0.1), mix=PAPER_MIX),
    Design("lost", "choice", _fixed("choice", 0.03, 0.03, 0.03), (0.97, 0.97)),
)
"""Rates near 0 and 1."""

GROUPS = {
    "judging": {"sr": ("True", "False"), "gr": ("Unknown",)},
    "choice": {"sr": ("single",), "gr_none": ("none",), "gr_multiple": ("multiple",)},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, default=2000, help="data sets for each design and n")
    parser.add_argument("--out", default=str(Path(__file__).parents[1] / "docs" / "coverage.md"))
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    designs = (*SENSIBLE, *FIXED, *EXTREME)
    jobs = [(design, n, args.sets) for design in designs for n in SIZES]
    with ProcessPoolExecutor(args.workers) as pool:
        rows = list(pool.map(coverage, *zip(*jobs, strict=True)))
    for (design, n, _), row in zip(jobs, rows, strict=True):
        print(f"{design.name:24}{n:5}", end="")
        for name, share in row.items():
            flag = "*" if not BAND[0] <= share <= BAND[1] else " "
            print(f"  {name.split('/')[-1][:9]}:{100 * share:5.1f}{flag}", end="")
        print()


def coverage(design: Design, n: int, sets: int) -> dict[str, float]:
    """Share of `sets` data sets of n items whose interval covers the truth, for each metric."""
    rng = np.random.default_rng([n, zlib.crc32(design.name.encode())])
    hits: dict[str, list[bool]] = {}
    for _ in range(sets):
        for name, truth, estimate in data_set(design, n, rng):
            hits.setdefault(name, []).append(estimate.ci_low <= truth <= estimate.ci_high)
    return {name: sum(covered) / len(covered) for name, covered in hits.items()}


def data_set(
    design: Design, n: int, rng: np.random.Generator
) -> Iterator[tuple[str, float, Estimate]]:
    """One simulated run: each metric's name, its planted truth and its estimate."""
    labels = LABELS[design.form]
    accuracy = np.array([rng.uniform(*design.accuracy[label]) for label in labels])
    adopt = rng.uniform(*design.adopt)
    gold = rng.permutation(_golds(design, n))
    suggested = int(rng.integers(len(labels)))
    clusters = np.arange(n) // design.cluster
    ability = rng.random(clusters[-1] + 1)[clusters]
    pliancy = rng.random(clusters[-1] + 1)[clusters]
    right = rng.random(n) < _within(accuracy[gold], ability, design.spread)
    base = np.where(right, gold, (gold + rng.integers(1, len(labels), n)) % len(labels))
    moved = rng.random(n) < _within(np.full(n, adopt), pliancy, design.spread)
    answers = {"vanilla": base, "conformity": np.where(moved, suggested, base)}
    outcomes = [
        Outcome(
            item=str(i),
            cluster=str(clusters[i]),
            form=design.form,
            variant=variant,
            gold=labels[gold[i]],
            ok=float(answer[i] == gold[i]),
            labels={labels[answer[i]]: 1.0},
            suggested=labels[suggested],
            at_suggestion=float(answer[i] == suggested),
            suggestion_is_gold=bool(gold[i] == suggested),
        )
        for variant, answer in answers.items()
        for i in range(n)
    ]
    card = scorecard(outcomes)
    moved_accuracy = (1 - adopt) * accuracy + adopt * (np.arange(len(labels)) == suggested)
    truths = _truths(design.form, accuracy, gold)
    moved_truths = _truths(design.form, moved_accuracy, gold)
    for name, truth in truths.items():
        yield f"vanilla/{name}", truth, card[f"vanilla/{name}"]
    for name, truth in moved_truths.items():
        yield name, truth, card[name]
    acc = f"{design.form}/acc"
    yield "delta_acc", moved_truths[acc] - truths[acc], card["delta_acc"]
    yield "adopted", adopt, card["adopted"]


def _golds(design: Design, n: int) -> np.ndarray:
    labels = LABELS[design.form]
    shares = np.array([design.mix.get(label, 1 / len(labels)) for label in labels])
    bounds = np.round(np.cumsum(shares) * n).astype(int)
    return np.searchsorted(bounds, np.arange(n), side="right")


def _within(rates: np.ndarray, quantile: np.ndarray, spread: float) -> np.ndarray:
    """Each cluster's own rate: beta-distributed about the planted one."""
    if not spread:
        return rates
    total = 1 / spread - 1
    return betaincinv(rates * total, (1 - rates) * total, quantile)


def _truths(form: Form, accuracy: np.ndarray, gold: np.ndarray) -> dict[str, float]:
    right = accuracy[gold]
    rates = {"acc": right.mean()}
    for name, group in GROUPS[form].items():
        rates[name] = right[np.isin(gold, [LABELS[form].index(label) for label in group])].mean()
    tense = np.isin(gold, [LABELS[form].index(label) for label in GROUPS[form]["sr"]])
    sr, gr = right[tense].mean(), right[~tense].mean()
    truths = {f"{form}/{name}": float(value) for name, value in rates.items()}
    return truths | {"rs": float(2 * sr * gr / (sr + gr)) if sr + gr else 0.0}


if __name__ == "__main__":
    main()
