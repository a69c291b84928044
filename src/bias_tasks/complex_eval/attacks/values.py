"""The numbers that a text states, by value, so that `two cases` and `2 cases` state the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import islice
from typing import NamedTuple

from bias_tasks.complex_eval.attacks.meanings import plain_words
from bias_tasks.data.files import read_yaml

_NUMBER = re.compile(r"\d{1,60}(?:[.,]\d{1,60}){0,9}(?:(?:st|nd|rd|th)\b)?")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3}){1,9}(?:\.\d{1,60})?\Z")
_MARKER = re.compile(r"^[ \t]{0,8}(?:\*\*)?\d{1,3}[.)](?=[ \t*])", re.M)
_NAMED = re.compile(
    r"\b(?:step|theorem|lemma|case|equation|eq|part|claim|corollary|proposition|formula|law|rule"
    r"|section|figure)s?\.?[ \t]{0,2}\(?\d{1,4}\)?(?![\d.,]*\d)",
    re.I,
)
_ONE, _TENS, _HUNDRED = 1, 20, 100
_SHARE = re.compile(
    r"(?<![\d.])(?:\(?(\d{1,4})\)?/\(?(\d{1,4})\)?|(\d{0,3}\.\d{1,4})(?![\d.]?\d| ?%)"
    r"|(\d{1,3}(?:\.\d{1,3})?) ?(?:\\?%|percent\b))"
)
_MOST_SHARES = 200
_PLACES = 4
"""Decimals that a fraction is written with; others are not counted as the same."""


class Values(NamedTuple):
    """What a text states in numbers."""

    stated: frozenset[str]
    """What must be kept: digits, and numbers in words but `one`, which is a pronoun too."""
    implied: frozenset[str]
    """What else may stand for a stated one: `one`, `half`, `first`."""


def values(text: str) -> Values:
    """The numbers of a text; marks of lists and numbers of theorems, cases and steps are none."""
    bare = _NAMED.sub(" ", _MARKER.sub("", text))
    found = [_canonical(each) for each in _NUMBER.findall(bare)]
    words = plain_words(bare)
    spelled = [value for value in _spelled(words) if value != str(_ONE)]
    implied = {value for word in words for value in _implied().get(word, "").split()}
    implied |= set(_equivalents(bare))
    return Values(frozenset((*found, *spelled)), frozenset(implied))


def lost_value(before: str, after: str) -> str | None:
    """A number that the first text states and the second does not."""
    old, new = values(before), values(after)
    return min(old.stated - new.stated - new.implied, default=None)


def new_value(before: str, after: str) -> str | None:
    """A number that only the second text states."""
    return lost_value(after, before)


def _equivalents(text: str) -> Iterator[str]:
    """Other ways to write fractions, decimals and percentages: `1/2`, `0.5`, `50 %`."""
    for mark in islice(_SHARE.finditer(text), _MOST_SHARES):
        above, below, decimal, percent = mark.groups()
        if below and not below.strip("0"):
            continue
        share = Fraction(int(above), int(below)) if below else Fraction(decimal or percent)
        share = share / 100 if percent else share
        for value in (share, share * 100):
            yield from (str(value.numerator), str(value.denominator))
            if value * 10**_PLACES % 1 == 0:
                yield _canonical(f"{float(value):.{_PLACES}f}")


def _canonical(number: str) -> str:
    """The number without what does not change its value; an ordinal is another one."""
    ending = number[-2:] if number[-1].isalpha() else ""
    digits = number.removesuffix(ending)
    if _GROUPED.match(digits):
        digits = digits.replace(",", "")
    whole, point, rest = digits.rpartition(".")
    if point and "," not in digits and "." not in whole and not rest.strip("0"):
        digits = whole
    elif point and "," not in digits and "." not in whole:
        digits = digits.rstrip("0")
    return (digits.lstrip("0") or "0" if digits.isdigit() else digits) + ("th" if ending else "")


def _spelled(words: list[str]) -> Iterator[str]:
    """The values of number words; those side by side make one, as in `two hundred and five`."""
    total = part = 0
    open_ = False
    for word in (*words, ""):
        value = _words().get(word)
        if value is None:
            if open_ and not (word == "and" and part >= _HUNDRED):
                yield str(total + part)
                total, part, open_ = 0, 0, False
            continue
        if value < _HUNDRED and open_ and not _goes_on(part, value):
            yield str(total + part)
            total, part = 0, 0
        if value > _HUNDRED:
            total, part = total + max(part, 1) * value, 0
        else:
            part = max(part, 1) * value if value == _HUNDRED else part + value
        open_ = True


def _goes_on(part: int, value: int) -> bool:
    """Whether a number below a hundred may follow: `twenty` by `one`, `hundred` by anything."""
    if part % _HUNDRED == 0:
        return True
    return part % 10 == 0 and part % _HUNDRED >= _TENS and value < 10


def _words() -> Mapping[str, int]:
    numbers: Mapping[str, int] = read_yaml(__package__, "meanings")["numbers"]
    return {**numbers, "one": _ONE}


def _implied() -> Mapping[str, str]:
    implied: Mapping[str, str] = read_yaml(__package__, "meanings")["implied"]
    return implied
