"""Reads a CSV with one column of recorded answers per format: items, and outputs by their ids."""

from __future__ import annotations

import ast
import csv
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bias_tasks.output_format.data.files import parse_row
from bias_tasks.output_format.items import AnswerType

Row = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Which column holds what: the name in the header, or `#7` for the seventh column."""

    outputs: Mapping[str, str]
    """The column of the recorded answers in each format, by the format's name."""
    answer: str | None = None
    """The right answer; lists and mappings are JSON or Python literals."""
    relevant: str | None = None
    """Instead of `answer`, for a binary list: the list of the relevant candidates."""
    others: str | None = None
    """With `relevant`: the list of the other candidates. One in both lists is not relevant."""
    input: str | None = None
    """The question; without it a placeholder stands there."""


def read_wide(path: Path, columns: Columns, answer_type: AnswerType) -> tuple[list[Row], list[Row]]:
    """The rows of a user's data file, and the `output` of each id `<item>/<format>`.

    Raises:
        ValueError: a column is not there, or a cell is not what it should be.
    """
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    with path.open(encoding="utf-8", newline="") as file:
        header, *records = list(csv.reader(file))
    items, outputs = [], []
    for number, cells in enumerate(records, start=1):

        def cell(column: str | None, cells: list[str] = cells) -> str:
            if column is not None and column.startswith("#"):
                position = int(column[1:])
                return cells[position - (position > 0)]
            return cells[header.index(column)]

        row: Row = {
            "id": f"row-{number}",
            "input": f"row-{number} of {path.name}, whose input was not given",
            "answer_type": answer_type,
        }
        if columns.input is not None:
            row["input"] = cell(columns.input)
        if columns.answer is None:  # the relevant candidates come first, as the paper lists them
            relevant, others = (
                ast.literal_eval(cell(column)) for column in (columns.relevant, columns.others)
            )
            row["answer"] = [1] * sum(each not in others for each in relevant) + [0] * len(others)
        elif answer_type in ("mapping", "binary_list", "string_list"):
            row["answer"] = ast.literal_eval(cell(columns.answer))
        else:
            row["answer"] = cell(columns.answer)
        parse_row(row)
        items.append(row)
        outputs += [
            {"id": f"row-{number}/{name}", "output": cell(column)}
            for name, column in columns.outputs.items()
        ]
    return items, outputs
