"""Words, sentences and numbers of a text. Every pattern here is linear in the text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from bias_tasks.complex_eval.attacks.phrases import words_of

_WORD = re.compile(r"\w+(?:['’]\w+)*")
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])[ \t]+|\n")
_LIST_NUMBER = re.compile(r"^[ \t]{0,8}(?:\*\*)?\d{1,3}[.)](?=[ \t*])", re.M)
"""Another kind of bullet, whatever the number is."""
_TERM_LENGTH = 5


def words(text: str) -> list[str]:
    """The words and numbers, in small letters."""
    return _WORD.findall(text.casefold())


def sentences(text: str) -> list[str]:
    """Sentences and lines without marks of lists, and without those that hold no word."""
    parts = _SENTENCE_END.split(_LIST_NUMBER.sub("", text))
    return [part for part in parts if _WORD.search(part)]


def key_terms(text: str, known: Iterable[str], count: int) -> list[str]:
    """Terms of a text that are not among the known ones, the most frequent first.

    Args:
        text: where terms are looked for; a term is a word of five or more letters, no digits,
            that is not a common English one.
        known: words, in small letters, that are no new terms.
        count: at most so many.
    """
    told = set(known) | words_of("common_words")
    found = Counter(word for word in words(text) if len(word) >= _TERM_LENGTH and word.isalpha())
    # ties in order of occurrence, which a Counter keeps
    return [word for word, _ in found.most_common() if word not in told][:count]
