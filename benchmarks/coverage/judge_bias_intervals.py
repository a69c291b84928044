"""Do the 95 % intervals of a judge under probes cover the truth 95 % of the time?

Simulated judges with a planted preference for the first position, and planted preference shifts,
judge simulated pairs. The share of intervals that cover the planted truth is written to the section
on judges under probes of docs/reference/coverage.md, with the rates of false alarms and of planted
shifts found.

    python -m benchmarks.coverage.judge_bias_intervals  # the study: four minutes on one core
    python -m benchmarks.coverage.judge_bias_intervals --quick --out FILE  # a rough look
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from textwrap import fill

import numpy as np

from benchmarks.coverage_study import (
    coverage_table,
    error_margin,
    run_jobs,
    study_parser,
    write_section,
)
from bias_tasks.judge_bias.cosmetic_edits import COSMETIC_EDITS, POSITION
from bias_tasks.judge_bias.metrics import (
    acc_both_orders,
    compute_preference_shifts,
    compute_score_shifts,
    first_position_rate,
)
from bias_tasks.judge_bias.outcomes import SCALE
from bias_tasks.probing.items import BASELINE
from bias_tasks.probing.metrics import ProbeTable
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.outcomes import OutcomeTable
from bias_tasks.statistics.rate_intervals import rate

SIZES = (50, 150, 600)
SETS, QUICK = 400, 10
ALARMS = 1000
"""Data sets of an unbiased judge in which false alarms are counted."""
HEADING = "## Judges under probes"
PULLED = "verbosity"
"""The probe in which preference shifts are planted."""
CONTROL = f"{PULLED}_control"
VARIANTS = (BASELINE, POSITION, *COSMETIC_EDITS, CONTROL)
MEAN, TOTAL = 0.7, 2.0
"""Of the beta distribution of the pairs' chances to be judged rightly: its mean and the sum of its
parameters."""
WORSE, APART = 4.5, 1.0
"""Mean score of the worse responses, and how far they lie apart (standard deviation)."""
MANY = 2_000_000
COLUMNS = (
    "first_position_rate",
    "acc_both_orders",
    "tie_rate",
    "preference_shift",
    "preference_shift_control",
    "score_shift",
)
ALARM, PULL_FOUND, ORDER_FOUND = "alarm", "pull found", "order found"


@dataclass(frozen=True)
class Design:
    """A judge and its pairs."""

    name: str
    meaning: str
    first: float = 0.0
    """Chance of a verdict for the response shown first."""
    pull: float = 0.0
    """Chance of a verdict for the one that is longer; of a score, what it adds as a share of the
    scale."""
    ties: float = 0.0
    unparsed: float = 0.0
    certain: bool = False
    """Chances of 0 and 1 alone: nothing is sampled."""
    cluster: int = 1
    """Pairs per cluster, which share their chances."""
    epochs: int = 1


DESIGNS = (
    Design("unbiased", "order and cosmetic edits have no effect"),
    Design("unbiased, certain", "the same without sampling", certain=True),
    Design(
        "unbiased, ties",
        "0.3 of the verdicts are ties, 0.1 unparsed",
        ties=0.3,
        unparsed=0.1,
    ),
    Design("first", "0.3 of the verdicts are for the first response", first=0.3),
    Design("pull", "0.2 of the verdicts are for the longer response", pull=0.2),
    Design("both, ties", "both, with ties and unparsed verdicts", 0.3, 0.2, 0.3, 0.1),
    Design("both, fours", "four pairs share their probabilities", 0.3, 0.2, cluster=4),
    Design("both, 3 epochs", "every prompt is sent three times", 0.3, 0.2, epochs=3),
)
Row = tuple[Design, int, Mapping[str, float]]


def main() -> None:
    parser = study_parser(__doc__, SETS)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} of them")
    args = parser.parse_args()
    sets, alarms = (QUICK, QUICK) if args.quick else (args.sets, ALARMS)
    jobs = [(design, n) for design in DESIGNS for n in reversed(SIZES)]
    rows = run_jobs(partial(coverage, sets=sets, alarms=alarms), jobs, args.workers)
    rows.sort(key=lambda row: (DESIGNS.index(row[0]), row[1]))
    write_section(args.out, HEADING, report(rows, sets))


def coverage(design: Design, n: int, sets: int, alarms: int = 0) -> dict[str, float]:
    """Share of intervals that cover the truth, by kind of metric, and what else was counted.

    For unbiased judges, alarms are counted in `alarms` data sets if these are more.
    """
    rng = np.random.default_rng([n, zlib.crc32(design.name.encode())])
    known, hits = truths(design), {}
    unbiased = not design.first and not design.pull
    for number in range(max(sets, alarms) if unbiased else sets):
        metrics = judged(design, n, rng)
        found = _found(metrics)
        if number < sets:
            found += _hits(metrics | scored(design, n, rng), known)
        for name, hit in found:
            hits.setdefault(name, []).append(hit)
    return {name: sum(seen) / len(seen) for name, seen in hits.items()}


def _hits(metrics: Mapping[str, Estimate], known: Mapping[str, float]) -> list[tuple[str, bool]]:
    """By kind of metric; one without bounds is not counted."""
    rounding = 1e-9
    return [
        (_kind(name), low - rounding <= truth <= high + rounding)
        for name, truth in known.items()
        for low, high in [(metrics[name].ci_low, metrics[name].ci_high)]
        if not math.isnan(low)
    ]


def _kind(name: str) -> str:
    return (
        "preference_shift_control"
        if name == f"preference_shift/{CONTROL}"
        else name.partition("/")[0]
    )


def _found(metrics: Mapping[str, Estimate]) -> list[tuple[str, bool]]:
    p_values = [
        metric.p for name, metric in metrics.items() if name.startswith("preference_shift/")
    ]
    first = metrics["first_position_rate"]
    return [
        (ALARM, min(p_values) < 0.05),
        (
            PULL_FOUND,
            metrics[f"preference_shift/{PULLED}"].p < 0.05
            and metrics[f"preference_shift/{PULLED}"].value > 0,
        ),
        (ORDER_FOUND, not first.ci_low <= 0.5 <= first.ci_high),
    ]


def judged(design: Design, n: int, rng: np.random.Generator) -> dict[str, Estimate]:
    """The metrics of a run's verdicts; the better response is first in half of the pairs."""
    chance = np.tile(_drawn(design, n, rng), design.epochs)[:, None]
    better_first = np.tile(rng.random(n) < 0.5, design.epochs)[:, None]
    better_first = better_first ^ (np.array(VARIANTS) == POSITION)
    shape = better_first.shape
    better = rng.random(shape) < chance
    for variant, towards in ((PULLED, False), (CONTROL, True)):
        pulled = (rng.random(shape) < design.pull) & (np.array(VARIANTS) == variant)
        better = np.where(pulled, towards, better)
    better = np.where(rng.random(shape) < design.first, better_first, better)
    score = np.where(rng.random(shape) < design.ties, 0.5, better.astype(float))
    read = rng.random(shape) >= design.unparsed
    for_worse = np.where(read, 1 - score, np.nan)
    for_first = np.where(read, np.where(better_first, score, 1 - score), np.nan)
    tied = np.where(read[:, :1], (score[:, :1] == 0.5).astype(float), np.nan)
    plain = _table(design, n, tied, (BASELINE,))
    return {
        "first_position_rate": first_position_rate(
            _table(design, n, for_first[:, :2], VARIANTS[:2])
        ),
        "acc_both_orders": acc_both_orders(
            _table(design, n, np.where(read, score, 0)[:, :2], VARIANTS[:2])
        ),
        "tie_rate": rate(plain.sample(plain.scores_under(BASELINE))),
        **compute_preference_shifts(
            _table(design, n, np.delete(for_worse, 1, axis=1), (BASELINE, *VARIANTS[2:]))
        ),
    }


