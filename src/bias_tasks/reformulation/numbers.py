"""Turns "How many ..." questions into yes/no questions (Khrapunova 2025, section 2.1)."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Literal

from bias_tasks.items.binary_qa import BinaryLabel
from bias_tasks.reformulation.checks import refused_form, refused_losses
from bias_tasks.reformulation.clause import BE, DO, HAVE, Clause, clause
from bias_tasks.reformulation.lexicon import (
    base_of_past,
    is_adverb,
    is_participle,
    is_plural,
    lexicon,
)
from bias_tasks.reformulation.noun_phrase import certain_chunk, noun_phrase
from bias_tasks.reformulation.tokens import MAX_LENGTH, Token, asked, normalise, tokens_of

NumberStyle = Literal["threshold", "exact"]

_NUMBER = re.compile(r"(?<![\w.,])\d{1,15}(?:,\d{3}){0,4}(?:\.\d{1,9})?(?![\w]|[.,]\d)")
_ABOVE = re.compile(r"\b(?:over|more than|above|exceed(?:s|ed|ing)?|greater than|longer than)\s*$")
_AT_LEAST = re.compile(r"\b(?:at least|no fewer than|no less than|a minimum of)\s*$")
_BELOW = re.compile(r"\b(?:under|fewer than|less than|below|shorter than)\s*$")
_AT_MOST = re.compile(r"\b(?:at most|no more than|up to|a maximum of)\s*$")
_COMPARED: tuple[tuple[re.Pattern[str], Callable[[float, float], bool]], ...] = (
    (_AT_LEAST, lambda value, bound: value >= bound),
    (_AT_MOST, lambda value, bound: value <= bound),
    (_ABOVE, lambda value, bound: value > bound),
    (_BELOW, lambda value, bound: value < bound),
)
_UNITS = frozenset({"yards", "feet", "meters", "metres", "miles", "points", "pounds", "years"})


def number_question(
    question: str, value: int | float, style: NumberStyle, answer: BinaryLabel, seed: int
) -> str | None:
    """A "How many ...?" question turned yes/no, so that `answer` is right.

    exact: "Were there 2 TD runs in the game?"; another number near by for No. threshold: "Did his
    career span over 14 years?"; the bound is below the value for Yes, above it for No, never equal.

    Args:
        question: asks for a number; a missing question mark is added.
        value: the right number, not negative and finite.
        style: "threshold" or "exact".
        answer: what the right answer shall be.
        seed: draws the number asked about; the same seed gives the same question.

    Returns:
        None where the shape isn't known, or no such number exists (a positive bound below 1).

    Raises:
        ValueError: `value` is negative or not finite.
    """
    if not math.isfinite(value) or value < 0:
        raise ValueError(f"value must be a number from 0 on, not {value!r}")
    number = _drawn(value, style, answer, Random(f"{seed}/{normalise(question[:MAX_LENGTH])}"))
    parts = asked(question)
    if number is None or parts is None or [t.low for t in parts.tokens[:2]] != ["how", "many"]:
        return None
    body = parts.tokens[2:]
    if any(token.comma or token.low in ("or", "not", "and/or") for token in body):
        return None
    amount = f"over {number}" if style == "threshold" else number
    made = _there(body, amount) or _passive(body, amount) or _measured(body, amount)
    made = made or _done(body, amount) or _did(body, amount)
    return None if made is None else f"{made}?"


def check_number_question(
    question: str, value: int | float, style: NumberStyle, answer: BinaryLabel, text: str
) -> str | None:
    """Why `text` is refused as a yes/no form of `question` to which `answer` is right, or None.

    It must be one yes/no question, keep the original's names, numbers and quotations, and ask about
    exactly one new number: the value itself for an exact Yes, another one for an exact No, and a
    bound ("over 14", "at least 3") on the side of the value that `answer` asks for.
    """
    refused = refused_form(question, text)
    refused = refused or refused_losses(tokens_of(normalise(question[:MAX_LENGTH])), text)
    if refused is not None:
        return refused
    old = [found.group() for found in _NUMBER.finditer(question[:MAX_LENGTH])]
    new = [found for found in _NUMBER.finditer(text) if found.group() not in old]
    if len(new) != 1:
        return f"it asks about {len(new)} new numbers, not one (in digits)"
    number = float(new[0].group().replace(",", ""))
    before = text[max(0, new[0].start() - 30) : new[0].start()].lower()
    holds = next((holds for words, holds in _COMPARED if words.search(before)), None)
    if style == "exact":
        if holds is not None:
            return "it asks about a bound, not an exact number"
        return None if (number == value) == (answer == "Yes") else _wrong(answer)
    if holds is None:
        return "it names no bound (over, under, at least, at most)"
    if number == value:
        return "its bound is the value itself"
    return None if holds(value, number) == (answer == "Yes") else _wrong(answer)


def _wrong(answer: str) -> str:
    return f"its number doesn't make {answer} the right answer"


def _drawn(value: int | float, style: str, answer: str, rng: Random) -> str | None:
    """The number to ask about, written like the value; None where there is none."""
    text = f"{value}"
    decimals = len(text.partition(".")[2]) if isinstance(value, float) else 0
    if "e" in text or (isinstance(value, float) and value.is_integer()):
        text, decimals = f"{value:.0f}", 0
    if style == "exact" and answer == "Yes":
        return text
    unit = 10.0**-decimals
    steps = round(value / unit)
    far = max(2, round(steps * 0.3))
    distance = rng.randint(max(1, round(steps * 0.05)), far)
    below = answer == "Yes" if style == "threshold" else rng.random() < 0.5
    drawn = steps - distance if below else steps + distance
    if drawn < 1:
        drawn = 1 if style == "threshold" else steps + distance
    if style == "threshold" and below and drawn >= steps:
        return None
    return f"{drawn * unit:.{decimals}f}"


def _text(tokens: Sequence[Token]) -> str:
    return " ".join(token.text for token in tokens)


def _things(tokens: Sequence[Token], amount: str) -> str | None:
    """The amount with what is counted; None for "1" where the singular isn't certain."""
    if not tokens or not _counted(tokens):
        return None
    if amount.split()[-1] != "1":
        return f"{amount} {_text(tokens)}"
    place = _head(tokens)
    noun = tokens[place].text
    if not noun.endswith("s") or noun.endswith(("ss", "ies", "ches", "shes", "xes", "ves", "sses")):
        return None
    return " ".join(
        [
            amount,
            *(t.text for t in tokens[:place]),
            noun[:-1],
            *(t.text for t in tokens[place + 1 :]),
        ]
    )


