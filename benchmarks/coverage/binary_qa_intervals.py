"""Do the 95 % intervals of binary question answering cover the truth 95 % of the time?

Simulated models with planted parameters answer simulated questions under all eight variants,
the intervals are made, and the share that covers the planted truth is written into the section on
binary question answering of docs/reference/coverage.md.

    python -m benchmarks.coverage.binary_qa_intervals  # the study: about a quarter of an hour
    python -m benchmarks.coverage.binary_qa_intervals --sets 100 --out FILE  # a rough look
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.special import betaincinv

from benchmarks.coverage_study import (
    coverage_table,
    error_margin,
    run_jobs,
    study_parser,
    write_section,
)
from bias_tasks.binary_qa.items import VARIANTS
from bias_tasks.binary_qa.metrics import compute_table_metrics
from bias_tasks.binary_qa.metrics_core import CLASS_METRICS
from bias_tasks.binary_qa.metrics_mbs import (
    CORE_METRICS,
    DEFAULT_WEIGHTS,
    compute_mbs,
    normalize_weights,
)
from bias_tasks.binary_qa.metrics_table import UNPARSED, BinaryTable
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.outcomes import OutcomeTable

SIZES = (50, 150, 600)
SETS = 1000
HEADING = "## Binary question answering"
SPREAD = 0.2
"""Correlation of right answers (and of consistent ones) within a cluster."""
WHOLE = (*CORE_METRICS, "yes_rate", "acc/original", "unparsed")
OVER = (*(f"std/{name}" for name in CORE_METRICS), "mbs")
AVERAGES = tuple(f"average/{name}" for name in CORE_METRICS)
CONSISTENCIES = ("prc", "nrc", "arc", "sc")
Range = tuple[float, float]


@dataclass(frozen=True)
class Design:
    """A simulated model and its questions; what is a range is redrawn for each data set."""

    name: str
    yes: Range
    """Recall of Yes."""
    no: Range
    prc: Range
    nrc: Range
    arc: Range
    sc: Range
    unparsed: Range = (0.0, 0.0)
    domains: int = 5
    differ: float = 0.0
    """How far each domain's rates may lie from the simulated model's, up or down."""
    cluster: int = 1
    """Questions per cluster."""


def _any(name: str, **design: int | float) -> Design:
    rates = ((0.4, 0.9), (0.4, 0.95), (0.3, 0.9), (0.2, 0.9), (0.4, 0.95), (0.3, 0.95))
    return Design(name, *rates, unparsed=(0.0, 0.1), **design)


def _one(name: str, *rates: float, **design: int | float) -> Design:
    unparsed = design.pop("unparsed", 0.0)
    return Design(name, *((rate, rate) for rate in rates), unparsed=(unparsed, unparsed), **design)


COIN = (0.5, 0.5, 0.25, 0.25, 0.5, 0.25)
LEAN = (0.55, 0.9, 0.8, 0.4, 0.95, 0.9)
EVEN = (0.8, 0.8, 0.85, 0.7, 0.9, 0.9)
DESIGNS = (
    _any("any", domains=1),
    _any("any, fours", domains=1, cluster=4),
    _one("coin", *COIN, domains=1),
    _one("No-lean", *LEAN, domains=1, unparsed=0.05),
    _one("even", *EVEN, domains=1),
    _any("any", differ=0.1),
    _any("any, fours", differ=0.1, cluster=4),
    _one("coin", *COIN),
    _one("No-lean", *LEAN, differ=0.05, unparsed=0.05),
    _one("even", *EVEN),
    _one("uneven", *EVEN, differ=0.18),
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
    """Share of the data sets whose interval covers the truth, of those where there is one."""
    rng = np.random.default_rng([n, design.domains, zlib.crc32(design.name.encode())])
    weights = normalize_weights(DEFAULT_WEIGHTS)
    hits: dict[str, list[bool]] = {}
    for _ in range(sets):
        table, truths = data_set(design, n, rng)
        metrics = compute_table_metrics(table, "corrected", weights)
        for name, truth in truths.items():
            if metrics[name].n:
                hits.setdefault(name, []).append(_covers(metrics[name], truth))
    return {name: sum(covered) / len(covered) for name, covered in hits.items()}


def data_set(
    design: Design, n: int, rng: np.random.Generator
) -> tuple[BinaryTable, dict[str, float]]:
    """One simulated run, and the planted truth of its metrics."""
    ranges = [design.yes, design.no, *(getattr(design, name) for name in CONSISTENCIES)]
    centre = np.array([rng.uniform(*drawn) for drawn in ranges])
    unparsed = rng.uniform(*design.unparsed)
    moved = centre + design.differ * rng.uniform(-1, 1, (design.domains, len(ranges)))
    rates = np.clip(moved, 0.02, 0.98)
    domain = np.arange(n) * design.domains // n
    place = np.arange(n) - np.searchsorted(domain, np.arange(design.domains))[domain]
    gold = place % 2
    cluster = np.unique(domain * n + place // design.cluster, return_inverse=True)[1]
    right = rng.random(n) < _within(rates[domain, gold], cluster, design, rng)
    luck = rng.random((n, 4))
    luck = np.where(rng.random((n, 1)) < 0.5, luck[:, :1], luck)  # consistencies go together
    able = np.column_stack([_within(rates[domain, 2 + i], cluster, design, rng) for i in range(4)])
    answers = _answers(np.where(right, gold, 1 - gold), luck < able, rng)
    answers[rng.random(answers.shape) < unparsed] = UNPARSED
    names = tuple(f"domain {code}" for code in range(design.domains))
    support = np.array([np.bincount(gold[domain == code]) for code in range(design.domains)])
    outcomes = OutcomeTable(
        outcomes=(),
        columns=VARIANTS,
        cell=np.zeros(answers.shape, dtype=int),
        item=np.arange(n),
        clusters=cluster,
        intervals=True,
    )
    table = BinaryTable(outcomes, names, domain, gold, answers, np.full(n, np.nan))
    return table, _truths(rates, unparsed, support.astype(float))


def _within(
    rates: np.ndarray, cluster: np.ndarray, design: Design, rng: np.random.Generator
) -> np.ndarray:
    """Each cluster's own rates: beta-distributed about the planted ones."""
    if design.cluster == 1:
        return rates
    total = 1 / SPREAD - 1
    quantile = rng.random(cluster.max() + 1)[cluster]
    return betaincinv(rates * total, (1 - rates) * total, quantile)


