"""Takes out of an answer what is not said: tags, LaTeX, pictures, what is crossed out or offered.

Nothing is moved: every text keeps its length, so that places in it stay places in the answer.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from bias_tasks.reading.bounds import HEAD, TAIL

_CROSSED_OUT = re.compile(r"~~[^~\n]{1,200}~~")
_ARROWS = frozenset("→⇒⟶⟹➔➜➡⇨∴")
# Marks between the turns of chat templates: what follows is on a line of its own.
_TURN = re.compile(
    r"<\|[^<>|\n]{1,40}\|>|</?s>|\[/inst\]|<(?:start|end) of turn>|<(?:bos|eos)>|<</?sys>>"
)
# Tags of a page, and the ends of all; those that begin an answer stay, and say so.
_TAG = re.compile(
    r"</[a-z][^<>\n]{0,40}>"
    r"|<(?!(?:yes|no)\b|(?:final )?(?:answer|verdict|response|decision|conclusion)\b)"
    r"[a-z][a-z0-9]{0,15}(?: [^<>\n]{0,100})?/?>"
)
_NEW_LINE = re.compile(
    r"</?(?:br|p|div|li|tr|h[1-6]) ?/?>|\\n(?!eg|eq|ot|u\b|abla|ewline|e\b|mid|leq|geq|i\b)"
)
_LATEX = re.compile(
    r"\\(?:text|math)[a-z]{0,6}(?= ?\{)|\\(?:left|right|quad|qquad|large|bf|underline|emph|mbox"
    r"|operatorname)(?![a-z])|\\[,;:!()\[\]\\ ]|\$"
)
_ARROW = re.compile(r"[-=]{1,2}>")
# The prompt's line that names the answers, or what was repeated of it.
_OFFER = re.compile(
    r"(?:choose )?(?:one )?(?:of )?(?:the )?following answers? ?:"
    r"(?:[ \"'(]{0,4}(?:yes|no)\b(?! ?[,;.]? ?(?:because|since|as)\b)(?: ?/ ?(?:(?:yes|no)\b)?)?)?"
    r"|\b(?:yes ?/ ?no|no ?/ ?yes)\b"
    r"|(?<!can't )(?<!cannot )(?<!not )\b(?:reply|respond|answer|say|type)(?: with)?(?: either)?"
    r" [\"']?yes[\"']? or [\"']?no\b"
)
# What a field of JSON only lists, or gives as what the answer is not.
_LISTED = re.compile(
    r"(?<=[\"'])(?:options?|choices|candidates|labels|alternatives?|rejected|discarded|other|opposite"
    r"|question|prompt)[\"'] ?: ?(?:\[[^\[\]\n]{0,100}\]|\"[^\"\n]{0,300}\")"
)
# Both answers as a list is what was offered, whoever printed it.
_ITEM = r"[ >]{0,8}(?:[-•]|\(?[a-c1-3][.):]) {0,3}[\"']?"
_ITEM_END = r"[\"'.]{0,2} {0,4}"
_LIST = re.compile(
    rf"(?:\A|(?<=\n)){_ITEM}(?:yes{_ITEM_END}[\n,;]?{_ITEM}no"
    rf"|no{_ITEM_END}[\n,;]?{_ITEM}yes){_ITEM_END}(?=\n|\Z)"
)


@lru_cache(maxsize=4096)
def _mark(code: int) -> str:
    char = chr(code)
    if char in _ARROWS:
        return ":"
    return " " if unicodedata.category(char) == "So" else char


class _Marks:
    """`_mark` in the form that `str.translate` asks for."""

    def __getitem__(self, code: int) -> str:
        return _mark(code)


_MARKS = _Marks()


def without_crossed_out(text: str) -> str:
    """The text, as long as before, without what it crosses out (`~~Yes~~ No`)."""
    if len(text) > HEAD + TAIL:
        return text  # too long to be examined whole
    return _CROSSED_OUT.sub(lambda found: " " * len(found[0]), text)


def without_marks(low: str) -> str:
    """The text, as long as before, with blanks for tags, LaTeX and pictures.

    An arrow becomes a colon, and a mark between turns of a chat begins a line.
    """
    plain = low if low.isascii() else low.translate(_MARKS)
    plain = _TURN.sub(lambda found: "\n".rjust(len(found[0])), plain)
    plain = _NEW_LINE.sub(lambda found: "\n".rjust(len(found[0])), plain)
    for pattern in (_TAG, _LATEX):
        plain = pattern.sub(lambda found: " " * len(found[0]), plain)
    return _ARROW.sub(lambda found: ":".rjust(len(found[0])), plain)


def without_offer(low: str) -> str:
    """The text, as long as before, without what only offers both answers.

    That is the prompt's line that names them, or what was repeated of it, a list of both, and what
    a JSON field lists or rejects.
    """
    for pattern in (_OFFER, _LIST, _LISTED):
        low = pattern.sub(lambda found: " " * len(found[0]), low)
    return low
