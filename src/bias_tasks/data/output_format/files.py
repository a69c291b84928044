"""The user's own questions, from a JSONL, CSV or Parquet file.

A row is `{id?, input, answer, answer_type, options?, cluster?}`; one file may mix answer types. The
answer is, by `answer_type`:

- `option_letter`: a letter; one of the options', where they are given
- `option_text`: the text of an option; of any, where they are not given
- `text`: a text
- `number`: a number
- `binary_list`: a list of 0 and 1, one for each candidate in the input
- `string_list`: a list of texts
- `mapping`: an object with a list of texts under each key that is asked for

The input stands in the prompt as it is, options and candidates included. In CSV and Parquet, lists
and objects may be written as JSON text. Text is UTF-8.
"""

from __future__ import annotations

from pathlib import Path

from bias_tasks.data.files import one_id
from bias_tasks.data.output_format.rows import COLUMNS, parse_format_row
from bias_tasks.data.tables import Cells, Layout, read_rows
from bias_tasks.items.common import content_hash
from bias_tasks.items.output_format import FormatItem

_LAYOUT = Layout(columns=COLUMNS, json_columns=("options",))  # an answer is decoded by its type


def read_format_file(path: str | Path) -> tuple[list[FormatItem], str]:
    """The items of the user's file, in its order, and the sha256 of its content.

    An item keeps its own id; without one its id is a hash of its content. It is a cluster of its
    own unless a column `cluster` says otherwise.

    Raises:
        DataError: the file is missing, of another kind, empty, not UTF-8, repeats an id, or has
            wrong rows; the first five of these are named by line (Parquet: row) and column.
    """
    return read_rows(path, _LAYOUT, as_item, lambda item: [one_id(item.id)])


def as_item(cells: Cells) -> FormatItem:
    """The item of a row.

    Raises:
        ValueError: names each wrong column, what was expected and what was found.
    """
    row = parse_format_row(cells)
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
    )
