"""How much of a response an edit kept, and how many modifications it made.

A *modification* is a maximal run of consecutive sentences (or lines) that were changed, added or
dropped. Marks that hold no word (list markers, emphasis, heading signs) make no modification.
Within one, a *swap* is a stretch of words with what stands in its place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import takewhile
from typing import NamedTuple

from bias_tasks.complex_eval.attacks.meanings import plain_words
from bias_tasks.complex_eval.attacks.wording import sentences, words

MAX_SENTENCES = 400
"""Changed stretches longer than this are not compared: the comparison is quadratic."""
MAX_PAIRS = 2_000_000
"""Changed stretches in which more pairs of words are the same are not compared word by word."""
COSMETIC_WORDS = 4
"""A modification that brings at most so many words its passage lacked is cosmetic."""


class Modification(NamedTuple):
    """One run of changed sentences."""

    old: tuple[str, ...]
    """The sentences that stood there; none where some were only added."""
    new: tuple[str, ...]

    @property
    def added(self) -> int:
        """Words that are there now and were not in the passage before."""
        return (_counted(self.new) - _counted(self.old)).total()

    @property
    def dropped(self) -> int:
        """Words that were there before and are not in the passage now."""
        return (_counted(self.old) - _counted(self.new)).total()

    @property
    def cosmetic(self) -> bool:
        """Whether it only exchanges, adds or drops a few words."""
        return max(self.added, self.dropped) <= COSMETIC_WORDS


class Swap(NamedTuple):
    """Words that were put in place of others; either may be none."""

    old: list[str]
    new: list[str]


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
    told, tells = sentences(before), sentences(after)
    old, new = ([tuple(words(each)) for each in part] for part in (told, tells))
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    last, behind = len(old) - end, len(new) - end
    if max(last, behind) - start > MAX_SENTENCES:
        return None
    matcher = SequenceMatcher(None, old[start:last], new[start:behind], autojunk=False)
    return [
        Modification(tuple(told[start + i : start + j]), tuple(tells[start + k : start + m]))
        for tag, i, j, k, m in matcher.get_opcodes()
        if tag != "equal"
    ]


def swaps(made: Modification) -> list[Swap] | None:
    """What a modification exchanged word by word; None if it is too large to compare."""
    old, new = (plain_words(" ".join(part)) for part in (made.old, made.new))
    there, here = Counter(old), Counter(new)
    if sum(count * here[word] for word, count in there.items()) > MAX_PAIRS:
        return None
    return list(_exchanged(old, new))


def _exchanged(old: list[str], new: list[str]) -> Iterator[Swap]:
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag != "equal":
            yield Swap(old[i:j], new[k:m])


def _counted(parts: Iterable[str]) -> Counter[str]:
    return Counter(word for part in parts for word in words(part))


def _common(old: Sequence[tuple[str, ...]], new: Sequence[tuple[str, ...]]) -> int:
    """How many units at the start are the same."""
    same = takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False))
    return sum(1 for _ in same)
