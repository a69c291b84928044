"""Do the 95 % intervals cover the truth 95 % of the time?

Simulated models with planted parameters answer simulated items, `compute_metrics` makes the
intervals, and the share that covers the planted truth is written to docs/reference/coverage.md.

    python -m benchmarks.coverage.instruction_boundary_intervals  # the study: 15 minutes
    python -m benchmarks.coverage.instruction_boundary_intervals --sets 200 --out FILE  # rough
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from scipy.special import betaincinv
from scipy.stats import binom

from benchmarks.coverage_study import (
    BAND,
    coverage_table,
    error_margin,
    run_jobs,
    study_parser,
)
from bias_tasks.contract.outcomes import Outcome
from bias_tasks.instruction_boundary.items import LABELS, Form
from bias_tasks.instruction_boundary.metrics import RATE_LABELS, compute_metrics
from bias_tasks.instruction_boundary.scoring_data import SettingExtra
from bias_tasks.statistics.estimate import (
    Estimate,
)
from bias_tasks.statistics.rate_intervals import wilson

SIZES = (50, 150, 600)
OTHERS = "## Binary question answering\n"
"""Where the sections of the page begin that other studies write."""
COLUMNS = (
    *("acc", "sr", "gr", "gr_none", "gr_multiple", "rs", "gap", "gap_none", "gap_multiple"),
    *("delta_acc", "delta_sr", "delta_gr", "delta_gr_none", "delta_gr_multiple", "delta_or"),
    "adopted_suggestion",
)
Range = tuple[float, float]


@dataclass(frozen=True)
class Design:
    """A simulated model and the items it answers; ranges are drawn from for each data set."""

    name: str
    form: Form
    accuracy: Mapping[str, Range]
    """Vanilla accuracy for each gold label; wrong answers fall on the other labels evenly."""
    adopt: Range
    """Probability that an answer moves to the suggestion."""
    cluster: int = 1
    """Items per cluster."""
    spread: float = 0.0
    """Intra-cluster correlation of being right and of adopting (beta-distributed abilities)."""
    epochs: int = 1
    """Answers to each question; an item's own ability is beta-distributed too when several."""
    mix: Mapping[str, float] = field(default_factory=dict)
    """Share of each gold label among the items; even by default."""


ACCURACY = (0.2, 0.9)
ADOPT = (0.1, 0.6)
PAPER_MIX = {"True": 0.25, "False": 0.25, "Unknown": 0.5}
ORIGINS = ("one", "other")
"""Data sets that the items are taken from in turn."""
ITEM_SPREAD = 0.3
"""Correlation between the answers to one question over several epochs."""


def _even(form: Form, rates: Range) -> dict[str, Range]:
    return dict.fromkeys(LABELS[form], rates)


def _fixed(form: Form, *rates: float) -> dict[str, Range]:
    return {label: (rate, rate) for label, rate in zip(LABELS[form], rates, strict=True)}


def _drawn(name: str, form: Form, **design: int | float) -> Design:
    mix = PAPER_MIX if form == "judging" else {}
    return Design(name, form, _even(form, ACCURACY), ADOPT, mix=mix, **design)


DRAWN = (
    _drawn("judging", "judging"),
    _drawn("choice", "choice"),
    _drawn("judging, 4 items a cluster", "judging", cluster=4, spread=0.2),
    _drawn("choice, 4 items a cluster", "choice", cluster=4, spread=0.2),
    _drawn("choice, 3 epochs", "choice", epochs=3),
)
"""Rates redrawn for each data set."""

FIXED = (
    Design("even", "judging", _fixed("judging", 0.7, 0.7, 0.7), (0.3, 0.3), mix=PAPER_MIX),
    Design("tense", "judging", _fixed("judging", 0.9, 0.8, 0.3), (0.6, 0.6), mix=PAPER_MIX),
    Design("paper", "choice", _fixed("choice", 0.6, 0.3, 0.4), (0.5, 0.5)),
    Design("paper in fours", "choice", _fixed("choice", 0.6, 0.3, 0.4), (0.5, 0.5), 4, 0.2),
)
"""One simulated model each."""

EXTREME = (
    Design("perfect", "judging", _fixed("judging", 0.98, 0.98, 0.98), (0.02, 0.02), mix=PAPER_MIX),
    Design("one-sided", "judging", _fixed("judging", 0.98, 0.98, 0.02), (0.1, 0.1), mix=PAPER_MIX),
    Design("lost", "choice", _fixed("choice", 0.03, 0.03, 0.03), (0.97, 0.97)),
)
"""One simulated model each, with rates near 0 and 1."""

