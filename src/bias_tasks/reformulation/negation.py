"""The contradictory question: its right answer is the opposite in every world.

"not" goes behind the subject, as in the paper ("Does the sun not rise in the east?"). Where it
would not deny the whole question (quantifiers, "only", clauses with "because", modals other than
"can", "will" and "would"), there is no contradictory question.
"""

from __future__ import annotations

from bias_tasks.reformulation.clause import BE, DO, Clause
from bias_tasks.reformulation.lexicon import is_plural, lexicon
from bias_tasks.reformulation.tokens import Token

_SCOPE_MODALS = frozenset({"should", "shall", "may", "might", "must", "could"})


def contradictory(clause: Clause) -> str | None:
    """The question that is answered the other way round, or None where "not" doesn't make it."""
    if clause.phrase.kind == "there":
        return _there(clause)
    if clause.aux in _SCOPE_MODALS or not clause.rest or _subject_unsafe(clause):
        return None
    leading = clause.rest[0].low
    if any(_outside(token.low) for token in clause.rest[1:]) or _joins(clause.rest):
        return None
    aux, subject = clause.asked.tokens[0].text, clause.subject_text
    if leading == "ever":
        return f"{aux} {subject} never {_from(clause, 1)}"
    if leading in lexicon().outside_negation:
        return None
    if clause.phrase.joined == 1 or any(token.low in lexicon().collective for token in clause.rest):
        return None if clause.phrase.both else f"{aux} {subject} not {clause.rest_text}"
    return _joined(clause, f"{aux} {subject.removeprefix('both ')} not")


def _joined(clause: Clause, opening: str) -> str | None:
    """ "not both": what is said of two is false as soon as it is false of one."""
    if clause.phrase.joined != 2:
        return None
    if clause.rest[0].low == "both":
        return f"{opening} {clause.rest_text}"
    distributive = clause.phrase.both or (
        clause.aux in BE and clause.rest[0].low not in lexicon().determiners
    )
    return f"{opening} both {clause.rest_text}" if distributive else None


def _there(clause: Clause) -> str | None:
    """ "Is there an error" gives "Is there no error"; a number or an amount takes "not"."""
    if any(_outside(token.low) for token in clause.rest) or _joins(clause.rest):
        return None
    aux = clause.asked.tokens[0].text
    first = clause.rest[0]
    if first.low in ("a", "an", "any"):
        return f"{aux} there no {_from(clause, 1)}" if len(clause.rest) > 1 else None
    if first.number or first.low in ("more", "over", "at", "fewer", "less", "exactly"):
        return f"{aux} there not {clause.rest_text}"
    return f"{aux} there no {clause.rest_text}" if is_plural(first.low) else None


def _from(clause: Clause, index: int) -> str:
    return clause.asked.text[clause.rest[index].start :]


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
        clause.rest[0].low in lexicon().prepositions or clause.rest[0].low.endswith("ing")
    )
    if kind == "indefinite" or (kind == "bare" and number == "plural"):
        return not general or stage
    collective = any(token.low in lexicon().collective for token in clause.rest)
    return kind == "definite" and number == "plural" and not collective and not _named(clause)


def _named(clause: Clause) -> bool:
    """Whether the subject is two joined phrases, for which "not both" is exact."""
    return clause.phrase.joined == 2 and clause.aux not in DO


def _outside(word: str) -> bool:
    """Whether "not" further before would leave open how much it denies."""
    return word in lexicon().outside_negation or word in lexicon().denied_adverbs


def _joins(rest: tuple[Token, ...]) -> bool:
    """Whether "and" joins parts that "not" would deny one by one; "between A and B" doesn't."""
    words = [token.low for token in rest]
    return "and" in words and not (words.count("and") == 1 and "between" in words)
