"""The user's own questions, from a JSONL, CSV or Parquet file (docs/output_format.md). Lists and
objects may be written as JSON text."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from string import ascii_uppercase
from typing import Annotated, Any

from pydantic import AfterValidator, Field, TypeAdapter, ValidationInfo, field_validator
from pydantic_core import ValidationError

from bias_tasks.data.columns import RowModel, Text, checked, printable_text
from bias_tasks.data.files import parsed_json
from bias_tasks.data.tables import Cells, Further, Layout, filled, one_id, read_rows
from bias_tasks.names import content_hash
from bias_tasks.output_format.items import AnswerType, FormatItem, Payload
from bias_tasks.output_format.numbers import number_of

_COLUMNS = ("id", "input", "answer_type", "options", "cluster", "answer")
_NUMBER = re.compile(r"[-+]?(?:\d[\d,]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
_LAYOUT = Layout(columns=_COLUMNS, json_columns=("options",))  # an answer is decoded by its type
_BITS = Annotated[list[Annotated[bool, AfterValidator(int)]], Field(min_length=1)]
_PARSED: Mapping[AnswerType, tuple[TypeAdapter[Any], str]] = {
    "binary_list": (TypeAdapter(_BITS), "a list of 0 and 1, one for each candidate"),
    "string_list": (TypeAdapter(list[Text]), "a list of texts"),
    "mapping": (
        TypeAdapter(Annotated[dict[Text, list[Text]], Field(min_length=1)]),
        "an object with a list of texts under each key",
    ),
}
"""How the answers that hold several values are checked, and what to say of a wrong one."""


def read_format_file(path: str | Path) -> tuple[list[FormatItem], str]:
    """The items of the user's file and the sha256 of its content; else `read_rows`' DataError."""
    return read_rows(path, _LAYOUT, as_item, lambda item: [one_id(item.id)])


def as_item(cells: Cells, further: Further | None = None) -> FormatItem:
    """The item of a row, known by a hash of its content where it has no id; a ValueError names each
    wrong column."""
    row = checked(_FormatRow, cells)
    content = (row.input, row.options, row.answer_type, row.answer)
    identifier = row.id or f"file-{content_hash(*content)}"
    return FormatItem(
        id=identifier,
        dataset="file",
        input=row.input,
        answer=row.answer,
        answer_type=row.answer_type,
        cluster=row.cluster or identifier,
        options=tuple(row.options),
        further=further or {},
    )


def _different(options: list[str]) -> list[str]:
    if len(set(options)) < len(options):
        raise ValueError("expected different options")
    return options


class _FormatRow(RowModel):
    """A question and its right answer; `answer` stands last because it is checked by the rest."""

    input: Text
    answer_type: AnswerType
    options: Annotated[
        list[Text], Field(min_length=2, max_length=26), AfterValidator(_different)
    ] = Field(default_factory=list)
    cluster: Text | None = None
    answer: Any

    @field_validator("answer", mode="after")
    @classmethod
    def _of_the_type(cls, answer: Any, info: ValidationInfo) -> Payload:
        if "answer_type" not in info.data or "options" not in info.data:
            return ""  # they are wrong themselves, which is reported
        return _answer(answer, info.data["answer_type"], info.data["options"])


def _answer(given: Any, kind: AnswerType, options: list[str]) -> Payload:
    """The answer of this type. Gold is a letter wherever there are options."""
    if kind in _PARSED:
        return _parsed(given, *_PARSED[kind])
    if kind == "number":
        text = (given if isinstance(given, str) else json.dumps(given)).strip()
        if _NUMBER.fullmatch(text) and number_of(text) is not None:
            return text
        raise ValueError("expected a number")
    if kind == "option_letter":
        known = ascii_uppercase[: len(options) or None]
        if isinstance(given, str) and len(given) == 1 and given in known:
            return given
        raise ValueError(f"expected one letter from {known[0]} to {known[-1]}")
    if kind == "option_text" and options:
        if given in options:
            return ascii_uppercase[options.index(given)]
        raise ValueError("expected the text of one of the options")
    if not isinstance(given, str):
        raise ValueError("expected a text")
    return printable_text(given)


def _parsed(given: Any, kind: TypeAdapter[Any], expected: str) -> Payload:
    """A list or mapping, which may be written as JSON text."""
    try:
        value = parsed_json(given) if isinstance(given, str) else given
        # Parquet fills the keys that a row lacks with nulls.
        found = kind.validate_python(filled(value) if isinstance(value, dict) else value)
    except (json.JSONDecodeError, ValidationError) as error:
        raise ValueError(f"expected {expected}") from error
    if isinstance(found, dict):
        return {key: tuple(values) for key, values in found.items()}
    return tuple(found)
