"""Options of the commands that ask models and write what they reply."""

from __future__ import annotations

from pathlib import Path

import click


def _jsonl(context: click.Context, parameter: click.Parameter, value: Path) -> Path:
    if value.suffix.lower() != ".jsonl":
        raise click.BadParameter(f"{value} must end in .jsonl, which is what is written")
    return value


out_option = click.option(
    "--out", type=click.Path(path_type=Path), required=True, callback=_jsonl, help="JSONL to write."
)
connections_option = click.option(
    "--max-connections",
    "connections",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help="Requests to a model at once.",
)
retries_option = click.option(
    "--max-retries",
    type=click.IntRange(0),
    default=3,
    show_default=True,
    help="How often a request is made again that gets no answer, or one to come again later.",
)
timeout_option = click.option(
    "--timeout",
    type=click.IntRange(1),
    default=600,
    show_default=True,
    help="Seconds for a request with its retries.",
)
