"""Reads a user's judging and choice items from a JSONL, CSV or Parquet file (docs/own_data.md).

One file may contain both forms. A row with options is always a choice item.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, get_args

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo

from bias_tasks.data.columns import (
    MAX_CELL_PARTS,
    Nested,
    RowModel,
    Text,
    label_parser,
    parse_nested,
    parse_nested_column,
    validate_row,
)
from bias_tasks.data.data_set_columns import Position
from bias_tasks.data.errors import DataError, shorten
from bias_tasks.data.option_texts import check_different
from bias_tasks.data.sources import Origin
from bias_tasks.data.tables import Cells, ExtraColumns, RowKey, read_rows
from bias_tasks.digests import content_hash
from bias_tasks.instruction_boundary.items import ChoiceItem, Item, JudgingItem, JudgingLabel
from bias_tasks.instruction_boundary.scoring_data import option_letter

_COLUMNS = ("id", "question", "context", "options", "answer")
_Row = tuple[Item, object]
"""An item, and the cell that names its correct answer."""


def read_file(path: str | Path) -> tuple[list[Item], Origin]:
    """Read the items of a user's file.

    An item keeps its id; without one its id is a hash of its content. Items with the same context
    share a cluster.

    Args:
        path: A JSONL, CSV or Parquet file.

    Returns:
        The items in the file's order, and their provenance: path, the sha256 of the content, and
        `note` if positions of options may be counted from 0 or from 1.

    Raises:
        DataError: The file cannot be read (`read_rows`), a row repeats or contradicts another, or
            options are named both by letters and by numbers.
    """
    rows, digest = read_rows(path, _COLUMNS, _build_row, _build_keys)
    origin = {"source": "file", "path": str(path), "sha256": digest}
    return [item for item, _ in rows], origin | _check_notation(path, rows)


def _build_keys(row: _Row) -> list[RowKey]:
    item, _ = row
    if isinstance(item, JudgingItem):
        return [RowKey(item.id, (item.context, item.question), item.answer)]
    question = (item.context, item.question, frozenset(item.options))
    correct = frozenset(item.options[position] for position in item.answer)
    return [RowKey(item.id, question, correct, "question and options")]


def _check_notation(path: str | Path, rows: Sequence[_Row]) -> Origin:
    """Return a `note` if all numbers in the column answer could also be counted from 1.

    Raises:
        DataError: A number in a text may count from 1, since other answers are letters.
    """
    letters, numbers = [], []
    for row, (item, answer) in enumerate(rows, start=1):
        if not isinstance(item, ChoiceItem):
            continue
        texts = [option.strip().casefold() for option in item.options]
        for cell in answer if isinstance(answer, list) else [answer]:
            text = str(cell).strip()
            if isinstance(cell, Position) or text.casefold() in texts:
                continue
            if text.isdigit():
                numbers.append((int(text), row, shorten(item.options[int(text)]), answer))
            elif isinstance(answer, str):
                letters.append(row)
    in_texts = [number for number in numbers if number[0] and isinstance(number[-1], str)]
    for position, row, *_ in in_texts if letters else ():  # 0 can only count from 0
        raise DataError(
            f"{path}: row {row}: column answer: '{position}' may be the option at position "
            f"{position}, counted from 0, or option {position}, counted from 1, since row "
            f"{letters[0]} names its option by a letter: write the option's letter"
        )
    if not numbers or any(position == 0 for position, *_ in numbers):
        return {}
    position, row, option, _ = numbers[0]
    note = f"numbers in the column answer are counted from 0, so that {position} in row {row} is "
    note += f"the option {option}. No answer is 0: if you counted from 1, write letters"
    return {"note": f"{path}: {note}"}


def _find_positions(answer: object, info: ValidationInfo) -> tuple[int, ...]:
    """Return the positions of the correct options; none if the options are wrong themselves."""
    options = info.data.get("options")
    return () if options is None else parse_correct_options(parse_nested(answer), options)


class _JudgingRow(RowModel):
    """Facts, a statement about them, and whether it holds."""

    question: Text
    context: Text
    answer: Annotated[JudgingLabel, BeforeValidator(label_parser(*get_args(JudgingLabel)))]


class _ChoiceRow(RowModel):
    """A question, its options, and the positions of the correct ones, counted from 0."""

    question: Text
    context: Text | None = None
    options: Annotated[
        list[Text],
        Field(min_length=2, max_length=MAX_CELL_PARTS),
        AfterValidator(check_different),
        Nested,
    ]
    answer: Annotated[object, AfterValidator(_find_positions)]


def _build_row(cells: Cells, columns: ExtraColumns) -> _Row:
    """Return the item of a row: a choice item if it has options or a list as answer."""
    answer = parse_nested_column("answer", cells.get("answer"))
    is_choice = "options" in cells or isinstance(answer, list)
    model: type[RowModel] = _ChoiceRow if is_choice else _JudgingRow
    values = dict(validate_row(model, cells, _COLUMNS))
    identifier, context = values.pop("id"), values["context"]
    values["id"] = identifier or f"file-{content_hash(values)}"
    values["cluster"] = values["id"] if context is None else f"file-{content_hash(context)}"
    item_type = ChoiceItem if is_choice else JudgingItem
    return item_type(**values, source="file", columns=columns), answer


def parse_correct_options(answer: object, options: Sequence[str]) -> tuple[int, ...]:
    """Return the positions of the correct options, counted from 0 and sorted.

    Args:
        answer: A cell: a position from 0, a letter from A, or the text of an option; or a list of
            these, empty if no option is correct.
        options: The texts of the options.

    Raises:
        ValueError: The cell names no option, or is ambiguous.
    """
    text = str(answer).strip()
    if len(options) == 2 and text in ("0", "1") and not isinstance(answer, Position):
        raise ValueError(
            f"of two options, {text} may be the position of {shorten(options[int(text)])} or mean "
            f"{'yes' if text == '1' else 'no'}: write the letter A or B, or a list such as [0]"
        )
    answers = answer if isinstance(answer, list) else [answer]
    positions = [_parse_option(value, options) for value in answers]
    if len(set(positions)) < len(positions):
        raise ValueError("expected different options")
    return tuple(sorted(positions))


def _parse_option(value: object, options: Sequence[str]) -> int:
    if isinstance(value, Position):
        return int(value)
    text = str(value).strip()
    meanings: dict[str, int] = {}
    for position, option in enumerate(options):
        if text == str(position):
            meanings[f"the option at position {position}, counted from 0"] = position
        if text.upper() == option_letter(position):
            meanings[f"option {text.upper()}"] = position
        if text.casefold() == option.strip().casefold():
            meanings[f"the text of the option at position {position}, counted from 0"] = position
    if len(set(meanings.values())) == 1:
        return next(iter(meanings.values()))
    if meanings:
        raise ValueError(
            f"{shorten(value)} may be {' or '.join(meanings)}: write the option's letter"
        )
    last = len(options) - 1
    raise ValueError(
        f"expected the text of an option, a letter from A to {option_letter(last)}, or a position "
        f"from 0 to {last} (0 is the first option)"
    )