def _head(tokens: Sequence[Token]) -> int:
    """The last word before a preposition."""
    prepositions = lexicon().prepositions
    ends = [index for index, token in enumerate(tokens) if token.low in prepositions]
    return (ends[0] if ends else len(tokens)) - 1


def _counted(tokens: Sequence[Token]) -> bool:
    """Whether words are a plural noun phrase, as "how many" wants it."""
    phrase = noun_phrase(tokens)
    head = tokens[_head(tokens)].low
    plural = is_plural(head) or head in {"percent", "yards", "passes"} | lexicon().one_form_nouns
    return phrase is not None and phrase.joined == 1 and plural


def _opening(aux: str, amount: str) -> str:
    """The auxiliary in the number that the amount asks for."""
    one = amount.split()[-1] == "1"
    singular = {"were": "was", "are": "is", "have": "has", "do": "does"}
    return (singular.get(aux, aux) if one else aux).capitalize()


def _there(body: Sequence[Token], amount: str) -> str | None:
    """ "How many X were there in Y?" gives "Were there 2 X in Y?"."""
    for place in range(1, len(body) - 1):
        if body[place].low in BE and body[place + 1].low == "there":
            things = _things(body[:place], amount)
            rest = _text(body[place + 2 :])
            if things is None:
                return None
            return f"{_opening(body[place].low, amount)} there {things} {rest}".rstrip()
    return None


