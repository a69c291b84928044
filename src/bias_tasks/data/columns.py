"""The cells of users' files: texts, ids and labels, and how a row is checked."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    TypeAdapter,
    ValidationError,
)
from pydantic_core import ErrorDetails

from bias_tasks.data.errors import shown
from bias_tasks.names import is_encodable

_SHOWN = 5
_LONGEST_ID = 200
"""Characters: hosts name files after samples, and print ids in tables."""


def printable_text(text: str) -> str:
    """The text; a ValueError where it is blank, or holds half of a surrogate pair."""
    if not text.strip():
        raise ValueError("expected a text")
    if not is_encodable(text):
        raise ValueError("expected a text without half of a surrogate pair")
    return text


def _usable_id(identifier: str) -> str:
    # sample ids are `<item>/<variant>`, and hosts name files after them
    clean = identifier.isprintable() and identifier == identifier.strip()
    if not clean or re.search(r"[/\\]|\.\.", identifier) or len(identifier) > _LONGEST_ID:
        raise ValueError(
            "an id has no '/', no '\\', no '..', no control characters, no blanks around it, and "
            f"at most {_LONGEST_ID} characters"
        )
    return identifier


Text = Annotated[str, AfterValidator(printable_text)]
Id = Annotated[
    Text,
    AfterValidator(_usable_id),
    # a whole number is one; an isinstance would let True pass
    BeforeValidator(lambda value: str(value) if type(value) is int else value),
]
MOST_PARTS = 10_000
"""Of a list or an object in one cell."""


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
    """The row of these cells, by column and without the empty ones; a ValueError that names each
    wrong column, what was expected and found. `known` has it name other columns than the model's.
    """
    try:
        return model.model_validate(dict(cells))
    except ValidationError as error:
        columns = tuple(model.model_fields if known is None else known)
        told = [_told(problem, columns) for problem in error.errors(include_url=False)]
        more = [f"and {len(told) - _SHOWN:,} more"] if len(told) > _SHOWN else []
        raise ValueError("; ".join([*told[:_SHOWN], *more])) from error


def _told(problem: ErrorDetails, known: Iterable[str]) -> str:
    column, *positions = problem["loc"]
    if problem["type"] == "extra_forbidden":
        name = ".".join(map(str, problem["loc"]))
        return f"unknown column {shown(name)}; known are {', '.join(known)}"
    names = (str(each).isidentifier() and len(str(each)) < 60 for each in positions)
    inside = zip(positions, names, strict=True)
    told = [f".{each}" if name else f"[{shown(each)}]" for each, name in inside]
    place = f"column {column}{''.join(told)}"
    if problem["type"] == "missing":
        return f"{place}: expected a value, found nothing"
    expected = problem["msg"].removeprefix("Value error, ").replace("Input should be", "expected")
    return f"{place}: {expected}, found {shown(problem['input'])}"


_TRUTH = TypeAdapter(bool)


def truth(value: object) -> bool | None:
    """What a cell says as a yes or no, in the ways that pydantic reads; None if neither."""
    try:
        return _TRUTH.validate_python(value.strip() if isinstance(value, str) else value)
    except ValidationError:
        return None


def labels(yes: str, no: str, *others: str) -> Callable[[object], object]:
    """What turns a cell that says yes, no or one of the others, in capitals or not, into that
    label, and leaves alone any other cell."""
    by_word = {label.lower(): label for label in others}

    def label(value: object) -> object:
        said = truth(value)
        if said is not None:
            return yes if said else no
        return by_word.get(value.strip().lower(), value) if isinstance(value, str) else value

    return label