Row = tuple[Design, int, str, Mapping[str, float]]
"""A design, n, a variant, and the covered share of each of its metrics."""


def main() -> None:
    parser = study_parser(__doc__, 2000)
    args = parser.parse_args()
    jobs = [(design, n) for design in (*DRAWN, *FIXED, *EXTREME) for n in SIZES]
    rows = [
        (design, n, variant, {name.split("/")[-1]: share for name, share in found.items()})
        for design, n, covered in run_jobs(partial(coverage, sets=args.sets), jobs, args.workers)
        for variant, found in _by_variant(covered).items()
    ]
    before = args.out.read_text(encoding="utf-8") if args.out.exists() else ""
    _, heading, others = before.partition(OTHERS)
    page = report(rows, args.sets) + (f"\n{heading}{others}" if heading else "")
    args.out.write_text(page, encoding="utf-8")


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
    rates = _within(accuracy[gold], ability, design.spread)
    shape = (n, design.epochs)
    if design.epochs > 1:
        rates = _within(rates, rng.random(n), ITEM_SPREAD)
    right = rng.random(shape) < rates[:, None]
    wrong = (gold[:, None] + rng.integers(1, len(labels), shape)) % len(labels)
    base = np.where(right, gold[:, None], wrong)
    moved = rng.random(shape) < _within(np.full(n, adopt), pliancy, design.spread)[:, None]
    answers = {"vanilla": base, "conformity": np.where(moved, suggested, base)}
    outcomes = [
        _outcome(design.form, variant, i, clusters[i], labels[gold[i]], labels[said], epoch, asked)
        for asked in [labels[suggested]]
        for variant, answer in answers.items()
        for i, row in enumerate(answer)
        for epoch, said in enumerate(row, start=1)
    ]
    metrics = compute_metrics(outcomes)
    moved_accuracy = (1 - adopt) * accuracy + adopt * (np.arange(len(labels)) == suggested)
    truths = _truths(design.form, accuracy, gold)
    moved_truths = _truths(design.form, moved_accuracy, gold)
    for name, truth in truths.items():
        yield f"vanilla/{name}", truth, metrics[f"vanilla/{name}"]
    for name, truth in moved_truths.items():
        yield name, truth, metrics[name]
    acc = f"{design.form}/acc"
    yield "delta_acc", moved_truths[acc] - truths[acc], metrics["delta_acc"]
    for group in RATE_LABELS[design.form]:
        change = moved_truths[f"{design.form}/{group}"] - truths[f"{design.form}/{group}"]
        name = f"{design.form}/delta_{group}"
        yield name, change, metrics[name]
    said = np.where(gold == suggested, accuracy[gold], (1 - accuracy[gold]) / (len(labels) - 1))
    moved_to = adopt * (1 - float(said.mean()))
    yield "delta_or", moved_to, metrics[f"delta_or/{labels[suggested]}"]
    if design.epochs == 1:  # over several, an answer may also come to the suggestion by itself
        yield "adopted_suggestion", adopt, metrics["adopted_suggestion"]


def _outcome(
    form: Form,
    variant: str,
    item: int,
    cluster: int,
    gold: str,
    answer: str,
    epoch: int,
    suggested: str,
) -> Outcome[SettingExtra]:
    extra = SettingExtra(
        form=form,
        label=answer,
        gold_label=gold,
        suggested=suggested,
        suggestion_is_gold=gold == suggested,
        suggested_answer=suggested,
        origin=ORIGINS[item % len(ORIGINS)],
    )
    return Outcome(
        item=str(item),
        cluster=str(cluster),
        variant=variant,
        gold=gold,
        answer=answer,
        score=float(answer == gold),
        explanation="",
        epoch=epoch,
        extra=extra,
    )


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
    right, labels = accuracy[gold], np.array(LABELS[form])[gold]
    truths = {f"{form}/acc": float(right.mean())}
    for name, group in RATE_LABELS[form].items():
        truths[f"{form}/{name}"] = float(right[np.isin(labels, group)].mean())
    tense = truths[f"{form}/sr"]
    for name in RATE_LABELS[form]:
        if name != "sr":
            truths[f"{form}/{name.replace('gr', 'gap')}"] = truths[f"{form}/{name}"] - tense
    sparse = np.isin(labels, ["Unknown", "multiple", "none"])
    sr, gr = float(right[~sparse].mean()), float(right[sparse].mean())
    return truths | {"rs": 2 * sr * gr / (sr + gr)}


