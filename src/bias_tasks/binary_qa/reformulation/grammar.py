"""Rewords a yes/no question whose shape is known (Khrapunova 2025, section 2.2)."""

from __future__ import annotations

from itertools import pairwise

from bias_tasks.binary_qa.items import REFORMULATIONS, Reformulation, Reformulations
from bias_tasks.binary_qa.reformulation.clause import Clause, clause
from bias_tasks.binary_qa.reformulation.lexicon import DO, is_adverb, is_plural, past, third_person
from bias_tasks.binary_qa.reformulation.negation import contradictory
from bias_tasks.binary_qa.reformulation.noun_phrase import NounPhrase
from bias_tasks.binary_qa.reformulation.synonyms import synonym

_ONLY_ASKED = frozenset({"anyone", "anybody", "anything", "anywhere", "yet", "either"})
"""Words that a question may have, and the statement that it asks about may not."""
_FRAMED = frozenset({"true", "false", "untrue", "correct", "incorrect"})


def reformulate(question: str, kind: Reformulation) -> str | None:
    """`question` reworded, or None where its shape is not known for certain.

    - synonym: words of a reviewed list are replaced ("located in" by "situated in").
    - polite: "Would you say Paris is the capital of France?"
    - contradictory: "Does the sun not rise in the east?"; its right answer is the opposite.
    - false: "Is it false that the moon is a star?"; likewise.

    A missing capital letter or question mark of the question is added.

    Raises:
        ValueError: `kind` is not one of them.
    """
    if kind not in REFORMULATIONS:
        raise ValueError(f"kind must be one of {', '.join(REFORMULATIONS)}, not {kind!r}")
    parts = clause(question)
    if parts is None:
        return None
    made = _made(parts, kind)
    return None if made is None else f"{made}?{parts.asked.tail}"


def reformulate_all(question: str) -> Reformulations:
    """All four rewordings of `question`; None where the grammar has none."""
    return Reformulations(**{kind: reformulate(question, kind) for kind in REFORMULATIONS})


def _made(parts: Clause, kind: Reformulation) -> str | None:
    """The rewording without its question mark."""
    if kind == "synonym":
        return synonym(parts)
    if kind == "contradictory":
        return contradictory(parts)
    asserted = statement(parts)
    if asserted is None or _already_framed(parts, kind):
        return None
    return f"Would you say {asserted}" if kind == "polite" else f"Is it false that {asserted}"


def _already_framed(parts: Clause, kind: Reformulation) -> bool:
    """Whether the question has the frame itself ("Is it true that", "Would you say")."""
    words = [token.low for token in parts.asked.tokens[:4]]
    if kind == "false":
        return words[:2] == ["is", "it"] and words[2] in _FRAMED
    return (
        words[1] == "you"
        and words[0] in ("would", "could", "can", "do")
        and words[2] in ("say", "think", "tell", "agree")
    )


def statement(clause: Clause) -> str | None:
    """The statement that `clause` asks about, or None where a verb's form is not known."""
    subject = clause.subject_text
    if any(token.low in _ONLY_ASKED for token in clause.rest):
        return None
    if clause.aux not in DO:
        return _without_any(clause, f"{subject} {clause.aux} ", 0)
    verb = next((token for token in clause.rest if not is_adverb(token.low)), None)
    if verb is None or any(token.low in ("ever", "even") for token in clause.rest[:3]):
        return None
    form = _inflected(clause.aux, verb.low, clause.phrase)
    if form is None:
        return None
    before = clause.asked.text[clause.rest[0].start : verb.start]
    return _without_any(clause, f"{subject} {before}{form}", clause.rest.index(verb) + 1)


def _without_any(clause: Clause, opening: str, first: int) -> str | None:
    """The statement `opening` and the rest of the clause from its token `first` on.

    "Are there any lakes" states "there are lakes"; of one thing "any" states nothing.
    """
    text, behind = clause.asked.text, clause.rest[first:]
    start = clause.rest[first - 1].end if first else (behind[0].start if behind else len(text))
    for token, following in pairwise(behind):
        if token.low == "any":
            if not is_plural(following.low):
                return None
            opening += text[start : token.start]
            start = following.start
    if behind and behind[-1].low == "any":
        return None
    return (opening + text[start:]).rstrip()


def _inflected(aux: str, verb: str, phrase: NounPhrase) -> str | None:
    if aux == "did":
        return past(verb)
    return verb if aux == "do" else third_person(verb)
