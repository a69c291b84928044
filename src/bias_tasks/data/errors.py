"""The error of data that is not available or invalid, and what its messages share."""

from collections.abc import Collection

from bias_tasks.messages import format_value
from bias_tasks.user_names import did_you_mean


class DataError(RuntimeError):
    """Items are not available or not readable; the message says what is wrong and what to do."""


def check_names(
    kind: str, names: Collection[str], known: Collection[str], *, owner: str = ""
) -> None:
    """Check that there are names, and that all of them are known.

    Args:
        kind: What is named, such as `source`.
        names: The requested names.
        known: The valid names.
        owner: What the valid names belong to, for the message, such as ` of the paper`.

    Raises:
        DataError: A name is unknown, or there is none.
    """
    unknown = [name for name in names if name not in known]
    if unknown or not names:
        listed = ", ".join(map(repr, unknown)) or "none"
        hint = did_you_mean(unknown, known)
        raise DataError(f"unknown {kind} {listed}{hint}; the {kind}s{owner} are {', '.join(known)}")


def shorten(value: object) -> str:
    """Return the value, or its first 60 characters, on one line for a message."""
    return format_value(value, 60)
