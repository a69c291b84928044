"""Whether the words behind a subject make a predicate of "be", for certain."""

from __future__ import annotations

from collections.abc import Sequence

from bias_tasks.binary_qa.reformulation.lexicon import (
    is_adverb,
    is_gerund,
    is_participle,
    word_list,
)
from bias_tasks.binary_qa.reformulation.noun_phrase import certain_chunk
from bias_tasks.binary_qa.reformulation.tokens import Token

_LINKING = frozenset({"considered", "called", "named", "deemed", "elected", "declared", "given"})
"""Participles that a noun or an adjective may follow: "considered a fruit"."""
_LINKS = frozenset({"than", "as", "and", "by"})


def known_predicate(tokens: Sequence[Token]) -> bool:
    """Whether adjectives, participles, noun and prepositional phrases account for all words.

    What follows "to" and a verb, or opens a subordinate clause, is not looked at.
    """
    place, after_noun = 0, False
    while place < len(tokens):
        low = tokens[place].low
        if low in word_list("relatives") or (low == "to" and _verb(tokens[place + 1 : place + 2])):
            return place > 0
        if _connects(tokens[place]):
            if _stranded(low, tokens[place + 1 : place + 2]):
                return False
            place, after_noun = place + 1, False
            continue
        end = _chunk_end(tokens, place)
        if after_noun or not _complement(tokens[place:end]):
            return False
        place, after_noun = end, True
    return True


def _stranded(first: str, following: Sequence[Token]) -> bool:
    """A preposition before another one, or a participle before an object of its own."""
    if not following:
        return False
    prepositions, second = word_list("prepositions"), following[0]
    if second.low in prepositions and not second.name:
        return first in prepositions and second.low not in ("to", "of")
    return is_participle(first) and first not in _LINKING and not _connects(second)


def _verb(following: Sequence[Token]) -> bool:
    return bool(following) and following[0].low in word_list("verbs") | {"be", "do"}


def _connects(token: Token) -> bool:
    """Whether a word may stand between phrases: prepositions, adverbs, participles, "than"."""
    low = token.low
    if token.name or token.quoted:
        return False
    linking = low in word_list("prepositions") or low in _LINKS
    return linking or is_adverb(low) or is_participle(low) or is_gerund(low)


def _chunk_end(tokens: Sequence[Token], start: int) -> int:
    end = start + 1
    while end < len(tokens):
        token = tokens[end]
        if (
            _connects(token)
            or token.low in word_list("relatives")
            or token.low in word_list("determiners")
        ):
            break
        if tokens[end - 1].comma:
            break
        end += 1
    return end


def _complement(chunk: Sequence[Token]) -> bool:
    """A noun phrase, adjectives, or an amount with an adjective ("10 yards longer")."""
    adjectives = word_list("adjectives")
    if certain_chunk(chunk):
        return True
    plain = [token.low in adjectives or token.text in word_list("nationalities") for token in chunk]
    headless = chunk[0].low == "the" and len(chunk) > 1 and all(plain[1:])  # "the tallest"
    return headless or all(plain) or _extent(chunk, plain[-1])


def _extent(chunk: Sequence[Token], adjective: bool) -> bool:
    """A number, a unit and an adjective."""
    return adjective and len(chunk) > 2 and chunk[0].number and certain_chunk(chunk[:-1])
