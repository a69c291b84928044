"""Flaws that are planted in a generated dialogue, and the rules that find them again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from bias_tasks.complex_eval.attacks.layout import Turn, read_dialogue, read_profiles
from bias_tasks.complex_eval.attacks.wording import sentences, words
from bias_tasks.complex_eval.data.criteria import ROLE_PLAYING
from bias_tasks.data.yaml_files import read_yaml

CONSISTENCY, ANTHROPOMORPHISM, FIDELITY, QUALITY = ROLE_PLAYING

LIKES = "I do like to talk of the {noun}."
AVOIDS = "Never speaks of the {noun}."

_GESTURE = re.compile(r"^\(([^()\n]{1,60})\)")
_DIRECTION = re.compile(r"\([^()]*\)")
_AVOIDED = re.compile(r"Never speaks of the (\w{1,40})\.")


class Flaw(NamedTuple):
    """One planted flaw, and where it stands."""

    dimension: str
    turn: int
    """Position in the dialogue, from 0."""


def gestures() -> Sequence[tuple[str, str]]:
    """Each gesture that a turn may begin with, and the one that contradicts it."""
    pairs: Sequence[tuple[str, str]] = read_yaml(__package__, "wording")["flaws"]["gestures"]
    return pairs


def flaw_words(turn: Turn, flaw: Flaw, avoided: str, before: str) -> str:
    """The words by which a turn has a flaw.

    Args:
        turn: begins with one of the gestures.
        flaw: which dimension, and where; the position picks among several wordings.
        avoided: what the character never speaks of.
        before: the sentence of the turn before.
    """
    if flaw.dimension == CONSISTENCY:
        return f"({dict(gestures())[_gesture(turn) or '']})"
    lines = _assistant_lines()
    added = {
        ANTHROPOMORPHISM: lines[flaw.turn % len(lines)],
        FIDELITY: LIKES.format(noun=avoided),
        QUALITY: before,
    }
    return added[flaw.dimension]


def plant(turn: Turn, flaw: Flaw, words: str) -> Turn:
    """The turn with a flaw's words: in place of its gesture, or behind all that it has."""
    if flaw.dimension == CONSISTENCY:
        return turn._replace(content=_GESTURE.sub(lambda _: words, turn.content))
    return turn._replace(content=f"{turn.content} {words}")


def find_flaws(reference: str, background: str, response: str) -> list[Flaw]:
    """The flaws of a generated dialogue, by rule, in the order of its turns.

    - Storyline Consistency: the turn's first gesture is not the reference's at that place
    - Anthropomorphism: the turn has a line of an assistant's
    - Character Fidelity: it speaks of what the character's profile says it never does
    - Storyline Quality: it repeats a sentence of an earlier turn that is no assistant's line

    Both dialogues are JSON, and `background` holds the characters' profiles.

    Raises:
        ValueError: a dialogue is not one.
    """
    turns, expected = read_dialogue(response), read_dialogue(reference)
    avoided = {role: _AVOIDED.findall(text) for role, text in read_profiles(background).items()}
    said: set[tuple[str, ...]] = set()
    assistant = {tuple(words(line)) for line in _assistant_lines()}
    likes = {tuple(words(LIKES.format(noun=noun))) for each in avoided.values() for noun in each}
    found = []
    for place, turn in enumerate(turns):
        spoken = _spoken(turn)
        if place < len(expected) and _gesture(turn) != _gesture(expected[place]):
            found.append(Flaw(CONSISTENCY, place))
        if assistant & set(spoken):
            found.append(Flaw(ANTHROPOMORPHISM, place))
        if any(noun in words(turn.content) for noun in avoided.get(turn.role, ())):
            found.append(Flaw(FIDELITY, place))
        if said & set(spoken):
            found.append(Flaw(QUALITY, place))
        said |= set(spoken) - assistant - likes
    return found


def _gesture(turn: Turn) -> str | None:
    found = _GESTURE.match(turn.content)
    return None if found is None else found[1]


def _spoken(turn: Turn) -> Sequence[tuple[str, ...]]:
    return [tuple(words(part)) for part in sentences(_DIRECTION.sub("", turn.content))]


def _assistant_lines() -> Sequence[str]:
    lines: Sequence[str] = read_yaml(__package__, "wording")["flaws"]["assistant_lines"]
    return lines
