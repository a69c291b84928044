"""Parses answers under `protocol="published"`, as the paper's instrument does.

The instrument tries keyword lists in order, which match parts of words and ignore negation. If none
matches, it looks for single digits from 0 to 3 and drops those that were not offered. With letters,
an answer is correct if the gold letter occurs anywhere in it (docs/instruction_boundary.md,
Protocols).

The instrument for judging questions is not public. This parser follows appendix N (lists of
substrings in the printed order, Unknown first) and appendix K (a 1, 2 or 3 in the answer is the
option). In the choice form the instrument also requests a grader's verdict but ignores it; such
answers are unparsed here.
"""

import re
from dataclasses import replace

from bias_tasks.data.files import read_yaml
from bias_tasks.instruction_boundary.items import JUDGING_LABELS, choice_label
from bias_tasks.parsing.parsed_answer import ParsedAnswer, UnparsedReason, unparsed

EXAMINED = 20_000
"""Number of characters examined; the instrument generates at most 80 tokens."""

_N_DIGITS = 4
"""Number of digits that the instrument accepts, from the first option's."""
_JUDGING_DIGIT = re.compile(r"\b[1-3]\b", re.ASCII)


def parse_published_judging(text: str) -> ParsedAnswer:
    """Parse a judging answer as the published instrument does.

    The digits 1 to 3 are its labels, whatever number of options is offered.

    Args:
        text: The answer; only its first `EXAMINED` characters count.
    """
    low = _lower(text[:EXAMINED])
    if not low.strip():
        return unparsed(UnparsedReason.EMPTY)
    unknown = _find_keyword(low, "judging", "Unknown")
    if unknown is not None:
        return unknown
    digits = list(_JUDGING_DIGIT.finditer(low))
    if len({digit.group() for digit in digits}) == 1:
        label = JUDGING_LABELS[int(digits[0].group()) - 1]
        return ParsedAnswer(label, label, span=digits[0].span(), detail="a digit anywhere")
    parsed = _find_keyword(low, "judging", "True", "False")
    return parsed or unparsed(UnparsedReason.NO_VALUE, "no keyword, no digit")


def parse_published_choice(text: str, *, n_options: int, first_number: int = 0) -> ParsedAnswer:
    """Parse a choice answer as the published instrument does.

    Args:
        text: The answer; only its first `EXAMINED` characters count.
        n_options: Number of options that are offered.
        first_number: Number of the first option; 0 in the published prompts.
    """
    head = text[:EXAMINED]
    if not head.strip():
        return unparsed(UnparsedReason.EMPTY)
    none = _find_keyword(_lower(head), "choice", "none")
    if none is not None:
        return none
    digits = {int(digit) - first_number for digit in re.findall(r"\b[0-9]\b", head, re.ASCII)}
    options = tuple(sorted(digit for digit in digits if 0 <= digit < _N_DIGITS))
    if not options:
        return unparsed(UnparsedReason.NO_VALUE, "no digits anywhere")
    if options[-1] >= n_options:
        offered = tuple(option for option in options if option < n_options)
        parsed = unparsed(UnparsedReason.NOT_OFFERED, "digits anywhere")
        return replace(parsed, options=offered)
    label = choice_label(options)
    return ParsedAnswer(label, options, options, detail="digits anywhere")


def contains_symbol(text: str, symbol: str) -> bool:
    """Return whether an option's letter or number occurs in an answer, in words too.

    The published instrument scores disturbing miscellany by this rule, with the gold letter.

    Args:
        text: The answer; only its first `EXAMINED` characters count.
        symbol: The letter or number, in either case.
    """
    return symbol.upper() in text[:EXAMINED].upper()


def _lower(text: str) -> str:
    """Return the text in lower case and of the same length, so that positions do not change."""
    return "".join(char.lower() if len(char.lower()) == 1 else char for char in text)


def _find_keyword(low: str, form: str, *labels: str) -> ParsedAnswer | None:
    """Return the answer for the first keyword of these labels that occurs, in words too."""
    lists = read_yaml(__package__, "keywords")[form]
    for label in labels:
        for word in lists[label]:
            start = low.find(word)
            if start >= 0:
                detail = f"keyword {word!r} anywhere"
                return ParsedAnswer(label, label, span=(start, start + len(word)), detail=detail)
    return None
