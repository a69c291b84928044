"""Surface features of a text, and putting phrases into one without touching what it says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import pairwise

from bias_tasks.complex_eval.attacks.phrases import words_of

_FENCE = "```"
_HEADING = re.compile(r"^(?:#{1,6} +|\*\*)(\w[^\n*#]{1,80}?)(?:\*\*)?:?[ \t]{0,8}$", re.M)
_MARKER = re.compile(r"^([ \t]{0,8})([-*•])(?= )", re.M)
_SENTENCE_START = re.compile(r"(?:(?<=[.!?] )|^)(?=[^\W\d_])", re.M)
_FIRST_WORD = re.compile(r"\w{1,10}\b")


def heading(text: str) -> str | None:
    """The words of the first heading that holds no number, if there is one."""
    found = (mark[1].strip() for mark in _HEADING.finditer(text))
    return next((words for words in found if not any(map(str.isdigit, words))), None)


def bullet(text: str) -> str | None:
    """The bullet that most list items of the text have, if it has any."""
    marks = Counter(mark[2] for mark in _MARKER.finditer(text))
    return marks.most_common(1)[0][0] if marks else None


def with_bullet(text: str, mark: str) -> str:
    """The text with all its bullets alike."""
    return _outside_code(text, lambda part: _MARKER.sub(rf"\g<1>{mark}", part))


def sentence_starts(text: str) -> list[int]:
    """Where sentences begin that begin with a letter, code blocks left out."""
    starts, offset, code = [], 0, False
    for part in text.split(_FENCE):
        if not code:
            starts += [offset + found.start() for found in _SENTENCE_START.finditer(part)]
        offset += len(part) + len(_FENCE)
        code = not code
    return starts


def with_phrases(text: str, phrases: Mapping[int, str]) -> str:
    """The text with a phrase before each of the sentences that begin at these positions."""
    bounds = [*sorted(phrases), len(text)]
    parts = [text[: bounds[0]]]
    for start, end in pairwise(bounds):
        parts += [phrases[start], " ", _within_sentence(text[start:end])]
    return "".join(parts)


def _within_sentence(text: str) -> str:
    """The text as it goes on behind a phrase: only words that are no names lose their capital."""
    first = _FIRST_WORD.match(text)
    if first is not None and first[0].casefold() in words_of("small_words"):
        return text[0].lower() + text[1:]
    return text


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    parts = text.split(_FENCE)
    return _FENCE.join(part if i % 2 else change(part) for i, part in enumerate(parts))
