"""The keyword lists of the paper's appendix N, and where their words stand in an answer.

Keywords match whole words. The lists are YAML, in the folder `keyword_lists`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice

from bias_tasks.data.files import read_yaml

_BEGINNING, _ENDING = 200, 300
"""A verdict stands within so many characters of an answer's beginning or end."""
_MAX_HITS = 200
"""Keywords looked at; a text that repeats them endlessly says no more after these."""


@dataclass(frozen=True, slots=True)
class Keyword:
    """A keyword that tells the answer."""

    label: str
    start: int
    end: int
    rule: str


@dataclass(frozen=True, slots=True)
class Undecided:
    """Keywords that do not tell the answer."""

    why: str
    silent: bool = False
    """No keyword was asserted at all, so that other signs may decide."""


@dataclass(frozen=True, slots=True)
class _Lists:
    pattern: re.Pattern[str]
    label_of: dict[str, str]


@cache
def keyword_lists(form: str) -> dict[str, tuple[str, ...]]:
    """The lists of a file as their source has them, without what was added."""
    lists = _load(form)["lists"]
    return {label: tuple(words) for label, words in lists.items()}


def _load(form: str) -> dict[str, dict[str, list[str]]]:
    loaded: dict[str, dict[str, list[str]]] = read_yaml(f"{__package__}.keyword_lists", form)
    return loaded


@cache
def lists(form: str) -> _Lists:
    loaded = _load(form)
    label_of = {
        word: label
        for section in ("lists", "added", "phrases")
        for label, words in loaded.get(section, {}).items()
        for word in words
    }
    words = sorted(label_of, key=len, reverse=True)
    pattern = rf"(?<![\w-])(?:{'|'.join(re.escape(word) for word in words)})(?!\w|-\w)"
    return _Lists(re.compile(pattern), label_of)


def hits(form: str, low: str, start: int, end: int) -> Iterator[tuple[re.Match[str], str]]:
    """Keywords with their list's label, where the first or last of them may be a verdict."""
    known = lists(form)
    found = list(islice(known.pattern.finditer(low, start, end), _MAX_HITS))
    if not found:
        return
    if found[0].start() > start + _BEGINNING and found[-1].end() < end - _ENDING:
        return
    for hit in found:
        yield hit, known.label_of[hit.group()]
