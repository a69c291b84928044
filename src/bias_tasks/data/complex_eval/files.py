"""The user's own judged items and responses, from a JSONL, CSV or Parquet file.

Items are rows of `judged_to_dict`, as an attacked dataset has them: `{id?, query, responses,
reference?, rubric?, criteria?, background?, attacked?, first_error?, family?, domain?, source?,
cluster?, provenance?}`. Math may come in ProcessBench's layout instead: `{id?, problem, steps,
label, reference_solution?, final_answer_correct?, generator?}`.

Responses to the paper's requests are rows `{id, response, reference?}`, whose id is an item's.

In CSV and Parquet, lists and objects may be written as JSON text. Text is UTF-8.
"""

from __future__ import annotations

from pathlib import Path

from bias_tasks.data.complex_eval.process import process_item
from bias_tasks.data.complex_eval.rows import (
    COLUMNS,
    JSON_COLUMNS,
    RESPONSE_COLUMNS,
    ResponseRow,
    judged_row,
    process_row,
    response_row,
)
from bias_tasks.data.files import one_id
from bias_tasks.data.tables import Cells, Layout, read_rows
from bias_tasks.items.complex_eval import Family, JudgedItem

_ITEMS = Layout(columns=COLUMNS, json_columns=JSON_COLUMNS)
_RESPONSES = Layout(columns=RESPONSE_COLUMNS, json_columns=())


def read_judged_file(path: str | Path, family: Family) -> tuple[list[JudgedItem], str]:
    """The items of the user's file, in its order, and the sha256 of its content.

    Raises:
        DataError: the file is missing, of another kind, empty, not UTF-8, repeats an id, holds
            another family's items, or has wrong rows; the first five of these are named by line
            (Parquet: row) and column.
    """

    def as_item(cells: Cells) -> JudgedItem:
        if family == "math" and "steps" in cells:
            return process_item(process_row(cells), "file")
        return judged_row(cells, family)

    return read_rows(path, _ITEMS, as_item, lambda item: [one_id(item.id)])


def read_responses(path: str | Path) -> tuple[list[ResponseRow], str]:
    """The responses of the user's file, and the sha256 of its content.

    Raises:
        DataError: as for `read_judged_file`.
    """
    return read_rows(path, _RESPONSES, response_row, lambda row: [one_id(row.id)])
