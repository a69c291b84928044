"""Names that a text mentions: what is written with a capital where a sentence does not begin."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bias_tasks.complex_eval.attacks.meanings import content, plain_words
from bias_tasks.complex_eval.attacks.values import values
from bias_tasks.complex_eval.attacks.wording import sentences

_TOKEN = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_FEW = 3
"""A sentence or a line of so many words may be nothing but a name."""
_OPENING = frozenset("\"'“‘«([{:*#—–…!?.")
_TITLE = re.compile(r"\s{0,8}(?:#{1,6} |\*\*[^*\n]{1,100}\*\*:?\s{0,8}\Z)")
_HEADING = 0.6
"""In a line of which so large a share is capitalised, capitals tell nothing."""
_DOES = re.compile(r"(?:is|was|has|had|did|does|will|became|made|wrote|won|said)$|[a-z]{3,20}ed$")
"""What follows a name at the beginning of a sentence, and seldom another word."""


def names(text: str, others: Iterable[str] = ()) -> dict[str, str]:
    """The names of a text as they are written, by their small letters.

    A word that this text or one of the `others` also writes in small letters is none.
    """
    common = {token for each in (text, *others) for token in _TOKEN.findall(each) if _small(token)}
    found: dict[str, str] = {}
    for sentence in sentences(text):
        found |= {token.casefold(): token for token in _capitalised(sentence)}
    return {
        folded: token
        for folded, token in found.items()
        if folded.removesuffix("'s").removesuffix("’s") not in common
        and folded not in common
        and content(plain_words(token))
        and not values(token).stated
    }


def _capitalised(sentence: str) -> list[str]:
    """The words with a capital that they do not have from the sentence or quotation they begin."""
    if _TITLE.match(sentence):
        return []
    marks = list(_TOKEN.finditer(sentence))
    tokens = [mark[0] for mark in marks]
    capitals = [token for token in tokens if token[0].isupper()]
    if len(tokens) > _FEW and len(capitals) >= _HEADING * len(tokens):
        return []
    whole = len(tokens) <= _FEW or _DOES.match(tokens[1]) is not None
    return [
        mark[0]
        for place, mark in enumerate(marks)
        if mark[0][0].isupper() and (whole if place == 0 else not _begins(sentence, mark.start()))
    ]


def _begins(sentence: str, place: int) -> bool:
    """Whether something begins there within a sentence."""
    return sentence[max(0, place - 3) : place].rstrip()[-1:] in _OPENING


def mentioned(text: str) -> set[str]:
    """The words of a text in small letters, with and without the ending of a genitive."""
    folded = [token.casefold() for token in _TOKEN.findall(text)]
    parts = [part for token in folded for part in re.split(r"['’-]", token)]
    return {*folded, *parts}


def gone(name: str, words: set[str]) -> bool:
    """Whether a name is not among the words that a text mentions."""
    bare = re.split(r"['’]", name)[0]
    return not {name, bare, f"{bare}s", bare.removesuffix("s")} & words


def _small(token: str) -> bool:
    return token[0].islower()
