"""What a row of the user's own yes/no questions must look like."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from bias_tasks.data.columns import Id, RowModel, Text, told
from bias_tasks.data.tables import filled
from bias_tasks.items.binary_qa import REFORMULATIONS, BinaryLabel, Reformulation

_PREFIX = "reformulations."
COLUMNS = (
    "id",
    "question",
    "context",
    "answer",
    "domain",
    "source",
    "cluster",
    "reformulations",
    *(_PREFIX + kind for kind in REFORMULATIONS),
    "provenance",
)

_RESERVED_DOMAINS = ("std", "acc")  # figures are named `<domain>/<figure>`, `std/...`, `acc/...`


def _usable_domain(domain: str) -> str:
    if "," in domain or domain in _RESERVED_DOMAINS:
        raise ValueError(f"a domain has no comma and is not {' or '.join(_RESERVED_DOMAINS)}")
    return domain


class Rewordings(BaseModel):
    """The question in other words; those that are not there may be made later."""

    model_config = ConfigDict(strict=True, extra="forbid")

    synonym: Text | None = None
    polite: Text | None = None
    contradictory: Text | None = None
    false: Text | None = None


class Origin(BaseModel):
    """Who made a rewording; whoever reviews it may note more."""

    model_config = ConfigDict(strict=True, extra="allow")

    by: Literal["given", "grammar", "model", "construction", "refused"]
    output: str | None = None
    model: str | None = None
    prompt: str | None = None


class BinaryRow(RowModel):
    """A yes/no question and its right answer."""

    context: Text | None = None
    answer: BinaryLabel
    domain: Annotated[Id, AfterValidator(_usable_domain)] = "file"
    source: Text = "file"
    cluster: Text | None = None
    reformulations: Rewordings = Field(default_factory=Rewordings)
    provenance: dict[Reformulation | Literal["question"], Origin] = Field(default_factory=dict)


def parse_binary_row(cells: Mapping[str, Any]) -> BinaryRow:
    """The checked row.

    Args:
        cells: the row's cells by column, without the empty ones.

    Raises:
        ValueError: names each wrong column, what was expected and what was found.
    """
    try:
        return BinaryRow.model_validate(_nested(cells))
    except ValidationError as error:
        raise ValueError(told(error, COLUMNS)) from error


def _nested(cells: Mapping[str, Any]) -> dict[str, Any]:
    """The cells with the columns `reformulations.<kind>` in one, without what is empty in it."""
    dotted = {_PREFIX + kind: kind for kind in REFORMULATIONS if _PREFIX + kind in cells}
    row = {column: value for column, value in cells.items() if column not in dotted}
    if dotted and "reformulations" in row:
        raise ValueError(f"column reformulations: it stands beside {', '.join(dotted)}; give one")
    if dotted:
        row["reformulations"] = {kind: cells[column] for column, kind in dotted.items()}
    for column in ("reformulations", "provenance"):  # Parquet fills what a row lacks with nulls
        if isinstance(row.get(column), dict):
            row[column] = filled(row[column])
    return row
