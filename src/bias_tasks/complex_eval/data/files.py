"""Judged items and responses from a user's file (docs/complex_eval.md).

Rows of items are those that `JudgedItem.to_row` writes, of which `query` and `responses` are
required, or rows in ProcessBench's layout. Responses to the paper's requests are rows `{id,
response, reference?}`.
"""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, field_validator

from bias_tasks.complex_eval.data.converters import convert_solution
from bias_tasks.complex_eval.items import (
    ATTACKS,
    CHOSEN,
    ENTANGLEMENT,
    ORIGINAL,
    REJECTED,
    Criterion,
    JudgedItem,
    JudgedKind,
)
from bias_tasks.complex_eval.layout import read_dialogue, read_steps
from bias_tasks.contract.json_data import JsonObject
from bias_tasks.contract.metrics import check_domain_name
from bias_tasks.data.columns import (
    MAX_CELL_PARTS,
    Id,
    RowModel,
    Strict,
    Text,
    parse_bool,
    validate_row,
)
from bias_tasks.data.tables import Cells, ExtraColumns, Layout, RowKey, read_rows, to_json_value
from bias_tasks.digests import content_hash

_check_domain = partial(check_domain_name, package="bias_tasks.complex_eval")
_Texts = Annotated[dict[str, Text], Field(max_length=MAX_CELL_PARTS)]


def convert_truth(value: object) -> object:
    """Return a cell that means yes or no as a truth value, and any other cell unchanged."""
    converted = parse_bool(value)
    return value if converted is None else converted


class ResponseRow(Strict):
    """A response to one of the paper's requests, and optionally its reference."""

    id: Id
    response: Text
    reference: Text | None = None


class _SolutionRow(RowModel):
    """A solution in ProcessBench's layout."""

    problem: Text
    steps: Annotated[list[Text], Field(min_length=1, max_length=MAX_CELL_PARTS)]
    label: int
    reference_solution: Text | None = None
    final_answer_correct: Annotated[bool | None, BeforeValidator(convert_truth)] = None
    generator: str | None = None

    @field_validator("label", mode="after")
    @classmethod
    def _check_position(cls, label: int, info: ValidationInfo) -> int:
        count = len(info.data.get("steps", ()))
        if count and label not in range(-1, count):
            raise ValueError(f"expected -1 to {count - 1}")
        return label


class _CriterionRow(Strict):
    name: Text
    description: Text


class _JudgedRow(RowModel):
    """A row of `JudgedItem.to_row`."""

    family: JudgedKind | None = None
    domain: Annotated[Text, AfterValidator(_check_domain)] | None = None
    source: Text = "file"
    cluster: Text | None = None
    query: Text
    responses: _Texts
    reference: Text | None = None
    rubric: Text | None = None
    criteria: list[_CriterionRow] = Field(default_factory=list, max_length=MAX_CELL_PARTS)
    attacked_criterion: Text | None = None
    background: Text | None = None
    attacked: _Texts = Field(default_factory=dict)
    first_error: Annotated[int, Field(ge=-1)] | None = None
    provenance: Annotated[JsonObject, AfterValidator(to_json_value)] = Field(default_factory=dict)


_ITEMS = Layout(
    columns=tuple(dict.fromkeys([*_JudgedRow.model_fields, *_SolutionRow.model_fields])),
    json_columns=("responses", "criteria", "attacked", "provenance", "steps"),
    whole_columns=("first_error", "label"),
)
_RESPONSES = Layout(
    columns=tuple(ResponseRow.model_fields), json_columns=(), keeps_extra_columns=False
)


def read_judged_file(path: str | Path, family: JudgedKind) -> tuple[list[JudgedItem], str]:
    """Read the items of a user's file.

    Args:
        path: The file.
        family: Kind of the items.

    Returns:
        The items in the order of the file, and the sha256 of its content.

    Raises:
        DataError: The file cannot be read, or has invalid rows (`read_rows`).
    """

    def convert(cells: Cells, unknown: ExtraColumns) -> JudgedItem:
        is_solution = family == "math" and "steps" in cells
        names = (_SolutionRow if is_solution else _JudgedRow).model_fields
        values = {column: value for column, value in cells.items() if column in names}
        unused = {column: value for column, value in cells.items() if column not in names}
        if is_solution:
            item = convert_solution(validate_row(_SolutionRow, values).model_dump(), "file")
        else:
            item = _build_item(validate_row(_JudgedRow, values), family)
        return replace(item, columns={**unknown, **to_json_value(unused)})

    return read_rows(path, _ITEMS, convert, lambda item: [_build_key(item)])


