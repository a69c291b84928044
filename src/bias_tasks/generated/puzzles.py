"""Puzzles: facts about an order, in sentences, and what they prove, disprove and leave open."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from bias_tasks.digests import content_hash
from bias_tasks.generated.orders import (
    Fact,
    Join,
    JoinedRelations,
    Relation,
    RelationKind,
    Truth,
    all_cases,
    combine_facts,
    find_truth,
    list_relations,
)
from bias_tasks.generated.sentences import Phrase, Subject, load_sentences, to_sentence
from bias_tasks.randomness import seeded_random

RELATION_KINDS: tuple[RelationKind, ...] = get_args(RelationKind)


MAX_FACTS = 10
"""Largest number of facts of a puzzle."""


@dataclass(frozen=True, slots=True)
class Level:
    """How hard a puzzle is."""

    things: int
    """Number of things in the order."""
    needed: int
    """Smallest number of facts that a reader must combine for a proof."""
    enough: int
    """Number of facts that are enough for a proof."""
    max_cases: int
    """Largest number of cases that the facts allow; at least two are allowed."""
    joined: float
    """Probability that a fact joins two relations, such as by if and then."""


LEVELS: Mapping[int, Level] = {
    1: Level(things=4, needed=1, enough=1, max_cases=10, joined=0.0),
    2: Level(things=4, needed=2, enough=MAX_FACTS, max_cases=5, joined=0.0),
    3: Level(things=4, needed=2, enough=MAX_FACTS, max_cases=5, joined=0.3),
    4: Level(things=5, needed=3, enough=MAX_FACTS, max_cases=8, joined=0.3),
    5: Level(things=5, needed=3, enough=MAX_FACTS, max_cases=8, joined=0.5),
    6: Level(things=6, needed=4, enough=MAX_FACTS, max_cases=12, joined=0.5),
    7: Level(things=6, needed=4, enough=MAX_FACTS, max_cases=12, joined=0.7),
    8: Level(things=7, needed=5, enough=MAX_FACTS, max_cases=16, joined=0.7),
}


@dataclass(frozen=True)
class Puzzle:
    """Facts about the order of some things."""

    subject: str
    things: tuple[str, ...]
    facts: tuple[Fact, ...]
    context: str
    """The facts in sentences."""

    @property
    def id(self) -> str:
        """Hash of the facts."""
        return content_hash(self.context)

    def find_truths(self, kind: RelationKind) -> Mapping[Relation, Truth]:
        """Return the truth of every relation of a kind."""
        count = len(self.things)
        [allowed] = combine_facts(self.facts, MAX_FACTS, count)
        relations = list_relations(kind, count)
        return {each: find_truth(each.find_cases(count), allowed) for each in relations}

    def is_of_level(self, relation: Relation, level: int) -> bool:
        """Return whether a proof or disproof needs as many facts as the level says.

        A statement without proof and disproof has the difficulty of its facts.
        """
        limits = LEVELS[level]
        if not self._is_decided(relation, limits.enough):
            return not self._is_decided(relation, MAX_FACTS)
        return not self._is_decided(relation, limits.needed - 1)

    def _is_decided(self, relation: Relation, number: int) -> bool:
        """Return whether some `number` of the facts, or all of fewer, decide a relation."""
        holds = relation.find_cases(len(self.things))
        combined = combine_facts(self.facts, number, len(self.things))
        return any(find_truth(holds, allowed) != "Unknown" for allowed in combined)

    def say(self, relation: Relation, phrase: Phrase, wording: int) -> str:
        """Return a relation of the puzzle in words, as `Subject.say` does."""
        return load_sentences().subjects[self.subject].say(self.things, relation, phrase, wording)


def draw_puzzles(level: int, seed: int, purpose: str) -> Iterator[tuple[Puzzle, random.Random]]:
    """Yield puzzles without end, each with its own random generator; subjects take turns.

    Args:
        level: A key of `LEVELS`.
        seed: Puzzles of different seeds are different.
        purpose: Kind of the items, so that two kinds share no puzzle.
    """
    number = 0
    subjects = load_sentences().subjects
    while True:
        for name, subject in subjects.items():
            rng = seeded_random(seed, "generated", purpose, str(level), str(number))
            yield _draw_puzzle(LEVELS[level], name, subject, rng), rng
            number += 1


def _draw_puzzle(level: Level, name: str, subject: Subject, rng: random.Random) -> Puzzle:
    things = tuple(rng.sample(subject.things or load_sentences().people, level.things))
    facts = _draw_facts(level, rng)
    while not _is_readable(facts, level.things):
        facts = _draw_facts(level, rng)
    last = subject.positions[level.things - 1]
    names = f"{', '.join(things[:-1])} and {things[-1]}"
    intro = rng.choice(subject.intros).format(names=names, last=last, count=level.things)
    sentences = [_say_fact(fact, subject, things, rng) for fact in facts]
    context = " ".join([intro[0].upper() + intro[1:], *sentences])
    return Puzzle(name, things, tuple(facts), context)


def _draw_facts(level: Level, rng: random.Random) -> list[Fact]:
    """Draw facts that are true in one case until they allow few enough cases, but at least two."""
    allowed = all_cases(level.things)
    actual = 1 << rng.randrange(allowed.bit_count())
    facts: list[Fact] = []
    while allowed.bit_count() > level.max_cases:
        fact = _draw_fact(level, rng)
        still_allowed = allowed & fact.find_cases(level.things)
        if actual & still_allowed and 2 <= still_allowed.bit_count() < allowed.bit_count():
            facts.append(fact)
            allowed = still_allowed
    rng.shuffle(facts)
    return facts


def _draw_fact(level: Level, rng: random.Random) -> Fact:
    if rng.random() >= level.joined:
        return _draw_relation(level, rng)
    join: Join = rng.choice(get_args(Join))
    return JoinedRelations(join, (_draw_relation(level, rng), _draw_relation(level, rng)))


def _draw_relation(level: Level, rng: random.Random) -> Relation:
    """Draw a relation; a single fact gives a place away only if one fact is enough."""
    kind = rng.choice(RELATION_KINDS)
    relation = rng.choice(list_relations(kind, level.things))
    gives_no_place = kind == "at" and level.enough > 1
    denied = gives_no_place or (kind != "before" and rng.random() < 0.5)
    return Relation(kind, relation.first, relation.second, denied)


def _is_readable(facts: Sequence[Fact], count: int) -> bool:
    """Return whether the facts mention all things in few enough sentences."""
    mentioned = {thing for fact in facts for thing in _list_things(fact)}
    return len(mentioned) == count and len(facts) <= MAX_FACTS


def _list_things(fact: Fact) -> list[int]:
    if isinstance(fact, JoinedRelations):
        return [thing for relation in fact.relations for thing in _list_things(relation)]
    return [fact.first] if fact.kind == "at" else [fact.first, fact.second]


def _say_fact(fact: Fact, subject: Subject, things: tuple[str, ...], rng: random.Random) -> str:
    def say(relation: Relation) -> str:
        phrase: Phrase = "denials" if relation.denied else "clauses"
        return subject.say(things, relation, phrase, rng.randrange(6))

    if isinstance(fact, Relation):
        return to_sentence(say(fact))
    first, second = map(say, fact.relations)
    sentence = rng.choice(load_sentences().joined[fact.join])
    return sentence.format(p=first, q=second, P=first[0].upper() + first[1:])
