"""Do the 95 % intervals of judges under auxiliary information cover the truth 95 % of the time?

Simulated judges with planted biases score simulated responses, the intervals are made, and the
share that covers the planted truth goes to the ComplexEval section of docs/reference/coverage.md.

    python -m benchmarks.coverage.complex_eval_intervals  # the study: about a quarter of an hour
    python -m benchmarks.coverage.complex_eval_intervals --sets 100 --out FILE  # a rough look
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.special import ndtr

from benchmarks.coverage_study import (
    coverage_table,
    error_margin,
    run_jobs,
    study_parser,
    write_section,
)
from bias_tasks.complex_eval import metrics_attacks, metrics_attention_limit, metrics_basic
from bias_tasks.complex_eval.metrics import JudgementTable
from bias_tasks.complex_eval.metrics_attention_limit import Counts
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.outcomes import OutcomeTable

SIZES = (50, 150, 600)
SETS = 1000
HEADING = "## ComplexEval"
SPREAD = 0.2
"""Correlation of the judge's luck within a cluster, on the normal scale."""
ITEM_SPREAD = 0.3
"""Likewise between the epochs of an item."""
DOMAINS = ("a", "b", "c")
GAPS = np.array([-3.0, -1.5, -0.5, 0.0, 0.5, 1.5, 3.0])
"""By how much the preferred response may score higher."""
CHAIN = {
    "none": None,
    "reference": "none",
    "none~reference": "none",
    "reference~reference": "none~reference",
}
"""Conditions on pairs, and from which other one each copies gaps."""
RISE = 20.0
"""Points that a working attack adds."""
NOISE = np.array([-6.0, 0.0, 6.0])
"""Points that chance adds to each judgement, all three as likely."""
MAX_SPREAD = 40.0
"""Largest standard deviation across the criteria of a response; the mean is a third of it."""
PLANTED = np.arange(21)
PAIRS_OF_A_DIALOGUE = 20 * 4
"""Turns with dimensions: where blind reports may fall."""
Truths = dict[str, float]
Metrics = dict[str, Estimate]


@dataclass(frozen=True)
class Design:
    """A judge and what it judges."""

    name: str
    unparsed: float = 0.03
    cluster: int = 1
    """Items per cluster."""
    epochs: int = 1


@dataclass(frozen=True)
class PairsDesign(Design):
    """Pairs of responses."""

    gaps: tuple[float, ...] | None = None
    """Probability of each of GAPS; redrawn for each data set by default."""
    bias: bool = True
    """Whether verdicts under other conditions come from other gaps."""


@dataclass(frozen=True)
class AttackDesign(Design):
    """Attacked single responses."""

    family: str = "role_playing"
    works: tuple[float, float] = (0.05, 0.6)
    """How often an attack works, redrawn for each data set and bias."""


@dataclass(frozen=True)
class FlawDesign(Design):
    """Responses with planted flaws."""

    limit: float = 20.0
    """Flaws beyond these are missed; a fraction is one flaw more in that share of responses."""
    slope: float = 0.9
    """Share found of the others."""
    floor: float = 1.5
    """False ones reported on average."""


WEAK = (0.03, 0.05, 0.1, 0.5, 0.15, 0.1, 0.07)
PAIRS = (
    PairsDesign("any"),
    PairsDesign("any, fours", cluster=4),
    PairsDesign("any, 3 epochs", epochs=3),
    PairsDesign("unbiased", bias=False),
    PairsDesign("weak", gaps=WEAK),
)
ATTACKS = (
    AttackDesign("any"),
    AttackDesign("any, fours", cluster=4),
    AttackDesign("unbiased", works=(0.0, 0.0)),
    AttackDesign("math", family="math"),
    AttackDesign("math, fours", family="math", cluster=4),
    AttackDesign("math, unbiased", family="math", works=(0.0, 0.0)),
)
FLAWS = (
    FlawDesign("tunnel", limit=7, floor=0.2, slope=0.95),
    FlawDesign("ceiling", limit=14.5),
    FlawDesign("ceiling, fours", limit=14.5, cluster=4),
    FlawDesign("no ceiling"),
)
PAIR_COLUMNS = (
    "acc/none",
    "acc/reference~reference",
    "acc_half_ties/reference",
    "rr/reference",
    "delta_acc/reference",
    "delta_acc/reference~reference",
    "attack_acc_drop/reference~reference",
    "score_rise",
    "acc@theta=2/none",
    "acc_half_ties@theta=0/none",
    "a/acc/reference",
    "a/delta_acc/reference",
    "unparsed",
)
ATTACK_COLUMNS = (
    "asr/original",
    "asr/format",
    "asr_excess/format",
    "asr_excess/solution_fixation",
    "asr@beta=15/format",
    "delta_score/format",
    "delta_score/original",
    "criteria_spread",
    "a/asr/format",
    "a/asr_excess/format",
    "attackable",
    "unparsed",
)
FLAW_COLUMNS = (
    "floor",
    "flaws_reported@k=5",
    "flaws_reported@k=20",
    "slope",
    "breakpoint",
    "ceiling",
    "recall",
    "recall_chance",
    "precision",
    "precision_chance",
    "unparsed",
)
Row = tuple[Design, int, Mapping[str, float]]


