"""What commands about finished runs are given, and how they name what has no figures."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from bias_tasks.results.run import Problem
from bias_tasks.results.shown import shown

paths_argument = click.argument(
    "paths",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, path_type=Path),
    metavar="PATH...",
)


def tell(problems: Iterable[Problem]) -> None:
    """Name each on standard error."""
    for problem in problems:
        click.echo(shown(f"{problem.path}: {problem.reason}"), err=True)
