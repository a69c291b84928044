"""Seeded draws: the same key gives the same number, whatever was drawn before.

A simulated respondent must not depend on the order or the concurrency of its calls, so it has no
random generator that moves on; every draw hashes what it may depend on.
"""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
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


class Calls:
    """Counts how often each key was asked, for answers that may differ from call to call.

    It may be asked in any number of threads. Which thread gets which number is open, but the
    numbers given out for a key are always 0, 1, 2 and so on, so a respondent that draws by them
    gives the same answers in some order.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[tuple[str, ...]] = Counter()

    def next(self, key: tuple[str, ...]) -> int:
        """The number of this call of the key, from 0."""
        with self._lock:
            number = self._counts[key]
            self._counts[key] += 1
        return number