def read_responses(path: str | Path) -> tuple[list[ResponseRow], str]:
    """Read the responses of a user's file, and the sha256 of its content.

    Raises:
        DataError: The file cannot be read, or has invalid rows (`read_rows`).
    """
    return read_rows(
        path,
        _RESPONSES,
        lambda cells, _: validate_row(ResponseRow, cells),
        lambda row: [RowKey(row.id, row.response, asked="id and response")],
    )


def _build_key(item: JudgedItem) -> RowKey:
    question = (item.query, frozenset(item.responses.values()))
    answer = item.responses.get(CHOSEN, item.first_error)
    return RowKey(item.id, question, answer, "query and responses")


def check_response(family: JudgedKind, response: str) -> None:
    """Check that a response in math is numbered steps, and one in role playing a dialogue as JSON.

    Raises:
        ValueError: It is not.
    """
    if family == "math":
        read_steps(response)
    elif family == "role_playing":
        read_dialogue(response)


def _build_item(row: _JudgedRow, family: JudgedKind) -> JudgedItem:
    """Return the item of a row; `family` applies if the row has none."""
    _check_row(row, family)
    identifier = row.id or f"file-{content_hash(family, row.query, row.responses)}"
    attackers = {name: _find_attacker(row, name) for name in row.attacked}
    return JudgedItem(
        id=identifier,
        family=family,
        domain=row.domain or family,
        source=row.source,
        cluster=row.cluster or identifier,
        query=row.query,
        responses=row.responses,
        reference=row.reference,
        rubric=row.rubric,
        criteria=tuple(Criterion(part.name, part.description) for part in row.criteria),
        attacked_criterion=row.attacked_criterion or _find_attacked_criterion(row, family),
        background=row.background,
        attacked=row.attacked,
        first_error=row.first_error,
        attackers={name: author for name, author in attackers.items() if author},
    )


def _find_attacker(row: _JudgedRow, name: str) -> str | None:
    """Return the author of an attack as `bias-tasks attack` records it; None if unknown."""
    try:
        record = row.provenance["attacks"][name]
        steps = record.get("steps") or ()
        models = [step["model"] for step in steps if step.get("role") != "checker"]
        author = models[-1] if models else record["by"]
    except (AttributeError, IndexError, KeyError, TypeError):
        return None
    return author if isinstance(author, str) else None


def _find_attacked_criterion(row: _JudgedRow, family: JudgedKind) -> str | None:
    """Return the criterion that the attacker names first, as it is asked to; None if unclear."""
    try:
        reply = row.provenance["attacks"][ENTANGLEMENT]["steps"][0]["output"]
    except (IndexError, KeyError, TypeError):
        return None
    first_line = str(reply).partition("\n")[0].casefold()
    names = [part.name for part in row.criteria if part.name.casefold() in first_line]
    return names[0] if family == "creative_writing" and len(names) == 1 else None


def _check_row(row: _JudgedRow, family: JudgedKind) -> None:
    if row.family not in (None, family):
        raise ValueError(f"column family: expected {family}, found {row.family}")
    expected = {CHOSEN, REJECTED} if family == "basic" else {ORIGINAL}
    if row.responses.keys() != expected:
        raise ValueError(f"column responses: expected only {' and '.join(sorted(expected))}")
    unknown = row.attacked.keys() - set(ATTACKS[family])
    if unknown:
        valid = ", ".join(ATTACKS[family])
        raise ValueError(f"column attacked: {min(unknown)!r} is not one of {valid}")
    names = [part.name for part in row.criteria]
    if row.attacked_criterion not in (None, *names):
        raise ValueError(f"column attacked_criterion: expected one of {', '.join(names)}")
    for name, response in (row.responses | row.attacked).items():
        try:
            check_response(family, response)
        except ValueError as error:
            raise ValueError(f"response {name}: {error}") from error
    if family == "math":
        last = len(read_steps(row.responses[ORIGINAL])) - 1
        if row.first_error is None or row.first_error > last:
            raise ValueError(f"column first_error: expected -1 to {last}, found {row.first_error}")
