"""Rows of common data sets with the columns of a user's file (docs/own_data.md)."""

from collections.abc import Collection, Mapping
from string import ascii_uppercase
from typing import Any

from bias_tasks.data.columns import parse_nested_column, parse_whole
from bias_tasks.data.errors import shorten
from bias_tasks.data.files import RawRecord, read_yaml
from bias_tasks.data.option_texts import refers_to_options
from bias_tasks.digests import content_hash

_LISTS = ("options", "labels", "truths", "correct", "wrong")
_COLUMNS = {"question", "context", "answer", "options"}
_NEEDS_OPTIONS = {*_LISTS, "position"}
"""Parts of data sets that files without options cannot have."""


class Position(int):
    """Position of an option, counted from 0, which can mean nothing else."""


def rename_columns(row: RawRecord, columns: Collection[str]) -> RawRecord:
    """Return a row of a common data set with the columns of a user's file, another row unchanged.

    Args:
        row: The non-empty cells.
        columns: The columns that the file can have.

    Raises:
        ValueError: The row's columns contradict each other.
    """
    if not _COLUMNS - {"options"} <= {*columns}:
        return row
    headers = {header.strip().casefold(): header for header in row}
    data_sets: Mapping[str, RawRecord] = read_yaml(__package__, "data_set_columns")
    for declared in data_sets.values():
        paths = {part: path for part, path in declared.items() if part != "fixed_options"}
        names = [name for path in paths.values() for name in _names(path)]
        used = {name.partition(".")[0].casefold() for name in names}
        already = _COLUMNS & declared.keys() & headers.keys() - used
        needs_options = "options" not in columns and _NEEDS_OPTIONS & paths.keys()
        if already or needs_options or not used <= headers.keys():
            continue
        parts = {part: _find(part, path, row, headers) for part, path in paths.items()}
        if None in parts.values():
            continue
        if "options" in columns and "fixed_options" in declared:
            parts["options"] = declared["fixed_options"]
        used.discard(str(declared.get("kept")))
        rest = {header: row[header] for name, header in headers.items() if name not in used}
        return rest | _build_cells(parts)
    return row


def _names(path: str | list[str]) -> list[str]:
    return [path] if isinstance(path, str) else path


def _find(part: str, path: str | list[str], row: RawRecord, headers: Mapping[str, str]) -> Any:
    """Return a part of a row; None if the row's cells are not those of the data set."""
    if not isinstance(path, str):
        return [row[headers[name.casefold()]] for name in path]
    name, _, field = path.partition(".")
    value = row[headers[name.casefold()]]
    if field or part in _LISTS:
        value = parse_nested_column(name, value)
    if field:
        value = value.get(field) if isinstance(value, Mapping) else None
    if part == "context" and isinstance(value, list):
        return "\n".join(map(str, value))
    if part in _LISTS and not isinstance(value, list):
        return None
    if part == "position":
        position = parse_whole(value)
        return position if type(position) is int else None
    return value


def _build_cells(parts: RawRecord) -> dict[str, object]:
    """Return the columns of a user's file that the parts of a row are."""
    cells = {name: parts[name] for name in ("question", "context", "answer") if name in parts}
    options = parts.get("options", [*parts.get("correct", ()), *parts.get("wrong", ())])
    answer, position = str(parts.get("answer")).strip(), parts.get("position")
    for part in ("labels", "truths"):
        if len(parts.get(part, options)) != len(options):
            raise ValueError(f"column options: expected as many {part} as options ({len(options)})")
    if "labels" in parts:
        labels = [str(label) for label in parts["labels"]]
        if answer not in labels:
            raise ValueError(
                f"column answer: {shorten(answer)} is none of the row's own labels of its options: "
                f"write one of {', '.join(labels)}"
            )
        cells["answer"] = Position(labels.index(answer))
    if position is not None:
        if not 0 <= position < len(options):
            raise ValueError(f"expected a position from 0 to {len(options) - 1}, found {position}")
        letter = ascii_uppercase[position : position + 1]
        if "answer" in cells and answer not in (letter, options[position]):
            raise ValueError(
                f"column answer: {shorten(answer)} is not option {letter}, which answer_index "
                f"({position}, counted from 0) names: correct or remove one"
            )
        cells["answer"] = Position(position)
    correct = [text for text, truth in zip(options, parts.get("truths", ()), strict=False) if truth]
    correct = parts.get("correct", correct)
    if correct:
        # The data sets list the correct option first, and options that refer to others last.
        question = str(parts["question"])
        options = sorted(options, key=lambda text: content_hash(question, str(text)))
        options.sort(key=lambda text: refers_to_options(str(text), question))
        cells["answer"] = [Position(options.index(text)) for text in correct]
    return cells | ({"options": options} if options else {})
