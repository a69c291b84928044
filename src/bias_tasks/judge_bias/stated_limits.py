"""Limits of length that a request states, such as "in at most 80 words" or "in three sentences"."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

_NUMBER_WORDS = "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_NUMBER = rf"(\d{{1,6}}|{_NUMBER_WORDS})"
_LIMIT = re.compile(
    r"\b(at least |fewer than |less than |under |(?<!no )more than )?"
    rf"{_NUMBER}(?: ?(?:to|-|–|and|or) ?{_NUMBER})?[ -]"
    r"(word|sentence|bullet|point|line|paragraph)(?:s| points?)?\b",
    re.IGNORECASE,
)
_ABBREVIATION = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|St|No|vs|e\.g|i\.e|a\.m|p\.m|Prof|[A-Z])\.")
_SENTENCE_END = re.compile(r"[.!?。！？][\"”')\]*_]*(?=\s|$)")
_BULLET = re.compile(r"(?m)^[ \t]*(?:[-*•+]|\d{1,3}[.)])[ \t]")
_COUNTERS: Mapping[str, Callable[[str], int]] = {
    "word": lambda text: sum(any(map(str.isalnum, word)) for word in text.split()),
    "sentence": lambda text: len(_SENTENCE_END.findall(_ABBREVIATION.sub("", text))),
    "bullet": lambda text: len(_BULLET.findall(text)),
    "point": lambda text: len(_BULLET.findall(text)),
    "line": lambda text: sum(bool(line.strip()) for line in text.split("\n")),
    "paragraph": lambda text: sum(bool(part.strip()) for part in text.split("\n\n")),
}


@dataclass(frozen=True, slots=True)
class StatedLimit:
    """The largest number of units that a request allows."""

    unit: str
    """A key of `_COUNTERS`."""
    most: int

    def allows(self, text: str) -> bool:
        """Return whether a text keeps the limit."""
        return _COUNTERS[self.unit](text) <= self.most


def find_limits(request: str) -> Iterator[StatedLimit]:
    """Yield the upper limits that a request states, with a number in digits or up to twelve.

    A number without `at most` counts, too: "in 80 words" allows no more. A limit in a quoted text
    counts as one of the request, because nothing shows reliably what it is about.
    """
    for bound, first, second, unit in _LIMIT.findall(request):
        if bound.casefold() in ("at least ", "more than "):
            continue
        number = (second or first).casefold()
        most = int(number) if number.isdecimal() else _NUMBER_WORDS.split("|").index(number)
        is_below = bound.casefold() in ("fewer than ", "less than ", "under ")
        yield StatedLimit(unit.casefold(), most - is_below)


def count_words(text: str) -> int:
    """Return the number of words; marks without a letter or digit, such as `-`, are none."""
    return _COUNTERS["word"](text)
