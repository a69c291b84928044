"""Do the 95 % intervals of output format bias cover the truth 95 % of the time?

Simulated models with planted parameters answer simulated items in seven formats, the intervals
are made, and the share that covers the planted truth is written into the section on output formats
of docs/reference/coverage.md.

    python -m benchmarks.coverage.output_format_intervals  # the study: about a quarter of an hour
    python -m benchmarks.coverage.output_format_intervals --sets 100 --out FILE  # a rough look
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from textwrap import fill

import numpy as np
from scipy.special import betaincinv

from benchmarks.coverage_study import (
    coverage_table,
    error_margin,
    run_jobs,
    study_parser,
    write_section,
)
from bias_tasks.output_format.metrics import (
    FormatOutcome,
    build_table,
    compute_format_metrics,
    find_comparable,
)
from bias_tasks.statistics.estimate import Estimate

SIZES = (50, 150, 600)
SETS = 1000
HEADING = "## Output formats"
FORMATS = tuple("abcdefg")
SPREAD = 0.3
"""Correlation of right answers, and of answers that follow, within a cluster (or item)."""
COLUMNS = ("fi", "sys", "est_true", "est_true_diff", "bias_f", "fi_var")
FALSE_ALARM = "false alarm"
"""Any p-value below 0.05 though est_true is equal in all formats."""
Rates = tuple[float, ...]


@dataclass(frozen=True)
class Design:
    """A simulated model and its items; rates of (nan, ...) are redrawn for each data set."""

    name: str
    fi: Rates
    est_true: Rates
    cluster: int = 1
    """Items per cluster."""
    epochs: int = 1
    graded: bool = False
    """Scores between 0 and 1 (beta-distributed) instead of 0 and 1."""


DRAWN: Rates = (math.nan,) * len(FORMATS)
DRAWN_FI, DRAWN_EST_TRUE = (0.3, 1.0), (0.2, 0.9)
ZERO_SHOT = (
    (0.8884, 0.988, 0.8543, 0.5293, 0.4936, 0.9644, 0.3913),
    (0.5463, 0.6739, 0.4476, 0.5979, 0.5782, 0.6623, 0.6828),
)
LOW = (1.0, 0.9, 0.7, 0.5, 0.3, 0.1, 0.05)
SAME = (0.6,) * len(FORMATS)
DESIGNS = (
    Design("any", DRAWN, DRAWN),
    Design("any, fours", DRAWN, DRAWN, cluster=4),
    Design("any, graded", DRAWN, DRAWN, graded=True),
    Design("any, 3 epochs", DRAWN, DRAWN, epochs=3),
    Design("paper", *ZERO_SHOT),
    Design("equal", ZERO_SHOT[0], SAME),
    Design("equal, low", LOW, SAME),
)
Row = tuple[Design, int, Mapping[str, float]]


def main() -> None:
    parser = study_parser(__doc__, SETS)
    args = parser.parse_args()
    jobs = [(design, n) for design in DESIGNS for n in reversed(SIZES)]
    rows = run_jobs(partial(coverage, sets=args.sets), jobs, args.workers)
    rows.sort(key=lambda row: (DESIGNS.index(row[0]), row[1]))
    write_section(args.out, HEADING, report(rows, args.sets))


def coverage(design: Design, n: int, sets: int) -> dict[str, float]:
    """Share of intervals that cover the truth, by kind of metric, and what else was counted."""
    rng = np.random.default_rng([n, zlib.crc32(design.name.encode())])
    hits: dict[str, list[bool]] = {}
    for _ in range(sets):
        for name, hit in data_set(design, n, rng):
            hits.setdefault(name, []).append(hit)
    return {name: sum(covered) / len(covered) for name, covered in hits.items()}


def data_set(design: Design, n: int, rng: np.random.Generator) -> list[tuple[str, bool]]:
    """One simulated run: for each metric's kind, whether it was covered."""
    luck = rng.random((2, n, 1))[:, np.arange(n) // design.cluster]
    fi, est_true = _drawn(design.fi, DRAWN_FI, rng), _drawn(design.est_true, DRAWN_EST_TRUE, rng)
    run = simulated(design, fi, est_true, luck, rng)
    compared = find_comparable(build_table(run), "corrected")
    return _covered(compute_format_metrics(run), fi, est_true, compared)


def _drawn(rates: Rates, bounds: tuple[float, float], rng: np.random.Generator) -> np.ndarray:
    drawn = rng.uniform(*bounds, len(rates))
    return np.where(np.isnan(rates), drawn, rates)


def simulated(
    design: Design,
    fi: np.ndarray,
    est_true: np.ndarray,
    luck: np.ndarray,
    rng: np.random.Generator,
) -> list[FormatOutcome]:
    """The outcomes of a simulated model with these rates; `luck` is 2 by n by 1, in [0, 1]."""
    n = luck.shape[1]
    shape = (design.epochs, n, len(FORMATS))
    follows = rng.random(shape) < _within(fi, luck[0])
    able = _within(est_true, luck[1])
    right = rng.beta(2 * able, 2 * (1 - able), shape) if design.graded else rng.random(shape) < able
    scores = (right * follows).mean(axis=0)
    return [
        FormatOutcome(
            str(i), str(i // design.cluster), name, float(share), float(scores[i, column])
        )
        for i, row in enumerate(follows.mean(axis=0))
        for column, (name, share) in enumerate(zip(FORMATS, row, strict=True))
    ]


def _within(rates: np.ndarray, luck: np.ndarray) -> np.ndarray:
    """Each item's own rates, n by formats: beta-distributed about the planted ones.

    An item whose luck is high is easy in every format.
    """
    total = 1 / SPREAD - 1
    sure = rates == 1
    drawn = betaincinv(rates * total, np.where(sure, 1, (1 - rates) * total), luck)
    return np.clip(np.where(sure, 1.0, drawn), 1e-9, 1 - 1e-9)


def _covered(
    metrics: Mapping[str, Estimate], fi: np.ndarray, est_true: np.ndarray, compared: np.ndarray
) -> list[tuple[str, bool]]:
    truths: dict[str, float] = {"fi_var": 1e4 * float(np.var(fi))}
    truths["bias_f"] = 1e4 * float(np.var(est_true[compared]))
    for i, name in enumerate(FORMATS):
        truths |= {f"fi/{name}": fi[i], f"sys/{name}": fi[i] * est_true[i]}
        truths[f"est_true/{name}"] = est_true[i]
        for j in range(i + 1, len(FORMATS)):
            truths[f"est_true_diff/{name}-{FORMATS[j]}"] = est_true[i] - est_true[j]
    found = _hits(metrics, truths)
    if np.ptp(est_true) == 0:
        tested = [
            metrics[name].p
            for name in truths
            if name.startswith("est_true_diff/") and name in metrics
        ]
        found.append((FALSE_ALARM, any(p < 0.05 for p in tested)))
    return found


def _hits(metrics: Mapping[str, Estimate], truths: Mapping[str, float]) -> list[tuple[str, bool]]:
    """By kind of metric; one without bounds, of a single cluster, is not counted."""
    rounding = 1e-9
    return [
        (name.split("/")[0], metric.ci_low - rounding <= truth <= metric.ci_high + rounding)
        for name, truth in truths.items()
        if (metric := metrics.get(name)) is not None and not math.isnan(metric.ci_low)
    ]


def report(rows: Sequence[Row], sets: int) -> str:
    """The section as Markdown."""
    command = "python -m benchmarks.coverage.output_format_intervals" + (
        f" --sets {sets}" if sets != SETS else ""
    )
    return PAGE.format(
        heading=HEADING,
        command=command,
        sets=sets,
        error=error_margin(sets),
        spread=SPREAD,
        fi=" to ".join(map(str, DRAWN_FI)),
        est_true=" to ".join(map(str, DRAWN_EST_TRUE)),
        low=", ".join(map(str, LOW)),
        table=_table(rows),
        errors=_errors(rows),
    )


def _errors(rows: Sequence[Row]) -> str:
    shares = ", ".join(
        f"{100 * shares[FALSE_ALARM]:.1f} % (*{design.name}*, n = {n})"
        for design, n, shares in rows
        if FALSE_ALARM in shares
    )
    return fill(
        "If est_true is equal in all formats, at least one of the 21 Holm-adjusted p-values is "
        f"below 0.05 in {shares} of data sets.",
        100,
    )


def _table(rows: Sequence[Row]) -> str:
    labelled = [((design.name, n), shares) for design, n, shares in rows]
    return coverage_table(("simulated model", "n"), labelled, COLUMNS)


PAGE = """{heading}

Written by `{command}`; do not edit.

Simulated models answer n items in seven formats. Each setting has {sets} data sets (margin of error
± {error:.1f}; smaller for metrics that pool formats or pairs of formats). `bias_f` has the interval
of `bias_f_corrected`. The difficulty of an item is the same in all formats (beta-distributed,
correlation {spread} within an item or cluster).

- *any*: redrawn for each data set: fi from {fi}, est_true from {est_true}; *fours*: four
  items share a cluster; *graded*: scores between 0 and 1; *3 epochs*: three answers to each item
- *paper*: ChatGPT's printed fi and est_true on MMLU
- *equal*: the same fi, but est_true 0.6 in every format: `bias_f` is truly 0
- *equal, low*: as *equal*, with fi {low}

{table}

{errors}

Intervals of a variance are wide if it is small against the noise. A `bias_f` of 0 (*equal*) can
only be below its interval: in 3.5 % of data sets by design, and in fewer if few answers follow a
format (*low*).
"""


if __name__ == "__main__":
    main()
