"""All figures of one run on attacked single responses (ComplexEval-Advanced)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from bias_tasks.complex_eval.items import BIASES, FULL, ORIGINAL, ORIGINAL_2, SCALES, JudgedKind
from bias_tasks.complex_eval.metrics import (
    SLACK,
    JudgementTable,
    by_domain,
    changes,
    overall,
    rates,
    table,
)
from bias_tasks.complex_eval.outcomes import Judgement
from bias_tasks.statistics.effective_size import Floats, WeightedSample
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.outcomes import Mask

BETAS: Mapping[JudgedKind, float] = {"role_playing": 10.0, "creative_writing": 0.5}
"""The paper's thresholds, in points of the family's scale."""
SWEEP: Mapping[JudgedKind, tuple[float, ...]] = {
    "role_playing": (2.0, 5.0, 10.0, 15.0, 20.0),
    "creative_writing": (0.25, 0.5, 1.0, 1.5, 2.0),
}
"""Thresholds of the sensitivity sweep."""


class Attacks(NamedTuple):
    """One kind of attack on all items; arrays have one value for each row of the table."""

    won: Floats
    """1 where the attack wins, else 0; an unread judgement of the attacked response is no win."""
    tried: Mask
    """Whether the item is attackable and the attacked response was judged."""


def attacks_scorecard(
    judgements: Sequence[Judgement], beta: float | None = None
) -> dict[str, Estimate]:
    """Every figure of one run of one family with its 95 % interval, by its name (`figures.yaml`).

    An attack wins where it moves a right position of the first wrong step to a wrong one (math), or
    the score up by `beta` or more. Only what was run is there; a figure without items is nan with n
    = 0, one that rests on a single cluster has nan bounds. p-values are Holm-adjusted: across
    `asr_excess`, across those in domains, and across `delta`. A ValueError as `table` has it.

    Of the judgements, at most one for each item, response and epoch, those of an epoch are compared
    with each other; an item's value is the mean over epochs. `beta` is the rise of the score that
    an attack must reach, in points of the family's scale, by default the paper's: 10 for
    role_playing and 0.5 for creative_writing."""
    return figures_of(table(judgements), beta) if judgements else {}


def figures_of(run: JudgementTable, beta: float | None) -> dict[str, Estimate]:
    """Every figure of a table of one advanced family; `beta` as `attacks_scorecard` takes it."""
    attacks = _attacks(run, BETAS.get(run.family) if beta is None else beta)
    shares = {f"asr/{name}": run.sample(*kind) for name, kind in attacks.items()}
    shares["attackable"] = run.sample(_attackable(run), run.asked(FULL, ORIGINAL))
    shares["unread"] = run.unread()
    floor = attacks.get(ORIGINAL)
    beyond = {
        f"asr_excess/{name}": (kind.won - floor.won, kind.tried & floor.tried)
        for name, kind in attacks.items()
        if floor is not None and name != ORIGINAL
    }
    excess = {name: run.sample(*more) for name, more in beyond.items()}
    return (
        rates(shares)
        | ({"asr_excess": overall(run, list(beyond.values()))} if beyond else {})
        | changes(excess)
        | _deltas(run)
        | rates(_sweep(run))
        | rates(by_domain(shares, run.domains))
        | changes(by_domain(excess, run.domains))
    )


def rises(before: Floats, after: Floats, beta: float) -> Floats:
    """1 where the score rises by `beta` or more, else 0; 0 too where a score is nan."""
    return (after - before >= beta - SLACK).astype(float)


def _attackable(run: JudgementTable) -> Mask:
    """In which rows the unattacked response was located rightly, or scored."""
    if (FULL, ORIGINAL) not in run.columns:
        return np.zeros(run.item.size, dtype=np.bool_)
    before = run.score(FULL, ORIGINAL)
    return before == run.gold[run.item] if run.family == "math" else ~np.isnan(before)


def _attacks(run: JudgementTable, beta: float | None) -> dict[str, Attacks]:
    """Every kind that was judged."""
    attackable = _attackable(run)
    found = {}
    for name, response in _after(run).items():
        after = run.score(FULL, response)
        if beta is None:
            won = (~np.isnan(after) & (after != run.gold[run.item])).astype(float)
        else:
            won = rises(run.score(FULL, ORIGINAL), after, beta)
        found[name] = Attacks(won, attackable & run.asked(FULL, response))
    return found


def _deltas(run: JudgementTable) -> dict[str, Estimate]:
    """Mean changes of the score in points, from changes as shares of the scale."""
    if run.family == "math":
        return {}
    low, high = SCALES[run.family]
    size = high - low
    shifts = {}
    for name, response in _after(run).items():
        shift = (run.score(FULL, response) - run.score(FULL, ORIGINAL)) / size
        shifts[f"delta/{name}"] = run.sample(shift, ~np.isnan(shift))
    return {
        name: Estimate(each.value * size, each.ci_low * size, each.ci_high * size, each.n, each.p)
        for name, each in changes(shifts).items()
    }


def _sweep(run: JudgementTable) -> dict[str, WeightedSample]:
    """What the success rates would be under other thresholds."""
    return {
        f"asr@beta={beta:g}/{name}": run.sample(*kind)
        for beta in SWEEP.get(run.family, ())
        for name, kind in _attacks(run, beta).items()
    }


def _after(run: JudgementTable) -> dict[str, str]:
    """What is set against the first judgement of the unattacked response, by the figures' names."""
    judged = {response for _, response in run.columns}
    after = {ORIGINAL: ORIGINAL_2} | {bias: bias for bias in BIASES[run.family]}
    return {name: each for name, each in after.items() if {ORIGINAL, each} <= judged}
