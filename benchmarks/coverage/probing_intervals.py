"""Do the 95 % intervals of a probed task cover the truth 95 % of the time?

Simulated models with a planted sensitivity answer simulated items under the baseline prompt,
repeats of it and probes. The share of the intervals that cover the planted truth is written to the
section on probes of docs/reference/coverage.md, with the rates of false alarms and of planted
effects found.

    python -m benchmarks.coverage.probing_intervals  # the study: eight minutes on one core
    python -m benchmarks.coverage.probing_intervals --quick --out FILE  # a rough look
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
from bias_tasks.probing.items import BASELINE, REPEAT
from bias_tasks.probing.metrics import (
    HEADLINE,
    ProbeTable,
    compute_answers_changed,
    compute_score_changes,
    compute_table_metrics,
)
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.outcomes import OutcomeTable

SIZES = (50, 150, 600)
SETS, QUICK = 600, 10
ALARMS = 1000
"""Data sets of an insensitive simulated model in which false alarms are counted."""
HEADING = "## Probes"
PROBES = tuple("abcdef")
REPEATS = 2
VARIANTS = (BASELINE, *(f"{REPEAT}{number + 1}" for number in range(REPEATS)), *PROBES)
MEAN, TOTAL = 0.65, 2.0
"""Of the beta distribution of the items' chances to be right: its mean and the sum of its
parameters."""
MANY = 400_000
"""Number of items from which the truth is computed."""
COLUMNS = (
    *(HEADLINE, "answers_changed", "score", "score_change"),
    *("flips_to_wrong", "same_answer", "worst_score_change"),
    "spread_corrected",
    *(f"variance/{part}" for part in ("item", "probe", "interaction", "noise")),
)
ALARM, FALL, CHANGED = "alarm", "fall found", "change found"
"""Counted in addition to coverage: some adjusted p-value of a change below 0.05; that of the first
probe's; that of `max_answers_changed`."""
Floats = np.ndarray


@dataclass(frozen=True)
class Design:
    """A simulated model and its items."""

    name: str
    meaning: str
    factor: float = 1.0
    """What the chance to be right is multiplied by under the first probe."""
    redrawn: float = 0.0
    """Share of items whose chance is another one, drawn alike, under a given probe."""
    certain: bool = False
    """Chances of 0 and 1 alone: nothing is sampled."""
    graded: bool = False
    """Scores between 0 and 1 (beta-distributed) instead of 0 and 1."""
    cluster: int = 1
    """Items per cluster, which share their chances."""
    epochs: int = 1

    @property
    def alike(self) -> bool:
        """Whether the simulated model is insensitive."""
        return self.factor == 1 and not self.redrawn


DESIGNS = (
    Design("insensitive", "every prompt variant has the same probabilities"),
    Design("insensitive, certain", "the same without sampling", certain=True),
    Design("one probe", "under `a`, probabilities are 0.8 of the baseline", factor=0.8),
    Design("items", "each probe gives 0.3 of the items another probability", redrawn=0.3),
    Design("items, certain", "the same without sampling", redrawn=0.3, certain=True),
    Design("both, graded", "scores between 0 and 1", 0.8, 0.3, graded=True),
    Design("both, fours", "four items share their probabilities", 0.8, 0.3, cluster=4),
    Design("both, 3 epochs", "every prompt is sent three times", 0.8, 0.3, epochs=3),
)
Row = tuple[Design, int, Mapping[str, float]]


def main() -> None:
    parser = study_parser(__doc__, SETS)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} of them")
    args = parser.parse_args()
    sets = QUICK if args.quick else args.sets
    jobs = [(design, n) for design in DESIGNS for n in reversed(SIZES)]
    alarms = QUICK if args.quick else ALARMS
    rows = run_jobs(partial(coverage, sets=sets, alarms=alarms), jobs, args.workers)
    rows.sort(key=lambda row: (DESIGNS.index(row[0]), row[1]))
    write_section(args.out, HEADING, report(rows, sets))


