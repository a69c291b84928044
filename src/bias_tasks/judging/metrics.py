"""Every figure of a judge under probes, and of self-preference."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import fmean

import numpy as np

from bias_tasks.contract.family import Outcome
from bias_tasks.judging.dressings import POSITION, control_of, dressing_of
from bias_tasks.judging.metrics_people import people_card
from bias_tasks.judging.outcomes import SCALE, preferences
from bias_tasks.judging.self_preference import JUDGE, ORDERS, VERDICTS, own_share
from bias_tasks.parsing.parsed_answer import TIE
from bias_tasks.probing.items import PLAIN
from bias_tasks.probing.metrics import Table, changes, probe_card, table, unread
from bias_tasks.statistics.effective_size import Floats
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.intervals import difference, rate

_NEED_NO_LABEL = ("most_changed", "answers_changed", "same_answer")
"""What of a probed task's figures there is where nobody says which response is better."""
_LEFT_OUT = ("coverage", "unread")
"""Of a probed task's: probes of judges apply to every pair, and an answer of a judge may be one
score of two."""


def judging_card(outcomes: Sequence[Outcome]) -> dict[str, Estimate]:
    """The figures by their names; none where there are no outcomes. Raises a ValueError where an
    item was judged twice in one way and epoch, or stands in two clusters."""
    if not outcomes:
        return {}
    preferred = preferences(outcomes)
    card: dict[str, Estimate] = {}
    if any(each.variant == PLAIN for each in preferred):
        labelled = any(each.gold for each in preferred)
        probed = [each for each in preferred if control_of(each.variant) is None]
        for name, figure in probe_card(probed).items():
            kind = name.partition("/")[0]
            if kind in _NEED_NO_LABEL or (labelled and kind not in _LEFT_OUT):
                card[name] = figure
        card |= _order_figures(preferred) | _pulls(preferred)
    card |= people_card(preferred, outcomes) | _shifts(outcomes)
    return card | {"unread": unread(table([replace(each, score=None) for each in outcomes]))}


def _order_figures(preferred: Sequence[Outcome]) -> dict[str, Estimate]:
    """`ties`; where both orders were asked `first_share`, and `both_orders` of labelled pairs."""
    plain = [each for each in preferred if each.variant == PLAIN]
    tied = [None if each.answer is None else float(each.answer == TIE) for each in plain]
    ties = table([replace(each, score=tie) for each, tie in zip(plain, tied, strict=True)])
    card = {"ties": rate(ties.sample(ties.of(PLAIN)))}
    both = [each for each in preferred if each.variant in (PLAIN, POSITION)]
    if len(both) > len(plain):
        first = [replace(each, score=_preference_for(each, each.own["shown"][0])) for each in both]
        card["first_share"] = first_share(table(first))
        if any(each.gold for each in both):
            card["both_orders"] = both_orders(table(both))
    return card


def first_share(run: Table) -> Estimate:
    """The share of verdicts for the response shown first, over both orders of each pair.

    A tie counts as half. Pairs of which either verdict is unread are left out: the one order alone
    would tell what is in the responses. With d what showing a response first adds to its being
    preferred, the share is 1/2 + d/2, and so are its limits. The table's scores are preferences for
    what stands first, plain and in the other order.
    """
    first, turned = run.of(PLAIN), run.of(POSITION)
    added = difference(run.sample(first - (1 - turned)))
    value, low, high = ((1 + each) / 2 for each in (added.value, added.ci_low, added.ci_high))
    return Estimate(value, low, high, added.n)


def both_orders(run: Table) -> Estimate:
    """The share of labelled pairs that are judged rightly in both orders: a tie is not right."""
    scores = run.under((PLAIN, POSITION))
    known = ~np.isnan(scores).any(axis=1)
    right: Floats = np.where(known, (scores == 1).all(axis=1).astype(float), np.nan)
    return rate(run.sample(right))


def _pulls(preferred: Sequence[Outcome]) -> dict[str, Estimate]:
    """`pull/<probe>`: how much more often a dressed response is preferred than plain (Holm)."""
    taken = [each for each in preferred if each.variant == PLAIN or dressing_of(each.variant)]
    if all(each.variant == PLAIN for each in taken):
        return {}
    return pulls_of(
        table([replace(each, score=_preference_for(each, each.own["dressed"])) for each in taken])
    )


