"""The order of items, made so that a run that stops early is still balanced."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterable
from itertools import zip_longest
from typing import Protocol, TypeVar


class Identified(Protocol):
    """An item of any family: it has an id made of its content."""

    @property
    def id(self) -> str:
        """Unique, and the same for the same content."""
        ...


T = TypeVar("T", bound=Identified)


def in_turns(
    items: Iterable[T], seed: int, group: Callable[[T], Hashable], turns: Iterable[Hashable]
) -> list[T]:
    """The items in seeded random order, their groups taking turns.

    Args:
        items: of any order, which makes no difference.
        seed: decides the order within a group.
        group: the group of an item.
        turns: every group, in the order of their turns; a group that has run out is left out.
    """
    groups: dict[Hashable, list[T]] = {}
    for item in sorted(items, key=lambda item: _draw(item.id, seed)):
        groups.setdefault(group(item), []).append(item)
    rounds = zip_longest(*(groups.get(key, []) for key in turns))
    return [item for one_round in rounds for item in one_round if item is not None]


def _draw(identifier: str, seed: int) -> str:
    return hashlib.sha256(f"{seed}:{identifier}".encode()).hexdigest()
