"""Cells of users' files: texts, ids and labels, and the validation of a row."""

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

from bias_tasks.data.errors import shorten
from bias_tasks.unicode_text import is_encodable

_MAX_PROBLEMS = 5
"""Problems of a row that a message lists."""
_MAX_ID_LENGTH = 200
"""In characters: frameworks name files after samples, and print ids in tables."""
_MAX_KEY_LENGTH = 60


def check_text(text: str) -> str:
    """Return the text.

    Raises:
        ValueError: The text is blank, or contains half of a surrogate pair.
    """
    if not text.strip():
        raise ValueError("expected a text")
    if not is_encodable(text):
        raise ValueError("expected a text without half of a surrogate pair")
    return text


def _check_id(identifier: str) -> str:
    # Sample ids are `<item>/<variant>`, and frameworks name files after them.
    clean = identifier.isprintable() and identifier == identifier.strip()
    if not clean or re.search(r"[/\\]|\.\.", identifier) or len(identifier) > _MAX_ID_LENGTH:
        raise ValueError(
            "an id has no '/', no '\\', no '..', no control characters, no outer blanks, and at "
            f"most {_MAX_ID_LENGTH} characters"
        )
    return identifier


Text = Annotated[str, AfterValidator(check_text)]
Id = Annotated[
    Text,
    AfterValidator(_check_id),
    # A whole number is a valid id; isinstance would accept True, too.
    BeforeValidator(lambda value: str(value) if type(value) is int else value),
]
MAX_CELL_PARTS = 10_000
"""Maximum length of a list or an object in one cell."""


class Strict(BaseModel):
    """A row, or a part of one: values are not converted, and unknown names are refused."""

    model_config = ConfigDict(strict=True, extra="forbid")


class RowModel(Strict):
    """A row with an optional id."""

    id: Id | None = None


RowT = TypeVar("RowT", bound=Strict)


def validate_row(
    model: type[RowT], cells: Mapping[str, object], known: Iterable[str] | None = None
) -> RowT:
    """Return the row of these cells.

    Args:
        model: The type of the row.
        cells: Non-empty cells by column.
        known: Columns that a message about an unknown one lists; None for the model's fields.

    Raises:
        ValueError: A column is wrong. The message says what was expected and found in each.
    """
    try:
        return model.model_validate(dict(cells))
    except ValidationError as error:
        columns = tuple(model.model_fields if known is None else known)
        problems = [_format_problem(p, columns) for p in error.errors(include_url=False)]
        n_more = len(problems) - _MAX_PROBLEMS
        more = [f"and {n_more:,} more"] if n_more > 0 else []
        raise ValueError("; ".join([*problems[:_MAX_PROBLEMS], *more])) from error


def _format_problem(problem: Mapping[str, Any], known: Iterable[str]) -> str:
    column, *path = problem["loc"]
    if problem["type"] == "extra_forbidden":
        name = ".".join(map(str, problem["loc"]))
        return f"unknown column {shorten(name)}; the columns are {', '.join(known)}"
    location = f"column {column}{''.join(map(_format_key, path))}"
    if problem["type"] == "missing":
        return f"{location}: expected a value, found nothing"
    expected = problem["msg"].removeprefix("Value error, ").replace("Input should be", "expected")
    return f"{location}: {expected}, found {shorten(problem['input'])}"


def _format_key(key: str | int) -> str:
    """Return a key or index inside a cell, as `.key` or `[index]`."""
    is_plain = str(key).isidentifier() and len(str(key)) < _MAX_KEY_LENGTH
    return f".{key}" if is_plain else f"[{shorten(key)}]"


_BOOL = TypeAdapter(bool)


def parse_bool(value: object) -> bool | None:
    """Return the truth value of a cell in any spelling that pydantic accepts, else None."""
    try:
        return _BOOL.validate_python(value.strip() if isinstance(value, str) else value)
    except ValidationError:
        return None


def label_parser(yes: str, no: str, *others: str) -> Callable[[object], object]:
    """Return a function that turns a cell into a label, and leaves any other cell unchanged.

    Args:
        yes: The label of a cell that means yes.
        no: The label of a cell that means no.
        *others: Further labels, which a cell can have in upper or lower case.
    """
    by_folded = {label.lower(): label for label in others}

    def parse_label(value: object) -> object:
        truth = parse_bool(value)
        if truth is not None:
            return yes if truth else no
        return by_folded.get(value.strip().lower(), value) if isinstance(value, str) else value

    return parse_label
