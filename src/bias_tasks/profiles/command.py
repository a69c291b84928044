"""The command `bias-tasks profile`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from bias_tasks.data.errors import DataError
from bias_tasks.names import cli_values
from bias_tasks.planning.options import price_file_option, price_in_option, price_out_option
from bias_tasks.planning.price import price_of
from bias_tasks.profiles.chosen import Data, chosen_tasks, profile_declared
from bias_tasks.results.text import values_listed

_PAGE = "report.html"


@click.command()
@click.option("--model", "models", multiple=True, help="As Inspect names it; several times.")
@click.option("--models", "listed", help="Several models, separated by commas.")
@click.option("-M", "planted", multiple=True, metavar="NAME=VALUE", help="Argument of the models.")
@click.option("--model-base-url", "url", help="Where the models are served.")
@click.option(
    "--calls", type=click.IntRange(1), help="About how many, for each model.  [default: 800]"
)
@click.option("--budget", type=click.FloatRange(min=0, min_open=True), help="Dollars, in all.")
@price_in_option
@price_out_option
@price_file_option
@click.option(
    "--data",
    type=click.Choice(["paper", "synthetic"]),
    help="[default: paper; synthetic for simulated models]",
)
@click.option(
    "--log-dir",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("logs/profile"),
    show_default=True,
    help="Where the logs are kept; the same command goes on with what is there.",
)
@click.option("--connections", type=click.IntRange(1), help="Requests at a time.")
@click.option("--max-tokens", type=click.IntRange(1), help="Tokens that an answer may have.")
@click.option("--base", is_flag=True, help="For base models: base=true in tasks that have it.")
@click.option("--display", type=click.Choice(["full", "rich", "plain", "none"]), help="Inspect's.")
def profile(
    *,
    models: tuple[str, ...],
    listed: str | None,
    planted: tuple[str, ...],
    url: str | None,
    calls: int | None,
    budget: float | None,
    price_in: float | None,
    price_out: float | None,
    config: Path | None,
    data: Data | None,
    log_dir: Path,
    connections: int | None,
    max_tokens: int | None,
    base: bool,
    display: str | None,
) -> None:
    """Ask models one small, fixed task of each family, and print their bias profiles.

    The headline figures with their intervals are the profile. It runs through Inspect's own
    `eval_set`: where it stops, the same command goes on. The tasks, their parameters and their
    parts of the calls are fixed, so that profiles can be compared; `bias-tasks results LOG_DIR
    --all` prints every figure.
    """
    asked = _models(models, listed)
    chosen: Data = data or ("synthetic" if all(map(_is_simulated, asked)) else "paper")
    try:
        given: dict[str, Any] = cli_values("-M", planted)
        if budget is not None:
            calls = _paid_for(budget, calls, asked, (price_in, price_out), config, chosen)
        tasks = chosen_tasks(calls or profile_declared().calls, chosen, base=base)
    except (ValueError, DataError) as error:
        raise click.ClickException(str(error)) from error
    for task in tasks:
        click.echo(f"{task.task}: {task.calls:,} calls a model ({values_listed(task.parameters)})")
    from bias_tasks.profiles.run import ProfileError, ask_profile, write_report

    try:
        ask_profile(
            asked,
            tasks,
            log_dir,
            display=display,
            model_base_url=url,
            model_args=given,
            connections=connections,
            max_tokens=max_tokens,
        )
    except ProfileError as error:
        raise click.ClickException(str(error)) from error
    _print(log_dir)
    page = log_dir / _PAGE
    write_report(log_dir, page)
    click.echo(f"report: {page}")
    click.echo(f"logs: {log_dir}")


def _models(models: tuple[str, ...], listed: str | None) -> list[str]:
    """The models given, each once."""
    names = [*models, *(listed or "").split(",")]
    found = list(dict.fromkeys(name.strip() for name in names if name.strip()))
    if not found:
        raise click.ClickException("which model? Give --model, such as simulated/conformist")
    return found


def _is_simulated(model: str) -> bool:
    return model.startswith("simulated/")


def _paid_for(
    budget: float,
    calls: int | None,
    models: list[str],
    given: tuple[float | None, float | None],
    config: Path | None,
    data: Data,
) -> int:
    """The calls that the budget pays for.

    Raises:
        ValueError: calls are given too, or a model's price is not known.
    """
    if calls is not None:
        raise ValueError("give --calls or --budget, not both")
    from bias_tasks.profiles.budget import calls_for

    prices = []
    for model in models:
        price = price_of(model, given, config)
        if price is None:
            raise ValueError(
                f"--budget: the price of {model} is not known; give --price-in and --price-out, in "
                "dollars for a million tokens, or --model-cost-config"
            )
        prices.append((model, price))
    return calls_for(budget, prices, data)


def _print(log_dir: Path) -> None:
    from rich.console import Console

    from bias_tasks.profiles.shown import print_profiles
    from bias_tasks.results.find import read_runs
    from bias_tasks.results.run import apart

    runs, _ = apart(read_runs([log_dir]))
    print_profiles(Console(), runs)