def coverage(design: Design, n: int, sets: int, alarms: int = 0) -> dict[str, float]:
    """Share of intervals that cover the truth, by kind of metric, and what else was counted.

    If the simulated model is insensitive, alarms are counted in `alarms` data sets if
    these are more.
    """
    rng = np.random.default_rng([n, zlib.crc32(design.name.encode())])
    known, hits = truths(design), {}
    for _ in range(sets):
        metrics = compute_table_metrics(simulated(design, n, rng))
        for name, hit in (*_hits(metrics, known), *_found(metrics)):
            hits.setdefault(name, []).append(hit)
    for _ in range(alarms - sets if design.alike else 0):
        run = simulated(design, n, rng)
        for name, hit in _found(compute_score_changes(run) | compute_answers_changed(run)):
            hits[name].append(hit)
    return {name: sum(seen) / len(seen) for name, seen in hits.items()}


def _hits(metrics: Mapping[str, Estimate], known: Mapping[str, float]) -> list[tuple[str, bool]]:
    """By kind of metric; one without bounds is not counted."""
    rounding = 1e-9
    return [
        (name if name.startswith("variance") else name.split("/")[0], low <= truth <= high)
        for name, truth in known.items()
        for low, high in [(metrics[name].ci_low - rounding, metrics[name].ci_high + rounding)]
        if not math.isnan(low)
    ]


def _found(metrics: Mapping[str, Estimate]) -> list[tuple[str, bool]]:
    p_values = [metrics[f"score_change/{probe}"].p for probe in PROBES]
    return [
        (ALARM, min(p_values) < 0.05),
        (FALL, p_values[0] < 0.05 and metrics["score_change/a"].value < 0),
        (CHANGED, metrics[HEADLINE].ci_low > 0),
    ]


def simulated(design: Design, n: int, rng: np.random.Generator) -> ProbeTable:
    """One run."""
    rates = np.tile(chances(design, n, rng), (design.epochs, 1))
    ways = np.array([0] * (1 + REPEATS) + list(range(1, len(PROBES) + 1)))
    score = scores(design, rates[:, ways], rng)
    # What is not right is one of three wrong answers, always the same where nothing is sampled.
    wrong = np.ones(score.shape, int) if design.certain else rng.integers(1, 4, score.shape)
    answer = np.where(score == 1, 0, wrong)
    outcomes = OutcomeTable(
        outcomes=(),
        columns=VARIANTS,
        cell=np.zeros(score.shape, dtype=int),
        item=np.tile(np.arange(n), design.epochs),
        clusters=np.arange(n) // design.cluster,
        intervals=True,
    )
    return ProbeTable(outcomes, score, answer + 4 * np.tile(np.arange(n), design.epochs)[:, None])


