"""Relations in an order of things, and what follows from facts about it.

A case is a permutation: which place of the order each thing has. The facts allow some of the cases.
A relation that holds in all of them is true, one that holds in none is false, any other is unknown.
All cases are enumerated, so that no solver has to be trusted.
"""

from dataclasses import dataclass
from functools import cache, lru_cache, reduce
from itertools import combinations, pairwise, permutations
from math import factorial
from operator import and_, or_
from typing import Literal

RelationKind = Literal["before", "at", "next", "adjacent"]
Join = Literal["either", "implies", "same"]
Truth = Literal["True", "False", "Unknown"]
Cases = int
"""A set of cases: bit i is set if it has the i-th permutation."""


@cache
def all_cases(count: int) -> Cases:
    """Return all cases of `count` things."""
    return (1 << factorial(count)) - 1


@dataclass(frozen=True, slots=True)
class Relation:
    """One relation of one or two things."""

    kind: RelationKind
    first: int
    """Index of the thing."""
    second: int
    """Index of the other thing; the place, for `at`, counted from 0."""
    denied: bool = False
    """Whether the relation does not hold."""

    def find_cases(self, count: int) -> Cases:
        """Return the cases of `count` things in which the relation holds."""
        cases = _find_cases(self.kind, self.first, self.second, count)
        return all_cases(count) ^ cases if self.denied else cases


@dataclass(frozen=True, slots=True)
class JoinedRelations:
    """Two relations of which one says something about the other."""

    join: Join
    relations: tuple[Relation, Relation]

    def find_cases(self, count: int) -> Cases:
        """Return the cases of `count` things in which the fact holds."""
        first, second = (relation.find_cases(count) for relation in self.relations)
        if self.join == "implies":
            return (all_cases(count) ^ first) | second
        different = first ^ second
        return different if self.join == "either" else all_cases(count) ^ different


Fact = Relation | JoinedRelations


@cache
def _find_cases(kind: RelationKind, first: int, second: int, count: int) -> Cases:
    """Return the cases in which a relation holds."""

    def at(thing: int, place: int) -> Cases:
        return _find_cases("at", thing, place, count)

    if kind == "at":
        cases = enumerate(permutations(range(count)))
        return sum(1 << number for number, places in cases if places[first] == second)
    if kind == "adjacent":
        return _find_cases("next", first, second, count) | _find_cases("next", second, first, count)
    pairs = combinations(range(count), 2) if kind == "before" else pairwise(range(count))
    return reduce(or_, (at(first, place) & at(second, later) for place, later in pairs))


@cache
def list_relations(kind: RelationKind, count: int) -> tuple[Relation, ...]:
    """Return all relations of a kind between `count` things."""
    if kind == "at":
        return tuple(
            Relation(kind, thing, position) for thing in range(count) for position in range(count)
        )
    pairs = combinations(range(count), 2) if kind == "adjacent" else permutations(range(count), 2)
    return tuple(Relation(kind, first, second) for first, second in pairs)


def find_truth(holds: Cases, allowed: Cases) -> Truth:
    """Return whether a relation holds in all allowed cases, in none or in some.

    Args:
        holds: The cases in which the relation holds.
        allowed: The cases that the facts allow.
    """
    common = holds & allowed
    if common == allowed:
        return "True"
    return "Unknown" if common else "False"


@lru_cache(maxsize=4)
def combine_facts(facts: tuple[Fact, ...], number: int, count: int) -> frozenset[Cases]:
    """Return the cases that each `number` of the facts allow, or all if there are fewer."""
    allowed = [fact.find_cases(count) for fact in facts]
    used = combinations(allowed, min(number, len(facts)))
    return frozenset(reduce(and_, cases, all_cases(count)) for cases in used)