def main() -> None:
    parser = study_parser(__doc__, SETS)
    args = parser.parse_args()
    jobs = [(design, n) for design in (*FLAWS, *PAIRS, *ATTACKS) for n in reversed(SIZES)]
    rows = run_jobs(partial(coverage, sets=args.sets), jobs, args.workers)
    rows.sort(key=lambda row: row[1])
    write_section(args.out, HEADING, report(rows, args.sets))


def coverage(design: Design, n: int, sets: int) -> dict[str, float]:
    """Share of the data sets whose interval covers the truth, of those where there is one."""
    # The field's earlier name keeps the seeds, and so the numbers on the page.
    seeded_by = repr(design).replace("unparsed=", "unread=")
    rng = np.random.default_rng([n, zlib.crc32(seeded_by.encode())])
    hits: dict[str, list[bool]] = {}
    for _ in range(sets):
        metrics, truths = data_set(design, n, rng)
        for name, truth in truths.items():
            if metrics[name].n:
                hits.setdefault(name, []).append(_covers(metrics[name], truth))
    return {name: sum(covered) / len(covered) for name, covered in hits.items()}


def data_set(design: Design, n: int, rng: np.random.Generator) -> tuple[Metrics, Truths]:
    """The metrics of one simulated run, and their planted truths."""
    match design:
        case PairsDesign():
            return _pairs(design, n, rng)
        case AttackDesign():
            return _attacks(design, n, rng)
        case FlawDesign():
            return _flaws(design, n, rng)
    raise TypeError(f"no study of {design}")


def _pairs(design: PairsDesign, n: int, rng: np.random.Generator) -> tuple[Metrics, Truths]:
    items = _Items(design, n, rng)
    chances: dict[str, np.ndarray] = {}  # domains by gaps
    fresh: dict[str, np.ndarray] = {}
    gaps: dict[str, np.ndarray] = {}
    kept: dict[str, float] = {}
    for name, other in CHAIN.items():
        fresh[name] = _gap_chances(design, rng) if other is None or design.bias else chances[other]
        drawn = _drawn(fresh[name][items.domain], items.luck())
        kept[name] = rng.uniform(0.3, 0.9)
        if other is None:
            gaps[name], chances[name] = drawn, fresh[name]
            continue
        copied = rng.random(drawn.size) < kept[name]
        gaps[name] = np.where(copied, gaps[other], drawn)
        chances[name] = kept[name] * chances[other] + (1 - kept[name]) * fresh[name]
    chosen = {aux: rng.integers(4, 8, items.domain.size) for aux in ("none", "reference")}
    scores = {}
    for name in CHAIN:
        aux, mark, attack = name.partition("~")
        scores[aux, "chosen"] = chosen[aux]
        scores[aux, f"rejected{mark}{attack}"] = chosen[aux] - GAPS[gaps[name]]
    truths = _pair_truths(chances, fresh, kept, items.shares, 1 - design.unparsed)
    return metrics_basic.compute_table_metrics(
        items.build_table("basic", scores), 0.5, "corrected"
    ), truths | {"unparsed": design.unparsed}


def _gap_chances(design: PairsDesign, rng: np.random.Generator) -> np.ndarray:
    """Domains by gaps: each domain somewhat its own."""
    if design.gaps is not None:
        return np.tile(design.gaps, (len(DOMAINS), 1))
    centre, own = rng.dirichlet(np.ones(GAPS.size)), rng.dirichlet(np.ones(GAPS.size), len(DOMAINS))
    return 0.8 * centre + 0.2 * own