def _answers(original: np.ndarray, agree: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The answers in the order of VARIANTS; `agree` has a column for each of CONSISTENCIES."""
    expected = {"sc": original, "prc": original, "nrc": 1 - original}
    columns = [original]
    for name, same in expected.items():
        breaks = rng.integers(3, size=original.size)  # the first of the two, the second or both
        consistent = agree[:, CONSISTENCIES.index(name)]
        for kept in (1, 0):
            columns.append(np.where(consistent | (breaks == kept), same, 1 - same))
    columns.append(np.where(agree[:, CONSISTENCIES.index("arc")], original, 1 - original))
    return np.column_stack(columns).astype(np.int8)


def _truths(rates: np.ndarray, unparsed: float, support: np.ndarray) -> dict[str, float]:
    recall = rates[:, :2]
    answered = np.stack([recall, 1 - recall], axis=-1)
    answered[:, 1] = answered[:, 1, ::-1]  # Yes first, whatever the right answer
    counts = (1 - unparsed) * support[:, :, None] * answered
    within = {name: metric(counts, support) for name, metric in CLASS_METRICS.items()}
    total, everything = counts.sum(axis=0), support.sum()
    truths = {name: float(f(total, support.sum(axis=0))) for name, f in CLASS_METRICS.items()}
    for place, name in enumerate(CONSISTENCIES):
        within[name] = rates[:, 2 + place]  # of parsed answers
        truths[name] = float(support.sum(axis=1) @ within[name] / everything)
    std = {name: float(np.std(within[name])) for name in CORE_METRICS}
    if len(rates) > 1:
        truths["mbs"] = compute_mbs(truths, std, DEFAULT_WEIGHTS)
        truths |= {f"std/{name}": value for name, value in std.items()}
        truths |= {f"average/{name}": float(np.mean(within[name])) for name in CORE_METRICS}
    right = float(np.trace(total) / everything)
    yes = float(total[:, 0].sum() / total.sum())  # of parsed answers
    return truths | {"yes_rate": yes, "acc/original": right, "unparsed": unparsed}


def _covers(metric: Estimate, truth: float) -> bool:
    rounding = 1e-12
    return metric.ci_low - rounding <= truth <= metric.ci_high + rounding


def report(rows: Sequence[Row], sets: int) -> str:
    """The section as Markdown."""
    command = "python -m benchmarks.coverage.binary_qa_intervals" + (
        f" --sets {sets}" if sets != SETS else ""
    )
    several = [row for row in rows if row[0].domains > 1]
    return PAGE.format(
        heading=HEADING,
        command=command,
        sets=sets,
        error=error_margin(sets),
        spread=SPREAD,
        whole=_table(rows, WHOLE),
        over=_table(several, OVER),
        averages=_table(several, AVERAGES),
    )


def _table(rows: Sequence[Row], columns: Sequence[str]) -> str:
    labelled = [((design.name, design.domains, n), shares) for design, n, shares in rows]
    return coverage_table(("simulated model", "domains", "n"), labelled, columns)


PAGE = """{heading}

Written by `{command}`; do not edit.

Simulated models answer n questions, half Yes and half No in every domain, under all eight variants.
Each setting has {sets} data sets (margin of error ± {error:.1f}).

- *any*: redrawn for each data set: recall from 0.4 to 0.9 (Yes) and 0.95 (No), consistency from 0.2
  to 0.95, an unparsed rate up to 0.1; with five domains, the rates of each domain differ by up to
  0.1
- *any, fours*: four questions share a cluster and its abilities (beta-distributed, correlation
  {spread} within a cluster)
- *coin*: random answers
- *No-lean*: recall 0.55 of Yes and 0.9 of No, 0.05 unparsed; domains differ by up to 0.05
- *even*: recall 0.8 of both in all domains: true differences and deviations are 0
- *uneven*: as *even*, but domains differ by up to 0.18

### Metrics over all questions

{whole}

### Metrics over five domains

{over}

If all domains are equal, a standard deviation is truly 0. Its interval then misses on one side
only, in 3 % of data sets by design. The rate is similar if differences are small against the
noise of a domain, and lower if a domain has three clusters (*any, fours*, n = 50).
`delta_precision` of *coin* stays 0 whichever recall changes, so that its interval is wide. An
unparsed rate of 0 cannot be missed. A domain of 10 questions (n = 50) has five per label, which
is few for a precision. If the precision is undefined, the data set has no `std/delta_precision`
and no `mbs` and is not counted for them.

### Averages over five domains

{averages}
"""


if __name__ == "__main__":
    main()
