"""Seeded draws: the same key gives the same number, whatever was drawn before.

A simulated respondent must not depend on the order or the concurrency of its calls, so it has no
random generator that moves on; every draw hashes what it may depend on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")

_TOP = float(2**64)


def draw(seed: int, *key: str) -> float:
    """A number in [0, 1), uniform over keys and fixed for one (seed, key)."""
    text = "\0".join((str(seed), *key))
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") / _TOP


def pick(options: Iterable[tuple[str, T]], seed: int, *key: str) -> T:
    """One of the (name, value) pairs' values, each with the same chance.

    The pair whose name draws lowest wins, so leaving out another pair does not change the pick and
    the order of the pairs does not matter.

    Raises:
        ValueError: there is nothing to pick from.
    """
    return min(options, key=lambda option: draw(seed, *key, option[0]))[1]
