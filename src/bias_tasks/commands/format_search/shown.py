"""What a search found, as tables for people."""

from __future__ import annotations

import math

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from bias_tasks.commands.format_search.found import Found, looks
from bias_tasks.results.shown import shown
from bias_tasks.statistics.estimate import Estimate

_PLAIN = 0


def print_found(console: Console, found: Found) -> None:
    """Print the best, the worst and the plain format, and what lies between them."""
    wanted = found.wanted
    console.print(Text(shown(f"{wanted.task}, {wanted.model}"), style="bold"))
    console.print(
        Text(
            f"{found.tried:,} of {len(found.formats):,} formats tried, {found.calls:,} calls of "
            f"{wanted.budget:,}, {found.items:,} items held out"
        )
    )
    console.print(_formats(found))
    console.print(_differences(found))
    for note in found.notes:
        console.print(Text(shown(note), style="yellow"))
    if found.unscored:
        told = f"{found.unscored:,} held-out answers have no score"
        console.print(Text(told, style="yellow"))
    console.print(Text(shown(f"logs: {found.log_dir}")))


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
            Text(looks(format_)),
            f"{tally.asked:,}",
            _number(tally.mean),
            *_cells(held, signed=False),
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
            table.add_row(meaning, *_cells(each, signed=True), _p(each.p))
    table.add_row(
        "spread in the search (too large: it chose them)",
        f"{found.spread_searched:+.3f}",
        "-",
        "-",
    )
    return table


def _cells(each: Estimate | None, *, signed: bool) -> tuple[str, str]:
    if each is None or math.isnan(each.value):
        return "-", "-"
    sign = "+" if signed else ""
    if math.isnan(each.ci_low):
        return f"{each.value:{sign}.3f}", "-"
    return f"{each.value:{sign}.3f}", f"[{each.ci_low:{sign}.3f}, {each.ci_high:{sign}.3f}]"


def _p(value: float | None) -> str:
    return "<0.001" if value is not None and value < 0.0005 else _number(value)


def _number(value: float | None) -> str:
    return "-" if value is None or math.isnan(value) else f"{value:.3f}"