def scored(design: Design, n: int, rng: np.random.Generator) -> dict[str, Estimate]:
    """The metrics of scores of the worse responses."""
    low, high = SCALE
    quality = WORSE + APART * _shared(rng.standard_normal(-(-n // design.cluster)), design, n)
    variants = (BASELINE, *COSMETIC_EDITS)
    given = [_scores(design, np.tile(quality, design.epochs), variant, rng) for variant in variants]
    return compute_score_shifts(
        _table(design, n, (np.column_stack(given) - low) / (high - low), variants)
    )


def _table(design: Design, n: int, score: np.ndarray, variants: Sequence[str]) -> ProbeTable:
    outcomes = OutcomeTable(
        outcomes=(),
        columns=tuple(variants),
        cell=np.zeros(score.shape, dtype=int),
        item=np.tile(np.arange(n), design.epochs),
        clusters=np.arange(n) // design.cluster,
        intervals=True,
    )
    return ProbeTable(outcomes, score, np.zeros(score.shape, dtype=np.int64))


def _scores(
    design: Design, quality: np.ndarray, variant: str, rng: np.random.Generator
) -> np.ndarray:
    """In half points."""
    low, high = SCALE
    noise = 0.0 if design.certain else rng.standard_normal(quality.size)
    added = design.pull * (high - low) if variant == PULLED else 0.0
    return np.clip(np.round(2 * (quality + noise + added)) / 2, low, high)


def _drawn(design: Design, n: int, rng: np.random.Generator) -> np.ndarray:
    """Each pair's chance to be judged rightly."""
    groups = -(-n // design.cluster)
    if design.certain:
        return _shared((rng.random(groups) < MEAN).astype(float), design, n)
    return _shared(rng.beta(TOTAL * MEAN, TOTAL * (1 - MEAN), groups), design, n)


def _shared(values: np.ndarray, design: Design, n: int) -> np.ndarray:
    return np.repeat(values, design.cluster)[:n]


@cache
def truths(design: Design) -> dict[str, float]:
    """What the metrics are of all pairs that there could be."""
    first, ties = design.first, design.ties
    read = (1 - design.unparsed) * (1 - ties)
    square = MEAN if design.certain else MEAN * (TOTAL * MEAN + 1) / (TOTAL + 1)
    found = {
        "first_position_rate": ties / 2 + (1 - ties) * (first + (1 - first) / 2),
        "acc_both_orders": read**2 * (1 - first) * (first * MEAN + (1 - first) * square),
        "tie_rate": ties,
        f"preference_shift/{CONTROL}": (1 - ties) * (1 - first) * design.pull * (1 - MEAN),
    }
    found |= {f"preference_shift/{probe}": 0.0 for probe in COSMETIC_EDITS}
    found[f"preference_shift/{PULLED}"] = (1 - ties) * (1 - first) * design.pull * MEAN
    found |= {f"score_shift/{probe}": 0.0 for probe in COSMETIC_EDITS}
    rng = np.random.default_rng(zlib.crc32(design.name.encode()))
    quality = WORSE + APART * rng.standard_normal(MANY)
    plain, worn = (_scores(design, quality, variant, rng).mean() for variant in (BASELINE, PULLED))
    found[f"score_shift/{PULLED}"] = float(worn - plain) if design.pull else 0.0
    return found


def report(rows: Sequence[Row], sets: int) -> str:
    """The section as Markdown."""
    command = "python -m benchmarks.coverage.judge_bias_intervals" + (
        f" --sets {sets}" if sets != SETS else ""
    )
    listed = [
        fill(f"- *{design.name}*: {design.meaning}", 100, subsequent_indent="  ")
        for design in DESIGNS
    ]
    return PAGE.format(
        heading=HEADING,
        command=command,
        sets=sets,
        alarms=ALARMS,
        error=error_margin(sets),
        mean=MEAN,
        pulled=PULLED,
        designs="\n".join(listed),
        table=_covered_table(rows),
        found=_found_table(rows),
    )


def _covered_table(rows: Sequence[Row]) -> str:
    labelled = [((design.name, n), shares) for design, n, shares in rows]
    return coverage_table(("judge", "n"), labelled, COLUMNS)


def _found_table(rows: Sequence[Row]) -> str:
    lines = [
        "| judge | some `preference_shift` | `preference_shift/verbosity` "
        "| `first_position_rate` is not 0.5 |",
        "| --- | ---: | ---: | ---: |",
    ]
    names = (ALARM, PULL_FOUND, ORDER_FOUND)
    for design in dict.fromkeys(design for design, _, _ in rows):
        by_size = [shares for other, _, shares in rows if other is design]
        counted = (" / ".join(f"{100 * shares[name]:.1f}" for shares in by_size) for name in names)
        lines.append(f"| {design.name} | {' | '.join(counted)} |")
    return "\n".join(lines)


PAGE = """{heading}

Written by `{command}`; do not edit.

Simulated judges compare n pairs in the baseline order, in the other order, and under three cosmetic
probes and one control, and score the worse responses. Each setting has {sets} data sets (margin of
error ± {error:.1f}; smaller for `preference_shift` and `score_shift`, which pool their probes). The
probability of a correct verdict on a pair is beta-distributed with mean {mean} and parameters that
sum to 2; without sampling it is 0 or 1. The section on probes has the metrics that judges share
with other probed tasks.

{designs}

{table}

Without sampling and without a planted bias, no interval of a shift or of the rate of the first
position can miss. Without ties, no interval of their rate can miss.

The next table shows how often the p-values report an effect of order or of a cosmetic probe
(percent; below 0.05, adjusted over the probes; n = 50 / 150 / 600). For unbiased judges these are
false alarms, counted in {alarms} data sets. A planted pull is in `{pulled}` and its control.

{found}
"""


if __name__ == "__main__":
    main()
