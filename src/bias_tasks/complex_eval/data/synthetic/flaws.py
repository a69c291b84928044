"""Flaws of a generated dialogue: each is one violation in one turn, and rules find it again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from bias_tasks.complex_eval.attacks.layout import Turn, read_dialogue, read_profiles
from bias_tasks.complex_eval.attacks.wording import sentences, words
from bias_tasks.complex_eval.data.criteria import ROLE_PLAYING
from bias_tasks.complex_eval.data.synthetic.scripts import MAIN, all_habits
from bias_tasks.data.files import read_yaml

CONSISTENCY, ANTHROPOMORPHISM, FIDELITY, QUALITY = ROLE_PLAYING

_GESTURE = re.compile(r"^\(([^()\n]{1,60})\)")
_DIRECTION = re.compile(r"\([^()]*\)")
_Sentence = tuple[str, ...]


class Flaw(NamedTuple):
    """One planted flaw, and where it stands."""

    dimension: str
    turn: int
    """Position in the dialogue, from 0."""


class Violation(NamedTuple):
    """A flaw with the words that are it."""

    flaw: Flaw
    words: str


def planted(turn: Turn, violation: Violation) -> Turn:
    """The turn with a violation's words: in place of its gesture, or behind all that it has."""
    if violation.flaw.dimension == CONSISTENCY:
        return turn._replace(content=_GESTURE.sub(lambda _: f"({violation.words})", turn.content))
    return turn._replace(content=f"{turn.content} {violation.words}")


def longest_sentence(turn: Turn) -> str:
    """The sentence of the most words that a turn speaks, the first of several."""
    spoken = sentences(_DIRECTION.sub("", turn.content))
    return max(spoken, key=lambda sentence: len(words(sentence))).strip()


def assistant_lines() -> Sequence[str]:
    """What only an assistant would say."""
    lines: Sequence[str] = read_yaml(__package__, "wording")["assistant_lines"]
    return lines


def find_flaws(reference: str, background: str, response: str) -> list[Flaw]:
    """The flaws of a generated dialogue, by rule, in the order of its turns.

    - Storyline Consistency: the turn's first gesture is not the reference's at that place
    - Anthropomorphism: the turn has a line of an assistant's
    - Character Fidelity: it breaks a habit that the character's profile states
    - Storyline Quality: it repeats a sentence of an earlier turn

    Both dialogues are JSON, and `background` holds the characters' profiles.

    Raises:
        ValueError: a dialogue is not one.
    """
    turns, expected = read_dialogue(response), read_dialogue(reference)
    broken = {role: _broken(role, text) for role, text in read_profiles(background).items()}
    assistant = {_sentence(line) for line in assistant_lines()}
    said: set[_Sentence] = set()
    found = []
    for place, turn in enumerate(turns):
        spoken = _spoken(turn)
        if place < len(expected) and _gesture(turn) != _gesture(expected[place]):
            found.append(Flaw(CONSISTENCY, place))
        if assistant & spoken:
            found.append(Flaw(ANTHROPOMORPHISM, place))
        if broken.get(turn.role, set()) & spoken:
            found.append(Flaw(FIDELITY, place))
        if said & spoken:
            found.append(Flaw(QUALITY, place))
        said |= spoken
    return found


def _broken(role: str, profile: str) -> set[_Sentence]:
    """What breaks the habits that a profile states of a character."""
    named = dict.fromkeys(MAIN, role)
    return {
        _sentence(habit.broken) for habit in all_habits() if habit.kept.format(**named) in profile
    }


def _gesture(turn: Turn) -> str | None:
    found = _GESTURE.match(turn.content)
    return None if found is None else found[1]


def _spoken(turn: Turn) -> set[_Sentence]:
    return set(map(_sentence, sentences(_DIRECTION.sub("", turn.content))))


def _sentence(text: str) -> _Sentence:
    return tuple(words(text))
