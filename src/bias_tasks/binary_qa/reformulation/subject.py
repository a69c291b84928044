"""Where the subject of a yes/no question ends.

Every place is tried: the words before it must be a complete noun phrase and the words behind it
must open a predicate. Where two places are possible, or none, the end is not known.
"""

from __future__ import annotations

from collections.abc import Sequence

from bias_tasks.binary_qa.reformulation.lexicon import (
    BE,
    HAVE,
    PLURAL,
    SINGULAR,
    is_adverb,
    is_gerund,
    is_noun,
    is_participle,
    is_plural,
    word_list,
)
from bias_tasks.binary_qa.reformulation.noun_phrase import bound_words, noun_phrase
from bias_tasks.binary_qa.reformulation.predicate import known_predicate
from bias_tasks.binary_qa.reformulation.tokens import Token


def subject_end(aux: str, body: Sequence[Token]) -> int | None:
    """Index of the first token of `body` behind the subject, or None where that isn't certain.

    `aux` is the auxiliary before it, in lower case; `body` are the tokens behind that.
    """
    return _floated(aux, body) or _end(aux, body)


def _floated(aux: str, body: Sequence[Token]) -> int | None:
    """Where a "both" behind two names that "and" joins ends the subject: "Are X and Y both Z?"."""
    places = [index for index, token in enumerate(body) if token.low == "both"]
    joints = [index for index, token in enumerate(body) if token.low == "and"]
    if len(places) != 1 or len(joints) != 1 or not 0 < joints[0] < places[0] - 1:
        return None
    place, second = places[0], body[joints[0] + 1 : places[0]]
    lower = [token for token in second[1:] if not token.name and not token.quoted]
    if second[0].name and lower and lower[0].low not in word_list("prepositions"):
        return None
    if place + 1 == len(body) or noun_phrase(second, trusting=True) is None:
        return None
    return place if aux in BE or _verb_at(aux, body, place) else None


def _end(aux: str, body: Sequence[Token]) -> int | None:
    if aux in BE:
        return _end_before_predicate(aux, body)
    places = [end for end in range(1, len(body)) if _verb_at(aux, body, end)]
    fits = [end for end in places if _agrees(aux, body[:end], trusting=True)]
    if not fits:
        return None
    first, certain = fits[0], _agrees(aux, body[: fits[0]])
    plain = body[first].low in word_list("only_verbs")
    sure = plain if first == places[0] and not certain else certain
    alone = plain or len(fits) == 1
    return first if sure and alone and not _bare_verb(body[first + 1 :]) else None


def _bare_verb(rest: Sequence[Token]) -> bool:
    """Whether a second verb stands behind the first with nothing that asks for it."""
    for index, token in enumerate(rest):
        if token.low in word_list("clause_openers"):
            return False
        before = rest[index - 1].low if index else ""
        asked_for = before in ("to", "and") or is_adverb(before)
        if token.low in word_list("only_verbs") and not asked_for and not token.name and index:
            return True
    return False


def _agrees(aux: str, tokens: Sequence[Token], *, trusting: bool = False) -> bool:
    phrase = noun_phrase(tokens, trusting=trusting)
    if phrase is None:
        return False
    names = all(token.name or token.low == "and" for token in tokens)
    if trusting and phrase.kind == "bare" and phrase.joined == 1:
        return True
    if aux in SINGULAR and phrase.number == "plural":
        return phrase.joined > 1 and names and not phrase.both
    return not (aux in PLURAL and phrase.number == "singular")


def _verb_at(aux: str, body: Sequence[Token], end: int) -> bool:
    """Whether a verb in the form that `aux` asks for stands at `end`, adverbs before it."""
    place = end
    while place + 1 < len(body) and is_adverb(body[place].low):
        place += 1
    token = body[place]
    if token.name or token.quoted:
        return False
    if aux in HAVE:
        return is_participle(token.low)
    if token.low in word_list("verbs") or (aux in word_list("modals") and token.low == "be"):
        return True
    personal = end == 1 and body[0].low in {"you", "he", "she", "it", "we", "they", "i"}
    return personal and token.low.isalpha() and not token.low.endswith("ly") and place == end


