"""`bias-tasks profile`: the bias profile of a model, from one small frozen task per family."""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console

import bias_tasks
from bias_tasks.commands.inspect_options import model_options, one_line_errors
from bias_tasks.commands.plan import TaskPlan, plan_task, price_options, print_plans
from bias_tasks.contract.json_data import JsonObject
from bias_tasks.data.files import read_yaml
from bias_tasks.families import family_of_task
from bias_tasks.generated.source import HARD
from bias_tasks.results.command import load_runs, print_overview, report_problems
from bias_tasks.results.report.page import load_for_page, render_page
from bias_tasks.results.tables import write_text
from bias_tasks.results.text import join_texts
from bias_tasks.user_names import parse_names

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog

_SMALLER = 0.98
"""Factor by which a share of the items that has too many calls becomes smaller."""
_MIN_ITEMS = 5
"""Items of the smallest task; fewer have no meaningful interval."""
_MARGIN = 1.1
"""Factor on the calls of the smallest tasks, whose items may have more calls than the average."""


def read_profile() -> JsonObject:
    """Return `profile.yaml`: its `name`, and the rows of its `tasks` by name."""
    declared: JsonObject = read_yaml(__package__, "profile")
    return declared


def _parse_items(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> int | None:
    """Return the seed in `fresh:SEED`."""
    if value is None:
        return None
    name, _, seed = value.partition(":")
    if name != "fresh" or not seed.isdecimal():
        raise click.BadParameter(f"{value!r}: expected fresh:SEED, such as fresh:7")
    return int(seed)


@click.command()
@click.option(
    "--model",
    "models",
    multiple=True,
    required=True,
    metavar="MODEL,...",
    help="Models by Inspect's names, such as openai/gpt-4o-mini; comma-separated.",
)
@click.option(
    "--calls",
    type=click.IntRange(1),
    show_default="all of the profile",
    help="Approximate number of calls per model.",
)
@click.option(
    "--items",
    "fresh_seed",
    metavar="fresh:SEED",
    callback=_parse_items,
    show_default="the profile's",
    help="Generate the items of data=hard anew from a seed, which no model can have seen.",
)
@click.option(
    "--max-tokens",
    type=click.IntRange(1),
    show_default="the model's",
    help="Maximum number of tokens per answer.",
)
@click.option(
    "--base-model",
    is_flag=True,
    help="Prompt base models (base_model=true) in tasks that support it.",
)
@click.option(
    "--fail-on-error",
    type=click.FloatRange(0, min_open=True),
    default=1.0,
    help="Failed samples at which a task stops as failed: a number, or a share below 1.",
)
@price_options
@model_options
@click.option(
    "--log-dir",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("logs/profile"),
    help="Folder of Inspect's logs; repeat the command with it to resume.",
)
@click.option(
    "--display",
    type=click.Choice(["full", "rich", "plain", "none"]),
    default="none",
    help="How Inspect shows its progress and each task's metrics; none for one line of progress.",
)
@one_line_errors()
def profile(
    *,
    models: tuple[str, ...],
    calls: int | None,
    fresh_seed: int | None,
    base_model: bool,
    price_in: float | None,
    price_out: float | None,
    log_dir: Path,
    **inspect_options: Any,
) -> None:
    """Run a small, frozen task of each suite on the core set: the bias profiles of models.

    The profile is the headline metrics with their intervals. It runs through Inspect's `eval_set`:
    repeat the command to resume. Tasks, parameters and items are fixed, so that profiles of one
    name are comparable. --calls runs a part of them, --items others. Before the first call, a table
    shows calls, estimated tokens, the differences between two models that so many items can show
    and, with both prices, the cost for each model. `bias-tasks results LOG_DIR --all` shows every
    metric.
    """
    name = read_profile()["name"]
    options: dict[str, Any] = {"price_in": price_in, "price_out": price_out}
    options |= {"base_model": base_model, "seed": fresh_seed}
    click.echo(f"{name}: counting the calls")
    share = 1.0
    if calls is None:
        plans = _plan_tasks(**options)
    else:
        share = _share_for_calls(calls)
        # Items have different numbers of calls, so that a share can have more than its part.
        while _count_calls(plans := _plan_tasks(share, **options)) > calls:
            share *= _SMALLER
    if fresh_seed is not None:
        name = f"{name} with items of seed {fresh_seed}, which is not comparable"
    if share < 1:
        name = f"{share:.0%} of the items of {name}, which is not comparable"
    click.echo(f"{name}: {_count_calls(plans):,} calls per model")
    print_plans(Console(), plans, power=False)
    model_names = parse_names(",".join(models))
    logs = _run_tasks(plans, model_names, log_dir, inspect_options)
    _check_finished(logs, len(plans) * len(model_names), log_dir)
    _report(log_dir, _describe_usage(logs, price_in, price_out))


def _run_tasks(
    plans: Sequence[TaskPlan], models: list[str], log_dir: Path, options: dict[str, Any]
) -> Sequence["EvalLog"]:
    """Run the tasks with each model, or what is missing of them, and return their logs."""
    from inspect_ai import eval_set  # here: it loads Inspect, after the first output

    tasks = [getattr(bias_tasks, plan.task)(**plan.parameters) for plan in plans]
    n_samples = sum(len(task.dataset) for task in tasks) * len(models)
    with _show_progress(n_samples) if options["display"] == "none" else nullcontext():
        _, logs = eval_set(
            tasks,
            log_dir=str(log_dir),
            log_dir_allow_dirty=True,  # it may hold the runs of other models and sizes
            model=models,
            tags=[read_profile()["name"].replace(" ", "-")],
            score_display=False,
            retry_attempts=1,
            retry_immediate=False,  # of tasks; failed requests are retried
            # Without a limit for each attempt, Inspect waits for a server that stalls.
            attempt_timeout=options["timeout"],
            **options,
        )
    return logs


@contextmanager
def _show_progress(n: int) -> Iterator[None]:
    """Show on a terminal how many of n samples are finished."""
    # Imported here: they load Inspect.
    from inspect_ai.hooks import Hooks, SampleEnd, hooks
    from inspect_ai.model import get_model

    get_model("none/none")  # Inspect prints the user's hooks now, without the one below
    numbers = count(1)
    with Console(stderr=True).status(f"0 of {n:,} samples finished") as status:

        @hooks("bias_tasks_profile", "The progress of `bias-tasks profile`.")
        class Progress(Hooks):
            async def on_sample_end(self, data: SampleEnd) -> None:
                status.update(f"{next(numbers):,} of {n:,} samples finished")

        yield


def _check_finished(logs: Sequence["EvalLog"], n: int, log_dir: Path) -> None:
    """Raise a ClickException with the first reason if one of n evaluations did not finish."""
    failed = [log for log in logs if log.status != "success"]
    if not failed and len(logs) == n:
        return
    problem = "interrupted"
    if failed:
        names = join_texts([f"{log.eval.task} of {log.eval.model}" for log in failed], 3)
        # Imported here: it loads Inspect.
        from bias_tasks.results.frameworks.inspect_log import describe_cause

        problem = f"did not finish: {names}. The first reason: {describe_cause(failed[0])}"
    raise click.ClickException(
        f"{problem} - Finished work is kept in {log_dir}: repeat the command to resume, or leave "
        "out samples that always fail with --fail-on-error"
    )


def _report(log_dir: Path, usage: str) -> None:
    """Print the profiles of all runs in a folder, and write its report."""
    runs, problems = load_runs([log_dir], load_for_page)
    click.echo()
    where = f"see the report, or run bias-tasks results {log_dir}"
    print_overview(Console(), [loaded.run for loaded in runs], caveats_in=where)
    write_text(render_page(runs), log_dir / "report.html")
    click.echo(f"report: {log_dir / 'report.html'}\nlogs: {log_dir}\n{usage}")
    report_problems(problems, [log_dir], any_run=bool(runs))


def _plan_tasks(
    share: float = 1.0, *, base_model: bool, seed: int | None = None, **options: Any
) -> list[TaskPlan]:
    """Return the plans of the tasks.

    Args:
        share: Share of the items.
        base_model: Whether base models are prompted in the tasks that can.
        seed: Seed of the items of `data=hard`; None for the profile's.
        options: Options of `plan_task`.
    """
    plans = []
    for task, row in read_profile()["tasks"].items():
        names = {parameter.name for parameter in family_of_task(task).tasks[task].parameters}
        n = max(_MIN_ITEMS, int(row["n"] * share))
        parameters = {**row["parameters"], "n": n}
        if base_model and "base_model" in names:
            parameters["base_model"] = True
        if seed is not None and parameters["data"] == HARD:
            parameters["seed"] = seed
        # A standard error is inversely proportional to the root of the number of items.
        pair_mde = {
            strength: value * math.sqrt(row["n"] / n) for strength, value in row["pair_mde"].items()
        }
        plan = plan_task(task, parameters, power=False, **options)
        plans.append(replace(plan, pair_mde=pair_mde, notes=()))  # runs and results have the notes
    return plans


def _describe_usage(
    logs: Sequence["EvalLog"], price_in: float | None, price_out: float | None
) -> str:
    """Return the totals of calls, tokens, retries and time in logs, and the cost at the prices."""
    # Imported here: they load Inspect.
    from inspect_ai.log import read_eval_log

    from bias_tasks.results.frameworks.inspect_log import read_usage

    times = [time for log in logs for time in (log.stats.started_at, log.stats.completed_at)]
    seconds = datetime.fromisoformat(max(times)) - datetime.fromisoformat(min(times))
    usages = [read_usage(log) for log in logs]
    tokens_in, tokens_out = (
        sum(usage.get(name, 0) for usage in usages) for name in ("tokens in", "tokens out")
    )
    samples = (sample for log in logs for sample in read_eval_log(log.location).samples or ())
    retries = [e.retries or 0 for s in samples for e in s.events if e.event == "model"]
    used = f"used: {len(retries):,} calls ({sum(retries):,} retries), {tokens_in:,} tokens in, "
    used += f"{tokens_out:,} out, {seconds.total_seconds():,.0f} s"
    if price_in is None or price_out is None:
        return used
    return f"{used}, ${(price_in * tokens_in + price_out * tokens_out) / 1e6:,.2f}"


def _count_calls(plans: Sequence[TaskPlan]) -> int:
    return sum(plan.calls.calls for plan in plans)


def _share_for_calls(calls: int) -> float:
    """Return the share of the profile for a number of calls; a ValueError if it is too small."""

    tasks = read_profile()["tasks"].values()

    def count_calls(share: float) -> float:
        counts = (row["calls"] * max(_MIN_ITEMS, int(row["n"] * share)) / row["n"] for row in tasks)
        return float(sum(counts))

    least = math.ceil(_MARGIN * count_calls(0))
    if calls < least:
        raise ValueError(f"{calls} calls are too few: give --calls {least} or more")
    # Small tasks keep their least number of items, so that calls are no multiple of the share.
    return max(n / 1000 for n in range(1001) if count_calls(n / 1000) <= calls)
