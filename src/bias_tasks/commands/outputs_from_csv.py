"""`bias-tasks outputs-from-csv`: answers recorded elsewhere, made ready for `replay`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from bias_tasks.commands.model_calls.lines import replace_with
from bias_tasks.data.errors import DataError
from bias_tasks.data.files import real_path, stands_there
from bias_tasks.output_format.data.wide import Columns, read_wide
from bias_tasks.output_format.items import ANSWER_TYPES, AnswerType

_File = click.Path(path_type=Path)


@click.command("outputs-from-csv")
@click.argument("file", type=_File)
@click.option(
    "--column", "outputs", multiple=True, required=True, metavar="FORMAT=COLUMN",
    help="Which column holds the answers in a format; once for each format.",
)  # fmt: skip
@click.option("--answer", metavar="COLUMN", help="The right answer.")
@click.option(
    "--relevant", metavar="COLUMN",
    help="Instead of --answer, for a binary list: the relevant candidates, which come first.",
)  # fmt: skip
@click.option(
    "--others", metavar="COLUMN",
    help="With --relevant: the other candidates; one that is in both is among these.",
)  # fmt: skip
@click.option("--answer-type", type=click.Choice(ANSWER_TYPES), default="text", show_default=True)
@click.option("--input", metavar="COLUMN", help="The question.")
@click.option("--options", metavar="COLUMN", help="The list of a question's options.")
@click.option("--id", metavar="COLUMN", help="Ids; row-1, row-2, ... without it.")
@click.option("--data-out", type=_File, required=True, help="User's data file to write (JSONL).")
@click.option("--outputs-out", type=_File, required=True, help="Replay file to write (JSONL).")
def outputs_from_csv(
    *,
    file: Path,
    outputs: tuple[str, ...],
    answer_type: AnswerType,
    data_out: Path,
    outputs_out: Path,
    **single: str | None,
) -> None:
    """Turn a CSV with one column of answers a format into a data file and a replay file.

    COLUMN is a header's name, or #7 for the seventh column, which is the only way where the rows
    are longer than the header. Give the data file as dataset= and replay the other.
    """
    answer, relevant, others = (single[name] for name in ("answer", "relevant", "others"))
    if (answer is None) == (relevant is None) or (relevant is None) != (others is None):
        raise click.UsageError("give either --answer, or --relevant and --others")
    if relevant is not None and answer_type != "binary_list":
        raise click.UsageError("--relevant and --others need --answer-type binary_list")
    paths = [real_path(path) for path in (file, data_out, outputs_out)]
    if len(set(paths)) < len(paths):
        raise click.UsageError("FILE, --data-out and --outputs-out must be three files")
    columns = Columns(outputs=_by_format(outputs), **single)
    try:
        items, recorded = read_wide(file, columns, answer_type)
        for path in (data_out, outputs_out):
            stands_there(path, "write")
        replace_with(data_out, map(_line, items))
        replace_with(outputs_out, map(_line, recorded))
    except (DataError, ValueError) as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{data_out}: {len(items)} items; {outputs_out}: {len(recorded)} outputs")


def _by_format(outputs: tuple[str, ...]) -> dict[str, str]:
    by_format: dict[str, str] = {}
    for option in outputs:
        name, equals, column = option.partition("=")
        if not name or not equals or not column:
            raise click.UsageError(f"--column {option}: expected FORMAT=COLUMN")
        if name in by_format:
            raise click.UsageError(f"--column {option}: {name} has a column already")
        by_format[name] = column
    return by_format


def _line(row: Mapping[str, Any]) -> bytes:
    return json.dumps(row).encode() + b"\n"
