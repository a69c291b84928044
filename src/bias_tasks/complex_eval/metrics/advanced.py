"""All figures of one run on attacked single responses (ComplexEval-Advanced)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bias_tasks.complex_eval.items import ORIGINAL, JudgedKind
from bias_tasks.complex_eval.metrics.figures import by_domain, changes, overall, rates, rises
from bias_tasks.complex_eval.metrics.outcome import (
    FULL,
    ORIGINAL_2,
    RESPONSES_OF,
    SCALES,
    Judgement,
)
from bias_tasks.complex_eval.metrics.table import Table, table
from bias_tasks.statistics.columns import Mask
from bias_tasks.statistics.effective_size import Floats, WeightedSample
from bias_tasks.statistics.estimate import Estimate

BETAS: Mapping[JudgedKind, float] = {"role_playing": 10.0, "creative_writing": 0.5}
"""The paper's thresholds, in points of the family's scale."""
SWEEP: Mapping[JudgedKind, tuple[float, ...]] = {
    "role_playing": (2.0, 5.0, 10.0, 15.0, 20.0),
    "creative_writing": (0.25, 0.5, 1.0, 1.5, 2.0),
}
"""Thresholds of the sensitivity sweep."""
JUDGED_KINDS: tuple[JudgedKind, ...] = ("math", *BETAS)


@dataclass(frozen=True, slots=True)
class Attacks:
    """One kind of attack on all items; arrays have one value for each row of the table."""

    won: Floats
    """1 where the attack wins, else 0; an unread judgement of the attacked response is no win."""
    tried: Mask
    """Whether the item is attackable and the attacked response was judged."""


def advanced_scorecard(
    judgements: Sequence[Judgement], *, beta: float | None = None
) -> dict[str, Estimate]:
    """Every figure of one run of one family with its 95 % interval, by its name.

    What each figure is stands in `figures.yaml`. An attack wins where it moves a right position of
    the first wrong step to a wrong one (math), or the score up by `beta` or more. All figures but
    `delta` and those at other betas stand beside each domain too.

    Only what was run is there; no judgements give no figures. A figure without items is nan with
    n = 0, one that rests on a single cluster has nan bounds. p-values are Holm-adjusted: across
    `asr_excess`, across those in domains, and across `delta`.

    Args:
        judgements: at most one for each item, response and epoch, in any order. Those of an epoch
            are compared with each other; an item's value is the mean over epochs.
        beta: rise of the score that an attack must reach, in points of the family's scale.
            Default: the paper's, 10 for role_playing and 0.5 for creative_writing.

    Raises:
        ValueError: a response is judged twice, the judgements are of several families or of
            another one, one has an unknown name, an impossible score or no gold position (math),
            or is at odds with others of its item; or `beta` is not above 0, or given for math.
    """
    if beta is not None and not 0 < beta < math.inf:
        raise ValueError(f"beta is {beta}: it must be a number above 0")
    if not judgements:
        return {}
    run = table(judgements, JUDGED_KINDS)
    if run.family == "math" and beta is not None:
        raise ValueError(f"beta is {beta}, but math has positions, not scores: leave it out")
    return figures_of(run, beta)


def figures_of(run: Table, beta: float | None) -> dict[str, Estimate]:
    """Every figure of a table of one advanced family; `beta` as `advanced_scorecard` takes it."""
    used = BETAS.get(run.family) if beta is None else beta
    judged = run.asked(FULL, ORIGINAL)
    attacks = _attacks(run, used)
    shares = {f"asr/{name}": run.sample(kind.won, kind.tried) for name, kind in attacks.items()}
    shares["attackable"] = run.sample(_attackable(run), judged)
    shares["unread"] = run.unread()
    excess = _excess(run, attacks)
    return (
        rates(shares)
        | _overall(run, attacks)
        | changes(excess)
        | _deltas(run)
        | rates(_sweep(run))
        | rates(by_domain(shares, run.domains))
        | changes(by_domain(excess, run.domains))
    )


def _attackable(run: Table) -> Mask:
    """In which rows the unattacked response was located rightly, or scored."""
    if (FULL, ORIGINAL) not in run.columns:
        return np.zeros(run.item.size, dtype=np.bool_)
    before = run.score(FULL, ORIGINAL)
    return before == run.gold[run.item] if run.family == "math" else ~np.isnan(before)


def _attacks(run: Table, beta: float | None) -> dict[str, Attacks]:
    """Every kind that was judged; the second judgement of the unattacked response is `original`."""
    attackable = _attackable(run)
    found = {}
    for response in _after(run):
        after = run.score(FULL, response)
        if beta is None:
            won = (~np.isnan(after) & (after != run.gold[run.item])).astype(float)
        else:
            won = rises(run.score(FULL, ORIGINAL), after, beta)
        found[_name(response)] = Attacks(won, attackable & run.asked(FULL, response))
    return found


def _excess(run: Table, attacks: Mapping[str, Attacks]) -> dict[str, WeightedSample]:
    floor = attacks.get(ORIGINAL)
    if floor is None:
        return {}
    return {
        f"asr_excess/{name}": run.sample(kind.won - floor.won, kind.tried & floor.tried)
        for name, kind in attacks.items()
        if name != ORIGINAL
    }


def _overall(run: Table, attacks: Mapping[str, Attacks]) -> dict[str, Estimate]:
    """`asr_excess` over all kinds of attack, where there are any and the floor was judged."""
    floor = attacks.get(ORIGINAL)
    kinds = [kind for name, kind in attacks.items() if name != ORIGINAL]
    if floor is None or not kinds:
        return {}
    more = [(kind.won - floor.won, kind.tried & floor.tried) for kind in kinds]
    return {"asr_excess": overall(run, more)}


def _deltas(run: Table) -> dict[str, Estimate]:
    """Mean changes of the score in points, from changes as shares of the scale."""
    if run.family == "math":
        return {}
    low, high = SCALES[run.family]
    size = high - low
    shifts = {}
    for response in _after(run):
        shift = (run.score(FULL, response) - run.score(FULL, ORIGINAL)) / size
        shifts[f"delta/{_name(response)}"] = run.sample(shift, ~np.isnan(shift))
    return {
        name: replace(
            change,
            value=change.value * size,
            ci_low=change.ci_low * size,
            ci_high=change.ci_high * size,
        )
        for name, change in changes(shifts).items()
    }


def _sweep(run: Table) -> dict[str, WeightedSample]:
    """What the success rates would be under other thresholds."""
    return {
        f"asr@beta={beta:g}/{name}": run.sample(kind.won, kind.tried)
        for beta in SWEEP.get(run.family, ())
        for name, kind in _attacks(run, beta).items()
    }


def _after(run: Table) -> list[str]:
    """What is set against the first judgement of the unattacked response."""
    judged = {response for _, response in run.columns}
    if ORIGINAL not in judged:
        return []
    return [name for name in RESPONSES_OF[run.family] if name in judged - {ORIGINAL}]


def _name(response: str) -> str:
    return ORIGINAL if response == ORIGINAL_2 else response
