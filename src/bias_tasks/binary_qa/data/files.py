"""Files with a user's yes/no questions (docs/binary_qa.md).

In CSV and Parquet, rewordings are an object, JSON text, or the columns `reformulations.synonym` and
so on. `make_reformulations` writes the column `provenance` next to the rewordings it makes.
"""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field

from bias_tasks.binary_qa.items import REFORMULATIONS, BinaryItem, BinaryLabel, Reformulation
from bias_tasks.contract.metrics import check_domain_name
from bias_tasks.data.columns import (
    Id,
    Nested,
    RowModel,
    Strict,
    Text,
    drop_empty_cells,
    label_parser,
    validate_row,
)
from bias_tasks.data.tables import Cells, ExtraColumns, RowKey, read_rows, to_json_value
from bias_tasks.digests import content_hash


def _check_domain(domain: str) -> str:
    if "," in domain:  # it separates the names of `domains`
        raise ValueError("a domain has no comma, which separates domains: remove it")
    return check_domain_name(domain, "bias_tasks.binary_qa")


class _ProvenanceCell(Strict):
    """Who made a rewording; a reviewer may add more keys."""

    model_config = ConfigDict(strict=True, extra="allow")

    by: Literal["given", "model", "refused", "grammar"]
    output: str | None = None


class _BinaryRow(RowModel):
    """A yes/no question and its correct answer."""

    question: Text
    context: Text | None = None
    answer: Annotated[BinaryLabel, BeforeValidator(label_parser("Yes", "No"))]
    domain: Annotated[Id, AfterValidator(_check_domain)] = "file"
    source: Text = "file"
    cluster: Text | None = None
    reformulations: Annotated[dict[Reformulation, Text], Nested] = Field(default_factory=dict)
    provenance: Annotated[dict[Reformulation | Literal["question"], _ProvenanceCell], Nested] = (
        Field(default_factory=dict)
    )


_DOTTED = {f"reformulations.{kind}": kind for kind in REFORMULATIONS}
"""Rewordings by the column that may hold one alone."""
COLUMNS = (*_BinaryRow.model_fields, *_DOTTED)


def read_binary_file(path: str | Path) -> tuple[list[BinaryItem], str]:
    """Read a user's yes/no questions.

    A question keeps its own id. Without one, its id is a hash of its context, text and answer, so
    that new rewordings do not change it. The default domain is `file`. Questions about the same
    context are one cluster, unless a column `cluster` says otherwise.

    Args:
        path: A JSONL, CSV or Parquet file.

    Returns:
        The questions in the file's order, and the sha256 of the file.

    Raises:
        DataError: As `read_rows`, or two rows have the same id, or the same question and context.
    """
    return read_rows(path, COLUMNS, _build_item, _build_keys)


def record_to_dict(item: BinaryItem) -> dict[str, object]:
    """Return a question as a row of a JSONL file, without empty columns."""
    row = asdict(item)
    always = {**row.pop("columns"), "provenance": row.pop("provenance")}
    return drop_empty_cells(row) | always


def _build_item(cells: Cells, extra_columns: ExtraColumns) -> BinaryItem:
    row = validate_row(_BinaryRow, _merge_reformulations(cells), COLUMNS)
    identifier = row.id or f"file-{content_hash(row.context, row.question, row.answer)}"
    shared = identifier if row.context is None else f"file-{content_hash(row.context)}"
    values: dict[str, Any] = row.model_dump(exclude_none=True) | {"id": identifier}
    values |= {"provenance": to_json_value(values["provenance"]), "columns": extra_columns}
    return BinaryItem(**{"cluster": shared, **values})


def _build_keys(item: BinaryItem) -> list[RowKey]:
    question = (item.context, item.question)  # No other row has it, whatever its id.
    return [RowKey(key, question, item.answer) for key in (item.id, question)]


def _merge_reformulations(cells: Cells) -> Cells:
    """Return the cells with the columns `reformulations.<kind>` as one object."""
    dotted = {kind: cells[column] for column, kind in _DOTTED.items() if column in cells}
    if not dotted:
        return cells
    if "reformulations" in cells:
        names = ", ".join(f"reformulations.{kind}" for kind in dotted)
        raise ValueError(f"column reformulations: the file also has {names}; give only one of them")
    rest = {column: value for column, value in cells.items() if column not in _DOTTED}
    return {**rest, "reformulations": dotted}
