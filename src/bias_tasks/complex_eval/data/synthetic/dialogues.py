"""Scenes: a good dialogue of twenty turns, a reference beside it, and copies with planted flaws.

A script, a file under `scripts/`, is a good dialogue told in two ways, and what can be made wrong
in it. It has twenty turns of three characters: `a` and `b` are main characters with profiles, `c`
is a minor one. Each turn is `[who, gesture, one wording, another wording]`; one of `c` has behind
its gesture the opposite reaction. Both wordings say the same, so that of two dialogues, which take
one wording each, either can be the other's reference. A main character's `habits` are pairs: a
sentence of its profile that nothing else in the script touches, and words by which the character
would break it.

A copy with k flaws is the good dialogue with k violations, each in a turn of its own, and those of
k are among those of k + 1. Each is one violation of one dimension, and of no second one as far as
the rubric goes:

- Storyline Consistency: the minor character's reaction is the opposite of the reference's. A main
  character's would count as a flaw of Character Fidelity too, which is asked of these alone.
- Character Fidelity: a main character breaks a habit of its profile, each at most once.
- Anthropomorphism: a line that only an assistant would say, each at most once.
- Storyline Quality: a character says again, word for word, the longest sentence of its last turn.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from bias_tasks.complex_eval.attacks.layout import (
    Turn,
    dialogue_text,
    profiles_text,
    read_dialogue,
    read_profiles,
)
from bias_tasks.complex_eval.attacks.wording import sentences, words
from bias_tasks.complex_eval.data.converters import ROLE_PLAYING, role_playing_criteria
from bias_tasks.complex_eval.items import ORIGINAL, JudgedItem
from bias_tasks.data.files import read_yaml
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
        Turn(named[turn.who], f"({turn.gesture}) {turn.wordings[wording]}".format(**named))
        for turn, wording in zip(script.turns, told, strict=True)
    )


MAIN, MINOR = ("a", "b"), "c"
ROLES = (*MAIN, MINOR)
"""As the scripts name them; `{a}` in a text stands for the name."""


class Habit(NamedTuple):
    """Something firm that a profile says, and words that break it."""

    kept: str
    broken: str


class ScriptTurn(NamedTuple):
    """One turn, in both wordings."""

    who: str
    gesture: str
    opposite: str
    """A reaction that contradicts the gesture and has no consequences; a minor character's, and
    empty for others."""
    wordings: tuple[str, str]


class Script(NamedTuple):
    """A story of twenty turns; texts hold `{a}`, `{b}` and `{c}` for the names."""

    name: str
    title: str
    plot: str
    topic: str
    wants: Mapping[str, str]
    profiles: Mapping[str, str]
    """Of the main characters, without their habits."""
    habits: Mapping[str, tuple[Habit, ...]]
    turns: tuple[ScriptTurn, ...]


@cache
def scripts() -> tuple[Script, ...]:
    """Every script, by name."""
    folder = files(__package__).joinpath("scripts")
    names = sorted(each.name.removesuffix(".yaml") for each in folder.iterdir())
    return tuple(map(_script, names))


@cache
def all_habits() -> tuple[Habit, ...]:
    """Those of every script; in `kept` the role's name is left as `{a}` or `{b}`."""
    return tuple(habit for script in scripts() for role in MAIN for habit in script.habits[role])


def _script(name: str) -> Script:
    told = read_yaml(__package__, f"scripts/{name}")
    habits = {
        role: tuple(Habit(kept, broken) for kept, broken in pairs)
        for role, pairs in told["habits"].items()
    }
    turns = tuple(map(_script_turn, told["turns"]))
    return Script(name, **{**told, "habits": habits, "turns": turns})


def _script_turn(row: list[str]) -> ScriptTurn:
    who, gesture, *opposite, one, another = row
    return ScriptTurn(who, gesture, opposite[0] if opposite else "", (one, another))


TURNS = 20
"""Turns of a dialogue, and so the most flaws that it can hold: one a turn."""
_EACH = TURNS // len(ROLE_PLAYING)
"""Violations of each dimension."""


def all_violations(
    rng: random.Random, script: Script, turns: Sequence[Turn]
) -> tuple[Violation, ...]:
    """Twenty violations in the order in which they are planted: rounds of one a dimension."""
    free: dict[str, list[int]] = {role: [] for role in ROLES}  # places of turns without a violation
    for place in rng.sample(range(TURNS), TURNS):
        free[script.turns[place].who].append(place)
    places = [free[MINOR].pop() for _ in range(_EACH)]
    contradicted = [Violation(Flaw(CONSISTENCY, p), script.turns[p].opposite) for p in places]
    habits = [(role, habit.broken) for role in MAIN for habit in script.habits[role]]
    broken = [
        Violation(Flaw(FIDELITY, free[role].pop()), said)
        for role, said in rng.sample(habits, _EACH)
    ]
    before = _turn_before(script)
    possible = [(role, place) for role in ROLES for place in free[role] if place in before]
    repeated = []
    for role, place in rng.sample(possible, _EACH):
        free[role].remove(place)
        again = longest_sentence(turns[before[place]])
        repeated.append(Violation(Flaw(QUALITY, place), again))
    places = [place for role in ROLES for place in free[role]]
    lines = rng.sample(assistant_lines(), _EACH)
    assistant = [
        Violation(Flaw(ANTHROPOMORPHISM, place), line)
        for place, line in zip(places, lines, strict=True)
    ]
    kinds = [rng.sample(kind, _EACH) for kind in (contradicted, broken, repeated, assistant)]
    rounds = zip(*kinds, strict=True)
    return tuple(each for one_of_each in rounds for each in rng.sample(one_of_each, len(kinds)))


def _turn_before(script: Script) -> Mapping[int, int]:
    """For each place the last turn before it of the same character, where there is one."""
    last: dict[str, int] = {}
    before = {}
    for place, turn in enumerate(script.turns):
        if turn.who in last:
            before[place] = last[turn.who]
        last[turn.who] = place
    return before


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
    broken = {role: _breaking(role, text) for role, text in read_profiles(background).items()}
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


def _breaking(role: str, profile: str) -> set[_Sentence]:
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