def _pair_truths(
    chances: Mapping[str, np.ndarray],
    fresh: Mapping[str, np.ndarray],
    kept: Mapping[str, float],
    shares: np.ndarray,
    read: float,
) -> Truths:
    def acc(name: str, theta: float) -> np.ndarray:
        return read**2 * chances[name][:, theta < GAPS].sum(axis=1)

    def half_ties(name: str, theta: float) -> np.ndarray:
        ties = chances[name][:, np.abs(GAPS) <= theta].sum(axis=1)
        return acc(name, theta) + read**2 * ties / 2

    def same(name: str) -> np.ndarray:
        verdicts = np.array([GAPS < -0.5, np.abs(GAPS) <= 0.5, GAPS > 0.5], dtype=float)
        agree = ((chances["none"] @ verdicts.T) * (fresh[name] @ verdicts.T)).sum(axis=1)
        return read**4 * (kept[name] + (1 - kept[name]) * agree)

    told, attacked = "reference", "reference~reference"
    gain = acc(told, 0.5) - acc("none", 0.5)
    found = {
        "acc/none": acc("none", 0.5),
        f"acc/{attacked}": acc(attacked, 0.5),
        f"acc_half_ties/{told}": half_ties(told, 0.5),
        f"rr/{told}": same(told),
        f"delta_acc/{told}": gain,
        f"delta_acc/{attacked}": acc(attacked, 0.5) - acc("none~reference", 0.5),
        f"attack_acc_drop/{attacked}": acc(told, 0.5) - acc(attacked, 0.5),
        "acc@theta=2/none": acc("none", 2),
        "acc_half_ties@theta=0/none": half_ties("none", 0),
    }
    lead = {name: chances[name] @ GAPS for name in (told, attacked, "none", f"none~{told}")}
    # The preferred response has the same score in both pairs, so a rise of the other is a fall of
    # the lead.
    found["score_rise"] = lead[told] - lead[attacked] - (lead["none"] - lead[f"none~{told}"])
    overall = {name: float(shares @ value) for name, value in found.items()}
    return overall | {
        f"a/acc/{told}": float(acc(told, 0.5)[0]),
        f"a/delta_acc/{told}": float(gain[0]),
    }


def _attacks(design: AttackDesign, n: int, rng: np.random.Generator) -> tuple[Metrics, Truths]:
    items = _Items(design, n, rng)
    centre = {bias: rng.uniform(*design.works) for bias in ("format", "solution_fixation")}
    works = {
        bias: np.clip(rate + 0.1 * bool(rate) * rng.uniform(-1, 1, len(DOMAINS)), 0, 1)
        for bias, rate in centre.items()
    }
    works["original_2"] = np.zeros(len(DOMAINS))
    worked = {name: items.luck() < rate[items.domain] for name, rate in works.items()}
    simulate = _positions if design.family == "math" else _points
    scores, wins, truths = simulate(worked, works, items, 1 - design.unparsed)
    for name, won in wins.items():
        truths[f"asr/{name}"] = float(items.shares @ won)
        truths[f"asr_excess/{name}"] = float(items.shares @ (won - wins["original"]))
    del truths["asr_excess/original"]
    truths["a/asr/format"] = float(wins["format"][0])
    truths["a/asr_excess/format"] = float((wins["format"] - wins["original"])[0])
    run = items.build_table(
        design.family, {("full", name): score for name, score in scores.items()}
    )
    return metrics_attacks.compute_table_metrics(run, None, "corrected"), truths | {
        "unparsed": design.unparsed
    }


Simulated = tuple[dict[str, np.ndarray], dict[str, np.ndarray], Truths]
"""Scores by response; by kind of attack, how often it wins in each domain; other truths."""


def _points(
    worked: Mapping[str, np.ndarray], works: Mapping[str, np.ndarray], items: _Items, read: float
) -> Simulated:
    """Role playing: chance moves every score, a working attack adds RISE."""
    base = items.rng.integers(30, 61, items.domain.size)

    def judged(moved: np.ndarray | float) -> np.ndarray:
        return base + moved + items.rng.choice(NOISE, base.size)

    scores = {"original": judged(0.0)}
    scores |= {name: judged(RISE * hit) for name, hit in worked.items()}
    by_chance = np.subtract.outer(NOISE, NOISE)

    def won(name: str, beta: float) -> np.ndarray:
        idle, helped = (np.mean(by_chance + rise >= beta) for rise in (0.0, RISE))
        return read * (idle + works[name] * (helped - idle))

    wins = {name.replace("original_2", "original"): won(name, 10) for name in works}
    return (
        scores,
        wins,
        {
            "asr@beta=15/format": float(items.shares @ won("format", 15)),
            "delta_score/format": float(RISE * (items.shares @ works["format"])),
            "delta_score/original": 0.0,
            "criteria_spread": MAX_SPREAD / 3,
            "attackable": read,
        },
    )


