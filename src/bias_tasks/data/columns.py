"""What the rows of every user's file have in common: texts, ids, and how they are checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, TypeVar

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


class Strict(BaseModel):
    """A row, or a part of one: values are not converted, and unknown names are refused."""

    model_config = ConfigDict(strict=True, extra="forbid")


class RowModel(Strict):
    """A row with an optional id of its own."""

    id: Id | None = None


RowT = TypeVar("RowT", bound=Strict)


def checked(
    model: type[RowT], cells: Mapping[str, Any], known: Iterable[str] | None = None
) -> RowT:
    """The row of these cells.

    Args:
        model: what it must look like.
        cells: the row's cells by column, without the empty ones.
        known: the columns there may be, for the message; the model's own by default.

    Raises:
        ValueError: names each wrong column, what was expected and what was found.
    """
    try:
        return model.model_validate(dict(cells))
    except ValidationError as error:
        columns = tuple(model.model_fields if known is None else known)
        problems = error.errors(include_url=False)
        raise ValueError("; ".join(_told(problem, columns) for problem in problems)) from error


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
