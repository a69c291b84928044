"""Which two responses of an item are set against each other, and which of them is dressed."""

from __future__ import annotations

from dataclasses import dataclass

from bias_tasks.judging.items import JudgedItem
from bias_tasks.prompts.seeded import seeded


@dataclass(frozen=True, slots=True)
class Pair:
    """The responses of an item that a run asks about, by their numbers from 1."""

    item: JudgedItem
    shown: tuple[int, ...]
    """In the order in which a plain question shows them; one where the item has no second."""
    right: int | None
    """The better one; None where nobody says."""
    dressed: int
    """The one that probes dress: the worse one, or one that is drawn where neither is."""

    @property
    def other(self) -> int | None:
        """The one that probes leave alone."""
        return next((number for number in self.shown if number != self.dressed), None)

    def text(self, number: int) -> str:
        """A response."""
        return self.item.responses[number - 1]

    def role(self, number: int) -> str:
        """What the response is in this pair: `right` or `wrong`; without a label `one`, which is
        dressed, or `other`."""
        if self.right is not None:
            return "right" if number == self.right else "wrong"
        return "one" if number == self.dressed else "other"


def pair_of(item: JudgedItem, seed: int) -> Pair | None:
    """A right response and a wrong one, drawn by the seed; any two where none is known.

    None where the item has no two responses that differ, as far as those are needed.
    """
    rng = seeded(seed, item.id, "pair")
    numbers = range(1, len(item.responses) + 1)
    right = [number for number in numbers if number - 1 in item.right]
    wrong = [number for number in numbers if number not in right]
    if right and wrong:
        good, dressed = rng.choice(right), rng.choice(wrong)
        shown = [good, dressed]
        better: int | None = good
    else:
        shown = rng.sample(numbers, min(2, len(numbers)))
        dressed, better = shown[0], None
    if len({item.responses[number - 1].strip() for number in shown}) < len(shown):
        return None
    rng.shuffle(shown)
    return Pair(item, tuple(shown), better, dressed)
