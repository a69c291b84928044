"""All figures of one run on preference pairs (ComplexEval-Basic)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bias_tasks.complex_eval.items import ATTACKS, AUX, CHOSEN, NONE, REJECTED
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

THETAS = (0.0, 0.25, 0.5, 1.0, 2.0)
"""Tolerances of the sensitivity sweep."""


@dataclass(frozen=True, slots=True)
class ConditionPairs:
    """The pairs of a run under one condition; arrays have one value for each row of the table."""

    verdict: Floats
    """J: 1, 0.5 or 0; nan where a score is unread."""
    asked: Mask
    """Whether both responses were judged."""

    def beside(self, other: "ConditionPairs") -> Mask:
        """Rows that were judged under both conditions, and read under at least one: two unread
        pairs say nothing of whether anything changed."""
        read = ~np.isnan(self.verdict) | ~np.isnan(other.verdict)
        return self.asked & other.asked & read

    @property
    def right(self) -> Floats:
        """1 where the judge prefers the preferred response; an unread pair is not right."""
        right: Floats = (self.verdict == 1).astype(float)
        return right

    @property
    def credit(self) -> Floats:
        """The verdict, a tie being half right; an unread pair is not right."""
        return np.nan_to_num(self.verdict)


Conditions = Mapping[str, ConditionPairs]


def pairs_scorecard(judgements: Sequence[Judgement], theta: float = 0.5) -> dict[str, Estimate]:
    """Every figure of one run on preference pairs with its 95 % interval, by its name
    (`figures.yaml`).

    A pair of which a response is unread is not judged rightly. Only what was run is there; a figure
    without items is nan with n = 0, one that rests on a single cluster has nan bounds. p-values are
    Holm-adjusted: across gains, across costs of attacks, and across gains in domains. A ValueError
    as `table` has it.

    Of the judgements, at most one for each item, condition, response and epoch, those of an epoch
    are compared with each other; an item's value is the mean over epochs. Differences of scores up
    to `theta` are ties."""
    return figures_of(table(judgements), theta) if judgements else {}


def figures_of(run: JudgementTable, theta: float) -> dict[str, Estimate]:
    """Every figure of a table of preference pairs."""
    found = conditions(run, theta)
    untold = _beside(found, _untold)
    shares = {f"acc/{name}": run.sample(pairs.right, pairs.asked) for name, pairs in found.items()}
    for name, pairs in found.items():
        shares[f"acc_half_ties/{name}"] = run.sample(pairs.credit, pairs.asked)
    for name, (told, plain) in untold.items():
        # nan equals nothing: where a pair is unread, nothing agrees.
        shares[f"rr/{name}"] = run.sample(told.verdict == plain.verdict, told.asked & plain.asked)
    shares["unread"] = run.unread()
    gains = {
        f"gain/{name}": run.sample(told.right - plain.right, told.beside(plain))
        for name, (told, plain) in untold.items()
    }
    lost = {
        name: (original.right - attacked.right, original.beside(attacked))
        for name, (attacked, original) in _beside(found, _unattacked).items()
    }
    costs = {f"attack_cost/{name}": run.sample(*cost) for name, cost in lost.items()}
    toward_told = [lost[name] for each in ATTACKS if (name := f"{each}~{each}") in lost]
    return (
        rates(shares)
        | changes(gains)
        | changes(costs)
        | ({"attack_cost": overall(run, toward_told)} if toward_told else {})
        | rates(_sweep(run))
        | rates(by_domain(shares, run.domains))
        | changes(by_domain(gains, run.domains))
    )


def conditions(run: JudgementTable, theta: float) -> dict[str, ConditionPairs]:
    """The pairs under each condition that was run."""
    found = {}
    for attack in ("", *(f"~{each}" for each in ATTACKS)):
        rejected = REJECTED + attack
        for aux in AUX:
            asked = run.asked(aux, CHOSEN, rejected)
            if asked.any():
                verdict = verdicts(run.score(aux, CHOSEN), run.score(aux, rejected), theta)
                found[aux + attack] = ConditionPairs(verdict, asked)
    return found


def verdicts(chosen: Floats, rejected: Floats, theta: float) -> Floats:
    """J: 1 where the preferred response scores higher, 0 where lower, 0.5 for a tie (section 4.3),
    which differences up to and including `theta` are; nan where a score is."""
    ahead = chosen - rejected
    return np.select(
        [np.isnan(ahead), ahead > theta + SLACK, ahead < -theta - SLACK], [np.nan, 1.0, 0.0], 0.5
    )


def _sweep(run: JudgementTable) -> dict[str, WeightedSample]:
    """What accuracy would be under other tolerances."""
    return {
        f"acc@theta={theta:g}/{name}": run.sample(pairs.right, pairs.asked)
        for theta in THETAS
        for name, pairs in conditions(run, theta).items()
    } | {
        f"acc_half_ties@theta=0/{name}": run.sample(pairs.credit, pairs.asked)
        for name, pairs in conditions(run, 0.0).items()
    }


def _beside(
    found: Conditions, other: Callable[[str], str]
) -> dict[str, tuple[ConditionPairs, ConditionPairs]]:
    """Each condition with the one that `other` names, where that is another and was run."""
    return {
        name: (pairs, found[base])
        for name, pairs in found.items()
        if (base := other(name)) != name and base in found
    }


def _untold(condition: str) -> str:
    """The same pairs without auxiliary information."""
    _, mark, attack = condition.partition("~")
    return f"{NONE}{mark}{attack}"


def _unattacked(condition: str) -> str:
    """The same auxiliary information on the unattacked pairs."""
    return condition.partition("~")[0]
