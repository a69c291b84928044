"""Values, long texts and counts as messages print them."""

from reprlib import Repr

MAX_LENGTH = 200
"""Characters. A longer text is not a mistyped name, and a longer value is shortened in messages."""

_SHORT_REPR = Repr()
_SHORT_REPR.maxstring = _SHORT_REPR.maxother = MAX_LENGTH
_SHORT_REPR.maxlist = _SHORT_REPR.maxtuple = _SHORT_REPR.maxdict = _SHORT_REPR.maxset = 10
_SHORT_REPR.maxlevel = 4


def format_value(value: object, max_length: int = 2 * MAX_LENGTH) -> str:
    """Return the `repr` of a value, truncated to `max_length` characters and an ellipsis.

    Booleans are printed as users type them: `true` and `false`.
    """
    if isinstance(value, bool):
        return str(value).lower()
    try:
        return truncate(_SHORT_REPR.repr(value), max_length)
    except ValueError:  # Python does not print numbers with thousands of digits.
        return "a number of thousands of digits"


def truncate(text: str, max_length: int = 2 * MAX_LENGTH) -> str:
    """Return the text, or its first `max_length` characters and an ellipsis."""
    return text if len(text) <= max_length else f"{text[:max_length]}..."


def format_count(count: int, noun: str) -> str:
    """Return a number and its noun, which is plural unless the number is 1: `2,000 answers`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
