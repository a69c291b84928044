"""Where in a text something may be put so that it reads: between sentences of running prose."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

from bias_tasks.complex_eval.attacks.phrases import words_of

_FENCE = "```"
_NO_PROSE = re.compile(r"[ \t]*(?:[-*•+>|#]|\d{1,3}[.)]|\w{1,2}\)|<|\*\*|[A-Z][\w ]{0,30}:)")
_SENTENCE = re.compile(r"[^.!?]{1,2000}[.!?]+(?=[ \t]|$)")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_SPOKEN = frozenset("\"“”«»'‘’`$\\={}<>|")
_JOINING = frozenset(
    ["and", "but", "or", "for", "so", "as", "if", "while", "when", "with", "no", "what", "such"]
)
"""Small words that join a sentence to another one, or to a phrase that does."""
_SHORTEST = 3
"""Words of a sentence at least, before which something may be put."""


class Sentence(NamedTuple):
    """A statement in running prose."""

    start: int
    end: int
    first: bool
    """Whether it begins its paragraph."""
    last: bool
    """Whether it ends its paragraph."""


def statements(text: str) -> list[Sentence]:
    """Sentences of prose with a full stop: no code, lists, headings, formulas or speech."""
    found: list[Sentence] = []
    offset, code = 0, False
    for line in text.split("\n"):
        fenced = line.lstrip().startswith(_FENCE)
        code = code != fenced
        if not code and not fenced and not _NO_PROSE.match(line):
            found += _in_line(line, offset)
        offset += len(line) + 1
    return found


def with_phrases(text: str, phrases: Mapping[int, str], known: frozenset[str]) -> str:
    """The text with a phrase before each of the sentences that begin at these positions.

    `known` are names, in small letters, which keep their capital.
    """
    bounds = [*sorted(phrases), len(text)]
    parts = [text[: bounds[0]]]
    for start, end in pairwise(bounds):
        parts += [phrases[start], " ", within_sentence(text[start:end], known)]
    return "".join(parts)


def with_sentences(text: str, sentences: Mapping[int, str]) -> str:
    """The text with a sentence behind each of these positions, where sentences end."""
    for place in sorted(sentences, reverse=True):
        text = f"{text[:place]} {sentences[place]}{text[place:]}"
    return text


def within_sentence(text: str, known: frozenset[str] = frozenset()) -> str:
    """The text as it goes on behind a phrase: all but names and `I` lose their capital."""
    first = _FIRST_WORD.match(text)
    if first is None or first[0] == "I" or first[0].casefold() in known or first[0].isupper():
        return text if first is None or first[0] != "A" else f"a{text[1:]}"
    return text[0].lower() + text[1:]


def can_follow(text: str, known: frozenset[str]) -> bool:
    """Whether a phrase may stand before the sentence: its first word is a small one or a name."""
    first = _FIRST_WORD.match(text)
    if first is None:
        return False
    word = first[0].casefold()
    return word in known or word in words_of("small_words") - _JOINING


def _in_line(line: str, offset: int) -> list[Sentence]:
    marks = list(_SENTENCE.finditer(line))
    found = []
    for place, mark in enumerate(marks):
        sentence = mark[0].lstrip()
        start = mark.end() - len(sentence)
        if sentence.endswith(".") and not sentence.endswith("..") and _says(sentence):
            bounds = (offset + start, offset + mark.end())
            found.append(Sentence(*bounds, place == 0, not line[mark.end() :].strip()))
    return found


def _says(sentence: str) -> bool:
    return len(sentence.split()) >= _SHORTEST and not _SPOKEN & set(sentence)
