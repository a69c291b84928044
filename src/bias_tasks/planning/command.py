"""The command `bias-tasks plan`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import click

from bias_tasks.data.errors import DataError
from bias_tasks.families import family_of_task
from bias_tasks.names import cli_values, unknown_name
from bias_tasks.planning.options import price_file_option, price_in_option, price_out_option
from bias_tasks.planning.plan import Asking, TaskPlan, plan_task
from bias_tasks.planning.price import price_of

_ABOVE_0 = click.FloatRange(min=0, min_open=True)


@click.command()
@click.argument("tasks", nargs=-1, required=True, metavar="TASK...")
@click.option("--model", help="As Inspect names it: for its price.")
@click.option("-T", "given", multiple=True, metavar="NAME=VALUE", help="Parameter of the tasks.")
@click.option("--epochs", type=click.IntRange(1), default=1, show_default=True)
@click.option("--tokens-out", type=click.IntRange(0), help="Tokens of an answer.")
@price_in_option
@price_out_option
@price_file_option
@click.option("--connections", type=click.IntRange(1), default=10, show_default=True)
@click.option("--seconds-per-call", "seconds", type=_ABOVE_0, default=2.0, show_default=True)
@click.option("--detect", type=_ABOVE_0, help="An effect: how many items does it need?")
@click.option(
    "--accuracy",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.8,
    show_default=True,
    help="Share of right answers that is simulated.",
)
@click.option("--no-effect", is_flag=True, help="Count only, without simulated runs.")
@click.option(
    "--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True
)
def plan(
    *,
    tasks: tuple[str, ...],
    model: str | None,
    given: tuple[str, ...],
    epochs: int,
    tokens_out: int | None,
    price_in: float | None,
    price_out: float | None,
    config: Path | None,
    connections: int,
    seconds: float,
    detect: float | None,
    accuracy: float,
    no_effect: bool,
    form: Literal["table", "json"],
) -> None:
    """Say what TASKs will ask, cost and show, without a call of any model.

    Calls and tokens are counted from the prompts that a run with these parameters sends. The
    smallest effect is the one that the task's headline shows in 80 % of simulated runs; --detect
    asks the other way round, in the headline's own unit, how many items an effect needs.
    """
    if no_effect and detect is not None:
        raise click.ClickException("--detect needs simulated runs: leave --no-effect out")
    try:
        asking = Asking(
            model=model,
            epochs=epochs,
            answer_tokens=tokens_out,
            price=price_of(model, (price_in, price_out), config),
            connections=connections,
            seconds=seconds,
            effect=not no_effect,
            detect=detect,
            accuracy=accuracy,
        )
        plans = plans_of(tasks, cli_values("-T", given), asking)
    except (LookupError, ValueError, DataError) as error:
        raise click.ClickException(str(error.args[0] if error.args else error)) from error
    if form == "json":
        click.echo(json.dumps([each.to_dict() for each in plans], indent=2, default=str))
        return
    from rich.console import Console

    from bias_tasks.planning.shown import print_plans

    print_plans(Console(), plans, asking)


def plans_of(tasks: Sequence[str], given: Mapping[str, Any], asking: Asking) -> list[TaskPlan]:
    """The plans of tasks; each parameter goes to those of them that take it.

    Raises:
        LookupError: there is no such task.
        ValueError: no task takes a parameter, or a value is not allowed.
        DataError: the items can't be had.
    """
    named = [name.removeprefix("bias_tasks/") for name in tasks]
    specs = {task: family_of_task(task).tasks[task] for task in named}
    own = {task: {each.name for each in spec.parameters} for task, spec in specs.items()}
    known = dict.fromkeys(name for names in own.values() for name in sorted(names))
    handed_on = {name: given[name] for name in given if name not in known}
    for name in handed_on:
        if not any(spec.hands_on for spec in specs.values()):
            raise ValueError(f"-T {name}: {unknown_name(name, known, 'parameters of the tasks')}")
    return [
        plan_task(
            task,
            {name: given[name] for name in given if name in names}
            | (handed_on if specs[task].hands_on else {}),
            asking,
        )
        for task, names in own.items()
    ]
