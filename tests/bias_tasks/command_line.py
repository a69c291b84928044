"""Our command line, as a user types it."""

from click.testing import CliRunner

from bias_tasks.cli import main


def typed(*words, columns=80):
    """What comes of `bias-tasks` with these words, in a terminal so wide."""
    environment = {"COLUMNS": str(columns), "NO_COLOR": "1"}
    return CliRunner(env=environment).invoke(main, [str(word) for word in words])
