"""The user's own judging and choice items, from a JSONL, CSV or Parquet file.

A row is a choice item, `{id?, question, context?, options: [..], answer: [0-based positions]}`, or
a judging item, `{id?, context, question, answer: "True"|"False"|"Unknown"}`; one file may hold
both. In CSV and Parquet, lists may be written as JSON text, and cells that a row's kind does not
use stay empty. Text is UTF-8.
"""

from __future__ import annotations

from pathlib import Path

from bias_tasks.data.rows import COLUMNS, ChoiceRow, parse_row
from bias_tasks.data.tables import Cells, Claim, Layout, read_rows
from bias_tasks.items import ChoiceItem, Item, JudgingItem, content_hash

_LAYOUT = Layout(columns=COLUMNS, json_columns=("options", "answer"))


def read_file(path: str | Path) -> tuple[list[Item], str]:
    """The items of the user's file, in its order, and the sha256 of its content.

    An item keeps its own id; without one its id is a hash of its content. Items with the same
    context share a cluster.

    Raises:
        DataError: the file is missing, of another kind, empty, not UTF-8, repeats an id, or has
            wrong rows; the first five of these are named by line (Parquet: row) and column.
    """
    return read_rows(path, _LAYOUT, _item, lambda item: [one_id(item.id)])


def one_id(identifier: str) -> Claim:
    """A row's claim on its id."""
    return Claim(
        key=("id", identifier),
        taken=f"column id: {identifier!r} is the id of",
        hint=" (a row without an id is known by its content)",
    )


def _item(cells: Cells) -> Item:
    row = parse_row(cells)
    identifier = row.id or f"file-{content_hash(row.model_dump(exclude={'id'}))}"
    cluster = identifier if row.context is None else f"file-{content_hash(row.context)}"
    if isinstance(row, ChoiceRow):
        return ChoiceItem(
            id=identifier,
            question=row.question,
            options=tuple(row.options),
            answer=tuple(row.answer),
            source="file",
            cluster=cluster,
            context=row.context,
        )
    return JudgingItem(
        id=identifier,
        context=row.context,
        question=row.question,
        answer=row.answer,
        source="file",
        cluster=cluster,
    )
