"""Divides an answer at the questions that it repeats or makes up.

A base model goes on with questions of its own behind its answer, or begins with its prompt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

_LABEL = re.compile(
    r"(?:\A|\n)[ >-]{0,8}(?:\(?\d{1,3}[.):] {0,3})?(?:"
    r"(?:(?P<about>context|passage|topic|background|text|input|title|paragraph|article|document)"
    r"|(?P<asks>questions?|example|problem|exercise|human|user|instructions?|task|prompt"
    r"|answer the (?:following )?question|q(?=\d|:|\.)))"
    r" ?\d{0,3} {0,4}(?:[:.)]|(?=\n))"
    r"|(?P<offers>(?:choose )?one of the following answers? ?:))"
    r"|(?P<turn>\[inst\]|(?:(?<=[.!])|(?<=yes)|(?<=no)) {1,4}questions? ?\d{0,3} ?:)"
)
# A line of a dialogue or of a list that asks, and a line that asks above a line that answers.
_GOES_ON = re.compile(
    r"\n[ >-]{0,8}(?:[a-z][\w ]{0,20}: {0,2}|\(?\d{1,3}[.):] )[^\n]{3,300}\?"
    r" {0,4}(?:\([^()\n]{0,30}\))? {0,4}(?=\n)"
    r"|\n[^\n]{3,300}\? {0,4}\n {0,4}(?:answer|a) ?:"
)
_FINALLY = re.compile(r"\bfinal\b|\\boxed")
_QUESTION = re.compile(r"\s{0,20}(?P<text>[^?\n]{0,1000}\??)")
_ANSWER_LINE = re.compile(r"\n[ >-]{0,8}(?=(?:the |my |final )?(?:answer|verdict|conclusion)\b)")
_ASKS_ALWAYS = re.compile(r"question|human|user|\bq|inst")
_MOST_LABELS = 40


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a text in which the answer may stand."""

    start: int
    end: int
    followed: bool
    """Whether another question follows, so that the answer before it is whole."""


def parts(low: str, question: str | None = None) -> Iterator[Part]:
    """The parts in which to look for an answer, in order: the first that has one decides.

    They are what stands before any question that the text repeats or makes up, and what stands
    behind the question that was asked, if the text repeats it. Answers to other questions are left
    out. Where it is not known what was asked, it is the first question of the text, if that does
    not go on with others.

    Args:
        low: the text in lower case.
        question: what was asked, in the same spelling; None where that is not known.
    """
    labels = list(islice(_LABEL.finditer(low), _MOST_LABELS))
    ends = [*(label.start() for label in labels), len(low)]
    further = _GOES_ON.search(low, 0, ends[0])
    if further is not None and _FINALLY.search(low, further.start(), ends[0]) is None:
        yield Part(0, further.start(), True)
    yield Part(0, ends[0], bool(labels))
    asked = [_asked(low, label, end) for label, end in zip(labels, ends[1:], strict=True)]
    own = _own(labels, asked, question)
    for number, (label, end) in enumerate(zip(labels, ends[1:], strict=True)):
        last = number + 1 == len(labels)
        found = asked[number]
        if found is not None and found.text and not (own and own.startswith(found.text)):
            return
        start = label.end() if found is None else found.end
        if label["about"]:
            if not last:
                continue
            told = _ANSWER_LINE.search(low, start, end)
            start = end if told is None else told.start()
        yield Part(start, end, not last)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question of the text, in its words alone, and where it ends."""

    text: str
    end: int


def _asked(low: str, label: re.Match[str], end: int) -> _Asked | None:
    """What is asked behind a label; None where nothing is."""
    found = _QUESTION.match(low, label.end(), end)
    if not (label["asks"] or label["turn"]) or found is None:
        return None
    if _ASKS_ALWAYS.search(label[0]) is None and not found["text"].endswith("?"):
        return None
    return _Asked(_words(found["text"]), found.end())


def _own(
    labels: list[re.Match[str]], asked: list[_Asked | None], question: str | None
) -> str | None:
    """The question that was asked, as far as that is known; None where it is not."""
    if question is not None:
        return _words(question)
    texts = {found.text for found in asked if found is not None and found.text}
    offered = bool(labels) and labels[0]["offers"] is not None
    return texts.pop() if len(texts) == 1 and not offered else None


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text))
