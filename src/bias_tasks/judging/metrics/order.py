"""What the order of two responses does to a judge's verdicts, and how often it ties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bias_tasks.family import Outcome
from bias_tasks.judging.probes.choice import POSITION
from bias_tasks.judging.reading.verdict import TIE
from bias_tasks.probing.items import PLAIN
from bias_tasks.probing.metrics import Table, table
from bias_tasks.statistics.effective_size import Floats
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.intervals import difference, rate


def order_figures(preferred: Sequence[Outcome]) -> dict[str, Estimate]:
    """`ties`; and where both orders were asked `first_share`, and `both_orders` of labelled pairs.

    Args:
        preferred: with at least one plain preference.
    """
    plain = [each for each in preferred if each.variant == PLAIN]
    card = {"ties": _ties(plain)}
    both = [each for each in preferred if each.variant in (PLAIN, POSITION)]
    if len(both) == len(plain):
        return card
    card["first_share"] = first_share(
        table([replace(each, score=preference_for(each, each.own["shown"][0])) for each in both])
    )
    if any(each.gold for each in both):
        card["both_orders"] = both_orders(table(both))
    return card


def first_share(run: Table) -> Estimate:
    """The share of verdicts for the response shown first, over both orders of each pair.

    A tie counts as half. Pairs of which either verdict is unread are left out: the one order alone
    would tell what is in the responses. With d what showing a response first adds to its being
    preferred, the share is 1/2 + d/2, and so are its limits.

    Args:
        run: plain and in the other order; its scores are preferences for what stands first.
    """
    first, turned = run.of(PLAIN), run.of(POSITION)
    added = difference(run.sample(first - (1 - turned)))
    value, low, high = ((1 + each) / 2 for each in (added.value, added.ci_low, added.ci_high))
    return Estimate(value, low, high, added.n)


def _ties(plain: Sequence[Outcome]) -> Estimate:
    """The share of plain verdicts that are ties, of those that were read."""
    tied = {True: 1.0, False: 0.0}
    run = table(
        [
            replace(each, score=None if each.answer is None else tied[each.answer == TIE])
            for each in plain
        ]
    )
    return rate(run.sample(run.of(PLAIN)))


def both_orders(run: Table) -> Estimate:
    """The share of labelled pairs that are judged rightly in both orders: a tie is not right."""
    scores = run.under((PLAIN, POSITION))
    known = ~np.isnan(scores).any(axis=1)
    right: Floats = np.where(known, (scores == 1).all(axis=1).astype(float), np.nan)
    return rate(run.sample(right))


def preference_for(outcome: Outcome, number: int) -> float | None:
    """1 where a response is preferred, 0.5 for a tie, 0 where the other is; None where unread."""
    if outcome.answer is None:
        return None
    return 0.5 if outcome.answer == TIE else float(outcome.answer == str(number))
