"""The smallest effect that a run's headline would show, and the items that a given one needs.

Outcomes of a plan's questions are drawn with an effect planted in a part of the items, and the
task's own scorecard works out the headline of each drawn run.
"""

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache
from typing import Any

import numpy as np
from scipy.stats import norm

from bias_tasks.binary_qa.items import BINARY_LABELS
from bias_tasks.complex_eval.items import SCALES
from bias_tasks.contract.family import Answer, Family, Outcome, Plan, Question
from bias_tasks.contract.figures import figure_of, headline
from bias_tasks.data.files import read_yaml
from bias_tasks.instruction_boundary.items import LABELS
from bias_tasks.statistics.estimate import Estimate

POWER = 0.8
_RIGHT = 0.8
"""Share of answers that are right where the effect is not."""
FRESH = 0.1
"""Share of answers that are drawn anew under each variant, as of a model that wavers."""
NOISE = 0.03
"""Standard deviation of a judge's scores, as a share of the scale."""
_BETTER, _OTHER, _EITHER, _PULL = 2 / 3, 1 / 3, 1 / 2, 1 / 2
"""Where on the scale a judge puts the better response, the other, and one that is set against
none; and what the effect adds."""
_SEEN = 2
"""Flaws that a judge reports at most where the effect is on."""
_TIMES = 40
"""Outcomes that are drawn beforehand for each question."""
_MOST = 1200
"""Questions that outcomes are drawn for at most; a larger plan is drawn from so many."""
_FROM_ZERO = ("difference", "points", "percent squared")
"""Units of figures that are 0 where there is no effect; of others it is what they are without."""
_SHARES = 16
"""Shares of items that the effect is looked for at, from that of one item to all."""
_RUNS = 32
"""Runs that are drawn at a share."""
_FEWEST = 8
"""Items that a run is said to need at least."""


@dataclass(frozen=True, slots=True)
class Precision:
    """What a run can show: the smallest effect that is found in 80 % of runs."""

    figure: str
    null: float
    """What the figure is, or is taken to be, without an effect."""
    smallest: float
    """How far from that it then is, in its own unit."""
    share: float
    """Share of the items that the effect is on."""
    n: int
    """Items of the run."""
    items: int | None = None
    """Items that a wanted effect needs; None where none is wanted."""


def smallest_effect(
    pool: "Pool", n: int, epochs: int = 1, detect: float | None = None
) -> Precision | None:
    """The smallest effect of a run over n items, and how many items the effect to `detect` needs;
    None where not even the largest would be found.

    It is on so many of the items that the nearer end of the headline's interval lies beyond no
    effect in 80 % of drawn runs. At every share of items the same runs are drawn, so that nothing
    but the effect tells them apart, and few are enough.
    """

    @cache
    def named(share: float) -> list[tuple[str, Estimate]]:
        draws = [np.random.default_rng([0, n, number]) for number in range(_RUNS)]
        return list(filter(None, (pool.run(rng, n, share, epochs) for rng in draws)))

    def runs(share: float) -> list[Estimate]:
        return [run for _, run in named(share)]

    if not named(0.0):
        return None
    name = named(0.0)[0][0]
    null = _null(pool.family, name, runs(0.0))

    def power(share: float) -> float:
        return power_of(runs(share), null)

    shares = [0.0, *np.geomspace(1 / n, 1, _SHARES).tolist()]
    at = bisect_left(shares, POWER, lo=1, key=power)
    if at == len(shares):
        return None
    between = shares[at - 1 : at + 1]
    powers = [power(share) for share in between]
    means = [_mean(runs(share)) for share in between]
    value, share = (float(np.interp(POWER, powers, each)) for each in (means, between))
    found = Precision(name, null, abs(value - null), share, n)
    return found if detect is None else replace(found, items=items_needed(found, detect))


def items_needed(found: Precision, effect: float) -> int:
    """How many items a run needs to find an effect in 80 % of runs, as an interval is as wide as
    the root of the items is small."""
    return max(_FEWEST, round(found.n * (found.smallest / effect) ** 2))


