"""Runs of a plan by simulated respondents, some of whose answers have an effect planted.

Both respondents answer the plan's questions a few times; a simulated run then draws items with
replacement, and their answers from these. So it takes as long as its scorecard does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from bias_tasks.data.yaml_files import read_yaml
from bias_tasks.family import Answer, Family, Outcome, Plan, Question
from bias_tasks.headline import headline
from bias_tasks.parameters import TaskSpec
from bias_tasks.respondents.known_items import KnownItems
from bias_tasks.respondents.personas import make_respondent
from bias_tasks.statistics.estimate import Estimate

ACCURACY = 0.8
"""Share of right answers where nothing is planted."""
FRESH = 0.1
"""Share of answers that are drawn anew under each variant, as of a model that wavers."""
_MOST = 1200
"""Questions that are answered at most; a larger plan is drawn from so many."""
_ANSWERS = 2400
"""About how many answers each respondent gives in all."""
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

    def _answers(self, question: Question, respondents: Sequence[Any]) -> tuple[Outcome, ...]:
        known = KnownItems(question.known)
        said = (respondent.respond(question.prompt, known) for respondent in respondents)
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
        drawn = 0
        while drawn < n:
            cluster = self._clusters[rng.integers(len(self._clusters))]
            for place, questions in enumerate(cluster):
                struck = rng.random() < share
                names = f"{drawn}", f"{drawn - place}"
                for epoch in range(1, epochs + 1):
                    outcomes += _drawn(rng, questions, struck, names, epoch)
                drawn += 1
        card = self._family.scorecard(outcomes, self._options)
        name = headline(self._spec, card)
        return None if name is None else (name, card[name])


def _drawn(
    rng: np.random.Generator,
    questions: Sequence[_Asked],
    struck: bool,
    names: tuple[str, str],
    epoch: int,
) -> list[Outcome]:
    """One answer to each question of an item, of one respondent but for those drawn afresh."""
    times = len(questions[0].plain)
    same = rng.integers(times)
    found = []
    for asked in questions:
        which = rng.integers(times) if rng.random() < FRESH else same
        outcome = (asked.struck if struck else asked.plain)[which]
        item, cluster = names
        renamed = {"item": item, "cluster": cluster}
        own = _renamed(outcome.own, renamed)
        found.append(replace(outcome, item=item, cluster=cluster, epoch=epoch, own=own))
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
