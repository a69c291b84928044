"""What is made wrong in a dialogue, and in which order: one violation a turn.

Each is one violation of one dimension, and of no second one as far as the rubric goes:

- Storyline Consistency: the minor character's reaction is the opposite of the reference's. A main
  character's would count as a flaw of Character Fidelity too, which is asked of these alone.
- Character Fidelity: a main character breaks a habit of its profile, each at most once.
- Anthropomorphism: a line that only an assistant would say, each at most once.
- Storyline Quality: a character says again, word for word, the longest sentence of its last turn.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

from bias_tasks.complex_eval.attacks.layout import Turn
from bias_tasks.complex_eval.data.criteria import ROLE_PLAYING
from bias_tasks.complex_eval.data.synthetic.flaws import (
    ANTHROPOMORPHISM,
    CONSISTENCY,
    FIDELITY,
    QUALITY,
    Flaw,
    Violation,
    assistant_lines,
    longest_sentence,
)
from bias_tasks.complex_eval.data.synthetic.scripts import MAIN, MINOR, ROLES, Script

TURNS = 20
"""Turns of a dialogue, and so the most flaws that it can hold: one a turn."""
_EACH = TURNS // len(ROLE_PLAYING)
"""Violations of each dimension."""
_Free = dict[str, list[int]]
"""For each role the places of its turns that have no violation yet, in a drawn order."""


def all_violations(
    rng: random.Random, script: Script, turns: Sequence[Turn]
) -> tuple[Violation, ...]:
    """Twenty violations in the order in which they are planted: rounds of one a dimension."""
    free: _Free = {role: [] for role in ROLES}
    for place in rng.sample(range(TURNS), TURNS):
        free[script.turns[place].who].append(place)
    kinds = (
        dict(_contradicted(script, free)),
        dict(_broken(rng, script, free)),
        dict(_repeated(rng, script, turns, free)),
        dict(_assistant(rng, free)),
    )
    rounds = zip(*(_shuffled(rng, kind) for kind in kinds), strict=True)
    return tuple(each for one_of_each in rounds for each in rng.sample(one_of_each, len(kinds)))


def _contradicted(script: Script, free: _Free) -> Iterator[tuple[Flaw, str]]:
    for _ in range(_EACH):
        place = free[MINOR].pop()
        opposite = script.turns[place].opposite
        if opposite is None:
            raise ValueError(f"script {script.name}: turn {place} has no opposite reaction")
        yield Flaw(CONSISTENCY, place), opposite


def _broken(rng: random.Random, script: Script, free: _Free) -> Iterator[tuple[Flaw, str]]:
    habits = [(role, habit.broken) for role in MAIN for habit in script.habits[role]]
    for role, words in rng.sample(habits, _EACH):
        yield Flaw(FIDELITY, free[role].pop()), words


def _repeated(
    rng: random.Random, script: Script, turns: Sequence[Turn], free: _Free
) -> Iterator[tuple[Flaw, str]]:
    before = _turn_before(script)
    possible = [(role, place) for role in ROLES for place in free[role] if place in before]
    for role, place in rng.sample(possible, _EACH):
        free[role].remove(place)
        yield Flaw(QUALITY, place), longest_sentence(turns[before[place]])


def _assistant(rng: random.Random, free: _Free) -> Iterator[tuple[Flaw, str]]:
    places = [place for role in ROLES for place in free[role]]
    for place, words in zip(places, rng.sample(assistant_lines(), _EACH), strict=True):
        yield Flaw(ANTHROPOMORPHISM, place), words


def _turn_before(script: Script) -> Mapping[int, int]:
    """For each place the last turn before it of the same character, where there is one."""
    last: dict[str, int] = {}
    before = {}
    for place, turn in enumerate(script.turns):
        if turn.who in last:
            before[place] = last[turn.who]
        last[turn.who] = place
    return before


def _shuffled(rng: random.Random, violations: Mapping[Flaw, str]) -> list[Violation]:
    listed = [Violation(flaw, words) for flaw, words in violations.items()]
    return rng.sample(listed, len(listed))
