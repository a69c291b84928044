"""Cells of users' files: texts, ids, labels, numbers and lists, and the validation of a row."""

import ast
import json
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
from bias_tasks.data.files import parse_json
from bias_tasks.unicode_text import is_encodable

_MAX_PROBLEMS = 5
"""Problems of a row that a message lists."""
_MAX_ID_LENGTH = 200
"""In characters: frameworks name files after samples, and print ids in tables."""
_MAX_KEY_LENGTH = 60
_MAX_LITERAL_LENGTH = 100_000
"""Maximum characters of a list in Python syntax."""
_WHOLE_NUMBER = re.compile(r"\s*[+-]?[0-9]{1,9}(\.0)?\s*")
"""Whole numbers as CSV files (texts) and Parquet files with empty cells (floats) hold them."""


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


def drop_empty_cells(cells: Mapping[str, object]) -> dict[str, object]:
    """Return the cells that are not empty, None or nan."""
    return {
        column: value
        for column, value in cells.items()
        if value not in (None, "") and value == value  # nan is not equal to itself
    }


def parse_nested(cell: object) -> Any:
    """Return the list or object in a text: JSON, Python syntax, or `a|b|c`.

    Any other cell is returned unchanged, but an object without keys of empty values: Parquet writes
    null for the keys that a row does not have.

    Raises:
        ValueError: The text begins like a list or an object, and is none.
    """
    if isinstance(cell, str) and cell.lstrip().startswith(("[", "{")):
        cell = _parse_literal(cell)
    elif isinstance(cell, str) and "|" in cell:
        return [part.strip() for part in cell.split("|")]
    return drop_empty_cells(cell) if isinstance(cell, dict) else cell


def parse_nested_column(column: str, cell: object) -> Any:
    """Return what `parse_nested` returns; the message of an error names the column."""
    try:
        return parse_nested(cell)
    except ValueError as error:
        raise ValueError(f"column {column}: {error}") from error


def _parse_literal(text: str) -> object:
    """Return the value of a text in JSON, or else a list or an object in Python syntax."""
    try:
        return parse_json(text)
    except json.JSONDecodeError as error:
        try:
            value = ast.literal_eval(text.strip()) if len(text) < _MAX_LITERAL_LENGTH else None
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            value = None
        if isinstance(value, list | dict):
            return value
        expected = 'list, such as ["a", "b"] or a|b' if text.lstrip()[0] == "[" else "JSON object"
        raise ValueError(f"expected a {expected}, but {error}") from error


def parse_whole(cell: object) -> object:
    """Return a cell with a whole number as that number, and any other cell unchanged."""
    text = str(cell) if isinstance(cell, str | float) else ""
    return int(float(text)) if _WHOLE_NUMBER.fullmatch(text) else cell


Nested = BeforeValidator(parse_nested)
"""Marks a column whose lists or objects may be written as text."""
Whole = Annotated[int, BeforeValidator(parse_whole)]


class Strict(BaseModel):
    """A row, or a part of one: values are not converted, and unknown names are refused."""

    model_config = ConfigDict(strict=True, extra="forbid")


class RowModel(Strict):
    """A row with an optional id."""

    id: Id | None = None


RowT = TypeVar("RowT")
_ADAPTERS: dict[Any, TypeAdapter[Any]] = {}
"""What validates each type of row. Building it takes milliseconds."""


def validate_row(model: type[RowT], cells: Mapping[str, object], known: Iterable[str]) -> RowT:
    """Return the row of these cells.

    Args:
        model: The type of the row: a pydantic model, or a dataclass with fields of these types.
        cells: Non-empty cells by column.
        known: Columns that a message about an unknown one lists.

    Raises:
        ValueError: A column is wrong. The message says what was expected and found in each.
    """
    try:
        if model not in _ADAPTERS:
            _ADAPTERS[model] = TypeAdapter(model)
        row: RowT = _ADAPTERS[model].validate_python(dict(cells))
        return row
    except ValidationError as error:
        problems = [_format_problem(p, known) for p in error.errors(include_url=False)]
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
    expected = expected.replace("a valid tuple", "a valid list")
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
