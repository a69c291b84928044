"""Synonym replacement, by the reviewed list `synonyms.yaml`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from bias_tasks.binary_qa.reformulation.clause import Clause
from bias_tasks.binary_qa.reformulation.lexicon import BE
from bias_tasks.binary_qa.reformulation.tokens import Token
from bias_tasks.data.files import read_yaml


@dataclass(frozen=True)
class Substitution:
    """Words that may take the place of others, and where."""

    old: tuple[str, ...]
    new: str
    aux: frozenset[str] = frozenset()
    next: str | None = None
    prev: frozenset[str] = frozenset()
    not_next: frozenset[str] = frozenset()
    not_prev: frozenset[str] = frozenset()

    def fits(self, tokens: Sequence[Token], place: int) -> bool:
        """Whether it may be made at a place of a question's tokens."""
        end = place + len(self.old)
        if tuple(token.text for token in tokens[place:end]) != self.old:
            return False
        before, behind = tokens[place - 1], tokens[end] if end < len(tokens) else None
        if self.aux and tokens[0].low not in self.aux:
            return False
        if (self.prev and before.low not in self.prev) or before.low in self.not_prev:
            return False
        if behind is not None and behind.low == self.new:
            return False
        if behind is not None and (behind.low in self.not_next or (before.name and behind.name)):
            return len(self.old) > 1 and behind.low not in self.not_next
        return self.next is None or self.next in _forms(behind)


def _forms(behind: Token | None) -> tuple[str, ...]:
    """What a following word is, in the terms of the list."""
    if behind is None:
        return ("end",)
    if behind.number and behind.text[0].isdigit():
        year = re.fullmatch(r"1\d{3}|20\d{2}", behind.text) is not None
        return ("number", "year") if year else ("number",)
    return ("name",) if behind.name or behind.quoted else ("lower",)


@cache
def substitutions() -> tuple[Substitution, ...]:
    """The list, read once."""
    return tuple(
        Substitution(
            old=tuple(row["from"].split()),
            new=row["to"],
            next=row.get("next"),
            **{
                name: frozenset(row[name])
                for name in ("aux", "prev", "not_next", "not_prev")
                if name in row
            },
        )
        for row in read_yaml(__package__, "synonyms")
    )


def synonym(clause: Clause) -> str | None:
    """The question with synonyms, or None where no substitution is exact.

    The first substitution of the list that fits is made wherever it fits. Without one, "come from"
    replaces "be from", and "both" moves: these say the same, too.
    """
    tokens, text = clause.asked.tokens, clause.asked.text
    for substitution in substitutions():
        places = [at for at in range(1, len(tokens)) if substitution.fits(tokens, at)]
        if places:
            return _replaced(text, tokens, substitution, places)
    return _expression(clause) or _origin(clause) or _both(clause)


def _replaced(text: str, tokens: Sequence[Token], made: Substitution, places: Sequence[int]) -> str:
    pieces, done = [], 0
    for place in places:
        start, end = tokens[place].start, tokens[place + len(made.old) - 1].end
        before = tokens[place - 1]
        if before.low in ("a", "an"):
            article = "an" if made.new[0] in "aeiou" else "a"
            pieces += [text[done : before.start], article, " "]
        else:
            pieces.append(text[done:start])
        pieces.append(made.new)
        done = end
    return "".join(pieces) + text[done:]


def _expression(clause: Clause) -> str | None:
    """ "Is the expression "..." true?" asks whether it evaluates to true."""
    subject, rest = clause.subject, clause.rest
    words = [token.low for token in subject[:-1]]
    if clause.aux != "is" or not subject[-1].quoted or words[-1:] != ["expression"]:
        return None
    if len(rest) != 1 or rest[0].low not in ("true", "false"):
        return None
    return f"Does {clause.subject_text} evaluate to {rest[0].text}"


def _origin(clause: Clause) -> str | None:
    """ "Are X and Y from New York?" asks whether they come from there."""
    rest = clause.rest
    if clause.aux not in ("is", "are") or len(rest) < 2 or rest[0].low != "from":
        return None
    if not rest[1].name and [token.low for token in rest[1:3]] != ["the", "same"]:
        return None
    aux = "Does" if clause.aux == "is" else "Do"
    return f"{aux} {clause.subject_text} come {clause.rest_text}"


def _both(clause: Clause) -> str | None:
    """ "Are both X and Y Z?" is "Are X and Y both Z?", and the other way round."""
    aux, subject = clause.asked.tokens[0].text, clause.subject_text
    if clause.aux not in BE or clause.phrase.joined != 2:
        return None
    if clause.phrase.both:
        return f"{aux} {subject.removeprefix('both ')} both {clause.rest_text}"
    names = all(token.name or token.quoted or token.low == "and" for token in clause.subject)
    if clause.rest[0].low != "both" or not names or any(token.comma for token in clause.subject):
        return None
    return f"{aux} both {subject} {clause.rest_text.removeprefix('both ')}"
