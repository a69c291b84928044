"""Which words carry content, and which say the same, the opposite or a number (`meanings.yaml`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from bias_tasks.data.files import read_yaml

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_ENDINGS = ("ing", "ies", "ed", "es", "ly", "s", "e")
_SHORTEST_STEM = 3
_PREFIXES = ("un", "in", "im", "ir", "il", "dis", "non")
_NOT = re.compile(r"n['’]t\b")
_SHORTENED = re.compile(r"['’](?:s|m|re|ve|ll|d)\b")
_NO_NEGATION = re.compile(
    r"\b(?:without loss of generality|not only|no doubt|no longer than|if not|no sooner)\b"
)


def plain_words(text: str) -> list[str]:
    """The words in small letters, `isn't` as `is not`; phrases that negate nothing left out."""
    folded = _NOT.sub(" not", text.casefold()).replace("cannot", "can not")
    return _WORD.findall(_SHORTENED.sub(" ", _NO_NEGATION.sub(" ", folded)))


def stem(word: str) -> str:
    """The word without its ending, so that `factors` and `factor` are one; crude."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            cut = word[: -len(ending)]
            return cut[:-1] if cut[-1] == cut[-2] else cut
    return word


def content(words: Iterable[str]) -> list[str]:
    """The stems of the words that carry content."""
    return [stem(word) for word in words if word not in _small()]


def negations(words: Iterable[str]) -> int:
    """How many of the words negate."""
    return sum(word in _negators() for word in words)


def turned(old: Iterable[str], new: Iterable[str]) -> tuple[str, str] | None:
    """A word of `old` with its opposite in `new`, where neither stands on both sides."""
    before, after = set(old), set(new)
    for word in sorted(before - after):
        for other in sorted(after - before):
            if other in _opposites().get(word, ()) or _negated(word, other):
                return word, other
            if _one_of_both(word, other):
                return word, other
    return None


def same_meaning(one: str, other: str) -> bool:
    """Whether two stems are known to say the same."""
    return one == other or bool(_groups().get(one, frozenset()) & _groups().get(other, frozenset()))


def held(stems: Iterable[str], by: Iterable[str]) -> float:
    """The share of stems that stand, themselves or by a word that says the same, among others.

    nan if there are none.
    """
    wanted, there = set(stems), set(by)
    meant = {group for each in there for group in _groups().get(each, ())}
    found = sum(each in there or bool(_groups().get(each, frozenset()) & meant) for each in wanted)
    return found / len(wanted) if wanted else float("nan")


def gives_away(before: str, after: str) -> str | None:
    """Words, new in `after`, that say a text was mended or is wrong."""
    told, tells = (" ".join(plain_words(text)) for text in (before, after))
    phrases: list[str] = _meanings()["gives_away"]
    return next(
        (each for each in phrases if f" {each} " in f" {tells} " and each not in told), None
    )


def _one_of_both(one: str, other: str) -> bool:
    """Whether both are of a kind of which only one can hold, as two weekdays are."""
    kind = _one_of().get(one)
    stems = stem(one), stem(other)
    return kind is not None and kind == _one_of().get(other) and not same_meaning(*stems)


def _negated(one: str, other: str) -> bool:
    """Whether one word is the other behind a prefix that negates it, as in `usual`, `unusual`."""
    short, long = sorted((one, other), key=len)
    return len(short) > _SHORTEST_STEM and any(long == prefix + short for prefix in _PREFIXES)


@cache
def _small() -> frozenset[str]:
    return frozenset(_meanings()["small"].split())


@cache
def _negators() -> frozenset[str]:
    return frozenset(_meanings()["negators"].split())


@cache
def _opposites() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for pair in _meanings()["opposites"].split():
        one, _, other = pair.partition("/")
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in found.items()}


@cache
def _one_of() -> Mapping[str, int]:
    """The group of words that each is of, of which only one can hold."""
    groups = enumerate(_meanings()["one_of"])
    return {word: number for number, group in groups for word in group.split()}


@cache
def _groups() -> Mapping[str, frozenset[int]]:
    """The groups of words of the same meaning that a stem is of."""
    found: dict[str, set[int]] = {}
    for number, group in enumerate(_meanings()["same"]):
        for word in group.split():
            found.setdefault(stem(word), set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}


def _meanings() -> Mapping[str, Any]:
    meanings: Mapping[str, Any] = read_yaml(__package__, "meanings")
    return meanings
