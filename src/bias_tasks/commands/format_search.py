"""`bias-tasks format-search`: the best and the worst prompt format of a task, under a budget."""

from __future__ import annotations

import json
import math
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from bias_tasks.commands.ask import connections_option
from bias_tasks.data.errors import DataError
from bias_tasks.names import cli_values
from bias_tasks.results.text import printable

if TYPE_CHECKING:
    from bias_tasks.commands.format_rounds import Found
    from bias_tasks.statistics.estimate import Estimate

_PLAIN = 0
"""The place of the plain format."""


@click.command("format-search")
@click.argument("task")
@click.option("--model", required=True, help="As Inspect names it.")
@click.option("-M", "planted", multiple=True, metavar="NAME=VALUE", help="Argument of the model.")
@click.option("--model-base-url", "url", help="Where the model is served.")
@click.option(
    "--model-role", "roles", multiple=True, metavar="ROLE=MODEL", help="As a grader; several times."
)
@click.option("-T", "given", multiple=True, metavar="NAME=VALUE", help="Parameter of the task.")
@click.option(
    "--budget",
    type=click.IntRange(1),
    default=500,
    show_default=True,
    help="Questions asked in all, the held-out ones among them.",
)
@click.option(
    "--formats",
    type=click.IntRange(2),
    default=50,
    show_default=True,
    help="How many to search among, the plain one with them.",
)
@click.option(
    "--rounds",
    type=click.IntRange(1, 1000),
    default=10,
    show_default=True,
    help="In which the search's part of the budget is spent; one log each.",
)
@click.option(
    "--held-out",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.4,
    show_default=True,
    help="Share of the budget for items on which what was found is measured.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of every draw.")
@click.option(
    "--log-dir",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("logs/formats"),
    show_default=True,
    help="Where the logs are kept; the same command goes on with what is there.",
)
@connections_option
@click.option("--temperature", type=click.FloatRange(0), help="In place of the task's own.")
@click.option("--max-tokens", type=click.IntRange(1), help="Tokens that an answer may have.")
@click.option(
    "--display",
    type=click.Choice(["rich", "plain", "none"]),
    default="none",
    show_default=True,
    help="Inspect's, for each round.",
)
@click.option(
    "--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True
)
def format_search(
    *,
    task: str,
    model: str,
    planted: tuple[str, ...],
    url: str | None,
    roles: tuple[str, ...],
    given: tuple[str, ...],
    budget: int,
    formats: int,
    rounds: int,
    held_out: float,
    seed: int,
    log_dir: Path,
    connections: int,
    temperature: float | None,
    max_tokens: int | None,
    display: str,
    form: Literal["table", "json"],
) -> None:
    """Find the prompt formats in which a model does best and worst on TASK.

    TASK is any task of Inspect with printed choices, by its registered name or as file.py@name.
    Formats are drawn from a grammar of labels, marks, separators and capitals; rounds of questions
    look for the best and the worst at once. How far the two lie apart is then measured on items
    that the search did not see, as on its own answers it comes out too large.
    """
    from bias_tasks.commands.format_rounds import Asking, SearchError, Wanted, search_formats

    try:
        parameters: dict[str, Any] = cli_values("-T", given)
        named: dict[str, Any] = cli_values("--model-role", roles)
        asking = Asking(
            model_args=cli_values("-M", planted),
            roles={role: str(name) for role, name in named.items()},
            base_url=url,
            connections=connections,
            temperature=temperature,
            max_tokens=max_tokens,
            display=display,
        )
        wanted = Wanted(task, parameters, model, budget, formats, rounds, held_out, seed)
        with redirect_stdout(sys.stderr):  # what the host says is none of what was found
            found = search_formats(wanted, asking, log_dir, lambda line: click.echo(line, err=True))
    except (SearchError, ValueError, DataError) as error:
        raise click.ClickException(" ".join(str(error).split())) from error
    if form == "json":
        click.echo(json.dumps(found.to_dict(), indent=2, ensure_ascii=False, default=str))
        return
    _print(Console(), found)


def _print(console: Console, found: Found) -> None:
    """Print the best, the worst and the plain format, and what lies between them."""
    wanted = found.wanted
    console.print(Text(printable(f"{wanted.task}, {wanted.model}"), style="bold"))
    console.print(
        Text(
            f"{found.tried:,} of {len(found.formats):,} formats tried, {found.calls:,} calls of "
            f"{wanted.budget:,}, {found.items:,} items held out"
        )
    )
    console.print(_formats(found))
    console.print(_differences(found))
    for note in found.notes:
        console.print(Text(printable(note), style="yellow"))
    if found.unscored:
        told = f"{found.unscored:,} held-out answers have no score"
        console.print(Text(told, style="yellow"))
    console.print(Text(printable(f"logs: {found.log_dir}")))


def _formats(found: Found) -> Table:
    table = Table(
        Column("", no_wrap=True),
        Column("format", overflow="fold"),
        Column("two options", overflow="fold"),
        Column("asked", justify="right"),
        Column("in search", justify="right"),
        Column("held out", justify="right", no_wrap=True),
        Column("95 % interval", justify="right", no_wrap=True),
        box=SIMPLE_HEAD,
        padding=(0, 1),
    )
    rows = {"best": found.best, "worst": found.worst}
    if _PLAIN not in rows.values():
        rows["plain"] = _PLAIN
    for what, place in rows.items():
        format_, tally = found.formats[place], found.tallies[place]
        held = found.held_out.get(f"score/{format_.name}")
        table.add_row(
            what,
            Text(format_.name),
            Text(found.looks(place)),
            f"{tally.asked:,}",
            _number(tally.mean),
            *_cells(held, ""),
        )
    return table


def _differences(found: Found) -> Table:
    table = Table(
        Column("", no_wrap=True),
        Column("held out", justify="right", no_wrap=True),
        Column("95 % interval", justify="right", no_wrap=True),
        Column("p", justify="right", no_wrap=True),
        box=SIMPLE_HEAD,
        padding=(0, 1),
    )
    told = {
        "spread": "spread, best less worst",
        "change/best": "best less plain",
        "change/worst": "worst less plain",
    }
    for name, meaning in told.items():
        each = found.held_out.get(name)
        if each is not None and each.n:
            p = "<0.001" if each.p is not None and each.p < 0.0005 else _number(each.p)
            table.add_row(meaning, *_cells(each, "+"), p)
    searched = f"{found.spread_searched:+.3f}"
    table.add_row("spread in the search (too large: it chose them)", searched, "-", "-")
    return table


def _cells(each: Estimate | None, sign: str) -> tuple[str, str]:
    if each is None or math.isnan(each.value):
        return "-", "-"
    value = f"{each.value:{sign}.3f}"
    if math.isnan(each.ci_low):
        return value, "-"
    return value, f"[{each.ci_low:{sign}.3f}, {each.ci_high:{sign}.3f}]"


def _number(value: float | None) -> str:
    return "-" if value is None or math.isnan(value) else f"{value:.3f}"
