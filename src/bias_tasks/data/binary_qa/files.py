"""The user's own yes/no questions, from a JSONL, CSV or Parquet file.

A row is `{question, answer: "Yes"|"No", id?, context?, domain?, source?, cluster?,
reformulations?: {synonym?, polite?, contradictory?, false?}, provenance?}`. In CSV and Parquet the
rewordings are an object, JSON text, or the columns `reformulations.synonym` and so on. `provenance`
is what `bias-tasks reformulate` writes beside the rewordings it makes. Text is UTF-8.
"""

from __future__ import annotations

from pathlib import Path

from bias_tasks.data.binary_qa.record import Record
from bias_tasks.data.binary_qa.rows import COLUMNS, BinaryRow, parse_binary_row
from bias_tasks.data.files import one_id
from bias_tasks.data.tables import Cells, Claim, Layout, read_rows
from bias_tasks.items import content_hash
from bias_tasks.items.binary_qa import BinaryItem, Reformulations

_LAYOUT = Layout(columns=COLUMNS, json_columns=("reformulations", "provenance"))


def read_binary_file(path: str | Path, *, superseded: bool = False) -> tuple[list[Record], str]:
    """The questions of the user's file, in its order, and the sha256 of its content.

    A question keeps its own id; without one its id is a hash of its context, wording and answer, so
    that adding rewordings does not move it. Without a domain it is of the domain `file`. Questions
    about the same context are one cluster, unless a column `cluster` says otherwise.

    Args:
        path: the file.
        superseded: allow rows whose id or question occurs again further down.

    Raises:
        DataError: the file is missing, of another kind, empty, not UTF-8, repeats an id or a
            question with its context, or has wrong rows; the first five of these are named by line
            (Parquet: row) and column.
    """
    return read_rows(path, _LAYOUT, _record, lambda record: [] if superseded else _claims(record))


def _record(cells: Cells) -> Record:
    row = parse_binary_row(cells)
    made = row.provenance.items()
    provenance = {str(what): origin.model_dump(exclude_none=True) for what, origin in made}
    return Record(_item(row), provenance)


def _item(row: BinaryRow) -> BinaryItem:
    identifier = row.id or f"file-{content_hash(row.context, row.question, row.answer)}"
    shared = identifier if row.context is None else f"file-{content_hash(row.context)}"
    return BinaryItem(
        id=identifier,
        question=row.question,
        answer=row.answer,
        domain=row.domain,
        source=row.source,
        cluster=row.cluster or shared,
        context=row.context,
        reformulations=Reformulations(**row.reformulations.model_dump()),
    )


def _claims(record: Record) -> list[Claim]:
    item = record.item
    asked = Claim(("question", item.context, item.question), "column question: it is asked in")
    return [one_id(item.id), asked]
