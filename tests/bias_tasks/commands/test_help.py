"""`--help` of every command."""

import subprocess
import sys

import click

from bias_tasks.cli import _COMMANDS, main
from tests.bias_tasks.command_line import typed


def walk(command, context):
    """A command and, if it is a group, the commands in it, each with its context."""
    yield command, context
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            yield from walk(inner, click.Context(inner, info_name=name, parent=context))


def test_every_option_has_a_help_text_and_names_its_default():
    context = click.Context(main, info_name="bias-tasks", **main.context_settings)
    n_options = 0
    for command, command_context in walk(main, context):
        assert command.help, command_context.command_path
        for option in command.params:
            if isinstance(option, click.Option) and not option.is_flag:
                n_options += 1
                names, text = option.get_help_record(command_context)
                where = f"{command_context.command_path} {names}"
                assert option.help.rstrip().endswith("."), where
                assert "required]" in text if option.required else "[default: " in text, where
    assert n_options > 50


def test_commands_are_listed_in_the_order_of_use():
    output = typed("--help").output
    order = [
        "list",
        "plan",
        "profile",
        "results",
        "report",
        "compare",
        "export",
        "score",
        "collect",
    ]
    positions = [output.index(f"\n  {name}  ") for name in order]
    assert positions == sorted(positions)


def test_help_gives_first_sentences_whole():
    for group in ([], ["data"], ["export"]):
        output = typed(*group, "--help").output
        assert "..." not in output.partition("Commands:")[2]


def test_summaries_are_the_first_sentences_of_the_commands():
    context = click.Context(main)
    for name, (_, summary) in _COMMANDS.items():
        assert summary == main.get_command(context, name).get_short_help_str(limit=500)


def test_help_loads_no_framework():
    code = """
import click, sys
from bias_tasks.cli import _COMMANDS, main

heavy = {"inspect_ai", "lm_eval", "numpy", "scipy", "pandas", "datasets"}
main(["--help"], standalone_mode=False)
print(*sorted(heavy & sys.modules.keys()))
for name in {*_COMMANDS} - {"collect", "score"}:
    main.get_command(click.Context(main), name)
print(*sorted(heavy & sys.modules.keys()))
"""
    words = [sys.executable, "-c", code]
    output = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert output.splitlines()[-2:] == ["", "numpy scipy"]
