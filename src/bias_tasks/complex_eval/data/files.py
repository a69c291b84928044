"""The user's own judged items and responses, from a file (docs/complex_eval.md): rows of
`judged_to_dict`, of which `query` and `responses` must be there, or of ProcessBench's layout.
Responses to the paper's requests are rows `{id, response, reference?}`, whose id is an item's."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, field_validator

from bias_tasks.complex_eval.data.converters import process_item
from bias_tasks.complex_eval.items import (
    CHOSEN,
    ORIGINAL,
    REJECTED,
    Criterion,
    JudgedItem,
    JudgedKind,
    attack_names,
)
from bias_tasks.complex_eval.layout import read_dialogue, read_steps
from bias_tasks.contract.figures import usable_prefix
from bias_tasks.data.columns import MOST_PARTS, Id, RowModel, Strict, Text, checked, truth
from bias_tasks.data.tables import Cells, Further, Layout, one_id, plain, read_rows
from bias_tasks.names import content_hash

_usable = partial(usable_prefix, package="bias_tasks.complex_eval")
_Texts = Annotated[dict[str, Text], Field(max_length=MOST_PARTS)]


def as_truth(value: object) -> object:
    """A cell that says yes or no as a truth value; any other as it is."""
    said = truth(value)
    return value if said is None else said


class ResponseRow(Strict):
    """A response to one of the paper's requests, and maybe a reference beside it."""

    id: Id
    response: Text
    reference: Text | None = None


class _ProcessRow(RowModel):
    """A solution in ProcessBench's layout."""

    problem: Text
    steps: Annotated[list[Text], Field(min_length=1, max_length=MOST_PARTS)]
    label: int
    reference_solution: Text | None = None
    final_answer_correct: Annotated[bool | None, BeforeValidator(as_truth)] = None
    generator: str | None = None

    @field_validator("label", mode="after")
    @classmethod
    def _is_a_position(cls, label: int, info: ValidationInfo) -> int:
        count = len(info.data.get("steps", ()))
        if count and label not in range(-1, count):
            raise ValueError(f"expected -1 to {count - 1}")
        return label


class _CriterionRow(Strict):
    name: Text
    description: Text


class _JudgedRow(RowModel):
    """A row of `judged_to_dict`."""

    family: JudgedKind | None = None
    domain: Annotated[Text, AfterValidator(_usable)] | None = None
    source: Text = "file"
    cluster: Text | None = None
    query: Text
    responses: _Texts
    reference: Text | None = None
    rubric: Text | None = None
    criteria: list[_CriterionRow] = Field(default_factory=list, max_length=MOST_PARTS)
    background: Text | None = None
    attacked: _Texts = Field(default_factory=dict)
    first_error: Annotated[int, Field(ge=-1)] | None = None
    provenance: Annotated[dict[str, Any], AfterValidator(plain)] = Field(default_factory=dict)


_ITEMS = Layout(
    columns=tuple(dict.fromkeys([*_JudgedRow.model_fields, *_ProcessRow.model_fields])),
    json_columns=("responses", "criteria", "attacked", "provenance", "steps"),
    whole_columns=("first_error", "label"),
)
_RESPONSES = Layout(columns=tuple(ResponseRow.model_fields), json_columns=(), keeps_further=False)


def read_judged_file(path: str | Path, family: JudgedKind) -> tuple[list[JudgedItem], str]:
    """The items of the user's file, in its order, and the sha256 of its content; raises as
    `read_rows`."""

    def as_item(cells: Cells, further: Further) -> JudgedItem:
        in_steps = family == "math" and "steps" in cells
        model = _ProcessRow if in_steps else _JudgedRow
        own = {column: value for column, value in cells.items() if column in model.model_fields}
        others = {column: value for column, value in cells.items() if column not in own}
        row = checked(model, own)
        if isinstance(row, _JudgedRow):
            item = _judged_item(row, family)
        else:
            item = process_item(row.model_dump(), "file")
        return replace(item, further={**further, **plain(others)})

    return read_rows(path, _ITEMS, as_item, lambda item: [one_id(item.id)])


def read_responses(path: str | Path) -> tuple[list[ResponseRow], str]:
    """The responses of the user's file, and the sha256 of its content; raises as for items."""
    return read_rows(
        path, _RESPONSES, lambda cells, _: checked(ResponseRow, cells), lambda row: [one_id(row.id)]
    )


def check_response(family: JudgedKind, response: str) -> None:
    """Raise a ValueError where math is not numbered steps, or role playing no dialogue as JSON."""
    if family == "math":
        read_steps(response)
    elif family == "role_playing":
        read_dialogue(response)


def _judged_item(row: _JudgedRow, family: JudgedKind) -> JudgedItem:
    """The item of a row; the family is `family` where the row does not say."""
    _check_row(row, family)
    identifier = row.id or f"file-{content_hash(family, row.query, row.responses)}"
    given = row.model_dump(exclude={"provenance"}) | {
        "id": identifier,
        "family": family,
        "domain": row.domain or family,
        "cluster": row.cluster or identifier,
        "criteria": tuple(Criterion(part.name, part.description) for part in row.criteria),
    }
    attackers = {name: maker for name in row.attacked if (maker := _attacker(row, name))}
    return JudgedItem(**given, attackers=attackers)


def _attacker(row: _JudgedRow, name: str) -> str | None:
    """Who made an attack, as `bias-tasks attack` notes it; None where the row says nothing."""
    try:
        made = row.provenance["attacks"][name]
        models = [s["model"] for s in made.get("steps") or () if s.get("role") != "checker"]
        maker = models[-1] if models else made["by"]
    except (AttributeError, IndexError, KeyError, TypeError):
        return None
    return maker if isinstance(maker, str) else None


def _check_row(row: _JudgedRow, family: JudgedKind) -> None:
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
        last = len(read_steps(row.responses[ORIGINAL])) - 1
        if row.first_error is None or row.first_error > last:
            raise ValueError(f"column first_error: expected -1 to {last}, found {row.first_error}")
