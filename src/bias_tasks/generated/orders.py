"""Relations in an order of things, and what follows from facts about it.

A case is a permutation: which place of the order each thing has. The facts allow some of the cases.
A relation that holds in all of them is true, one that holds in none is false, any other is unknown.
All cases are enumerated, so that no solver has to be trusted.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from typing import Literal

import numpy as np
import numpy.typing as npt

RelationKind = Literal["before", "at", "next", "adjacent"]
Join = Literal["either", "implies", "same"]
Truth = Literal["True", "False", "Unknown"]
Holds = npt.NDArray[np.bool_]
"""Shape (cases,): whether something holds in each case."""


@cache
def enumerate_cases(count: int) -> npt.NDArray[np.int8]:
    """Return the place of each thing in each case, counted from 0; shape (cases, things)."""
    return np.array([*permutations(range(count))], dtype=np.int8)


@dataclass(frozen=True, slots=True)
class Relation:
    """One relation of one or two things."""

    kind: RelationKind
    first: int
    """Index of the thing."""
    second: int
    """Index of the other thing; the place, for `at`."""
    denied: bool = False
    """Whether the relation does not hold."""

    def holds(self, cases: npt.NDArray[np.int8]) -> Holds:
        """Return whether the relation holds in each case."""
        position = cases[:, self.first]
        if self.kind == "at":
            holds: Holds = position == self.second
        else:
            distance = cases[:, self.second] - position
            if self.kind == "before":
                holds = distance > 0
            else:
                holds = (distance if self.kind == "next" else np.abs(distance)) == 1
        return ~holds if self.denied else holds


@dataclass(frozen=True, slots=True)
class JoinedRelations:
    """Two relations of which one says something about the other."""

    join: Join
    relations: tuple[Relation, Relation]

    def holds(self, cases: npt.NDArray[np.int8]) -> Holds:
        """Return whether the fact holds in each case."""
        first, second = (relation.holds(cases) for relation in self.relations)
        if self.join == "implies":
            return ~first | second
        same: Holds = first == second
        return same if self.join == "same" else ~same


Fact = Relation | JoinedRelations


def list_relations(kind: RelationKind, count: int) -> list[Relation]:
    """Return all relations of a kind between `count` things."""
    if kind == "at":
        return [
            Relation(kind, thing, position) for thing in range(count) for position in range(count)
        ]
    pairs = combinations(range(count), 2) if kind == "adjacent" else permutations(range(count), 2)
    return [Relation(kind, first, second) for first, second in pairs]


def find_truth(relation: Fact, facts: Sequence[Fact], cases: npt.NDArray[np.int8]) -> Truth:
    """Return whether a relation holds in all cases that the facts allow, in none, or in some."""
    allowed = np.logical_and.reduce([fact.holds(cases) for fact in facts])
    holds = relation.holds(cases[allowed])
    if holds.all():
        return "True"
    return "Unknown" if holds.any() else "False"


def is_decided(
    relation: Fact, facts: Sequence[Fact], number: int, cases: npt.NDArray[np.int8]
) -> bool:
    """Return whether some `number` of the facts, or all if there are fewer, decide a relation."""
    masks = [fact.holds(cases) for fact in facts]
    holds = relation.holds(cases)
    for used in combinations(masks, min(number, len(masks))):
        seen = holds[np.logical_and.reduce(used)] if used else holds
        if seen.all() or not seen.any():
            return True
    return False