def _passive(body: Sequence[Token], amount: str) -> str | None:
    """ "How many people were killed?" gives "Were 12 people killed?"; "have won" likewise."""
    for place in range(1, len(body) - 1):
        aux, behind = body[place].low, body[place + 1]
        if aux not in BE | HAVE:
            continue
        things = _things(body[:place], amount)
        if things is None or behind.name or not is_participle(behind.low):
            return None
        return f"{_opening(aux, amount)} {things} {_text(body[place + 1 :])}"
    return None


def _measured(body: Sequence[Token], amount: str) -> str | None:
    """ "How many yards was X?" gives "Was X 40 yards?"; "How many yards longer was X than Y?" too."""
    aux = next((index for index, token in enumerate(body) if token.low in BE), None)
    if aux is None or body[0].low not in _UNITS or aux > 2:
        return None
    behind = body[aux + 1 :]
    than = next((index for index, token in enumerate(behind) if token.low == "than"), None)
    longer = aux == 2 and body[1].low in lexicon().adjectives and body[1].low.endswith("er")
    if (than is None) != (aux == 1) or (than is not None and not longer):
        return None
    subject = behind[:than]
    things = _things(body[:1], amount)
    if things is None or noun_phrase(subject) is None or not _definite(subject):
        return None
    rest = "" if than is None else f" {body[1].text} {_text(behind[than:])}"
    return f"{body[aux].text.capitalize()} {_text(subject)} {things}{rest}"


def _definite(subject: Sequence[Token]) -> bool:
    phrase = noun_phrase(subject)
    return phrase is not None and phrase.kind in ("definite", "name")


def _done(body: Sequence[Token], amount: str) -> str | None:
    """ "How many people died in Y?" gives "Did 12 people die in Y?"."""
    if any(token.low in BE | DO | HAVE or token.low in lexicon().modals for token in body):
        return None
    bases = base_of_past()
    places = [index for index, token in enumerate(body) if index and token.low in bases]
    if len(places) != 1:
        return None
    things = _things(body[: places[0]], amount)
    verb = bases[body[places[0]].low]
    return None if things is None else _joined("Did", things, verb, _text(body[places[0] + 1 :]))


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)


def _did(body: Sequence[Token], amount: str) -> str | None:
    """ "How many X did S score in Y?" gives "Did S score 2 X in Y?"."""
    place = next((index for index, token in enumerate(body) if token.low in DO), None)
    if not place:
        return None
    statement = clause(f"{_text(body[place:])}?")
    verb = None if statement is None else _verb_alone(statement)
    if statement is None or verb is None:
        return None
    counted, later = _distance(body[:place])
    things = _things(counted, amount)
    rest = statement.rest[verb + 1 :]
    if things is None or (later and rest):
        return None
    objects = later or _room(rest)
    if objects is None:
        return None
    opening = f"{statement.aux.capitalize()} {statement.subject_text}"
    verbs = _text(statement.rest[: verb + 1])
    if later:
        return _joined(opening, verbs, things, _text(later))
    return _joined(opening, verbs, _text(rest[: len(objects)]), things, _text(rest[len(objects) :]))


def _distance(tokens: Sequence[Token]) -> tuple[Sequence[Token], Sequence[Token]]:
    """ "years after the war": what is counted, and from when."""
    place = next((i for i, token in enumerate(tokens) if token.low in ("after", "before")), None)
    return (tokens, ()) if place is None else (tokens[:place], tokens[place:])


def _verb_alone(statement: Clause) -> int | None:
    """The place of the verb in the rest, if it is a known one without an object of its own."""
    for index, token in enumerate(statement.rest):
        if not is_adverb(token.low):
            return index if token.low in lexicon().verbs else None
    return None


def _room(rest: Sequence[Token]) -> Sequence[Token] | None:
    """What stands between the verb and its object: nothing, or a preposition left alone.

    None where the verb has another object, so that there is no room for the amount.
    """
    prepositions = lexicon().prepositions | {"than", "to"}
    if not rest:
        return ()
    if rest[0].low not in prepositions:
        return None
    alone = len(rest) == 1 or rest[1].low in prepositions
    return rest[:1] if alone else () if certain_chunk(rest[1:2]) or len(rest) > 1 else None
