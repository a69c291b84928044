"""Judged items and responses from a user's file (docs/complex_eval.md).

Rows of items are those that `JudgedItem.to_row` writes, of which `query` and `responses` are
required, or rows in ProcessBench's layout. Responses to the paper's requests are rows `{id,
response, reference?}`.
"""

from dataclasses import fields, replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationInfo, field_validator

from bias_tasks.complex_eval.data.converters import convert_solution
from bias_tasks.complex_eval.items import (
    ATTACKS,
    CHOSEN,
    ENTANGLEMENT,
    ORIGINAL,
    REJECTED,
    JudgedItem,
    JudgedKind,
)
from bias_tasks.complex_eval.layout import read_dialogue, read_steps
from bias_tasks.contract.metrics import check_domain_name
from bias_tasks.data.columns import (
    MAX_CELL_PARTS,
    Id,
    Nested,
    RowModel,
    Strict,
    Text,
    Whole,
    validate_row,
)
from bias_tasks.data.tables import Cells, ExtraColumns, RowKey, read_rows, to_json_value
from bias_tasks.digests import content_hash


class ResponseRow(Strict):
    """A response to one of the paper's requests, and optionally its reference."""

    id: Id
    response: Text
    reference: Text | None = None


class _SolutionRow(RowModel):
    """A solution in ProcessBench's layout."""

    problem: Text
    steps: Annotated[list[Text], Field(min_length=1, max_length=MAX_CELL_PARTS), Nested]
    label: Whole
    reference_solution: Text | None = None
    final_answer_correct: object = None
    generator: object = None

    @field_validator("label", mode="after")
    @classmethod
    def _check_position(cls, label: int, info: ValidationInfo) -> int:
        count = len(info.data.get("steps", ()))
        if count and label not in range(-1, count):
            raise ValueError(f"expected -1 to {count - 1}")
        return label


_UNREAD = ("attackers", "columns")
"""Fields of an item that no column holds."""
_ITEM = tuple(field.name for field in fields(JudgedItem) if field.name not in _UNREAD)
_SOLUTION = tuple(_SolutionRow.model_fields)
_COLUMNS = tuple(dict.fromkeys([*_ITEM, *_SOLUTION]))


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
        names = _SOLUTION if is_solution else _ITEM
        values = {column: value for column, value in cells.items() if column in names}
        unused = {column: value for column, value in cells.items() if column not in names}
        if is_solution:
            row = validate_row(_SolutionRow, values, _SOLUTION)
            item = convert_solution(row.model_dump(), "file")
        else:
            item = _build_item(values, family)
        return replace(item, columns={**unknown, **to_json_value(unused)})

    return read_rows(path, _COLUMNS, convert, lambda item: [_build_key(item)])


def read_responses(path: str | Path) -> tuple[list[ResponseRow], str]:
    """Read the responses of a user's file, and the sha256 of its content.

    Raises:
        DataError: The file cannot be read, or has invalid rows (`read_rows`).
    """
    columns = tuple(ResponseRow.model_fields)
    return read_rows(
        path,
        columns,
        lambda cells, _: validate_row(ResponseRow, cells, columns),
        lambda row: [RowKey(row.id, row.response, asked="id and response")],
        keeps_extra_columns=False,
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


def _build_item(cells: Cells, family: JudgedKind) -> JudgedItem:
    """Return the item of a row; `family` applies if the row has none."""
    defaults = {"id": "file", "cluster": "file", "source": "file", "domain": family}
    item = validate_row(JudgedItem, {**defaults, "family": family, **cells}, _ITEM)
    _check_item(item, family)
    identifier = item.id
    if "id" not in cells:
        identifier = f"file-{content_hash(family, item.query, item.responses)}"
    attacks = item.provenance.get("attacks")
    attackers = {name: _find_attacker(attacks, name) for name in item.attacked}
    return replace(
        item,
        id=identifier,
        cluster=cells.get("cluster", identifier),
        attacked_criterion=item.attacked_criterion or _find_attacked_criterion(item, attacks),
        attackers={name: author for name, author in attackers.items() if author},
        provenance=to_json_value(item.provenance),
    )


def _find_attacker(attacks: Any, name: str) -> str | None:
    """Return the author of an attack as `make_attacks` records it; None if unknown."""
    try:
        record = attacks[name]
        steps = record.get("steps") or ()
        models = [step["model"] for step in steps if step.get("role") != "checker"]
        author = models[-1] if models else record["by"]
    except (AttributeError, IndexError, KeyError, TypeError):
        return None
    return author if isinstance(author, str) else None


def _find_attacked_criterion(item: JudgedItem, attacks: Any) -> str | None:
    """Return the criterion that the attacker names first, as it is asked to; None if unclear."""
    try:
        reply = attacks[ENTANGLEMENT]["steps"][0]["output"]
    except (IndexError, KeyError, TypeError):
        return None
    first_line = str(reply).partition("\n")[0].casefold()
    names = [part.name for part in item.criteria if part.name.casefold() in first_line]
    return names[0] if item.family == "creative_writing" and len(names) == 1 else None


def _check_item(item: JudgedItem, family: JudgedKind) -> None:
    if item.family != family:
        raise ValueError(f"column family: expected {family}, found {item.family}")
    try:
        check_domain_name(item.domain, "bias_tasks.complex_eval")
    except ValueError as error:
        raise ValueError(f"column domain: {error}") from error
    expected = {CHOSEN, REJECTED} if family == "basic" else {ORIGINAL}
    if item.responses.keys() != expected:
        raise ValueError(f"column responses: expected only {' and '.join(sorted(expected))}")
    unknown = item.attacked.keys() - set(ATTACKS[family])
    if unknown:
        valid = ", ".join(ATTACKS[family])
        raise ValueError(f"column attacked: {min(unknown)!r} is not one of {valid}")
    names = [part.name for part in item.criteria]
    if item.attacked_criterion not in (None, *names):
        raise ValueError(f"column attacked_criterion: expected one of {', '.join(names)}")
    for name, response in {**item.responses, **item.attacked}.items():
        try:
            check_response(family, response)
        except ValueError as error:
            raise ValueError(f"response {name}: {error}") from error
    if family == "math":
        last = len(read_steps(item.responses[ORIGINAL])) - 1
        if item.first_error is None or item.first_error > last:
            raise ValueError(f"column first_error: expected -1 to {last}, found {item.first_error}")
