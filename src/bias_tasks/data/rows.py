"""What a row of the user's own judging and choice items must look like."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field, ValidationError, ValidationInfo, field_validator

from bias_tasks.data.columns import RowModel, Text, told

COLUMNS = ("id", "question", "context", "options", "answer")


class JudgingRow(RowModel):
    """Facts, a statement about them, and whether it holds."""

    context: Text
    answer: Literal["True", "False", "Unknown"]


class ChoiceRow(RowModel):
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
        raise ValueError(told(error, COLUMNS)) from error