def _end_before_predicate(aux: str, body: Sequence[Token]) -> int | None:
    """Where the subject of "be" ends."""
    if body[0].low in {"there", "it", "he", "she", "they", "we", "you", "i"}:
        return 1 if len(body) > 1 else None
    places = [end for end in range(1, len(body)) if _agrees(aux, body[:end])]
    strong = [end for end in places if _opens_strongly(body, end)]
    strong = strong or _before_article(aux, body)
    weak = [end for end in places if end not in strong and _preposition(body[end])]
    amounts = [end for end in (*strong, *weak) if _amount_at(body, end)]
    if amounts:
        place, sure = min(amounts), True
    elif len(strong) == 1:
        place = strong[0]
        sure = not [end for end in weak if end < place] or _closes_phrase(body, place)
    elif not strong and weak and (len(weak) == 1 or _origin(body, weak)):
        place, sure = weak[-1], not any(_verbal(token) for token in body[weak[-1] :])
        sure = sure and not _noun_after_names(body[: weak[-1]])
    else:
        return _last_resort(body, places) if not strong else None
    return place if sure and known_predicate(body[place:]) else None


def _amount_at(body: Sequence[Token], end: int) -> bool:
    """Whether "over 20 years old" or "6 feet tall" begins, which no name can."""
    return body[end].text[0].isdigit() or bound_words(body[end:]) > 0


def _before_article(aux: str, body: Sequence[Token]) -> list[int]:
    """Places before "the", "a" or "an", where unknown words must be a noun phrase."""
    articles = [end for end in range(1, len(body)) if body[end].low in ("the", "a", "an")]
    spans = any(token.low.rstrip("s") in word_list("time_spans") for token in body)
    return [end for end in articles if not spans and _agrees(aux, body[:end], trusting=True)]


def _preposition(token: Token) -> bool:
    return token.low in word_list("prepositions") and token.low != "of" and not token.name


def _opens_strongly(body: Sequence[Token], end: int) -> bool:
    """Whether a word behind a complete noun phrase can only open a predicate."""
    token, before = body[end], body[end - 1]
    if token.quoted or (token.name and not token.possessive):
        return False
    if token.text in word_list("nationalities"):
        return not before.possessive and before.low not in word_list("determiners")
    if token.possessive:
        return not before.name and not before.quoted
    if token.number:
        return token.text[0].isdigit() and is_noun(before.low) and not before.name
    low = token.low
    if low in word_list("prepositions"):
        return [word.low for word in body[end : end + 3]] == ["of", "the", "same"]
    part = low == "part" and [word.low for word in body[end + 1 : end + 2]] == ["of"]
    opens = (
        part or low in word_list("determiners") or low in word_list("adjectives") or is_adverb(low)
    )
    return opens or is_participle(low) or is_gerund(low) or _plural_after_names(body, end)


def _plural_after_names(body: Sequence[Token], end: int) -> bool:
    """ "Are both X and Y magazines?": a plural noun that nothing but "of" follows."""
    before, behind = body[:end], body[end + 1 :]
    joined = any(token.low == "and" for token in before)
    named = joined and (before[-1].name or before[-1].quoted)
    return named and is_plural(body[end].low) and (not behind or behind[0].low == "of")


def _noun_after_names(subject: Sequence[Token]) -> bool:
    """ "Are Tokyo and Osaka cities in Japan?": the noun may be what they are said to be."""
    joints = [index for index, token in enumerate(subject) if token.low == "and"]
    if not joints or not subject[0].name:
        return False
    second = subject[joints[-1] + 1 :]
    return len(second) > 1 and second[0].name and not (second[-1].name or second[-1].quoted)


def _closes_phrase(body: Sequence[Token], place: int) -> bool:
    """Whether a prepositional phrase before `place` belongs to the subject.

    "Is the man in the car a thief?" does; "the man in the car driven by X" may not, nor do names
    ("Was Lincoln in Paris the day before?").
    """
    token = body[place]
    opened = body[0].low in word_list("determiners")
    spans = any(word.low.rstrip("s") in word_list("time_spans") for word in body[place:])
    return opened and not spans and not _verbal(token) and not is_adverb(token.low)


def _verbal(token: Token) -> bool:
    return not token.name and (is_participle(token.low) or is_gerund(token.low))


def _origin(body: Sequence[Token], weak: Sequence[int]) -> bool:
    """ "Are both X and TV on the Radio from New York?": the others are in names."""
    within = all(any(word.name for word in body[end + 1 : end + 3]) for end in weak[:-1])
    return body[0].low == "both" and within and body[weak[-1]].low == "from"


def _last_resort(body: Sequence[Token], places: Sequence[int]) -> int | None:
    """A name behind a definite noun, with nothing else that could be the predicate."""
    ends = [end for end in places if all(token.name or token.quoted for token in body[end:])]
    nouns = [end for end in ends if not body[end - 1].name and not body[end - 1].quoted]
    definite = body[0].low == "the"
    return nouns[0] if len(nouns) == 1 and definite and len(places) > 1 else None