def pulls_of(run: Table) -> dict[str, Estimate]:
    """`pull/<probe>` of a table, whose scores are preferences for what the probe dresses; a control
    dresses the other."""
    card = changes(run)
    return {
        f"pull/{name}": _scaled(card[f"score_change/{name}"], 1 if control_of(name) is None else -1)
        for name in run.probes
    }


def _shifts(outcomes: Sequence[Outcome]) -> dict[str, Estimate]:
    """`shift/<probe>`: by how many points a dressed response's own score moves (Holm)."""
    low, high = SCALE
    scored = [each for each in outcomes if "response" in each.own]
    worn = {(each.item, each.own["response"]) for each in scored if dressing_of(each.own["way"])}
    taken = [
        replace(
            each,
            # A pair's two responses are rows of their own, whose items share a cluster.
            item=f"{each.item}/{each.own['response']}",
            variant=each.own["way"],
            score=None if each.score is None else (each.score - low) / (high - low),
        )
        for each in scored
        if (each.item, each.own["response"]) in worn
        and (each.own["way"] == PLAIN or dressing_of(each.own["way"]))
    ]
    return shifts_of(table(taken)) if taken else {}


def shifts_of(run: Table) -> dict[str, Estimate]:
    """`shift/<probe>` of a table, plain and dressed; its scores are shares of the scale."""
    card, size = changes(run), SCALE[1] - SCALE[0]
    return {f"shift/{name}": _scaled(card[f"score_change/{name}"], size) for name in run.probes}


def _scaled(figure: Estimate, factor: float) -> Estimate:
    """The figure and its limits on another scale, which may be turned round."""
    low, high = sorted((factor * figure.ci_low, factor * figure.ci_high))
    value = factor * figure.value + 0.0  # no negative zero
    return replace(figure, value=value, ci_low=low + 0.0, ci_high=high + 0.0)


def _preference_for(outcome: Outcome, number: int) -> float | None:
    """1 where a response is preferred, 0.5 for a tie, 0 where the other is; None where unread."""
    if outcome.answer is None:
        return None
    return 0.5 if outcome.answer == TIE else float(outcome.answer == str(number))


_ByOrder = Mapping[str, str | None]
"""A judge's verdicts, by whose answer stood first."""


def self_preference_card(outcomes: Sequence[Outcome]) -> dict[str, Estimate]:
    """The figures by their names, of at least one outcome; raises as `judging_card`.

    A judge's verdicts on a prompt count where both orders were read. Several jurors count as one
    judge that is between them, where each was read in both orders.
    """
    run = table(outcomes)

    def column(of: Callable[[list[_ByOrder]], float | None], *, jury: bool = False) -> Floats:
        """A value of the model's own verdicts, or of the jury's; nan where there is none."""
        found = []
        for each in outcomes:
            verdicts = each.own[VERDICTS]
            judges = [said for judge, said in verdicts.items() if (judge != JUDGE) == jury]
            found.append(of(judges))
        return np.array(found, dtype=float)  # None is nan

    own, others = column(_share), column(_share, jury=True)
    excess = own - others
    shares = {
        "own_share": own,
        "own_share_jury": others,
        "consistent": column(_consistent),
        "consistent/jury": column(_consistent, jury=True),
        "compared": np.array([float(bool(each.own[VERDICTS])) for each in outcomes]),
        "unread": column(_unread),
        "unread/jury": column(_unread, jury=True),
    }
    return {
        "self_excess": difference(run.sample(excess)),
        "self_excess/equal": difference(run.sample(np.where(others == 0.5, excess, math.nan))),
        **{name: rate(run.sample(values)) for name, values in shares.items()},
    }


def _share(judges: Iterable[_ByOrder]) -> float | None:
    return _mean(own_share(each) for each in judges)


def _consistent(judges: Iterable[_ByOrder]) -> float | None:
    """Whether the same is said in both orders, on average over judges."""
    return _mean(
        None if None in each.values() or len(each) < len(ORDERS) else len({*each.values()}) == 1
        for each in judges
    )


def _unread(judges: Iterable[_ByOrder]) -> float | None:
    return _mean(float(verdict is None) for each in judges for verdict in each.values())


def _mean(values: Iterable[float | None]) -> float | None:
    """The mean of values that are all there; None where one is not."""
    found = list(values)
    known = [each for each in found if each is not None]
    return fmean(known) if known and len(known) == len(found) else None
