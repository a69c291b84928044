"""Scenes: a dialogue of twenty turns with a known number of flaws, and a reference beside it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bias_tasks.complex_eval.attacks.layout import Turn, dialogue_text, profiles_text
from bias_tasks.complex_eval.data.criteria import ROLE_PLAYING, role_playing_criteria
from bias_tasks.complex_eval.data.synthetic.flaws import (
    AVOIDS,
    QUALITY,
    Flaw,
    flaw_words,
    gestures,
    plant,
)
from bias_tasks.complex_eval.items import ORIGINAL, JudgedItem
from bias_tasks.data.synthetic.words import names, nouns
from bias_tasks.data.yaml_files import read_yaml
from bias_tasks.hashing import content_hash

TURNS = 20
"""Turns of a dialogue, and so the most flaws that it can hold: one a turn."""
_ROLES = 3
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


class _Scene(NamedTuple):
    turns: list[Turn]
    reference: list[Turn]
    avoided: dict[str, str]
    profiles: dict[str, str]
    query: str
    order: tuple[Flaw, ...]
    """Every flaw that can be planted, in the order in which they are."""


def flawed_response(k: int, seed: int) -> FlawedResponse:
    """The seed's dialogue with exactly `k` flaws.

    The same seed gives the same scene and base text for every k, and the flaws of k are among
    those of k + 1. They are spread over the four dimensions and over the turns, one a turn.

    Raises:
        ValueError: k is out of range.
    """
    if k not in range(TURNS + 1):
        raise ValueError(f"k is {k}: use 0 to {TURNS}")
    scene = _scene(random.Random(f"flaw bank/{seed}"))
    flaws = tuple(sorted(scene.order[:k], key=lambda flaw: flaw.turn))
    words = tuple(_words(scene, flaw) for flaw in flaws)
    return FlawedResponse(_item(scene, ()), _text(scene, flaws), flaws, words)


def scene_item(rng: random.Random, kind: str) -> JudgedItem:
    """A scene whose dialogue has two to eight flaws."""
    scene = _scene(rng)
    return _item(scene, scene.order[: rng.randint(*_FLAWS)])


def _item(scene: _Scene, flaws: tuple[Flaw, ...]) -> JudgedItem:
    response = _text(scene, flaws)
    identifier = f"synthetic-{content_hash('role_playing', scene.query, response)}"
    return JudgedItem(
        id=identifier,
        family="role_playing",
        domain="synthetic",
        source="synthetic",
        cluster=identifier,
        query=scene.query,
        responses={ORIGINAL: response},
        reference=dialogue_text(scene.reference),
        criteria=role_playing_criteria(scene.profiles),
        background=f"Book: none\nPlot: a quarrel in a village\n\n{profiles_text(scene.profiles)}",
    )


def _text(scene: _Scene, flaws: tuple[Flaw, ...]) -> str:
    turns = list(scene.turns)
    for flaw in flaws:
        turns[flaw.turn] = plant(scene.turns[flaw.turn], flaw, _words(scene, flaw))
    return dialogue_text(turns)


def _words(scene: _Scene, flaw: Flaw) -> str:
    turn = scene.turns[flaw.turn]
    before = scene.turns[flaw.turn - 1].content.partition(") ")[2]
    return flaw_words(turn, flaw, scene.avoided[turn.role], before)


def _scene(rng: random.Random) -> _Scene:
    wording = read_yaml(__package__, "wording")["scenes"]
    roles = names(rng, _ROLES)
    things = nouns(rng, _ROLES + 2 * TURNS)
    avoided = dict(zip(roles, things, strict=False))
    speakers = [roles[i % _ROLES] for i in range(TURNS)]
    begins = [rng.choice(gestures())[0] for _ in range(TURNS)]
    said, told = things[_ROLES : _ROLES + TURNS], things[_ROLES + TURNS :]
    profiles = {}
    for role, noun in avoided.items():
        traits = " and ".join(rng.sample(wording["traits"], 3))
        profiles[role] = f"{role} is {traits}. {AVOIDS.format(noun=noun)}"
    topic = rng.choice(wording["topics"])
    query = f"A quarrel by the well.\nTopic: {topic}\nCharacters:\n" + "\n".join(
        f"- {role}: wants to be believed" for role in roles
    )
    return _Scene(
        turns=_dialogue(rng, speakers, begins, said, wording["lines"]),
        reference=[
            turn._replace(content=f"{turn.content} (points at the {rng.choice(told)})")
            for turn in _dialogue(rng, speakers, begins, told, wording["reference_lines"])
        ],
        avoided=avoided,
        profiles=profiles,
        query=query,
        order=_order(rng),
    )


def _dialogue(
    rng: random.Random,
    speakers: list[str],
    begins: list[str],
    things: list[str],
    lines: Sequence[str],
) -> list[Turn]:
    return [
        Turn(speaker, f"({gesture}) {rng.choice(lines).format(thing)}")
        for speaker, gesture, thing in zip(speakers, begins, things, strict=True)
    ]


def _order(rng: random.Random) -> tuple[Flaw, ...]:
    """Dimensions in turn, places at random; the first turn has nothing before it to repeat."""
    while True:
        places = rng.sample(range(TURNS), TURNS)
        flaws = tuple(
            Flaw(ROLE_PLAYING[i % len(ROLE_PLAYING)], place) for i, place in enumerate(places)
        )
        if Flaw(QUALITY, 0) not in flaws:
            return flaws
