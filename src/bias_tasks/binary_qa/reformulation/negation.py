"""The contradictory question: its right answer is the opposite in every world.

"not" goes behind the subject, as in the paper ("Does the sun not rise in the east?"). Where it
would not deny the whole question (quantifiers, "only", clauses with "because", "should"), there is
no contradictory question. "Can she not swim?" may ask whether she can stay out of the water: "can"
becomes "Is it not possible for her to swim?".
"""

from __future__ import annotations

from collections.abc import Sequence

from bias_tasks.binary_qa.reformulation.clause import Clause
from bias_tasks.binary_qa.reformulation.lexicon import BE, DO, is_noun, word_list
from bias_tasks.binary_qa.reformulation.noun_phrase import bound_words
from bias_tasks.binary_qa.reformulation.tokens import Token

_OBJECT_FORMS = {"I": "me", "he": "him", "she": "her", "they": "them", "we": "us"}
_NAMES_A_THIRD = frozenset({"as", "to", "from", "than", "with"})
_SCOPE_MODALS = frozenset({"should", "shall", "may", "might", "must", "could"})


def contradictory(clause: Clause) -> str | None:
    """The question that is answered the other way round, or None where "not" doesn't make it."""
    if clause.phrase.kind == "there":
        return _there(clause)
    if clause.aux in _SCOPE_MODALS or not clause.rest:
        return None
    if _subject_unsafe(clause):
        return _at_most(clause)
    leading = clause.rest[0].low
    if any(_outside(token.low) for token in clause.rest[1:]) or _joins(clause.rest):
        return None
    if clause.aux == "can":
        return _impossible(clause)
    aux, subject = clause.asked.tokens[0].text, clause.subject_text
    if leading == "ever":
        return f"{aux} {subject} never {_from(clause, 1)}"
    if leading in word_list("outside_negation") and len(clause.rest) > 1:
        return None
    if clause.phrase.joined == 1 or _collective(clause.rest):
        return None if clause.phrase.both else f"{aux} {subject} not {clause.rest_text}"
    return _joined(clause, f"{aux} {subject.removeprefix('both ')} not")


def _at_most(clause: Clause) -> str | None:
    """ "Did over 12 people die?" gives "Did at most 12 people die?"."""
    skipped = bound_words(clause.subject)
    if not skipped or clause.subject[0].low not in ("over", "more") or clause.aux == "can":
        return None
    if any(_outside(token.low) for token in clause.rest) or _joins(clause.rest):
        return None
    return f"{clause.asked.tokens[0].text} at most {_from_token(clause, clause.subject[skipped])}"


def _impossible(clause: Clause) -> str | None:
    """ "Is it not possible for X to ...": no other reading, unlike "can X not ..."."""
    if clause.phrase.joined > 1 or _outside(clause.rest[0].low) or clause.subject_text == "u":
        return None
    subject = _OBJECT_FORMS.get(clause.subject_text, clause.subject_text)
    return f"Is it not possible for {subject} to {clause.rest_text}"


def _collective(rest: Sequence[Token]) -> bool:
    """Whether something is said of two together, and not of each in relation to a third."""
    words = [token.low for token in rest]
    joint = any(word in word_list("collective") for word in words)
    reciprocal = "each other" in " ".join(words) or "in common" in " ".join(words)
    # "from the same country" names no third, "different from" does.
    thirds = [
        word
        for place, word in enumerate(words)
        if word in _NAMES_A_THIRD and words[place + 1 : place + 3] != ["the", "same"]
    ]
    return (joint or reciprocal) and not thirds


def _joined(clause: Clause, opening: str) -> str | None:
    """ "not both": what is said of two is false as soon as it is false of one."""
    if clause.phrase.joined != 2:
        return None
    if clause.rest[0].low == "both":
        return f"{opening} {clause.rest_text}"
    distributive = clause.phrase.both or (
        clause.aux in BE and clause.rest[0].low not in word_list("determiners")
    )
    return f"{opening} both {clause.rest_text}" if distributive else None


def _there(clause: Clause) -> str | None:
    """ "Is there an error" gives "Is there no error"; a number or an amount takes "not"."""
    if any(_outside(token.low) for token in clause.rest) or _joins(clause.rest):
        return None
    aux = clause.asked.tokens[0].text
    first = clause.rest[0]
    if clause.aux not in BE:
        return None
    if first.low in ("a", "an", "any"):
        return f"{aux} there no {_from(clause, 1)}" if len(clause.rest) > 1 else None
    if first.number or first.low in ("more", "over", "at", "fewer", "less", "exactly"):
        return f"{aux} there not {clause.rest_text}"
    bare = is_noun(first.low) or first.low in word_list("adjectives")
    return f"{aux} there no {clause.rest_text}" if bare else None


def _from(clause: Clause, index: int) -> str:
    return _from_token(clause, clause.rest[index])


def _from_token(clause: Clause, token: Token) -> str:
    return clause.asked.text[token.start :]


def _subject_unsafe(clause: Clause) -> bool:
    """Whether "not" behind the subject may deny less than the whole.

    "Did a man not win?" asks about some man; "Were the apples not red?" leaves out the case that
    half of them were.
    """
    kind, number = clause.phrase.kind, clause.phrase.number
    if kind == "quantified" or any(token.low in ("only", "even") for token in clause.subject):
        return True
    general = clause.aux in ("is", "are", "does", "do", "can", "will", "would")
    stage = clause.aux in BE and (
        clause.rest[0].low in word_list("prepositions") or clause.rest[0].low.endswith("ing")
    )
    if kind == "indefinite" or (kind == "bare" and number == "plural"):
        return not general or stage
    together = _collective(clause.rest)
    return kind == "definite" and number == "plural" and not together and not _named(clause)


def _named(clause: Clause) -> bool:
    """Whether the subject is two joined phrases, for which "not both" is exact."""
    return clause.phrase.joined == 2 and clause.aux not in DO


def _outside(word: str) -> bool:
    """Whether "not" further before would leave open how much it denies."""
    return word in word_list("outside_negation") or word in word_list("denied_adverbs")


def _joins(rest: tuple[Token, ...]) -> bool:
    """Whether "and" joins parts that "not" would deny one by one; "between A and B" doesn't."""
    words = [token.low for token in rest]
    return "and" in words and not (words.count("and") == 1 and "between" in words)
