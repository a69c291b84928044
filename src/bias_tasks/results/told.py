"""What every command that reads finished runs says of the files that have none."""

from __future__ import annotations

from collections.abc import Sequence, Set
from pathlib import Path

import click

from bias_tasks.results.run import Problem
from bias_tasks.results.shown import shown


def tell(problems: Sequence[Problem], given: Set[Path], *, everything: bool) -> None:
    """Name on standard error what has no figures.

    Args:
        problems: what was found beside the runs.
        given: the paths that the user named.
        everything: whether to name what is no run at all; otherwise only where it was named.
    """
    for problem in problems:
        if everything or problem.failed or problem.path in given:
            click.echo(shown(f"{problem.path}: {problem.reason}"), err=True)
