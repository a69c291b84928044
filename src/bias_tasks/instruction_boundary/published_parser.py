"""The parser of `protocol="published"`; everything else is parsed by `parse_answer`.

It goes by keyword lists, tried in order, which match parts of words and ignore negation, and else
by lone digits from 0 to 3, of which those that were not shown are dropped; with letters an answer
is right when the gold letter occurs anywhere in it (docs/instruction_boundary.md, Protocols).

The instrument for judging questions is not public. Its parser here follows appendix N (substring
lists in the printed order, Unknown first) and appendix K (a 1, 2 or 3 in the answer is the option).
Where it asked a judge without letting the verdict count (choice form), the answer is unparsed.
"""

import re
from dataclasses import replace
from functools import cache

from bias_tasks.data.files import read_yaml
from bias_tasks.instruction_boundary.items import JUDGING_LABELS, choice_label
from bias_tasks.parsing.parsed_answer import ParsedAnswer, UnparsedReason, unparsed

EXAMINED = 20_000
"""Characters examined from an answer's beginning; the instrument asked for at most 80 tokens."""

_OFFERED = 4
"""Digits the instrument knows: the first and the three after it."""
_JUDGING_DIGIT = re.compile(r"\b[1-3]\b", re.ASCII)


def published_judging(text: str) -> ParsedAnswer:
    """A judging answer as the published instrument parses it.

    The digits 1 to 3 are its labels however many options were offered.
    """
    low = _lower(text[:EXAMINED])
    if not low.strip():
        return unparsed(UnparsedReason.EMPTY)
    lists = _keywords("judging")
    unknown = _first_keyword("Unknown", lists["Unknown"], low)
    if unknown is not None:
        return unknown
    digit = _JUDGING_DIGIT.search(low)
    if digit is not None and len(set(_JUDGING_DIGIT.findall(low))) == 1:
        label = JUDGING_LABELS[int(digit.group()) - 1]
        return ParsedAnswer(label, label, span=digit.span(), detail="a digit anywhere")
    for label in ("True", "False"):
        parsed = _first_keyword(label, lists[label], low)
        if parsed is not None:
            return parsed
    return unparsed(UnparsedReason.NO_VALUE, "no keyword, no digit")


def published_choice(text: str, *, n_options: int, first: int = 0) -> ParsedAnswer:
    """A choice answer as the published instrument parses it, by its first `EXAMINED` characters;
    options count from `first`, 0 in the published prompts."""
    head = text[:EXAMINED]
    if not head.strip():
        return unparsed(UnparsedReason.EMPTY)
    none = _first_keyword("none", _keywords("choice")["none"], _lower(head))
    if none is not None:
        return none
    digits = {int(digit) - first for digit in re.findall(r"\b[0-9]\b", head, re.ASCII)}
    options = tuple(sorted(digit for digit in digits if 0 <= digit < _OFFERED))
    if not options:
        return unparsed(UnparsedReason.NO_VALUE, "no digits anywhere")
    if options[-1] >= n_options:
        shown = tuple(option for option in options if option < n_options)
        parsed = unparsed(UnparsedReason.NOT_OFFERED, "digits anywhere")
        return replace(parsed, options=shown)
    label = choice_label(options)
    return ParsedAnswer(label, options, options, detail="digits anywhere")


def contains_symbol(text: str, symbol: str) -> bool:
    """Whether an option's letter or number occurs in an answer's first `EXAMINED` characters.

    Case does not matter, and neither does what the letter is part of.
    By this the published instrument scores disturbing miscellany (the gold letter).
    """
    return symbol.upper() in text[:EXAMINED].upper()


@cache
def _keywords(form: str) -> dict[str, tuple[str, ...]]:
    lists = read_yaml("bias_tasks.instruction_boundary", "keywords")[form]
    return {label: tuple(words) for label, words in lists.items()}


def _lower(text: str) -> str:
    """The text in lower case, as long as it was, so that positions stay."""
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(char.lower() if len(char.lower()) == 1 else char for char in text)


def _first_keyword(label: str, words: tuple[str, ...], low: str) -> ParsedAnswer | None:
    """The answer by the first word of a list that occurs anywhere, within words too."""
    for word in words:
        at = low.find(word)
        if at >= 0:
            detail = f"keyword {word!r} anywhere"
            return ParsedAnswer(label, label, span=(at, at + len(word)), detail=detail)
    return None
