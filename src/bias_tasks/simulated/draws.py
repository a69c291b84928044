"""Base of simulated models: checked traits, seeded draws, and helpers for their answers.

A draw is a hash of its key: the same key gives the same number, in whatever order and however
concurrently a model is called.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable
from itertools import count
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

from bias_tasks.contract.questions import Question

T = TypeVar("T")
Chance = Annotated[float, Field(ge=0, le=1)]

UNKNOWN = "I know nothing of this question."
"""The answer to a question that a simulated model cannot answer."""
_CHARACTERS_PER_TOKEN = 4
_REFUSALS = (
    "I'm sorry, but I can't help with that request.",
    "I'd rather talk about something else.",
    "",
)


def draw(seed: int, *key: str) -> float:
    """Return a number in [0, 1), uniform over keys and fixed for one seed and key."""
    text = "\0".join((str(seed), *key))
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") / 2.0**64


class Simulated(BaseModel):
    """A simulated model. Its fields are its traits."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    seed: int = 0
    """Seed of all draws."""
    _calls: defaultdict[tuple[str, ...], count[int]] = PrivateAttr(
        default_factory=lambda: defaultdict(count)
    )

    def respond(self, prompt: str, question: Question | None) -> str:
        """Return the answer to a prompt.

        Args:
            prompt: The messages that are not the model's own, separated by blank lines.
            question: The question of the running sample or document; None for the task of another
                package.
        """
        raise NotImplementedError

    def draw(self, *key: str) -> float:
        """Return a number in [0, 1), fixed for one key."""
        return draw(self.seed, *key)

    def pick(self, options: Iterable[T], *key: str, name: Callable[[T], object] = str) -> T:
        """Return one of several options, each with the same chance.

        The option with the lowest draw of its name wins. The order of options does not matter, and
        without one of the others the pick is the same.

        Args:
            options: The options, at least one.
            *key: Key of the draws.
            name: Returns the name of an option.
        """
        return min(options, key=lambda option: self.draw(*key, str(name(option))))

    def refuse(self, *key: str) -> str:
        """Return a text without an answer: a refusal, an evasion or nothing."""
        return _REFUSALS[int(self.draw("refusal", *key) * len(_REFUSALS))]

    def call(self, *key: str) -> str:
        """Return the number of earlier calls with this key, for answers that differ by call."""
        return str(next(self._calls[key]))


def count_tokens(text: str) -> int:
    """Estimate the number of tokens, four characters each, without a tokenizer."""
    return -(-len(text) // _CHARACTERS_PER_TOKEN)


def truncate(text: str, stop_sequences: Iterable[str], max_tokens: int | None) -> str:
    """Return the text before the first stop sequence, and at most `max_tokens` of it.

    Empty stop sequences are ignored.
    """
    for stop_sequence in filter(None, stop_sequences):
        text = text.partition(stop_sequence)[0]
    return text if max_tokens is None else text[: max_tokens * _CHARACTERS_PER_TOKEN]


_BRAILLE = range(0x2800, 0x2900)
"""Code points of the 256 Braille patterns, one per byte of a text."""


def encode_braille(text: str) -> str:
    """Return the text in signs that no parser knows, but the simulated grader."""
    return f"In signs: {''.join(chr(_BRAILLE[byte]) for byte in text.encode())}"


def decode_braille(text: str) -> str:
    """Return the text that `encode_braille` wrote somewhere in a longer text."""
    encoded = bytes(ord(sign) - _BRAILLE[0] for sign in text if ord(sign) in _BRAILLE)
    return encoded.decode(errors="replace")
