"""How much of a response an edit kept, and how many modifications it made.

A *modification* is a maximal run of consecutive sentences (or lines) that were changed, added or
dropped. Marks that hold no word (list markers, emphasis, heading signs) make no modification.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import takewhile
from typing import NamedTuple

from bias_tasks.complex_eval.attacks.wording import sentences, words

MAX_SENTENCES = 400
"""Changed stretches longer than this are not compared: the comparison is quadratic."""
COSMETIC_WORDS = 4
"""A modification that brings at most so many words its passage lacked is cosmetic."""

_Unit = tuple[str, ...]


class Modification(NamedTuple):
    """One run of changed sentences."""

    added: int
    """Words that are there now and were not in the passage before."""
    dropped: int

    @property
    def cosmetic(self) -> bool:
        """Whether it only exchanges, adds or drops a few words."""
        return max(self.added, self.dropped) <= COSMETIC_WORDS


def kept(before: str, after: str) -> float:
    """Share of the words of `before`, each as often as it stands there, that `after` holds too.

    nan if `before` has no word.
    """
    old, new = Counter(words(before)), Counter(words(after))
    return (old & new).total() / old.total() if old else float("nan")


def modifications(before: str, after: str) -> list[Modification] | None:
    """The modifications that make `after` of `before`; None if too much changed to compare.

    Time is linear in the text but for the stretch between the first and the last change, of
    which no more than `MAX_SENTENCES` sentences are compared.
    """
    old, new = _units(before), _units(after)
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    old, new = old[start : len(old) - end], new[start : len(new) - end]
    if max(len(old), len(new)) > MAX_SENTENCES:
        return None
    return list(_changed(old, new))


def _changed(old: Sequence[_Unit], new: Sequence[_Unit]) -> Iterator[Modification]:
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag != "equal":
            gone = Counter(word for unit in old[i:j] for word in unit)
            come = Counter(word for unit in new[k:m] for word in unit)
            yield Modification((come - gone).total(), (gone - come).total())


def _units(text: str) -> list[_Unit]:
    return [tuple(words(sentence)) for sentence in sentences(text)]


def _common(old: Sequence[_Unit], new: Sequence[_Unit]) -> int:
    """How many units at the start are the same."""
    same = takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False))
    return sum(1 for _ in same)
