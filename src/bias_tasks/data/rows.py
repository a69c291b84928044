"""What a row of the user's file must look like."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from pydantic_core import ErrorDetails

COLUMNS = ("id", "question", "context", "options", "answer")

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


class _Row(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")

    id: Id | None = None
    question: Text


class JudgingRow(_Row):
    """Facts, a statement about them, and whether it holds."""

    context: Text
    answer: Literal["True", "False", "Unknown"]


class ChoiceRow(_Row):
    """A question, its options, and the positions of the correct ones, counted from 0."""

    context: Text | None = None
    options: list[Text] = Field(min_length=2)
    answer: list[int]

    @field_validator("answer")
    @classmethod
    def _positions_of_options(cls, answer: list[int], info: ValidationInfo) -> list[int]:
        options = info.data.get("options")
        if options is None:  # they are wrong themselves, which is reported
            return answer
        if len(set(answer)) < len(answer) or not set(answer) <= set(range(len(options))):
            raise ValueError(f"expected different positions from 0 to {len(options) - 1}")
        return sorted(answer)


def parse_row(cells: Mapping[str, Any]) -> ChoiceRow | JudgingRow:
    """The checked row: a choice if it has options or a list as answer, else a judging item.

    Args:
        cells: the row's cells by column, without the empty ones.

    Raises:
        ValueError: names each wrong column, what was expected and what was found.
    """
    kind = ChoiceRow if "options" in cells or isinstance(cells.get("answer"), list) else JudgingRow
    try:
        return kind.model_validate(dict(cells))
    except ValidationError as error:
        problems = [_told(problem) for problem in error.errors(include_url=False)]
        raise ValueError("; ".join(problems)) from error


def unknown_columns(columns: list[str]) -> str:
    """Says which columns are there that should not be."""
    return f"unknown column {', '.join(map(_shown, columns))}; known are {', '.join(COLUMNS)}"


def _told(problem: ErrorDetails) -> str:
    column, *positions = problem["loc"]
    if problem["type"] == "extra_forbidden":
        return unknown_columns([str(column)])
    place = f"column {column}" + "".join(f"[{position}]" for position in positions)
    if problem["type"] == "missing":
        return f"{place}: expected a value, found nothing"
    expected = problem["msg"].removeprefix("Value error, ").replace("Input should be", "expected")
    return f"{place}: {expected}, found {_shown(problem['input'])}"


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN_CHARACTERS else text[:_SHOWN_CHARACTERS] + "..."
