"""What the rows of the user's judged items and responses must look like."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
)

from bias_tasks.attacks import attack_names, read_dialogue, read_steps
from bias_tasks.data.columns import Id, Text, told
from bias_tasks.items.common import content_hash
from bias_tasks.items.complex_eval import (
    CHOSEN,
    ORIGINAL,
    REJECTED,
    Criterion,
    Family,
    JudgedItem,
)


class _Row(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class ResponseRow(_Row):
    """A response to one of the paper's requests, and maybe a reference beside it."""

    id: Id
    response: Text
    reference: Text | None = None


class _ProcessRow(_Row):
    """A solution in ProcessBench's layout."""

    id: Id | None = None
    problem: Text
    steps: Annotated[list[Text], Field(min_length=1)]
    label: int
    reference_solution: Text | None = None
    final_answer_correct: bool | None = None
    generator: str | None = None

    @field_validator("label", mode="after")
    @classmethod
    def _is_a_position(cls, label: int, info: ValidationInfo) -> int:
        count = len(info.data.get("steps", ()))
        if count and label not in range(-1, count):
            raise ValueError(f"expected -1 to {count - 1}")
        return label


class _CriterionRow(_Row):
    name: Text
    description: Text


class _JudgedRow(_Row):
    """A row of `judged_to_dict`."""

    id: Id | None = None
    family: Family | None = None
    domain: Text | None = None
    source: Text = "file"
    cluster: Text | None = None
    query: Text
    responses: dict[str, Text]
    reference: Text | None = None
    rubric: Text | None = None
    criteria: list[_CriterionRow] = Field(default_factory=list)
    background: Text | None = None
    attacked: dict[str, Text] = Field(default_factory=dict)
    first_error: Annotated[int, Field(ge=-1)] | None = None
    provenance: dict[str, Any] = Field(default_factory=dict)


RESPONSE_COLUMNS = tuple(ResponseRow.model_fields)
COLUMNS = tuple(dict.fromkeys([*_JudgedRow.model_fields, *_ProcessRow.model_fields]))
JSON_COLUMNS = ("responses", "criteria", "attacked", "provenance", "steps")


def response_row(cells: Mapping[str, Any]) -> ResponseRow:
    """The checked row.

    Raises:
        ValueError: names each wrong column, what was expected and what was found.
    """
    try:
        return ResponseRow.model_validate(dict(cells))
    except ValidationError as error:
        raise ValueError(told(error, RESPONSE_COLUMNS)) from error


def process_row(cells: Mapping[str, Any]) -> dict[str, Any]:
    """The checked row of a solution.

    Raises:
        ValueError: names each wrong column, what was expected and what was found.
    """
    try:
        return _ProcessRow.model_validate(dict(cells)).model_dump()
    except ValidationError as error:
        raise ValueError(told(error, _ProcessRow.model_fields)) from error


def judged_row(cells: Mapping[str, Any], family: Family) -> JudgedItem:
    """The checked item of a row; the family is `family` where the row does not say.

    Raises:
        ValueError: names each wrong column, what was expected and what was found.
    """
    try:
        row = _JudgedRow.model_validate(dict(cells))
    except ValidationError as error:
        raise ValueError(told(error, _JudgedRow.model_fields)) from error
    _check_family(row, family)
    identifier = row.id or f"file-{content_hash(family, row.query, row.responses)}"
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
        background=row.background,
        attacked=row.attacked,
        first_error=row.first_error,
    )


def check_response(family: Family, response: str) -> None:
    """Refuses a response that is not of its family's form.

    Raises:
        ValueError: math is not numbered steps, or role playing no dialogue as JSON.
    """
    if family == "math":
        read_steps(response)
    elif family == "role_playing":
        read_dialogue(response)


def _check_family(row: _JudgedRow, family: Family) -> None:
    if row.family not in (None, family):
        raise ValueError(f"column family: expected {family}, found {row.family}")
    expected = {CHOSEN, REJECTED} if family == "basic" else {ORIGINAL}
    if row.responses.keys() != expected:
        raise ValueError(f"column responses: expected {' and '.join(sorted(expected))} alone")
    unknown = row.attacked.keys() - set(attack_names(family))
    if unknown:
        known = ", ".join(attack_names(family))
        raise ValueError(f"column attacked: {min(unknown)!r} is none of {known}")
    for name, response in (row.responses | row.attacked).items():
        try:
            check_response(family, response)
        except ValueError as error:
            raise ValueError(f"response {name}: {error}") from error
    if family == "math":
        _check_first_error(row)


def _check_first_error(row: _JudgedRow) -> None:
    count = len(read_steps(row.responses[ORIGINAL]))
    if row.first_error is None or row.first_error >= count:
        raise ValueError(f"column first_error: expected -1 to {count - 1}, found {row.first_error}")
