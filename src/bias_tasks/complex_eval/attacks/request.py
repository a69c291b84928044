"""One attack that is to be made, with what it may look at."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass

from bias_tasks.complex_eval.items import Criterion, JudgedItem

ROOM = 0.1
"""Share by which a rule lets a response grow: less than what a valid attack may add."""


class AttackError(ValueError):
    """The item lacks what the attack needs, or the response has no room for it."""


@dataclass(frozen=True, slots=True)
class Request:
    """An item's response, and how it is to be attacked."""

    item: JudgedItem
    name: str
    response: str
    strength: float
    rng: random.Random

    @property
    def reference(self) -> str:
        """Raises AttackError where there is none."""
        if not self.item.reference:
            raise AttackError("the item has no reference to attack toward")
        return self.item.reference

    @property
    def rubric(self) -> str:
        """The rubric's text, or that of its parts. Raises AttackError where there is none."""
        if self.item.rubric:
            return self.item.rubric
        return "\n".join(f"{part.name}: {part.description}" for part in self.criteria)

    @property
    def criteria(self) -> tuple[Criterion, ...]:
        """The rubric's parts. Raises AttackError where there are none."""
        if not self.item.criteria:
            raise AttackError("the item has no rubric to attack toward")
        return self.item.criteria

    def share(self, limit: int) -> int:
        """How many of `limit` allowed changes to make: at least one."""
        return max(1, round(self.strength * limit))


def fitting(additions: Iterable[str], length: int, strength: float) -> list[str]:
    """The additions, in turn, for which there is room: it may grow by 10 %.

    Args:
        additions: as they are inserted, white space included.
        length: of the response, in characters.
        strength: share of the allowed growth that is used, over 0 to 1; the first addition that
            fits the allowance as a whole is used at any strength.

    Raises:
        AttackError: not even one fits.
    """
    allowed = int(ROOM * length)
    left = int(strength * allowed)
    chosen: list[str] = []
    for addition in additions:
        if len(addition) <= left or (not chosen and len(addition) <= allowed):
            chosen.append(addition)
            left -= len(addition)
    if not chosen:
        raise AttackError(f"a response of {length} characters may grow by {allowed}: no room")
    return chosen
