"""What the rows of every user's file have in common: texts, ids, and how a wrong one is told."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

_SHOWN_CHARACTERS = 60


def _printable_text(text: str) -> str:
    if not text.strip():
        raise ValueError("expected a text")
    text.encode()  # half a surrogate pair, which JSON can hold, raises a ValueError
    return text


def _whole_number_as_text(value: object) -> object:
    return str(value) if type(value) is int else value  # an isinstance would let True pass


def _usable_id(identifier: str) -> str:
    # sample ids are `<item>/<variant>`
    if "/" in identifier or not identifier.isprintable() or identifier != identifier.strip():
        raise ValueError("an id has no '/', no control characters and no blanks around it")
    return identifier


Text = Annotated[str, AfterValidator(_printable_text)]
Id = Annotated[Text, AfterValidator(_usable_id), BeforeValidator(_whole_number_as_text)]


class RowModel(BaseModel):
    """A row with its optional id and its question; columns that it doesn't name are refused."""

    model_config = ConfigDict(strict=True, extra="forbid")

    id: Id | None = None
    question: Text


def told(error: ValidationError, known: Iterable[str]) -> str:
    """Names each wrong column, what was expected and what was found.

    Args:
        error: from a `RowModel`.
        known: the columns there may be.
    """
    return "; ".join(_told(problem, known) for problem in error.errors(include_url=False))


def unknown_columns(columns: Iterable[str], known: Iterable[str]) -> str:
    """Says which columns are there that should not be."""
    return f"unknown column {', '.join(map(_shown, columns))}; known are {', '.join(known)}"


def _told(problem: ErrorDetails, known: Iterable[str]) -> str:
    column, *positions = problem["loc"]
    if problem["type"] == "extra_forbidden":
        name = ".".join(map(str, problem["loc"]))
        return unknown_columns([name], known)
    place = f"column {column}" + "".join(map(_inside, positions))
    if problem["type"] == "missing":
        return f"{place}: expected a value, found nothing"
    expected = problem["msg"].removeprefix("Value error, ").replace("Input should be", "expected")
    return f"{place}: {expected}, found {_shown(problem['input'])}"


def _inside(position: int | str) -> str:
    return f"[{position}]" if isinstance(position, int) else f".{position}"


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN_CHARACTERS else text[:_SHOWN_CHARACTERS] + "..."
