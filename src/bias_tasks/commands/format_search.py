"""`bias-tasks format-search`: the best and the worst prompt format of a task, under a budget."""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stdout
from typing import Any

import click

from bias_tasks.commands.ask import Host, host_options, named_values
from bias_tasks.commands.format_rounds import Search, search_formats
from bias_tasks.results.tables import (
    numbers_alike,
    paragraph,
    print_table,
    printing,
    probability,
)

_TOLD = {
    "spread": "spread, best less worst",
    "change/best": "best less plain",
    "change/worst": "worst less plain",
}
_BIASED = "spread in the search (too large: it chose them)"
_SHARE = click.FloatRange(0, 1, min_open=True, max_open=True)


@click.command("format-search", context_settings={"show_default": True})
@click.argument("task")
@click.option("--model", required=True, help="As Inspect names it.")
@named_values("--model-role", "roles", "ROLE=MODEL, as a grader.")
@named_values("-T", "parameters", "Parameter of the task.")
@click.option("--budget", type=click.IntRange(1), default=500, help="Questions asked in all.")
@click.option("--formats", type=click.IntRange(2), default=50, help="To search among, plain too.")
@click.option("--rounds", type=click.IntRange(1, 1000), default=10, help="Of the search.")
@click.option("--held-out", type=_SHARE, default=0.4, help="Share of the budget for other items.")
@click.option("--seed", type=int, default=0, help="Of every draw.")
@click.option("--temperature", type=click.FloatRange(0), help="In place of the task's own.")
@click.option("--max-tokens", type=click.IntRange(1), help="Tokens that an answer may have.")
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table")
@host_options(log_dir="logs/formats", display="none")
def format_search(*, form: str, host: Host, **given: Any) -> None:
    """Find the prompt formats in which a model does best and worst on TASK.

    TASK is any task of Inspect with printed choices, by its registered name or as file.py@name.
    Formats are drawn from a grammar of labels, marks, separators and capitals; rounds of questions
    look for the best and the worst at once. How far the two lie apart is then measured on items
    that the search did not see (--held-out), as on its own answers it comes out too large.
    """
    search = Search(model_args=host.model_args, base_url=host.model_base_url, **given)
    with redirect_stdout(sys.stderr):  # what the host says is none of what was found
        found = search_formats(search, host, lambda line: click.echo(line, err=True))
    if form == "json":
        click.echo(json.dumps(found, indent=2, ensure_ascii=False, default=str))
    else:
        _print(found)


def _print(found: dict[str, Any]) -> None:
    """Print the best, the worst and the plain format, and what lies between them."""
    held, searched = found["held_out"], found["searched"]

    def cells(name: str, sign: str) -> list[str]:
        figure = held.get(name) or {}
        told = [figure.get(each) for each in ("value", "ci_low", "ci_high")]
        value, low, high = numbers_alike(
            *(float("nan") if n is None else n for n in told), sign=sign
        )
        return [value, "-" if "-" in (low, high) else f"[{low}, {high}]"]

    rows = []
    for what in ("best", "worst", "plain"):
        each = found[what]
        if what == "plain" and each in (found["best"], found["worst"]):
            continue
        mean = "-" if each["mean_searched"] is None else f"{each['mean_searched']:.3f}"
        asked = (f"{each['asked']:,}", mean, *cells(f"score/{each['name']}", ""))
        rows.append((what, f"{each['name'].replace('+', ' + ')}\n{each['looks']}", *asked))
    apart = [
        (told, *cells(name, "+"), probability(held[name].get("p")))
        for name, told in _TOLD.items()
        if held.get(name, {}).get("n")
    ]
    apart.append((_BIASED, f"{searched['spread_biased']:+.3f}", "-", "-"))
    numbers = ("asked", "search", "held out", "interval", "p")
    above = (
        f"{found['task']}, {found['model']}\n"
        f"{searched['tried']:,} of {searched['formats']:,} formats tried, {found['calls']:,} calls "
        f"of {found['budget']:,}, {held['items']:,} items held out"
    )
    unscored = held["unscored"]
    told = [*found["notes"], *([f"{unscored:,} held-out answers have no score"] * bool(unscored))]
    with printing(None) as console:
        columns = ("found", "format, two options", *numbers[:-1])
        print_table(console, columns, {above: rows}, numbers=numbers)
        print_table(console, ("", *numbers[2:]), {"": apart}, numbers=numbers)
        paragraph(console, "\n".join((*told, f"logs: {found['log_dir']}")))
