"""The command line: `bias-tasks`."""

from __future__ import annotations

import click


@click.group()
@click.version_option(package_name="bias-tasks")
def main() -> None:
    """Data, respondents, lm-eval and results of bias-tasks."""
