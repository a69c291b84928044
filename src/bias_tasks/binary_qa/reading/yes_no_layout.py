"""The parts of an answer that are not what it says: marks of layout, the prompt, further questions.

Nothing is moved: every text keeps its length, so that places in it stay places in the answer.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from bias_tasks.reading.bounds import skip

_ARROWS = frozenset("→⇒⟶⟹➔➜➡⇨")
# Marks between the turns of chat templates: what follows is on a line of its own.
_TURN = re.compile(
    r"<\|[^<>|\n]{1,40}\|>|</?s>|\[/inst\]|<(?:start|end) of turn>|<(?:bos|eos)>|<</?sys>>"
)
# Tags of a page, and the ends of all; those that begin an answer stay, and say so.
_TAG = re.compile(
    r"</[a-z][^<>\n]{0,40}>"
    r"|<(?!(?:final )?(?:answer|verdict|response|decision|conclusion)\b)"
    r"[a-z][a-z0-9]{0,15}(?: [^<>\n]{0,100})?/?>"
)
_LATEX = re.compile(
    r"\\(?:text|math)[a-z]{0,6}(?= ?\{)|\\(?:left|right|quad|qquad|large|bf|underline|emph|mbox)(?![a-z])"
    r"|\\[,;:!()\[\]\\]|\$"
)
_ARROW = re.compile(r"[-=]{1,2}>")
# The prompt's line that names the answers, or what was repeated of it.
_OFFER = re.compile(
    r"(?:choose )?(?:one )?(?:of )?the following answers? ?:"
    r"(?:[ \"'(]{0,4}(?:yes|no)\b(?! ?[,;.]? ?(?:because|since|as)\b)(?: ?/ ?(?:(?:yes|no)\b)?)?)?"
    r"|\b(?:yes ?/ ?no|no ?/ ?yes)\b"
)
# Both answers as a list is what was offered, whoever printed it.
_ITEM = r"[ >]{0,8}(?:[-•]|\(?[a-c1-3][.):]) {0,3}[\"']?"
_ITEM_END = r"[\"'.]{0,2} {0,4}"
_LIST = re.compile(
    rf"(?:\A|(?<=\n)){_ITEM}(?:yes{_ITEM_END}\n{_ITEM}no|no{_ITEM_END}\n{_ITEM}yes){_ITEM_END}(?=\n|\Z)"
)
_LABEL = re.compile(
    r"(?:\A|\n)[ >-]{0,8}(?:\(?\d{1,3}[.):] {0,3})?(?:"
    r"(?:(?P<about>context|passage|topic|background|text|input|title|paragraph|article|document)"
    r"|(?P<asks>questions?|example|problem|exercise|human|user|instructions?|task|prompt|answer the (?:following )?question|q(?=\d|:|\.)))"
    r" ?\d{0,3} {0,4}(?:[:.)]|(?=\n))"
    r"|(?P<offers>(?:choose )?one of the following answers? ?:))"
    r"|(?P<turn>\[inst\])"
)
# A line of a dialogue or of a list that asks, and a line that asks above a line that answers.
_GOES_ON = re.compile(
    r"\n[ >-]{0,8}(?:[a-z][\w ]{0,20}: {0,2}|\(?\d{1,3}[.):] )[^\n]{3,300}\? {0,4}(?=\n)"
    r"|\n[^\n]{3,300}\? {0,4}\n {0,4}(?:answer|a) ?:"
)
_FINALLY = re.compile(r"\bfinal\b|\\boxed")
_QUESTION = re.compile(r"\s{0,20}(?P<text>[^?\n]{0,1000}\??)")
_ANSWER_LINE = re.compile(r"\n[ >-]{0,8}(?=(?:the |my |final )?(?:answer|verdict|conclusion)\b)")
_MOST_LABELS = 40


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


def without_marks(low: str) -> str:
    """The text, as long as before, with blanks for tags, LaTeX and pictures.

    An arrow becomes a colon, and a mark between turns of a chat begins a line.
    """
    plain = low if low.isascii() else low.translate(_MARKS)
    plain = _TURN.sub(lambda found: "\n".rjust(len(found[0])), plain)
    for pattern in (_TAG, _LATEX):
        plain = pattern.sub(lambda found: " " * len(found[0]), plain)
    return _ARROW.sub(lambda found: ":".rjust(len(found[0])), plain)


def without_offer(low: str) -> str:
    """The text, as long as before, without what only offers both answers.

    That is the prompt's line that names them, or what was repeated of it, and a list of both.
    """
    for pattern in (_OFFER, _LIST):
        low = pattern.sub(lambda found: " " * len(found[0]), low)
    return low


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a text in which the answer may stand, and whether another question follows it."""

    start: int
    end: int
    followed: bool


def parts(low: str) -> Iterator[Part]:
    """The parts in which to look for an answer, in order: the first that has one decides.

    They are what stands before any question that the text repeats or makes up, and then what
    stands behind the first of these questions. A model that repeats its question and goes on with
    others is not read there: those answers are to other questions.
    """
    labels = list(islice(_LABEL.finditer(low), _MOST_LABELS))
    ends = [*(label.start() for label in labels), len(low)]
    further = _GOES_ON.search(low, 0, ends[0])
    if further is not None and _FINALLY.search(low, further.start(), ends[0]) is None:
        yield Part(0, further.start(), True)
    yield Part(0, ends[0], bool(labels))
    asked: str | None = None
    for number, label in enumerate(labels):
        end = ends[number + 1]
        start = label.end()
        if label["about"]:
            if number + 1 < len(labels):
                continue
            told = _ANSWER_LINE.search(low, start, end)
            start = end if told is None else told.start()
        elif label["offers"]:
            asked = asked or ""
        else:
            question = _QUESTION.match(low, start, end)
            text = "" if question is None else question["text"].strip()
            if asked is not None and text != asked:
                return
            asked, start = text, start if question is None else question.end()
        yield Part(start, end, number + 1 < len(labels))