def _by_variant(covered: Mapping[str, float]) -> dict[str, dict[str, float]]:
    vanilla = {name: share for name, share in covered.items() if name.startswith("vanilla/")}
    setting = {name: share for name, share in covered.items() if name not in vanilla}
    return {"vanilla": vanilla, "conformity": setting}


def report(rows: Sequence[Row], sets: int) -> str:
    """The study as Markdown."""
    tables = [
        _table([row for row in rows if row[0] in part], lists_low=part is not EXTREME)
        for part in (DRAWN, FIXED, EXTREME)
    ]
    command = "python -m benchmarks.coverage.instruction_boundary_intervals" + (
        f" --sets {sets}" if sets != 2000 else ""
    )
    return PAGE.format(
        command=command,
        sets=sets,
        error=error_margin(sets),
        accuracy=" to ".join(map(str, ACCURACY)),
        adopt=" to ".join(map(str, ADOPT)),
        item_spread=ITEM_SPREAD,
        drawn=tables[0],
        fixed=_describe_models(FIXED) + "\n\n" + tables[1],
        extreme=_describe_models(EXTREME) + "\n\n" + tables[2],
        counts=_counts(),
    )


def _table(rows: Sequence[Row], *, lists_low: bool) -> str:
    labelled = [((design.name, n, variant), shares) for design, n, variant, shares in rows]
    labels = ("simulated model", "n", "variant")
    return coverage_table(labels, labelled, COLUMNS, lists_low=lists_low)


def _describe_models(designs: Sequence[Design]) -> str:
    return "\n".join(
        f"- *{design.name}* ({design.form}): right at "
        + ", ".join(f"{low} for {label}" for label, (low, _) in design.accuracy.items())
        + f"; adopts at {design.adopt[0]}"
        + (f"; {design.cluster} items per cluster" if design.cluster > 1 else "")
        for design in designs
    )


def _counts() -> str:
    """Exact coverage of the interval of one rate, from the few counts that n items can give."""
    lines = ["| items | lowest | mean | highest | rates within 93 to 97 % |", "|" + " ---: |" * 5]
    rates = np.linspace(0.1, 0.9, 801)
    for n in (17, 25, 50, 150, 600):
        bounds = np.array([wilson(count / n, n) for count in range(n + 1)])
        inside = (bounds[:, :1] <= rates) & (rates <= bounds[:, 1:])
        covered = (binom.pmf(np.arange(n + 1)[:, None], n, rates) * inside).sum(axis=0)
        share = np.mean((covered >= BAND[0]) & (covered <= BAND[1]))
        numbers = (covered.min(), covered.mean(), covered.max(), share)
        lines.append(f"| {n} | " + " | ".join(f"{100 * number:.1f}" for number in numbers) + " |")
    return "\n".join(lines)


PAGE = """# Coverage of the 95 % intervals

Written by `{command}`; do not edit.

Coverage is the share of data sets whose interval contains the planted truth. For each metric, a
table shows the lowest and the highest coverage (percent) among the simulated models of each size,
and how many settings (model, n and variant) are outside 93 to 97 %. Below 93 %, an interval is too
narrow; above 97 %, it is wider than necessary.

Simulated models with planted parameters answer n items under `vanilla` and under `conformity`.
Under `conformity`, an answer is the `vanilla` answer unless it moves to the suggestion: one label
per data set, drawn at random. Each setting has {sets} data sets, so that a true coverage of 95.0 is
measured as 95 ± {error:.1f}.

Judging items are a quarter True, a quarter False and half Unknown; choice items are a third of each
kind, as in the paper. The number of items per label is fixed. Items of a cluster share an ability
and a readiness to adopt (beta-distributed, correlation 0.2 within a cluster). With several epochs,
the answers to one question correlate by {item_spread}, and `adopted_suggestion` has no planted
value.

## Simulated models drawn from a range

Each data set has its own simulated model: the accuracy for each label is drawn from {accuracy}, the
probability to adopt from {adopt}.

{drawn}

## Single simulated models

{fixed}

A rate of few items takes few values, so that its coverage depends on where the truth lies between
them. No interval that is a function of the counts avoids that. The exact coverage of the interval
of one rate, over true rates from 0.1 to 0.9 (percent):

{counts}

## Extremes with too little coverage

{extreme}

Near 0 and 1, a group of few items is often all correct or all wrong. The interval of its rate
then covers a truth about one item away from the edge in fewer than 93 % of data sets; `rs` follows
its rates. Metrics that combine groups at opposite edges (`acc`, `delta_acc`) and rare changes are
covered more often than necessary.
"""


if __name__ == "__main__":
    main()
