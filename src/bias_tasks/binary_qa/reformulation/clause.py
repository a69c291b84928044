"""A yes/no question taken apart: auxiliary, subject, rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bias_tasks.binary_qa.reformulation.lexicon import FINITE, is_auxiliary, word_list
from bias_tasks.binary_qa.reformulation.noun_phrase import NounPhrase, noun_phrase
from bias_tasks.binary_qa.reformulation.subject import subject_end
from bias_tasks.binary_qa.reformulation.tokens import Asked, Token, asked


@dataclass(frozen=True, slots=True)
class Clause:
    """A question whose parts are known for certain."""

    asked: Asked
    subject_end: int
    """Index of the first token behind the subject."""
    phrase: NounPhrase

    @property
    def aux(self) -> str:
        return self.asked.tokens[0].low

    @property
    def subject(self) -> tuple[Token, ...]:
        return self.asked.tokens[1 : self.subject_end]

    @property
    def rest(self) -> tuple[Token, ...]:
        return self.asked.tokens[self.subject_end :]

    @property
    def subject_text(self) -> str:
        first, last = self.subject[0], self.subject[-1]
        return self.asked.text[first.start : last.end + last.comma]

    @property
    def rest_text(self) -> str:
        return self.asked.text[self.rest[0].start :] if self.rest else ""


def clause(question: str) -> Clause | None:
    """`question` taken apart, or None where that isn't certain.

    None as well for a question that is already negative, that offers a choice ("or"), that joins
    clauses, or that asks about "any" subject.
    """
    parts = asked(question)
    if parts is None or not is_auxiliary(parts.tokens[0].low):
        return None
    body = parts.tokens[1:]
    if any(_excluded(token) for token in body) or body[0].low.startswith("any"):
        return None
    end = subject_end(parts.tokens[0].low, body)
    if end is None or not _commas_known(body, end) or _second_clause(body[end:]):
        return None
    # Only "X from A, and Y, both" ends without being one noun phrase.
    phrase = noun_phrase(body[:end], trusting=True) or NounPhrase("name", "plural", 2)
    return Clause(parts, end + 1, phrase)


def _excluded(token: Token) -> bool:
    low = token.low
    return (
        low in word_list("negations")
        or low.endswith(("n't", "n’t"))
        or low in ("or", "and/or", "vs", "vs.")
    )


def _commas_known(body: Sequence[Token], end: int) -> bool:
    """Commas stand only around a joined name ("X, and Y, both") or within a place name."""
    for index, token in enumerate(body):
        if not token.comma:
            continue
        joined = index == end - 1 or body[index + 1].low == "and"
        floats = end < len(body) and body[end].low == "both" and index < end and joined
        place = token.name and index >= end and index + 2 == len(body) and body[-1].name
        if not floats and not place:
            return False
    return True


def _second_clause(rest: Sequence[Token]) -> bool:
    """Whether a finite verb stands behind the predicate's own, in no subordinate clause."""
    for index, token in enumerate(rest):
        if token.low in word_list("clause_openers"):
            return False
        if token.low in FINITE | word_list("modals") and not token.name and index:
            return True
    return False
