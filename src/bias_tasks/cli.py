"""The command line: `bias-tasks`."""

import os
from importlib import import_module
from typing import Any

import click

from bias_tasks.data.errors import DataError
from bias_tasks.data.files import output_errors
from bias_tasks.families import FAMILIES_VARIABLE, UnsupportedError, import_family
from bias_tasks.results.run import UnusableRunError
from bias_tasks.results.text import escape_controls

_COMMANDS = {
    "list": "commands.plan.list_tasks",
    "plan": "commands.plan.plan",
    "profile": "commands.profile.profile",
    "results": "results.command.results",
    "report": "results.command.report",
    "compare": "commands.compare.compare",
    "rank": "commands.rank.rank",
    "export": "results.export.export",
    "score": "commands.score.score",
    "collect": "commands.collect.collect",
    "data": "commands.data.data",
    "finetune-data": "commands.finetune.finetune_data",
    "link-lm-eval": "harness.link.link_lm_eval",
    "task-configs": "harness.link.task_configs",
}
"""Module and function of each command, below the package, in the order of use."""


class Commands(click.Group):
    """Imports a command when it is used: some import Inspect or scipy, which takes seconds.

    Problems with data or runs are reported as messages without a traceback.
    """

    def invoke(self, ctx: click.Context) -> Any:
        """Run the selected command."""
        try:
            for module in filter(None, os.environ.get(FAMILIES_VARIABLE, "").split(",")):
                import_family(module.strip())
            with output_errors():
                return super().invoke(ctx)
        except (DataError, UnsupportedError, UnusableRunError) as error:
            raise click.ClickException(escape_controls(str(error))) from error

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands in the order of use."""
        return [*_COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by its name; None if there is none."""
        if cmd_name not in _COMMANDS:
            return None
        module, _, function = _COMMANDS[cmd_name].rpartition(".")
        command: click.Command = getattr(import_module(f"{__package__}.{module}"), function)
        for listed in (command, *getattr(command, "commands", {}).values()):
            listed.short_help = listed.get_short_help_str(limit=500)  # click would truncate it
        return command


@click.group(cls=Commands, context_settings={"show_default": True})
@click.version_option(package_name="bias-tasks")
def main() -> None:
    """Measure how prompting biases language models.

    Start with `list` and `plan TASK`, which call no model. `profile` runs a small task of each
    suite, and `results` and `report` read its logs. The options of a command are in its --help.
    """