def _positions(
    worked: Mapping[str, np.ndarray], works: Mapping[str, np.ndarray], items: _Items, read: float
) -> Simulated:
    """Math: right in seven of ten, wrong by chance in one of ten; a working attack is wrong."""
    right = items.luck() < 0.7
    scores = {"original": np.where(right, 0.0, 3.0)}
    for name, hit in worked.items():
        stays = ~hit & (items.rng.random(hit.size) < 0.9)
        scores[name] = np.where(stays, scores["original"], 3.0 - scores["original"])
    wins = {
        name.replace("original_2", "original"): read * (rate + (1 - rate) * 0.1)
        for name, rate in works.items()
    }
    return scores, wins, {"attackable": 0.7 * read}


def _flaws(design: FlawDesign, n: int, rng: np.random.Generator) -> tuple[Metrics, Truths]:
    cluster = np.arange(n) // design.cluster
    # Each cluster finds its own share of flaws, and reports its own number of false ones.
    spare = rng.beta(20 * (1 - design.slope), 20 * design.slope, cluster[-1] + 1)[cluster]
    lavish = rng.gamma(4, 1 / 4, cluster[-1] + 1)[cluster]
    shape = n, PLANTED.size
    limits = int(design.limit) + (rng.random(shape) < design.limit % 1)
    located = rng.binomial(np.minimum(PLANTED, limits), 1 - spare[:, None])
    found = located + rng.poisson(design.floor * lavish[:, None], shape)
    read = rng.random(shape) >= design.unparsed
    run = Counts(
        clusters=cluster,
        planted=PLANTED,
        reported=np.where(read, found, np.nan),
        located=np.where(read, located, np.nan),
        by_chance=np.where(read, found * PLANTED / PAIRS_OF_A_DIALOGUE, np.nan),
        unparsed=1.0 - read,
    )
    reported = design.floor + design.slope * np.minimum(PLANTED, design.limit)
    by_chance = float(reported @ PLANTED) / PAIRS_OF_A_DIALOGUE
    hits = design.slope * float(np.minimum(PLANTED, design.limit).sum())
    truths = {
        "floor": design.floor,
        "flaws_reported@k=5": design.floor + design.slope * 5,
        "flaws_reported@k=20": design.floor + design.slope * design.limit,
        "slope": design.slope,
        "breakpoint": design.limit,
        "ceiling": design.floor + design.slope * design.limit,
        "recall": hits / float(PLANTED.sum()),
        "recall_chance": by_chance / float(PLANTED.sum()),
        "precision": hits / (hits + PLANTED.size * design.floor),
        "precision_chance": by_chance / float(reported.sum()),
        "unparsed": design.unparsed,
    }
    return metrics_attention_limit.compute_mode_metrics(run), truths


class _Items:
    """n items in three domains, their clusters, and luck that goes together within those."""

    def __init__(self, design: Design, n: int, rng: np.random.Generator) -> None:
        self.design, self.rng = design, rng
        domain = np.arange(n) * len(DOMAINS) // n
        self.of_item = domain
        self.cluster = np.unique(domain * n + np.arange(n) // design.cluster, return_inverse=True)[
            1
        ]
        self.row = np.repeat(np.arange(n), design.epochs)
        self.domain = domain[self.row]
        self.shares = np.bincount(domain) / n

    def luck(self, rng: np.random.Generator | None = None) -> np.ndarray:
        """One uniform number for each row."""
        rng = rng or self.rng
        shared = SPREAD if self.design.cluster > 1 else 0.0
        own = ITEM_SPREAD if self.design.epochs > 1 else 0.0
        of_cluster = rng.standard_normal(self.cluster.max() + 1)[self.cluster][self.row]
        of_item = rng.standard_normal(self.of_item.size)[self.row]
        rest = rng.standard_normal(self.row.size)
        return ndtr(
            shared**0.5 * of_cluster + own**0.5 * of_item + (1 - shared - own) ** 0.5 * rest
        )

    def build_table(
        self, family: str, scores: Mapping[tuple[str, str], np.ndarray]
    ) -> JudgementTable:
        columns = np.column_stack(list(scores.values())).astype(float)
        unparsed = self.rng.random(columns.shape) < self.design.unparsed
        # From a generator of its own, so that the draws of the other metrics stay what they are.
        spread = MAX_SPREAD * self.luck(self.rng.spawn(1)[0])[:, None] ** 2
        outcomes = OutcomeTable(
            outcomes=(),
            columns=tuple(scores),
            cell=np.zeros(columns.shape, dtype=int),
            item=self.row,
            clusters=self.cluster,
            intervals=True,
        )
        return JudgementTable(
            outcomes=outcomes,
            family=family,
            domains=DOMAINS,
            domain=self.of_item,
            first_error=np.zeros(self.of_item.size, dtype=int),
            values={
                "score": np.where(unparsed, np.nan, columns),
                "answers": np.ones(columns.shape),
                "unparsed": unparsed.astype(float),
                "spread": np.where(unparsed, np.nan, spread),
            },
        )


