"""Labels that say yes or no, as people and programs write them."""

from __future__ import annotations

from collections.abc import Callable

_WRITTEN = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def truth(value: object) -> bool | None:
    """What a cell says as a yes or no; None where it says neither.

    It may be a truth value, the number 1 or 0, or one of the words true, false, yes, no, 1 and 0,
    in capitals or not.
    """
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float) and value in (0, 1):
        return value == 1
    return _WRITTEN.get(value.strip().lower()) if isinstance(value, str) else None


def labels(yes: str, no: str, *others: str) -> Callable[[object], object]:
    """What turns a cell into one of the labels, and leaves alone what is none of them.

    Args:
        yes: the label of a cell that says yes.
        no: the label of a cell that says no.
        others: further labels, which a cell may write in capitals or not.
    """
    by_word = {label.lower(): label for label in others}

    def label(value: object) -> object:
        said = truth(value)
        if said is not None:
            return yes if said else no
        return by_word.get(value.strip().lower(), value) if isinstance(value, str) else value

    return label


def as_truth(value: object) -> object:
    """A cell that says yes or no as a truth value; any other as it is."""
    said = truth(value)
    return value if said is None else said
