"""Runs of a plan by simulated respondents, some of whose answers have an effect planted.

Both respondents answer the plan's questions a few times; a simulated run then draws items with
replacement, and their answers from these. So it takes as long as its scorecard does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from bias_tasks.data.files import read_yaml
from bias_tasks.family import Answer, Family, Outcome, Plan, Question
from bias_tasks.figures import headline
from bias_tasks.parameters import TaskSpec
from bias_tasks.simulated.persona import make_respondent
from bias_tasks.statistics.estimate import Estimate

ACCURACY = 0.8
"""Share of right answers where nothing is planted."""
FRESH = 0.1
"""Share of answers that are drawn anew under each variant, as of a model that wavers."""
_MOST = 1200
"""Questions that are answered at most; a larger plan is drawn from so many."""
_ANSWERS = 2400
"""About how many answers each respondent gives in all."""
_KEPT = 4
"""Times that an item is drawn into a run whose outcomes are kept for other runs."""
_TIMES = (4, 40)
"""How often it answers a question, at least and at most."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What is planted in a task."""

    effect: Mapping[str, Any]
    base: Mapping[str, Any] = field(default_factory=dict)
    spared: tuple[str, ...] = ()
    one_variant: bool = False

    def on(self, variants: Sequence[str]) -> frozenset[str]:
        """The variants of an item that an effect on it shows in."""
        if self.one_variant:
            return frozenset(variants[:1])
        return frozenset(variants) - set(self.spared)


def effect_of(task: str) -> Effect | None:
    """What is planted in a task; None where nothing is declared."""
    row = read_yaml(__package__, "effects").get(task)
    return None if row is None else Effect(**{**row, "spared": tuple(row.get("spared", ()))})


@dataclass(frozen=True, slots=True)
class _Asked:
    """One question with its possible outcomes: without the effect, and with it."""

    plain: tuple[Outcome, ...]
    struck: tuple[Outcome, ...]


class Pool:
    """The answers that simulated runs draw from."""

    def __init__(
        self,
        family: Family,
        spec: TaskSpec,
        values: Mapping[str, Any],
        plan: Plan,
        effect: Effect,
        *,
        accuracy: float = ACCURACY,
        seed: int = 0,
    ) -> None:
        self._family, self._spec = family, spec
        self._options = spec.for_figures(values)
        base = {"accuracy": accuracy, **effect.base}
        clusters = _clusters(plan.questions)
        asked = sum(len(questions) for items in clusters for questions in items)
        times = int(np.clip(_ANSWERS // max(1, asked), *_TIMES))
        seeds = range(times * seed, times * (seed + 1))
        makers = [make_respondent("steadfast", {**base, "seed": each}) for each in seeds]
        strikers = [
            make_respondent("steadfast", {**base, **effect.effect, "seed": each}) for each in seeds
        ]
        self._clusters: list[list[list[_Asked]]] = []
        """By cluster and item."""
        for items in clusters:
            self._clusters.append([])
            for questions in items:
                on = effect.on([question.variant for question in questions])
                self._clusters[-1].append(
                    [
                        _Asked(
                            plain := self._answers(question, makers),
                            self._answers(question, strikers) if question.variant in on else plain,
                        )
                        for question in questions
                    ]
                )
        self._told: dict[tuple[int, int, int], Outcome] = {}

    @property
    def answers_an_item(self) -> float:
        """Questions about an item, on average."""
        items = [len(questions) for cluster in self._clusters for questions in cluster]
        return sum(items) / len(items)

    def _answers(self, question: Question, respondents: Sequence[Any]) -> tuple[Outcome, ...]:
        said = (respondent.respond(question.prompt, question) for respondent in respondents)
        return tuple(
            self._family.outcome(question.facts, Answer(text, "stop", prompt=question.prompt))
            for text in said
        )

    def run(
        self, rng: np.random.Generator, n: int, share: float, epochs: int = 1
    ) -> tuple[str, Estimate] | None:
        """The headline of a simulated run and its name; None where it has none.

        Args:
            rng: what is drawn from.
            n: about how many items it has: clusters are drawn whole.
            share: of the items that the effect is on.
            epochs: how often each is asked.
        """
        outcomes: list[Outcome] = []
        times: Counter[int] = Counter()
        drawn = 0
        while drawn < n:
            number = int(rng.integers(len(self._clusters)))
            for questions in self._clusters[number]:
                struck = bool(rng.random() < share)
                for epoch in range(1, epochs + 1):
                    found = _drawn(rng, questions, struck)
                    outcomes += [self._told_apart(each, times[number], epoch) for each in found]
                drawn += 1
            times[number] += 1
        card = self._family.scorecard(outcomes, self._options)
        name = headline(self._spec, card)
        return None if name is None else (name, card[name])

    def _told_apart(self, outcome: Outcome, time: int, epoch: int) -> Outcome:
        """The outcome of an item that is drawn for the `time`-th time in a run, from 0.

        The same ones are needed in run after run, and making them takes as long as their figures:
        they are kept, but for those of items that are drawn very often.
        """
        key = id(outcome), time, epoch
        kept = self._told.get(key)
        if kept is not None:
            return kept
        names = {"item": f"{outcome.item}.{time}", "cluster": f"{outcome.cluster}.{time}"}
        own = _renamed(outcome.own, names)
        made = replace(outcome, item=names["item"], cluster=names["cluster"], epoch=epoch, own=own)
        if time < _KEPT:
            self._told[key] = made
        return made


def _drawn(rng: np.random.Generator, questions: Sequence[_Asked], struck: bool) -> list[Outcome]:
    """One answer to each question of an item, of one respondent but for those drawn afresh."""
    times = len(questions[0].plain)
    same = rng.integers(times)
    found = []
    for asked in questions:
        which = rng.integers(times) if rng.random() < FRESH else same
        found.append((asked.struck if struck else asked.plain)[which])
    return found


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """The value with an item drawn twice told apart, wherever it is named in what figures take."""
    if isinstance(value, Mapping):
        return {name: names.get(name) or _renamed(each, names) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_renamed(each, names) for each in value]
    return value


def _clusters(questions: Sequence[Question]) -> list[list[list[Question]]]:
    """The questions by cluster and item: of a large plan as many clusters as have `_MOST` of them,
    evenly over the plan."""
    found: dict[str, dict[str, list[Question]]] = {}
    for question in questions:
        found.setdefault(question.cluster, {}).setdefault(question.item, []).append(question)
    every = max(1, round(len(questions) / _MOST))
    return [list(items.values()) for items in list(found.values())[::every]]