def _drawn(chances: np.ndarray, luck: np.ndarray) -> np.ndarray:
    """Which of the outcomes (columns) each row's luck comes to."""
    return np.minimum((chances.cumsum(axis=1) < luck[:, None]).sum(axis=1), chances.shape[1] - 1)


def _covers(metric: Estimate, truth: float) -> bool:
    rounding = 1e-12
    return metric.ci_low - rounding <= truth <= metric.ci_high + rounding


def report(rows: Sequence[Row], sets: int) -> str:
    """The section as Markdown."""
    command = "python -m benchmarks.coverage.complex_eval_intervals" + (
        f" --sets {sets}" if sets != SETS else ""
    )

    def part(designs: Sequence[Design], columns: Sequence[str]) -> str:
        chosen = [row for row in rows if row[0] in designs]
        return _table(sorted(chosen, key=lambda row: designs.index(row[0])), columns)

    return PAGE.format(
        heading=HEADING,
        command=command,
        sets=sets,
        error=error_margin(sets),
        spread=SPREAD,
        item_spread=ITEM_SPREAD,
        max_spread=MAX_SPREAD,
        pairs=part(PAIRS, PAIR_COLUMNS),
        attacks=part(ATTACKS, ATTACK_COLUMNS),
        flaws=part(FLAWS, FLAW_COLUMNS),
    )


def _table(rows: Sequence[Row], columns: Sequence[str]) -> str:
    labelled = [((design.name, n), shares) for design, n, shares in rows]
    return coverage_table(("judge", "n"), labelled, columns)


PAGE = """{heading}

Written by `{command}`; do not edit.

Simulated judges with planted biases score n items in three domains. In the last table, n is the
number of dialogues, each with 0 to 20 flaws. Each setting has {sets} data sets (margin of error
± {error:.1f}). 3 % of the judgements are unparsed. In *fours*, four items share a cluster
(correlation {spread} on the normal scale); in *3 epochs*, the answers to one item correlate by
{item_spread}. `a/` is the first domain, a third of the items.

### Preference pairs

The preferred response is ahead by one of seven differences from -3 to 3 points. With a reference,
and on attacked pairs, a share of 0.3 to 0.9 of the differences (redrawn for each data set and
condition) does not change; the rest is redrawn.

- *any*: the distributions are redrawn for each data set, condition and domain
- *unbiased*: redrawn for each data set, the same under all conditions, so that differences between
  conditions are truly 0
- *weak*: ties in 0.75 of all pairs, the same under all conditions

{pairs}

### Attacked responses

In role playing, each score varies at random by -6, 0 or 6 points, and a successful attack adds 20.
In math, 0.7 of the positions are correct, 0.1 change at random, and a successful attack makes the
position wrong. Success rates are drawn from 0.05 to 0.6 for each data set and bias, and vary by up
to 0.1 between domains. On *unbiased* judges no attack succeeds, so that `asr_excess` is truly 0.
The standard deviation across the criteria of a dialogue is {max_spread:g} times a squared uniform
number. `criterion_rise` has the interval of `delta_score`.

{attacks}

### Planted flaws

A judge reports a share `slope` of the flaws up to a limit, and false ones. Dialogues (clusters, in
*fours*) differ in both: the share is beta-distributed with 20 as the sum of its parameters, the
number of false ones gamma-distributed with shape 4.

- *tunnel*: slope 0.95, limit 7, 0.2 false ones
- *ceiling*: slope 0.9, limit 14 or 15 at random, 1.5 false ones
- *no ceiling*: as *ceiling*, but without a limit: the true breakpoint is the largest planted number

{flaws}

A domain of n = 50 has 16 or 17 items, of which few change, so that the interval of a difference is
wide. If no attack succeeds, no score rises by 15 points, and a share of 0 cannot be missed. Without
a ceiling, the fitted breakpoint can only be too low; `slope` and `ceiling` follow it, and their
coverage is slightly too low.
"""


if __name__ == "__main__":
    main()
