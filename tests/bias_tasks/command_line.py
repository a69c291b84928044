"""Command lines, as a user types them, run in this process."""

from click.testing import CliRunner
from inspect_ai._cli.main import inspect as inspect_command

from bias_tasks.cli import main


def typed(*words, columns=80, program=main):
    """What comes of `bias-tasks` with these words, in a terminal so wide."""
    environment = {"COLUMNS": str(columns), "NO_COLOR": "1"}
    return CliRunner(env=environment).invoke(program, [str(word) for word in words])


def typed_inspect(*words, columns=80):
    """What comes of `inspect` with these words."""
    return typed(*words, columns=columns, program=inspect_command)
