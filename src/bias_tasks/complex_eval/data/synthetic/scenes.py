"""Scenes: a good dialogue of twenty turns, a reference beside it, and copies with planted flaws.

The good dialogue reads as natural and consistent: it follows a script (`scripts`), and its
reference tells the same in other words. A copy with k flaws is that dialogue with k violations,
each in a turn of its own, and those of k are among those of k + 1.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bias_tasks.complex_eval.attacks.layout import Turn, dialogue_text, profiles_text
from bias_tasks.complex_eval.data.criteria import role_playing_criteria
from bias_tasks.complex_eval.data.synthetic.flaws import (
    Flaw,
    Violation,
    planted,
)
from bias_tasks.complex_eval.data.synthetic.scripts import MAIN, ROLES, Script, scripts
from bias_tasks.complex_eval.data.synthetic.violations import TURNS, all_violations
from bias_tasks.complex_eval.items import ORIGINAL, JudgedItem
from bias_tasks.data.synthetic.words import names, nouns
from bias_tasks.names import content_hash

_FLAWS = (2, 8)
"""The fewest and the most flaws of a scene that is not made with a given number of them."""


@dataclass(frozen=True, slots=True)
class FlawedResponse:
    """A dialogue with planted flaws."""

    item: JudgedItem
    """The scene; its response `original` is the same dialogue without a flaw."""
    response: str
    flaws: tuple[Flaw, ...]
    """In the order of their turns."""
    words: tuple[str, ...]
    """For each flaw the words of its turn that are the flaw."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A script with names and wordings, and every violation that can be planted in it."""

    script: Script
    named: Mapping[str, str]
    turns: tuple[Turn, ...]
    """The good dialogue."""
    reference: tuple[Turn, ...]
    violations: tuple[Violation, ...]
    """In the order in which they are planted, one a turn."""

    def flawed(self, k: int) -> FlawedResponse:
        """The good dialogue with exactly `k` flaws, spread over the four dimensions.

        Raises:
            ValueError: k is out of range.
        """
        if k not in range(TURNS + 1):
            raise ValueError(f"k is {k}: use 0 to {TURNS}")
        chosen = sorted(self.violations[:k], key=lambda violation: violation.flaw.turn)
        return FlawedResponse(
            self.item(0),
            self.response(k),
            tuple(violation.flaw for violation in chosen),
            tuple(violation.words for violation in chosen),
        )

    def response(self, k: int) -> str:
        """The dialogue with the first `k` violations, as JSON."""
        turns = list(self.turns)
        for violation in self.violations[:k]:
            place = violation.flaw.turn
            turns[place] = planted(turns[place], violation)
        return dialogue_text(turns)

    def item(self, k: int) -> JudgedItem:
        """The scene as judges judge it, with k flaws; scenes of one script are one cluster."""
        script, response = self.script, self.response(k)
        wants = "\n".join(f"- {self.named[role]}: {script.wants[role]}" for role in ROLES)
        query = f"{script.title}\nTopic: {script.topic}\nCharacters:\n{wants}"
        profiles = {self.named[role]: self._profile(role) for role in MAIN}
        plot = script.plot.format(**self.named)
        return JudgedItem(
            id=f"synthetic-{content_hash('role_playing', query, response)}",
            family="role_playing",
            domain="synthetic",
            source="synthetic",
            cluster=f"synthetic-{script.name}",
            query=query,
            responses={ORIGINAL: response},
            reference=dialogue_text(self.reference),
            criteria=role_playing_criteria(profiles),
            background=f"Book: none\nPlot: {plot}\n\n{profiles_text(profiles)}",
        )

    def _profile(self, role: str) -> str:
        habits = [habit.kept for habit in self.script.habits[role]]
        return " ".join([self.script.profiles[role], *habits]).format(**self.named)


def scene(seed: int, place: int) -> Scene:
    """The scene at a place, from 0, of a seed's endless row; every script comes in turn."""
    order = list(scripts())
    random.Random(f"flaw bank/{seed}").shuffle(order)
    return drawn_scene(random.Random(f"flaw bank/{seed}/{place}"), order[place % len(order)])


def scene_item(rng: random.Random, kind: str) -> JudgedItem:
    """A scene whose dialogue has two to eight flaws.

    Its reference names a thing of its own in each turn, twice, so that its wording can be followed.
    """
    drawn = drawn_scene(rng, rng.choice(scripts()))
    things = nouns(rng, len(drawn.reference))
    reference = tuple(
        turn._replace(content=f"{turn.content} (takes the {thing}, and puts the {thing} away)")
        for turn, thing in zip(drawn.reference, things, strict=True)
    )
    return replace(drawn, reference=reference).item(rng.randint(*_FLAWS))


def drawn_scene(rng: random.Random, script: Script) -> Scene:
    """A script with drawn names and wordings, and violations in a drawn order."""
    named = dict(zip(ROLES, names(rng, len(ROLES)), strict=True))
    told = [rng.randrange(2) for _ in script.turns]
    turns = _turns(script, named, told)
    reference = _turns(script, named, [1 - wording for wording in told])
    return Scene(script, named, turns, reference, all_violations(rng, script, turns))


def _turns(script: Script, named: Mapping[str, str], told: Sequence[int]) -> tuple[Turn, ...]:
    return tuple(
        Turn(
            named[turn.who],
            f"({turn.gesture}) {turn.wordings[wording]}".format(**named),
        )
        for turn, wording in zip(script.turns, told, strict=True)
    )
