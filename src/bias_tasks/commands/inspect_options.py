"""Options of commands that call models through Inspect, and its errors as one line."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click
import yaml

from bias_tasks.contract.json_data import JsonObject
from bias_tasks.messages import truncate

Command = Callable[..., Any]
_FROM_1 = click.IntRange(1)
_NO_CLIENT = "Unable to initialise"
"""The beginning of Inspect's error if a provider's key is missing."""
_WITHOUT_KEY = "- Simulated models need no key: --model simulated/conformist"


def name_value_option(flag: str, name: str, help_text: str) -> Command:
    """Return an option NAME=VALUE that can be repeated, as a mapping. By default it is empty.

    Args:
        flag: The option.
        name: The command's argument.
        help_text: Help of the option.
    """

    def parse(context: click.Context, parameter: click.Parameter, raw: tuple[str, ...]) -> Any:
        try:
            return parse_name_values(flag, raw)
        except ValueError as error:
            raise click.ClickException(str(error)) from error

    return click.option(
        flag,
        name,
        multiple=True,
        metavar="NAME=VALUE",
        callback=parse,
        show_default="none",
        help=f"{help_text} May be repeated.",
    )


def parse_name_values(option: str, settings: Sequence[str]) -> JsonObject:
    """Return the values of an option NAME=VALUE.

    Args:
        option: The option, for the error.
        settings: Texts NAME=VALUE, whose values are YAML.

    Raises:
        ValueError: A text has another form, or its value is not YAML.
    """
    values = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not name or not equals:
            raise ValueError(f"{option} {truncate(setting)}: expected NAME=VALUE")
        try:
            values[name] = yaml.safe_load(value)
        except (yaml.YAMLError, ValueError, RecursionError) as error:  # such as a 13th month
            raise ValueError(
                f"{option} {truncate(setting)}: the value is not valid YAML"
            ) from error
    return values


_MODEL_OPTIONS = (
    name_value_option("-M", "model_args", "Argument of the models, such as seed=1."),
    click.option(
        "--model-base-url",
        metavar="URL",
        show_default="the provider's",
        help="Base URL for the model API.",
    ),
    click.option(
        "--max-connections",
        type=_FROM_1,
        default=10,
        help="Maximum number of concurrent connections to the model API.",
    ),
    click.option(
        "--max-retries",
        type=click.IntRange(0),
        default=3,
        help="Maximum number of times to retry a request.",
    ),
    click.option("--timeout", type=_FROM_1, default=600, help="Seconds per request, with retries."),
)


def model_options(command: Command) -> Command:
    """Add the options of a model's arguments, its address, and how requests are sent."""
    for add_option in reversed(_MODEL_OPTIONS):
        command = add_option(command)
    return command


@contextmanager
def one_line_errors() -> Iterator[None]:
    """Turn errors of models, parameters and files into messages of one line.

    Raises:
        click.ClickException: The error, without Inspect's markup.
    """
    try:
        yield
    except Exception as error:
        # Imported here: it loads Inspect, which `--help` and the first output do not need.
        from rich.markup import render

        from bias_tasks.solvers.inspect_api import PrerequisiteError

        if not isinstance(error, ValueError | OSError | PrerequisiteError | ImportError):
            raise
        message = str(error)
        if isinstance(error, PrerequisiteError):
            message = render(str(error.message)).plain.removeprefix("ERROR: ")
            if message.startswith(_NO_CLIENT):
                message += f" {_WITHOUT_KEY}"
        raise click.ClickException(" ".join(message.split())) from error
