"""Whether words make a complete noun phrase, for certain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from bias_tasks.binary_qa.reformulation.lexicon import is_noun, is_participle, is_plural, word_list
from bias_tasks.binary_qa.reformulation.tokens import Token

Kind = Literal["pronoun", "there", "name", "definite", "indefinite", "quantified", "bare"]
Number = Literal["singular", "plural"]


_BOUNDS = frozenset(
    {("more", "than"), ("fewer", "than"), ("less", "than"), ("at", "least"), ("at", "most")}
)


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """What the grammar needs to know of a noun phrase."""

    kind: Kind
    number: Number | None
    """None where the words don't tell (names, "sheep")."""
    joined: int = 1
    """How many phrases "and" joins."""
    both: bool = False
    """Whether "both" stands before them."""


def noun_phrase(tokens: Sequence[Token], *, trusting: bool = False) -> NounPhrase | None:
    """The noun phrase that `tokens` make, or None if they make none or it isn't certain.

    `trusting` takes an unknown last word for a noun: what follows leaves no other reading.
    """
    if len(tokens) == 1 and (alone := _pronoun(tokens[0])) is not None:
        return alone
    tokens = tokens[bound_words(tokens) :]
    both = bool(tokens) and tokens[0].low == "both"
    parts = _split(tokens[both:])
    kinds = [_part(part, trusting) for part in parts]
    if not kinds or any(kind is None for kind in kinds) or (both and len(parts) == 1):
        return None
    first = kinds[0]
    if first is None or len(parts) == 1:
        return first
    return NounPhrase(first.kind, "plural", len(parts), both)


def bound_words(tokens: Sequence[Token]) -> int:
    """How many words make the number that follows a bound: 2 of "more than 12 people"."""
    words = [token.low for token in tokens[:3]]
    count = 1 if words[:1] in (["over"], ["under"]) else 0
    if tuple(words[:2]) in _BOUNDS:
        count = 2
    return count if count and len(tokens) > count and tokens[count].number else 0


def certain_chunk(tokens: Sequence[Token]) -> bool:
    """Whether words without prepositions and "and" make a noun phrase with a certain head."""
    return _chunk(tokens, False) is not None


def _pronoun(token: Token) -> NounPhrase | None:
    if token.low == "there":
        return NounPhrase("there", None)
    if token.low in word_list("pronouns_plural") or token.text == "I":
        return NounPhrase("pronoun", "plural")
    if token.low in word_list("quantifiers") and token.low in word_list("pronouns_singular"):
        return NounPhrase("quantified", "singular")
    return (
        NounPhrase("pronoun", "singular") if token.low in word_list("pronouns_singular") else None
    )


def _split(tokens: Sequence[Token]) -> list[list[Token]]:
    """The parts that "and" joins."""
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.low == "and" and all(word.low != "between" for word in parts[-1]):
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _part(tokens: Sequence[Token], trusting: bool) -> NounPhrase | None:
    """A noun phrase with its prepositional phrases; its first chunk tells what it is."""
    chunks: list[list[Token]] = [[]]
    for token in tokens:
        joint = token.low in word_list("prepositions") or token.low == "and"
        if joint and not token.name:
            chunks.append([])
        else:
            chunks[-1].append(token)
    first = _chunk(chunks[0], trusting)
    certain = all(_chunk(chunk, trusting) is not None for chunk in chunks[1:])
    if first is not None and first.kind == "name" and chunks[0][0].number and len(chunks) > 1:
        first = NounPhrase("quantified", None)  # "one of the doors"
    return first if certain else None


def _chunk(tokens: Sequence[Token], trusting: bool) -> NounPhrase | None:
    """Determiner, modifiers and a head that is certain."""
    if not tokens:
        return None
    kind, words = _kind(tokens)
    if len(tokens) == 1 and kind == "quantified" and tokens[0].low in word_list("quantifiers"):
        return NounPhrase(kind, None)
    if not words or any(_foreign(word) for word in words[:-1]):
        return None
    number = _head_number(words, trusting)
    return None if number == "none" else NounPhrase(kind, number)


def _kind(tokens: Sequence[Token]) -> tuple[Kind, Sequence[Token]]:
    """What opens the phrase, and the words behind its determiners and possessors."""
    first, start = tokens[0], 0
    kind: Kind = "name" if first.name or first.quoted else "bare"
    if first.number and len(tokens) == 1:
        kind = "name"
    elif first.low in word_list("quantifiers") or first.number:
        kind, start = "quantified", int(not first.number)
    elif first.low in ("a", "an", "another"):
        kind, start = "indefinite", 1
    elif first.low in word_list("determiners"):
        kind, start = "definite", 1
    owners = [index for index, token in enumerate(tokens[:-1]) if token.possessive]
    if owners:
        kind, start = "definite", owners[-1] + 1
    elif kind == "definite" and start < len(tokens) and tokens[start].name:
        kind = "name"
    return kind, tokens[start:]


def _foreign(word: Token) -> bool:
    """Whether a word cannot stand before the head of a noun phrase."""
    if word.name or word.quoted or word.number:
        return False
    outside = (
        word_list("adverbs")
        | word_list("determiners")
        | word_list("only_verbs")
        | word_list("pronouns_plural")
    )
    return word.low in word_list("never_in_noun_phrase") or word.low in outside - word_list("nouns")


def _head_number(words: Sequence[Token], trusting: bool) -> Number | Literal["none"] | None:
    """The number of the last word as a head; "none" where it isn't a head for certain."""
    head, before = words[-1], words[:-1]
    if head.quoted or head.name or head.number:
        return None
    if _foreign(head) or head.possessive or head.text in word_list("nationalities"):
        return "none"
    if head.low in word_list("one_form_nouns"):
        return None
    if is_plural(head.low):
        return "plural"
    if is_noun(head.low):
        return "singular"
    unknown = head.low not in word_list("adjectives") and not is_participle(head.low)
    trusted = trusting and not head.low.endswith(("ing", "ly"))
    return None if unknown and (trusted or all(_modifier(word) for word in before)) else "none"


def _modifier(word: Token) -> bool:
    """Whether a word surely is no head, so that the head is still to come."""
    return (
        word.number
        or word.text in word_list("nationalities")
        or (word.low in word_list("adjectives") and word.low not in word_list("nouns"))
    )