def chances(design: Design, n: int, rng: np.random.Generator) -> Floats:
    """Each item's mean score, baseline and under each probe: n by 1 + probes."""

    def drawn(count: int) -> Floats:
        shape = -(-n // design.cluster), count
        if design.certain:
            found = (rng.random(shape) < MEAN).astype(float)
        else:
            found = rng.beta(TOTAL * MEAN, TOTAL * (1 - MEAN), shape)
        return np.repeat(found, design.cluster, axis=0)[:n]

    rates = np.repeat(drawn(1), 1 + len(PROBES), axis=1)
    if design.redrawn:
        groups = -(-n // design.cluster), len(PROBES)
        turned = np.repeat(rng.random(groups) < design.redrawn, design.cluster, axis=0)[:n]
        rates[:, 1:] = np.where(turned, drawn(len(PROBES)), rates[:, 1:])
    rates[:, 1] *= design.factor
    return rates


def scores(design: Design, rates: Floats, rng: np.random.Generator) -> Floats:
    """One score for each rate, which is its mean."""
    if design.graded:
        near = np.clip(rates, 1e-6, 1 - 1e-6)
        return np.clip(rng.beta(2 * near, 2 * (1 - near)), 0, 1)
    return (rng.random(rates.shape) < rates).astype(float)


@cache
def truths(design: Design) -> dict[str, float]:
    """What the metrics are of all items that there could be, but for the rounding of `MANY`."""
    rng = np.random.default_rng(zlib.crc32(design.name.encode()))
    rates = chances(design, MANY, rng)
    plain = scores(design, rates[:, 0], rng)
    probed = scores(design, rates[:, 1:], rng)
    lost = np.maximum(plain[:, None] - probed, 0)
    means = rates.mean(axis=0)
    again, *same = _same(design, rates)
    means = _means(design)
    found = {f"score/{BASELINE}": means[0], "worst_score_change": (means - means[0]).min()}
    found["spread_corrected"] = np.ptp(means)
    for place, probe in enumerate(PROBES):
        found[f"score/{probe}"] = means[place + 1]
        found[f"score_change/{probe}"] = means[place + 1] - means[0]
        found[f"flips_to_wrong/{probe}"] = lost[:, place].mean()
        if not design.graded:
            found[f"same_answer/{probe}"] = same[place]
            found[f"answers_changed/{probe}"] = again - same[place]
    if not design.graded:
        found[HEADLINE] = again - min(same)
    return {name: float(value) for name, value in found.items()} | _parts(design, rates)


def _means(design: Design) -> Floats:
    """The mean score under each prompt, the baseline first."""
    means = np.full(1 + len(PROBES), MEAN)
    means[1] *= design.factor
    return means


def _same(design: Design, rates: Floats) -> Floats:
    """How often an answer equals the baseline answer: that of a repeat, and under each probe."""
    plain = rates[:, :1]
    wrong = (1 - plain) * (1 - rates) / (1 if design.certain else 3)
    found: Floats = (plain * rates + wrong).mean(axis=0)
    return found


def _parts(design: Design, rates: Floats) -> dict[str, float]:
    covariance, ways = np.cov(rates.T), rates.shape[1]
    variance = np.trace(covariance) / ways
    together = (covariance.sum() - np.trace(covariance)) / (ways * (ways - 1))
    noise = (rates * (1 - rates)).mean(axis=0) / (3 if design.graded else 1)
    parts = {
        "item": together,
        "probe": _means(design).var(ddof=1),
        # Answers under probes vary more from draw to draw than baseline answers; this is added.
        "interaction": variance - together + (noise.mean() - noise[0]) / design.epochs,
        "noise": noise[0],
    }
    if design.alike:
        parts |= {"probe": 0.0, "interaction": 0.0}
    total = sum(parts.values())
    return {f"variance/{name}": float(part / total) for name, part in parts.items()}


def report(rows: Sequence[Row], sets: int) -> str:
    """The section as Markdown."""
    command = "python -m benchmarks.coverage.probing_intervals" + (
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
        probes=len(PROBES),
        repeats=REPEATS,
        mean=MEAN,
        designs="\n".join(listed),
        table=_table(rows),
        found=_found_table(rows),
    )


def _table(rows: Sequence[Row]) -> str:
    labelled = [((design.name, n), shares) for design, n, shares in rows]
    return coverage_table(("simulated model", "n"), labelled, COLUMNS)


def _found_table(rows: Sequence[Row]) -> str:
    lines = [
        "| simulated model | some `score_change` | `score_change/a` falls "
        "| `max_answers_changed` |",
        "| --- | ---: | ---: | ---: |",
    ]
    names = (ALARM, FALL, CHANGED)
    for design in dict.fromkeys(design for design, _, _ in rows):
        by_size = [shares for other, _, shares in rows if other is design]
        counted = (" / ".join(f"{100 * shares[name]:.1f}" for shares in by_size) for name in names)
        lines.append(f"| {design.name} | {' | '.join(counted)} |")
    return "\n".join(lines)


PAGE = """{heading}

Written by `{command}`; do not edit.

Simulated models answer n items under the baseline prompt, {repeats} repeats of it, and {probes}
probes `a` to `f`. Each setting has {sets} data sets (margin of error ± {error:.1f}; smaller for
`answers_changed`, `score`, `score_change`, `flips_to_wrong` and `same_answer`, which pool their
variants). `spread` has the interval of `spread_corrected`. An item's probability of a correct
answer is beta-distributed with mean {mean} and parameters that sum to 2; without sampling it is 0
or 1.

{designs}

*Both*: under probe `a`, probabilities are 0.8 of what they would be, and 0.3 of the items have
another probability under each probe.

{table}

`max_answers_changed` is the largest of {probes} changes, `worst_score_change` the lowest of
{probes}, and `spread` the largest of all differences. Their bounds hold in at least 95 % of data
sets, and in more if several changes are about equal, as if all are truly 0. A share of the variance
that is truly 0 can only be below its interval. The bounds of shares are never narrower than
Wilson's for as many answers as there are clusters, which is wide with several epochs. Without
sampling and without an effect, no interval of a change or a share can miss.

The next table shows how often the p-values report a change (percent; below 0.05, adjusted over the
probes; n = 50 / 150 / 600). For insensitive simulated models these are false alarms, counted in
{alarms} data sets. *Items* change no score on average, so that `score_change` has no effect to
detect, and `max_answers_changed` has one.

{found}
"""


if __name__ == "__main__":
    main()