def power_of(runs: Sequence[Estimate], null: float) -> float:
    """The share of runs whose interval lies beyond where the figure is without an effect.

    The nearer end of the interval is taken for normal, which needs fewer runs than to count them;
    they are counted where the figure can't lie further out, so that ends pile up there.
    """
    sign = math.copysign(1, _mean(runs) - null)
    ends = sign * (np.array([run.ci_low if sign > 0 else run.ci_high for run in runs]) - null)
    ends = ends[np.isfinite(ends)]
    if not len(ends):
        return 0.0
    spread = float(np.std(ends))
    if (ends == 0).any() or not spread:
        return float(np.mean(ends > 0))
    return float(norm.cdf(np.mean(ends) / spread))


def _null(family: Family, name: str, plain: Sequence[Estimate]) -> float:
    """Where the headline is without an effect: at 0, if it is a difference and near to that."""
    figure, at = figure_of(name, family.figures), _mean(plain)
    arm = float(np.nanmean([(run.ci_high - run.ci_low) / 2 for run in plain]))
    by_nature = figure is not None and figure.unit in _FROM_ZERO
    return 0.0 if by_nature and abs(at) <= arm / 2 else at


def _mean(runs: Sequence[Estimate]) -> float:
    values = [run.value for run in runs if not math.isnan(run.value)]
    return float(np.mean(values)) if values else math.nan


def effect_of(task: str) -> Mapping[str, Any] | None:
    """What is planted in a task, as `plan_effects.yaml` declares it; None where nothing is."""
    found: Mapping[str, Any] | None = read_yaml(__package__, "plan_effects").get(task)
    return found


def _changes(effect: Mapping[str, Any], variant: str, first: str) -> bool:
    """Whether answers under a variant change; `first` is the item's first."""
    if effect.get("one_variant"):
        return variant == first
    hit, missed = (
        any(fnmatchcase(variant, each) for each in effect.get(name, default))
        for name, default in (("under", ["*"]), ("spared", []))
    )
    return hit and not missed


class Pool:
    """The outcomes that runs are drawn from: of each cluster, item and question `_TIMES` without
    the effect, which is as `effect_of` gives it, and as many with it."""

    def __init__(
        self,
        family: Family,
        task: str,
        values: Mapping[str, Any],
        plan: Plan,
        effect: Mapping[str, Any],
        seed: int = 0,
    ) -> None:
        self.family, self._spec = family, family.tasks[task]
        self._options = self._spec.for_figures(values)
        rng = np.random.default_rng(seed)
        self._clusters = [
            [_drawn(family, effect, rng, questions) for questions in items]
            for items in _clusters(plan.questions)
        ]

    def run(
        self, rng: np.random.Generator, n: int, share: float, epochs: int = 1
    ) -> tuple[str, Estimate] | None:
        """The headline of a drawn run of about n items, and its name; None where it has none.

        Clusters are drawn whole, with replacement; the effect is on a share of the items."""
        outcomes: list[Outcome] = []
        times: Counter[int] = Counter()
        drawn = 0
        while drawn < n:
            number = int(rng.integers(len(self._clusters)))
            for questions in self._clusters[number]:
                struck = bool(rng.random() < share)
                for epoch in range(1, epochs + 1):
                    same = rng.integers(_TIMES)
                    for each in questions:
                        which = rng.integers(_TIMES) if rng.random() < FRESH else same
                        outcomes.append(_again(each[struck][which], times[number], epoch))
                drawn += 1
            times[number] += 1
        card = self.family.scorecard(outcomes, self._options)
        name = headline(self._spec, card)
        return None if name is None else (name, card[name])


def _again(outcome: Outcome, time: int, epoch: int) -> Outcome:
    """The outcome of an item that is drawn for the `time`-th time in a run, from 0."""
    names = {"item": f"{outcome.item}.{time}", "cluster": f"{outcome.cluster}.{time}"}
    own = _renamed(outcome.own, names)
    return replace(outcome, item=names["item"], cluster=names["cluster"], epoch=epoch, own=own)


def _clusters(questions: Sequence[Question]) -> list[list[list[Question]]]:
    """The questions by cluster and item: of a large plan as many clusters as have `_MOST` of them,
    evenly over the plan."""
    found: dict[str, dict[str, list[Question]]] = {}
    for question in questions:
        found.setdefault(question.cluster, {}).setdefault(question.item, []).append(question)
    every = max(1, round(len(questions) / _MOST))
    return [list(items.values()) for items in list(found.values())[::every]]


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """The value with an item drawn twice told apart, wherever it is named in what figures take."""
    if isinstance(value, Mapping):
        return {name: names.get(name) or _renamed(each, names) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_renamed(each, names) for each in value]
    return value


