"""The user's own judging and choice items, from a JSONL, CSV or Parquet file (docs/own_data.md). A
row with options is never a statement; one file may hold both."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, ValidationInfo, field_validator

from bias_tasks.data.columns import MOST_PARTS, RowModel, Text, checked, labels
from bias_tasks.data.errors import shown
from bias_tasks.data.tables import Cells, Further, Layout, one_id, read_rows
from bias_tasks.instruction_boundary.items import ChoiceItem, Item, JudgingItem
from bias_tasks.names import content_hash

_COLUMNS = ("id", "question", "context", "options", "answer")
_LAYOUT = Layout(columns=_COLUMNS, json_columns=("options", "answer"))


def read_file(path: str | Path) -> tuple[list[Item], str]:
    """The items of the user's file, in its order, and the sha256 of its content.

    An item keeps its own id; without one its id is a hash of its content. Items with the same
    context share a cluster. A DataError as `read_rows`; or an id is repeated."""
    return read_rows(path, _LAYOUT, _item, lambda item: [one_id(item.id)])


class _JudgingRow(RowModel):
    """Facts, a statement about them, and whether it holds."""

    question: Text
    context: Text
    answer: Annotated[
        Literal["True", "False", "Unknown"], BeforeValidator(labels("True", "False", "Unknown"))
    ]


class _ChoiceRow(RowModel):
    """A question, its options, and the positions of the correct ones, counted from 0."""

    question: Text
    context: Text | None = None
    options: list[Text] = Field(min_length=2, max_length=MOST_PARTS)
    answer: Any

    @field_validator("answer")
    @classmethod
    def _positions_of_options(cls, answer: Any, info: ValidationInfo) -> list[int]:
        options = info.data.get("options")
        return [] if options is None else positions(answer, options)  # wrong options are reported


def _item(cells: Cells, further: Further) -> Item:
    """The item of a row: a choice if it has options or a list as answer, else a judging item."""
    row: _ChoiceRow | _JudgingRow
    if "options" in cells or isinstance(cells.get("answer"), list):
        row = checked(_ChoiceRow, cells, _COLUMNS)
    else:
        row = checked(_JudgingRow, cells, _COLUMNS)
    own: dict[str, Any] = row.model_dump(exclude={"id"})
    own["id"] = row.id or f"file-{content_hash(own)}"
    own["cluster"] = own["id"] if row.context is None else f"file-{content_hash(row.context)}"
    if isinstance(row, _ChoiceRow):
        own |= {"options": tuple(row.options), "answer": tuple(row.answer)}
        return ChoiceItem(**own, source="file", further=further)
    return JudgingItem(**own, source="file", further=further)


def positions(answer: object, options: Sequence[str]) -> list[int]:
    """Which options a cell calls right: positions from 0, letters from A, or their texts; or a list
    of these, `[]` where none of the options (given by their texts) is right. A ValueError where it
    names no option, or can be read in two ways."""
    said = str(answer).strip()  # of a list none of the two
    if len(options) == 2 and said in ("0", "1"):
        raise ValueError(
            f"of two options, {said} may be the position of {shown(options[int(said)])} or mean "
            f"{'yes' if said == '1' else 'no'}: write the letter A or B, or a list such as [0]"
        )
    answers = answer if isinstance(answer, list) else [answer]
    found = [_position(each, options) for each in answers]
    if len(set(found)) < len(found):
        raise ValueError("expected different options")
    return sorted(found)


def _position(value: object, options: Sequence[str]) -> int:
    said = str(value).strip()
    ways: dict[str, int] = {}
    for place, option in enumerate(options):
        if said == str(place):
            ways[f"the option at position {place}, counted from 0"] = place
        if said.upper() == chr(ord("A") + place):
            ways[f"option {said.upper()}"] = place
        if said.casefold() == option.strip().casefold():
            ways[f"the text of option {place}"] = place
    if len(set(ways.values())) == 1:
        return next(iter(ways.values()))
    if ways:
        raise ValueError(f"{shown(value)} may be {' or '.join(ways)}: write the option's letter")
    last = len(options) - 1
    raise ValueError(
        f"expected the text of an option, a letter from A to {chr(ord('A') + last)}, or a position "
        f"from 0 to {last}"
    )
