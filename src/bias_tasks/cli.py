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
    "list": (
        "commands.plan.list_tasks",
        "List the tasks of each suite, with what they measure, their headline metrics and cost.",
    ),
    "plan": (
        "commands.plan.plan",
        "Show the calls, cost and power of TASKs, without calling a model.",
    ),
    "profile": (
        "commands.profile.profile",
        "Run a small, frozen task of each suite on the core set: the bias profiles of models.",
    ),
    "results": (
        "results.command.results",
        "Print the metrics of the runs in PATH: Inspect logs, lm-eval results, or folders of them.",
    ),
    "report": (
        "results.command.report",
        "Write a page about the runs in PATH: Inspect logs, lm-eval results, or folders of them.",
    ),
    "compare": (
        "commands.compare.compare",
        "Report for each task which of several runs is better, and whether that is significant.",
    ),
    "rank": (
        "commands.rank.rank",
        "Rank the models of a task by a metric, on the items that all of them have.",
    ),
    "export": (
        "commands.hub.export",
        "Export runs for other tools; PATH are Inspect logs, lm-eval results, or folders of them.",
    ),
    "score": (
        "commands.score.score",
        "Score the answers in lm-eval's results again, with the installed version.",
    ),
    "collect": (
        "commands.collect.collect",
        "Collect the valid texts in LOGS into a file that tasks read.",
    ),
    "data": ("commands.data.data", "List the data sets and download them."),
    "finetune-data": (
        "commands.finetune.finetune_data",
        "Write chat fine-tuning data that reduces the bias to formats.",
    ),
    "link-lm-eval": (
        "harness.link.link_lm_eval",
        "Add the tasks of an editable installation to lm-eval.",
    ),
    "task-configs": (
        "harness.link.task_configs",
        "Print the folder of the YAML tasks, for `lm_eval --include_path`.",
    ),
}
"""Module and function of each command, below the package, and its summary, in the order of use."""


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
        module, _, function = _COMMANDS[cmd_name][0].rpartition(".")
        command: click.Command = getattr(import_module(f"{__package__}.{module}"), function)
        for listed in getattr(command, "commands", {}).values():
            listed.short_help = listed.get_short_help_str(limit=500)  # click would truncate it
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the names and summaries of the commands, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in _COMMANDS.items()])


@click.group(cls=Commands, context_settings={"show_default": True})
@click.version_option(package_name="bias-tasks")
def main() -> None:
    """Measure how prompting biases language models.

    Start with `list` and `plan TASK`, which call no model. `profile` runs a small task of each
    suite, and `results` and `report` read its logs. The options of a command are in its --help.
    """
