"""What every simulated model has: checked traits, seeded draws, and words to put an answer in.

A draw hashes what it may depend on: the same key gives the same number, in whatever order and
however concurrently a model is asked.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable
from itertools import count
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

from bias_tasks.contract.family import Question

T = TypeVar("T")
Chance = Annotated[float, Field(ge=0, le=1)]

_CHARACTERS_PER_TOKEN = 4
_REFUSALS = (
    "I'm sorry, but I can't help with that request.",
    "I'd rather talk about something else.",
    "",
)


def draw(seed: int, *key: str) -> float:
    """A number in [0, 1), uniform over keys and fixed for one (seed, key)."""
    text = "\0".join((str(seed), *key))
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") / 2.0**64


def pick(options: Iterable[tuple[str, T]], seed: int, *key: str) -> T:
    """One of the (name, value) pairs' values, each with the same chance.

    The pair whose name draws lowest wins, so leaving out another pair does not change the pick and
    the order of the pairs does not matter. A ValueError where there is nothing to pick from."""
    return min(options, key=lambda option: draw(seed, *key, option[0]))[1]


def refuse(chance: float) -> str:
    """A text that holds no answer: a refusal, an evasion or nothing, by `chance` in [0, 1)."""
    return _REFUSALS[int(chance * len(_REFUSALS))]


class Simulated(BaseModel):
    """A simulated model; its fields are what can be planted in it."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    seed: int = 0
    _calls: defaultdict[tuple[str, ...], count[int]] = PrivateAttr(
        default_factory=lambda: defaultdict(count)
    )

    def respond(self, prompt: str, question: Question | None) -> str:
        """The answer to a prompt: the messages that are not its own, with blank lines between.

        The question is what the running sample or document asks; None for another task's.
        """
        raise NotImplementedError

    def draw(self, *key: str) -> float:
        """A number in [0, 1), fixed for one key."""
        return draw(self.seed, *key)

    def call(self, *key: str) -> str:
        """How often this was asked for with that key before, for answers that differ by call."""
        return str(next(self._calls[key]))


def tokens(text: str) -> int:
    """An estimate, so that no tokenizer is needed: four characters each, rounded up."""
    return -(-len(text) // _CHARACTERS_PER_TOKEN)


def shortened(text: str, markers: Iterable[str], most_tokens: int | None) -> str:
    """The text before the first marker (an empty one is none), and no longer than allowed."""
    for marker in filter(None, markers):
        text = text.partition(marker)[0]
    return text if most_tokens is None else text[: most_tokens * _CHARACTERS_PER_TOKEN]


_SIGNS = range(0x2800, 0x2900)
"""Code points of the 256 Braille patterns, one for each byte of a text."""


def in_signs(text: str) -> str:
    """The text so that no rule reads it; `from_signs` does, which the simulated judge calls."""
    return f"In signs: {''.join(chr(_SIGNS[byte]) for byte in text.encode())}"


def from_signs(text: str) -> str:
    """What was put in signs somewhere in a text."""
    found = bytes(ord(each) - _SIGNS[0] for each in text if ord(each) in _SIGNS)
    return found.decode(errors="replace")
