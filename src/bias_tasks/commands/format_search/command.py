"""The command `bias-tasks format-search`."""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, Literal

import click

from bias_tasks.commands.ask import connections_option
from bias_tasks.data.errors import DataError
from bias_tasks.names import cli_values


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
    from bias_tasks.commands.format_search.logs import SearchError
    from bias_tasks.commands.format_search.run import Asking, Wanted, search_formats

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
    from rich.console import Console

    from bias_tasks.commands.format_search.shown import print_found

    print_found(Console(), found)
