"""Puts a number into a "How many ...?" question, which makes it a yes/no question."""

from __future__ import annotations

from collections.abc import Sequence

from bias_tasks.binary_qa.reformulation.clause import Clause, clause
from bias_tasks.binary_qa.reformulation.lexicon import (
    BE,
    DO,
    HAVE,
    base_of_past,
    is_adverb,
    is_participle,
    is_plural,
    word_list,
)
from bias_tasks.binary_qa.reformulation.noun_phrase import noun_phrase
from bias_tasks.binary_qa.reformulation.tokens import Token, asked

_UNITS = frozenset({"yards", "feet", "meters", "metres", "miles", "points", "pounds", "years"})


def with_amount(question: str, amount: str) -> str | None:
    """`question` with `amount` ("2", "over 14") in place of "how many", asking yes or no.

    None where the shape isn't known: what is counted must be one plural noun phrase, and where the
    amount goes must be certain.
    """
    parts = asked(question)
    if parts is None or [token.low for token in parts.tokens[:2]] != ["how", "many"]:
        return None
    body = parts.tokens[2:]
    if any(token.comma or token.low in ("or", "not", "and/or") for token in body):
        return None
    for shape in (_there, _passive, _measured, _done, _did):
        made = shape(body, amount)
        if made is not None:
            return f"{made}?"
    return None


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
    return _joined(amount, _text(tokens[:place]), noun[:-1], _text(tokens[place + 1 :]))


def _head(tokens: Sequence[Token]) -> int:
    """The last word before a preposition."""
    prepositions = word_list("prepositions")
    ends = [index for index, token in enumerate(tokens) if token.low in prepositions]
    return (ends[0] if ends else len(tokens)) - 1


def _counted(tokens: Sequence[Token]) -> bool:
    """Whether words are a plural noun phrase, as "how many" wants it."""
    phrase = noun_phrase(tokens)
    head = tokens[_head(tokens)].low
    plural = is_plural(head) or head in {"percent", "yards", "passes"} | word_list("one_form_nouns")
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
    """ "How many yards was X?" gives "Was X 40 yards?"; "longer ... than Y" goes along.

    The subject must be one definite thing.
    """
    aux = next((index for index, token in enumerate(body) if token.low in BE), None)
    if aux is None or body[0].low not in _UNITS or aux > 2:
        return None
    behind = body[aux + 1 :]
    than = next((index for index, token in enumerate(behind) if token.low == "than"), None)
    longer = aux == 2 and body[1].low in word_list("adjectives") and body[1].low.endswith("er")
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
    if any(token.low in BE | DO | HAVE or token.low in word_list("modals") for token in body):
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
    if things is None or (later and rest) or statement.phrase.joined > 1:
        return None
    room = () if later else _room(rest)
    if room is None:
        return None
    opening = f"{statement.aux.capitalize()} {statement.subject_text}"
    verbs = _text((*statement.rest[: verb + 1], *room))
    return _joined(opening, verbs, things, _text(later or rest[len(room) :]))


def _distance(tokens: Sequence[Token]) -> tuple[Sequence[Token], Sequence[Token]]:
    """ "years after the war": what is counted, and from when."""
    place = next((i for i, token in enumerate(tokens) if token.low in ("after", "before")), None)
    return (tokens, ()) if place is None else (tokens[:place], tokens[place:])


def _verb_alone(statement: Clause) -> int | None:
    """The place of the verb in the rest, if it is a known one without an object of its own."""
    for index, token in enumerate(statement.rest):
        if not is_adverb(token.low):
            return index if token.low in word_list("verbs") else None
    return None


def _room(rest: Sequence[Token]) -> Sequence[Token] | None:
    """What stands between the verb and its object: nothing, or a preposition left alone.

    None where the verb has another object, so that there is no room for the amount.
    """
    prepositions = word_list("prepositions") | {"than", "to"}
    if not rest:
        return ()
    if rest[0].low not in prepositions:
        return None
    if len(rest) == 1 or rest[1].low in prepositions:
        return rest[:1]
    return None if rest[-1].low in prepositions else ()
