"""Reasons to refuse a rewording, whoever made it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from bias_tasks.binary_qa.items import NEGATIVE, REFORMULATIONS, Reformulation
from bias_tasks.binary_qa.reformulation.lexicon import is_auxiliary, word_list
from bias_tasks.binary_qa.reformulation.tokens import (
    MAX_LENGTH,
    Token,
    normalise,
    tokens_of,
    without_tail,
)

_LONGEST = 2 * MAX_LENGTH
_FRAME = re.compile(
    r"(?:would|could|can|do|might) you (?:say|agree|think|consider|confirm|tell|please|kindly)\b"
    r"|(?:could|can|may|might) i ask (?:if|whether)\b|(?:please )?tell me (?:if|whether)\b"
    r"|i (?:was wondering|wonder) (?:if|whether)\b"
)
# "In your opinion, is ...": a short preface, then the question.
_PREFACE = re.compile(r"(?!wh|how)[a-z'’ ]{1,60}, (?=[a-z])")
_CONTRACTED = re.compile(r"\s*\w{1,10}n['’]t\b", re.IGNORECASE)
_FALSE = re.compile(
    r"\b(?:false|untrue|not true|incorrect|not correct|not the case|a lie|wrong|inaccurate"
    r"|a falsehood|mistaken)\b"
)
_LEAKED = re.compile(r"\banswer\s*:|\b(?:yes|no)\s*[.!,:)]|[(\[/]\s*(?:yes|no)\b|\?\s*(?:yes|no)\b")
_NEGATIVE_WORD = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|nowhere|neither|nor|cannot|without|fails? to|lacks?"
    r"|unable|untrue|false|incorrect|wrong)\b|n['’]t\b"
)
_SMALL_WORDS = re.compile(
    r"\b(?:would|could|you|say|agree|think|tell|me|please|whether|if|that|is|are|was|were|do|does"
    r"|did|the|a|an|be)\b"
)
_WORD = re.compile(r"[^\W_]+")


def check(question: str, kind: Reformulation, text: str) -> str | None:
    """Why `text` is refused as a rewording of `question`, or None if nothing speaks against it.

    Mechanical only: length, one yes/no question, no leaked answer, negation changed where and only
    where `kind` turns the answer around, and the original's numbers, quotations and names kept. A
    contradictory rewording by an antonym ("shorter" for "longer") can't be told and is accepted.
    Time and memory are linear in `text` up to 1,200 characters, constant beyond.

    Raises:
        ValueError: `kind` is not one of `bias_tasks.binary_qa.items.REFORMULATIONS`.
    """
    if kind not in REFORMULATIONS:
        raise ValueError(f"kind must be one of {', '.join(REFORMULATIONS)}, not {kind!r}")
    question = question[:_LONGEST]
    return (
        refused_form(question, text)
        or _refused_negation(question, kind, text)
        or refused_losses(tokens_of(normalise(question)), text)
    )


def refused_form(question: str, text: str) -> str | None:
    """Why `text` isn't one new yes/no question without its answer, or None."""
    question = question[:_LONGEST]
    longest = min(_LONGEST, 2 * len(question) + 100)
    if len(text) > longest:
        return f"it is longer than {longest} characters"
    if not text.strip():
        return "it is empty"
    asked, tail = without_tail(text)
    if tail != without_tail(normalise(question))[1]:
        return "the quotation behind the question is not the original's"
    if _same(question, text):
        return "it is identical to the original"
    if _CONTRACTED.match(text):
        return "its contracted negation leaves open what a yes means"
    if not asked.endswith("?"):
        return "it does not end with a question mark"
    bare = _unquoted(asked)
    if _LEAKED.search(bare.lower()) or _LEAKED.search(asked.lower()[-12:]):
        return "it gives an answer away"
    if bare.count("?") > 1 or "\n" in asked.strip():
        return "it is more than one question"
    return None if _opens(bare) else "it is not a yes/no question"


def refused_losses(original: Iterable[Token], text: str) -> str | None:
    """Which number, quotation or name of the original is missing from `text`, or None."""
    have = Counter(_plain(token) for token in tokens_of(normalise(text[:_LONGEST])))
    want = Counter(_plain(token) for token in list(original)[1:] if _kept(token))
    missing = sorted(want - have)
    return f"it lost {missing[0]!r}" if missing else None


def _kept(token: Token) -> bool:
    nationality = token.text in word_list("nationalities")
    return token.number or token.quoted or token.name or nationality


def _plain(token: Token) -> str:
    """A word without possessive, closing punctuation and case."""
    low = token.low.rstrip(".,;:?!")
    return low.removesuffix("'s").removesuffix("’s").strip("\"'“”‘’")


def _same(question: str, text: str) -> bool:
    return _WORD.findall(question.lower()) == _WORD.findall(text.lower())


def _unquoted(text: str) -> str:
    """The text without its quotations."""
    words = (f"{token.text}{',' * token.comma}" for token in tokens_of(text) if not token.quoted)
    return " ".join(words)


def _opens(bare: str) -> bool:
    """Whether an auxiliary or a listed frame opens the text, perhaps behind a short preface."""
    low = bare.lower().lstrip()
    preface = _PREFACE.match(low)
    return _asks(low) or (preface is not None and _asks(low[preface.end() :]))


def _asks(low: str) -> bool:
    first = _WORD.match(low)
    return first is not None and (is_auxiliary(first.group()) or _FRAME.match(low) is not None)


def _refused_negation(question: str, kind: str, text: str) -> str | None:
    """Why the negations of `text` don't fit its kind, or None."""
    before, after = _unquoted(question).lower(), _unquoted(text).lower()
    turned = (negations(after) - negations(before)) % 2 == 1
    if kind == "false":
        if len(_FALSE.findall(after)) <= len(_FALSE.findall(before)):
            return "it does not say that something is false"
        return None if turned else "its negations cancel out"
    if kind not in NEGATIVE:
        return "it negates the original" if turned else None
    if negations(after) != negations(before) and not turned:
        return "its negations cancel out"
    if not turned and _content(before) == _content(after):
        return "it does not contradict the original"
    return None


def negations(low: str) -> int:
    """How many words of a text in small letters deny something; `no fewer than` does not."""
    return len(_NEGATIVE_WORD.findall(low.replace("no fewer than", "").replace("no more than", "")))


def _content(low: str) -> Counter[str]:
    """The words that carry meaning, in any order."""
    return Counter(_WORD.findall(_SMALL_WORDS.sub(" ", low)))
