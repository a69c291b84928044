"""What a judge is asked to judge: prompts with responses, and which of these make a pair."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bias_tasks.prompts.templates import seeded


@dataclass(frozen=True, slots=True)
class JudgedPrompt:
    """A prompt with responses, of which one may be known to be the better.

    For self-preference it has none of these: two models answer it, or have answered.
    """

    id: str
    prompt: str
    """What the user asked."""
    responses: tuple[str, ...] = ()
    """At least one; two or more where they are judged in pairs."""
    right: tuple[int, ...] = ()
    """The places of the preferred responses; empty where no label is known."""
    cluster: str | None = None
    """Items of one cluster share something, such as the prompt; None where each stands alone."""
    domain: str | None = None
    human: tuple[float, ...] = ()
    """People's labels, one a response: its share of votes, or its mean score. Empty for none."""
    own: str | None = None
    """The evaluated model's answer, where it is recorded for self-preference."""
    other: str | None = None
    """The other model's answer, likewise."""
    further: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """Columns of a user's file that nobody asks about (`data/tables.py`)."""


@dataclass(frozen=True, slots=True)
class Pair:
    """The responses of an item that a run asks about, by their numbers from 1."""

    item: JudgedPrompt
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

    def role(self, number: int) -> str:
        """`right` or `wrong`; without a label `one`, which is dressed, or `other`."""
        if self.right is not None:
            return "right" if number == self.right else "wrong"
        return "one" if number == self.dressed else "other"


def pair_of(item: JudgedPrompt, seed: int) -> Pair | None:
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