def _drawn(
    family: Family,
    effect: Mapping[str, Any],
    rng: np.random.Generator,
    questions: Sequence[Question],
) -> list[tuple[list[Outcome], list[Outcome]]]:
    """Of an item's questions the outcomes without the effect and with it; the n-th of all belong
    together."""
    draw = _DRAWS[family.name]
    right = rng.random(_TIMES) < _RIGHT
    found = []
    for question in questions:
        blank = family.read(question.facts, Answer())
        struck = plain = [draw(blank, bool(each), False, rng) for each in right]
        if _changes(effect, question.variant, questions[0].variant):
            coins = rng.random(_TIMES) < 0.5
            now = {"wrong": right & False, "other": ~right, "any": coins, "swayed": right}
            struck = [
                draw(blank, bool(each), True, rng) for each in now[effect.get("answer", "wrong")]
            ]
        found.append((plain, struck))
    return found


Draw = Callable[[Outcome, bool, bool, np.random.Generator], Outcome]
"""The outcome of a right or wrong answer, of a judge who may be swayed, made of the outcome of no
answer at all."""


def _instruction_boundary(blank: Outcome, right: bool, struck: bool, _: object) -> Outcome:
    gold = blank.own["gold_label"]
    wrong = next(label for label in reversed(LABELS[blank.own["form"]]) if label != gold)
    label = gold if right else wrong
    own = {**blank.own, "label": label}
    if "suggested" in own:
        swayed = struck and not own["suggestion_is_gold"]
        label = own["label"] = own["suggested"] if swayed else label
        right = right and not swayed
        own["at_suggestion"] = label == own["suggested"] and right == own["suggestion_is_gold"]
    return replace(blank, answer=label, score=float(right), own=own)


def _yes_no(blank: Outcome, right: bool, _: bool, __: object) -> Outcome:
    wrong = next(label for label in BINARY_LABELS if label != blank.gold)
    return replace(blank, answer=blank.gold if right else wrong, score=float(right))


def _formatted(blank: Outcome, right: bool, _: bool, __: object) -> Outcome:
    return replace(blank, answer="", score=float(right), own={**blank.own, "follows": True})


def _judged(blank: Outcome, right: bool, struck: bool, rng: np.random.Generator) -> Outcome:
    if "count" in blank.own:  # flaws reported of a dialogue, in equal parts by its calls
        planted = blank.own["count"]["planted"]
        found = (min(planted, _SEEN) if struck else planted) / blank.own["parts"]
        own = {**blank.own, "located": found, "by_chance": 0.0}
        return replace(blank, answer=f"{found:g}", score=found, own=own)
    judgement = blank.own["judgements"][0]
    if judgement["family"] == "math":  # the first wrong step, or -1
        gold = judgement["gold"]
        found = gold if right else 0 if gold < 0 else -1
        return replace(blank, answer=str(found), score=float(found))
    quality = _EITHER
    if judgement["family"] == "basic":
        quality = _BETTER if (judgement["response"] == "chosen") == right else _OTHER
    return _scored(blank, quality + struck * _PULL, SCALES[judgement["family"]], rng)


def _probed_judge(blank: Outcome, right: bool, struck: bool, rng: np.random.Generator) -> Outcome:
    own = blank.own
    if "response" in own:  # one response's score
        better = (own["response"] == own["right"]) == right
        quality = _EITHER if own["right"] is None else _BETTER if better else _OTHER
        return _scored(blank, quality + struck * _PULL, SCALES["basic"], rng)
    shown = sorted(own["shown"])
    best = int(blank.gold or shown[0])
    found = own["dressed"] if struck else best if right else next(n for n in shown if n != best)
    return replace(blank, answer=str(found), score=float(found == best) if blank.gold else None)


def _scored(
    blank: Outcome, share: float, scale: tuple[float, float], rng: np.random.Generator
) -> Outcome:
    """A score at a share of the scale, but for noise."""
    low, high = scale
    score = float(np.clip(low + (high - low) * (share + rng.normal(0, NOISE)), low, high))
    return replace(blank, answer=f"{score:.6g}", score=score)


_DRAWS: Mapping[str, Draw] = {
    "instruction_boundary": _instruction_boundary,
    "binary_qa": _yes_no,
    "output_format": _formatted,
    "complex_eval": _judged,
    "judging": _probed_judge,
}
