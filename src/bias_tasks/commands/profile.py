"""`bias-tasks profile`: the bias profile of a model, one small frozen task of each family."""

from collections.abc import Mapping
from typing import Any

import click
from inspect_ai import eval_set

import bias_tasks
from bias_tasks.commands.asking.ask import Host, host_options
from bias_tasks.commands.plan import TaskPlan, plan_task
from bias_tasks.data.files import read_yaml
from bias_tasks.families import family_of_task
from bias_tasks.names import names_in
from bias_tasks.results.command import print_overview
from bias_tasks.results.find import read_runs
from bias_tasks.results.report.page import page
from bias_tasks.results.run import apart
from bias_tasks.results.tables import printing, write_text

_SMALLEST = 5
"""Items that a task has at least: fewer have no interval that says something."""


def profile_declared() -> Mapping[str, Any]:
    """What `profile.yaml` declares: its `name`, and of each of the `tasks` its `parameters`, and
    how many items `n` it asks."""
    declared: Mapping[str, Any] = read_yaml(__package__, "profile")
    return declared


@click.command()
@click.option("--model", "models", multiple=True, required=True, help="Inspect's names, by commas.")
@click.option("--calls", type=click.IntRange(1), help="About how many a model, where not all.")
@click.option("--max-tokens", type=click.IntRange(1), help="Tokens that an answer may have.")
@click.option("--base", is_flag=True, help="For base models: base=true in tasks that have it.")
@host_options(log_dir="logs/profile", display=None)
def profile(
    *, models: tuple[str, ...], calls: int | None, max_tokens: int | None, base: bool, host: Host
) -> None:
    """Ask models a small, frozen task of each family over the core set: their bias profiles.

    The headline figures with their intervals are the profile. It runs through Inspect's own
    `eval_set`: where it stops, the same command goes on. Tasks, parameters and items are fixed, so
    that profiles of one name can be compared; with --calls a part of them is asked, and
    `bias-tasks plan` has the prices. `bias-tasks results LOG_DIR --all` prints every figure.
    """
    name = profile_declared()["name"]
    plans = _planned(base=base)
    part = 1.0 if calls is None else _part(plans, calls)
    if part < 1:
        plans = _planned(part, base=base)
        name = f"{part:.0%} of the items of {name}, which is not comparable"
    click.echo(f"{name}: {sum(each.calls.calls for each in plans):,} calls of each model")
    for each in plans:
        click.echo(f"  {each.task}: {each.items} items, {each.calls.calls:,} calls")
    shown: Any = host.display
    _, logs = eval_set(
        [getattr(bias_tasks, each.task)(**each.parameters) for each in plans],
        log_dir=str(host.log_dir),
        model=[host.model("model", each) for each in names_in(",".join(models))],
        tags=[profile_declared()["name"].replace(" ", "-")],
        score_display=False,
        retry_attempts=2,
        max_tokens=max_tokens,
        display=shown,
        **host.limits,
    )
    host.check(logs)
    runs, _ = apart(read_runs([host.log_dir]))
    with printing(None) as console:
        print_overview(console, runs)
    write_text(page(runs), host.log_dir / "report.html")
    click.echo(f"report: {host.log_dir / 'report.html'}\nlogs: {host.log_dir}")


def _planned(part: float = 1.0, *, base: bool) -> list[TaskPlan]:
    """The plans of the tasks, with a part of their items."""
    found = []
    for task, row in profile_declared()["tasks"].items():
        own = {parameter.name for parameter in family_of_task(task).tasks[task].parameters}
        cue = {"base": True} if base and "base" in own else {}
        n = max(_SMALLEST, int(row["n"] * part))
        given = {**row["parameters"], **cue, "n": n}
        found.append(plan_task(task, given, effect=False))
    return found


def _part(whole: list[TaskPlan], calls: int) -> float:
    """The part of the profile that so many calls are enough for; a ValueError where none is."""
    smallest = sum(each.calls.calls / each.items * _SMALLEST for each in whole)
    if calls < smallest:
        raise ValueError(f"{calls} calls are too few: give --calls {round(smallest)} or more")
    return min(1.0, calls / sum(each.calls.calls for each in whole))
