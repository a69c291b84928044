"""Choices that speak of other choices, or mean something else once they are set otherwise."""

from __future__ import annotations

import re
from collections.abc import Sequence

_OTHERS = re.compile(
    r"\b(?:all|none|both|neither|any|either|some|two|one)"
    r" of (?:the |these|them|those|above|other|previous|following|preceding)"
    r"|\bnone (?:is|are) (?:right|correct)\b|\b(?:above|preceding|previous)\b"
    r"|^\s*(?:all|none|both|neither|any)\W*$",
    re.IGNORECASE,
)
_LABELS = re.compile(
    r"\b(?:[Oo]ptions?|[Cc]hoices?|[Aa]nswers?|[Bb]oth|[Nn]either|[Ee]ither|[Oo]nly)\s+\(?[A-J]\b"
    r"|^\s*\(?[A-J]\)?(?:\s*(?:,|and|or|&|nor)\s*\(?[A-J]\)?)+\W*$"
)
_WORD = r"(?:[A-Z]?[a-z]+|[AI])"
_PLAIN_WORDS = re.compile(rf"{_WORD}(?:[ ,.;:'\"()?!-]+{_WORD})*[.,;:'\")?!]*")


def refer_to_others(choices: Sequence[str]) -> bool:
    """Whether a choice names others by their place or label: `none of the above`, `A and C`."""
    return any(_OTHERS.search(each) or _LABELS.search(each) for each in choices)


def words_alone(choices: Sequence[str]) -> bool:
    """Whether the choices are plain words, which mean the same in capitals: no formula, no code."""
    return len({each.casefold() for each in choices}) == len(choices) and all(
        _PLAIN_WORDS.fullmatch(each.strip()) for each in choices
    )


def holds_any(choices: Sequence[str], labels: Sequence[str]) -> bool:
    """Whether one of the labels is a word of a choice, so that an answer could mean either."""
    words = {word.casefold() for each in choices for word in re.findall(r"\w+", each)}
    return not words.isdisjoint(label.casefold() for label in labels)
