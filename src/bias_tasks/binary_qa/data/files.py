"""The user's own yes/no questions, from a file (docs/binary_qa.md). In CSV and Parquet the
rewordings are an object, JSON text, or the columns `reformulations.synonym` and so on. `provenance`
is what `bias-tasks reformulate` writes beside the rewordings it makes."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field

from bias_tasks.binary_qa.items import (
    REFORMULATIONS,
    BinaryItem,
    BinaryLabel,
    Reformulation,
)
from bias_tasks.contract.figures import usable_prefix
from bias_tasks.data.columns import Id, RowModel, Strict, Text, checked, labels
from bias_tasks.data.tables import Cells, Claim, Further, Layout, filled, one_id, plain, read_rows
from bias_tasks.names import content_hash

_PREFIX = "reformulations."
COLUMNS = (
    *("id", "question", "context", "answer", "domain", "source", "cluster", "reformulations"),
    *(_PREFIX + kind for kind in REFORMULATIONS),
    "provenance",
)
_LAYOUT = Layout(columns=COLUMNS, json_columns=("reformulations", "provenance"))


@dataclass(frozen=True, slots=True)
class QuestionRecord:
    """An item as it stands in a file that `bias-tasks reformulate` wrote, or a person."""

    item: BinaryItem
    provenance: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By rewording, plain JSON values: `by` (model, given or refused; grammar in files of older
    versions) and `output`; where a model was asked also `model`, `prompt`, `attempts`, and `reason`
    where its rewording was refused. `question` stands beside the rewordings where a model turned
    the question yes/no, with `turned_from`, what it was before."""

    def maker(self, kind: Reformulation) -> str | None:
        """Who made the rewording, None where there is none.

        One that is not, or no longer, what its provenance says was given by a person.
        """
        text, origin = self.item.reformulations.get(kind), self.provenance.get(kind, {})
        by = origin.get("by") if origin.get("output") == text else None
        return None if text is None else "given" if by in (None, "refused") else str(by)

    def made(self, kind: Reformulation, origin: Mapping[str, Any]) -> "QuestionRecord":
        """The record with one more rewording, made as `origin` says, or with why it was refused."""
        item = self.item
        if origin["by"] != "refused":
            item = replace(item, reformulations={**item.reformulations, kind: origin["output"]})
        return QuestionRecord(item, {**self.provenance, kind: origin})


def read_binary_file(path: str | Path) -> tuple[list[QuestionRecord], str]:
    """The questions of the user's file, in its order, and the sha256 of its content.

    A question keeps its own id; without one its id is a hash of its context, wording and answer, so
    that adding rewordings does not move it. Without a domain it is of the domain `file`. Questions
    about the same context are one cluster, unless a column `cluster` says otherwise. A DataError as
    `read_rows`; or an id or a question with its context is repeated."""
    return read_rows(path, _LAYOUT, _record, _claims)


def record_to_dict(record: QuestionRecord) -> dict[str, Any]:
    """The record as a row of a JSONL file; empty columns are left out."""
    row = asdict(record.item)
    further: dict[str, Any] = row.pop("further")
    return filled(row) | further | {"provenance": dict(record.provenance)}


def _usable_domain(domain: str) -> str:
    if "," in domain:  # it separates the names of `domains`
        raise ValueError("a domain has no comma")
    return usable_prefix(domain, "bias_tasks.binary_qa")


class Origin(Strict):
    """Who made a rewording; whoever reviews it may note more."""

    model_config = ConfigDict(strict=True, extra="allow")

    by: Literal["given", "model", "refused", "grammar"]
    output: str | None = None


class _BinaryRow(RowModel):
    """A yes/no question and its right answer."""

    question: Text
    context: Text | None = None
    answer: Annotated[BinaryLabel, BeforeValidator(labels("Yes", "No"))]
    domain: Annotated[Id, AfterValidator(_usable_domain)] = "file"
    source: Text = "file"
    cluster: Text | None = None
    reformulations: dict[Reformulation, Text] = Field(default_factory=dict)
    provenance: dict[Reformulation | Literal["question"], Origin] = Field(default_factory=dict)


def _record(cells: Cells, further: Further) -> QuestionRecord:
    row = checked(_BinaryRow, _nested(cells), COLUMNS)
    own: dict[str, Any] = row.model_dump(exclude={"provenance"})
    own["id"] = row.id or f"file-{content_hash(row.context, row.question, row.answer)}"
    shared = own["id"] if row.context is None else f"file-{content_hash(row.context)}"
    item = BinaryItem(**own | {"cluster": row.cluster or shared}, further=further)
    made = {what: origin.model_dump(exclude_none=True) for what, origin in row.provenance.items()}
    return QuestionRecord(item, plain(made))


def _claims(record: QuestionRecord) -> list[Claim]:
    item = record.item
    asked = ("question", item.context, item.question), "column question: it is asked in"
    return [one_id(item.id), asked]


def _nested(cells: Cells) -> dict[str, Any]:
    """The cells with the columns `reformulations.<kind>` gathered in one; empty ones left out."""
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
