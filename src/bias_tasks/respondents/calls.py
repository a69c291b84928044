"""How often something was asked before, for answers that may differ from call to call."""

from __future__ import annotations

import threading
from collections import Counter


class Calls:
    """Counts the calls of each key, in any number of threads.

    Which thread gets which number is open, but the numbers given out for a key are always 0, 1, 2
    and so on, so a respondent that draws by them gives the same answers in some order.
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
