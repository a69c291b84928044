"""The one error that everything about data raises, and what its messages have in common."""

from collections.abc import Collection

from bias_tasks.names import did_you_mean, quoted


class DataError(RuntimeError):
    """Items cannot be had or read; the message says what was found and what to do."""


def check_names(kind: str, names: Collection[str], known: Collection[str], *, of: str = "") -> None:
    """Raise a DataError unless there are names, and all of them are known; `kind` is what is named,
    such as `source`, and `of` what the known ones belong to."""
    unknown = [name for name in names if name not in known]
    if unknown or not names:
        found = ", ".join(map(repr, unknown)) or "none"
        near = did_you_mean(unknown, known)
        raise DataError(f"unknown {kind} {found}{near}; the {kind}s{of} are {', '.join(known)}")


def shown(value: object) -> str:
    """The value, or its beginning, on one line, as a message shows it."""
    return quoted(value, 60)
