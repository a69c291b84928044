"""Loads a user's items from a JSONL, CSV or Parquet file (docs/output_format.md).

Lists and objects may be written as JSON text.
"""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import ascii_uppercase
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    Field,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
    field_validator,
)

from bias_tasks.data.columns import (
    Nested,
    RowModel,
    Text,
    check_text,
    parse_nested,
    validate_row,
)
from bias_tasks.data.option_texts import check_different
from bias_tasks.data.tables import Cells, ExtraColumns, RowKey, read_rows
from bias_tasks.digests import content_hash
from bias_tasks.output_format.items import AnswerType, FormatItem, Payload, format_payload
from bias_tasks.parsing.numbers import parse_number

_GOLD_NUMBER = re.compile(r"[-+]?(?:\d[\d,]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
"""A correct answer that is a number, without anything around it."""
_COLLECTIONS: Mapping[AnswerType, tuple[TypeAdapter[Payload], str]] = {
    "binary_list": (
        TypeAdapter(
            Annotated[tuple[Annotated[bool, AfterValidator(int)], ...], Field(min_length=1)]
        ),
        "a list of 0 and 1, one for each candidate",
    ),
    "string_list": (TypeAdapter(tuple[Text, ...]), "a list of texts"),
    "option_set": (
        TypeAdapter(tuple[Annotated[str, Field(pattern="^[A-Z]$")], ...]),
        "a list of letters of options",
    ),
    "mapping": (
        TypeAdapter(Annotated[dict[Text, tuple[Text, ...]], Field(min_length=1)]),
        "an object with a list of texts under each key",
    ),
}
"""How answers with several values are checked, and their description in messages."""


def load_items_from_file(path: str | Path) -> tuple[list[FormatItem], str]:
    """Return the items of a file and the sha256 of its content.

    Raises:
        DataError: As in `read_rows`.
    """
    return read_rows(path, _COLUMNS, parse_row, lambda item: [_build_key(item)])


def parse_row(cells: Cells, columns: ExtraColumns | None = None) -> FormatItem:
    """Return the item of a row. A row without an id is identified by a hash of its content.

    Args:
        cells: The cells of known columns.
        columns: The cells of other columns.

    Raises:
        ValueError: The message names each wrong column.
    """
    row = validate_row(_FormatRow, cells, _COLUMNS)
    text = row.input if row.context is None else f"{row.context}\n\n{row.input}"
    content = (text, row.options, row.answer_type, row.answer)
    item_id = row.id or f"file-{content_hash(*content)}"
    return FormatItem(
        id=item_id,
        dataset="file",
        input=text,
        answer=row.answer,
        answer_type=row.answer_type,
        cluster=row.cluster or item_id,
        options=tuple(row.options),
        columns=columns or {},
    )


def _build_key(item: FormatItem) -> RowKey:
    texts = dict(zip(ascii_uppercase, item.options, strict=False))
    answer = format_payload(item.answer) or ""
    question = (item.input, item.answer_type, frozenset(item.options))
    return RowKey(item.id, question, texts.get(answer, answer))


class _FormatRow(RowModel):
    """An item with its correct answer, which comes last because its check needs the others."""

    input: Text
    context: Text | None = None
    answer_type: AnswerType
    options: Annotated[
        list[Text], Field(min_length=2, max_length=26), AfterValidator(check_different), Nested
    ] = Field(default_factory=list)
    cluster: Text | None = None
    answer: Any

    @field_validator("answer", mode="after")
    @classmethod
    def _check_answer(cls, answer: Any, info: ValidationInfo) -> Payload:
        if "answer_type" not in info.data or "options" not in info.data:
            return ""  # the message names these columns instead
        return _parse_answer(answer, info.data["answer_type"], info.data["options"])


_COLUMNS = tuple(_FormatRow.model_fields)


def _parse_answer(raw: object, answer_type: AnswerType, options: Sequence[str]) -> Payload:
    """Return the answer in the form of its type, which is a letter if there are options."""
    if answer_type in _COLLECTIONS:
        adapter, expected = _COLLECTIONS[answer_type]
        try:
            values = adapter.validate_python(parse_nested(raw))
        except ValidationError as error:
            raise ValueError(f"expected {expected}") from error
        letters = ascii_uppercase[: len(options)]
        if answer_type == "option_set" and not set(values) <= set(letters):
            raise ValueError(f"expected {expected}, each in options: {letters or 'there are none'}")
        return values
    if answer_type == "number":
        text = (raw if isinstance(raw, str) else json.dumps(raw)).strip()
        if _GOLD_NUMBER.fullmatch(text) and parse_number(text) is not None:
            return text
        raise ValueError("expected a number")
    if answer_type == "option_letter":
        letters = ascii_uppercase[: len(options) or None]
        if isinstance(raw, str) and len(raw) == 1 and raw in letters:
            return raw
        raise ValueError(f"expected one letter from {letters[0]} to {letters[-1]}")
    if answer_type == "option_text" and options:
        if isinstance(raw, str) and raw in options:
            return ascii_uppercase[options.index(raw)]
        raise ValueError("expected the text of one of the options")
    if not isinstance(raw, str):
        raise ValueError("expected a text")
    return check_text(raw)
