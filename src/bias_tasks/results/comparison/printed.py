"""A comparison as tables for people, and in the formats of other tools."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from bias_tasks.results.comparison.compared import Comparison, FigureCompared, PairCompared
from bias_tasks.results.run import finite
from bias_tasks.results.tables import ARROWS, markdown, write_text
from bias_tasks.results.text import brief, printable

_STYLES = {"BETTER": "green", "WORSE": "red", "HIGHER": "bold", "LOWER": "bold"}
_COLUMNS = ("difference [95 %]", "p", "verdict", "shows")


def write_comparison(
    comparison: Comparison,
    form: str,
    out: Path | None,
    lines: Sequence[str] = (),
    mitigations: Sequence[Mapping[str, Any]] = (),
) -> None:
    """Write what was found to a file, or to standard output.

    Args:
        comparison: what was found.
        form: `table`, `json`, `csv` or `markdown`.
        out: the file; None for standard output.
        lines: what is said beside the tables, such as the criteria of a mitigation.
        mitigations: the same as plain JSON values.
    """
    if form == "table":
        with click.open_file("-" if out is None else str(out), "w", encoding="utf-8") as stream:
            _print(Console() if out is None else Console(file=stream), comparison, lines)
    elif form == "json":
        told = {**to_dict(comparison), "mitigations": list(mitigations)}
        write_text(json.dumps(told, indent=2), out)
    elif form == "csv":
        import pandas as pd

        write_text(pd.DataFrame(_rows(comparison)).to_csv(index=False).rstrip("\n"), out)
    else:
        write_text("\n".join(_markdown(comparison, lines)), out)


def to_dict(comparison: Comparison) -> dict[str, Any]:
    """The comparison as plain JSON values, null where there is nothing to say."""
    return {
        "tests": comparison.tests,
        "comparisons": [
            {
                "task": pair.task,
                **{
                    which: {
                        "log": str(run.path),
                        "model": run.model,
                        "host": run.host,
                        "task": run.task,
                    }
                    for which, run in (("first", pair.first), ("second", pair.second))
                },
                "items": pair.items,
                "first_only": pair.first_only,
                "second_only": pair.second_only,
                "differing": [asdict(each) for each in pair.differing],
                "left_out": list(pair.left_out),
                "figures": [_figure(each) for each in pair.figures],
            }
            for pair in comparison.pairs
        ],
    }


def _rows(comparison: Comparison) -> list[dict[str, Any]]:
    """One row a figure of a pair of runs."""
    return [
        {
            "task": pair.task,
            "first_model": pair.first.model,
            "second_model": pair.second.model,
            **_figure(figure),
            "items": pair.items,
            "first_log": str(pair.first.path),
            "second_log": str(pair.second.path),
        }
        for pair in comparison.pairs
        for figure in pair.figures
    ]


def _figure(figure: FigureCompared) -> dict[str, Any]:
    change = figure.difference
    return finite(
        {
            "figure": figure.name,
            "unit": figure.unit,
            "better": figure.better,
            "first": figure.first.value,
            "second": figure.second.value,
            "difference": change.value,
            "ci_low": change.ci_low,
            "ci_high": change.ci_high,
            "p": change.p,
            "p_unadjusted": figure.p,
            "n": change.n,
            "margin": figure.margin,
            "verdict": figure.verdict,
            "smallest": figure.smallest,
            "correlation": figure.correlation,
        }
    )


def _print(console: Console, comparison: Comparison, lines: Sequence[str]) -> None:
    for pair in comparison.pairs:
        title, *header = _header(pair)
        console.print(Text(title, style="bold"))
        for line in header:
            console.print(Text(line))
        console.print(_table(pair))
    for line in lines:
        console.print(Text(printable(line)))
    console.print(Text(_legend(comparison), style="dim"))


def _header(pair: PairCompared) -> list[str]:
    """What is compared, and on what."""
    lines = [f"{printable(pair.task)}, {pair.items:,} items that both have"]
    for which, run in (("first", pair.first), ("second", pair.second)):
        lines.append(f"{which}: {brief(run.model)} ({run.host}), {printable(run.path)}")
    if pair.first_only or pair.second_only:
        lines.append(
            f"left out: {pair.first_only:,} answers of the first run and {pair.second_only:,} of "
            "the second, to what the other was not asked"
        )
    told = [str(each) for each in pair.differing if each.kind not in ("model", "host")]
    if told:
        lines.append(f"they differ in (first / second): {'; '.join(told)}")
    if pair.left_out:
        lines.append(f"not compared, without an interval: {printable(', '.join(pair.left_out))}")
    return lines


def _table(pair: PairCompared) -> Table:
    table = Table(
        Column("figure", overflow="fold", min_width=14),
        *(Column(name, justify="right", no_wrap=True) for name in ("first", "second")),
        *(Column(name, justify="right", no_wrap=True) for name in _COLUMNS[:2]),
        Column("verdict", no_wrap=True),
        Column("shows", justify="right", no_wrap=True),
        box=SIMPLE_HEAD,
        padding=0,
    )
    for figure in pair.figures:
        *cells, verdict, smallest = _cells(figure)
        table.add_row(*map(Text, cells), Text(verdict, _STYLES.get(verdict, "")), Text(smallest))
    return table


def _cells(figure: FigureCompared) -> list[str]:
    """The texts of a figure's row."""
    change = figure.difference
    bounds = "-"
    if not math.isnan(change.ci_low):
        low, high = (_number(bound, "+") for bound in (change.ci_low, change.ci_high))
        bounds = f"{_number(change.value, '+')} [{low}, {high}]"
    p = math.nan if change.p is None else change.p
    return [
        f"{printable(figure.name)} {ARROWS[figure.better]}".strip(),
        _number(figure.first.value),
        _number(figure.second.value),
        bounds,
        "-" if math.isnan(p) else f"{p:.3f}" if p >= 0.001 else "<0.001",
        figure.verdict,
        _number(figure.smallest),
    ]


def _number(value: float, sign: str = "") -> str:
    """To three digits behind the point, of large numbers to fewer; a dash where there is none."""
    digits = 3 if abs(value) < 10 else 1 if abs(value) < 1000 else 0
    return "-" if math.isnan(value) else f"{value:{sign}.{digits}f}"


def _legend(comparison: Comparison) -> str:
    margins = sorted(
        {each.margin for pair in comparison.pairs for each in pair.figures if each.margin}
    )
    within = (
        f"EQUIVALENT: the whole interval within ±{', ±'.join(f'{each:g}' for each in margins)}"
        if margins
        else "no --margin was given, so that nothing but the same answers is EQUIVALENT"
    )
    if comparison.has("UNREAD"):
        within += ". UNREAD: no answer was read in either run"
    return (
        f"difference: second less first. p: Holm-adjusted over {comparison.tests} differences; "
        f"verdicts at 5 %. shows: what this n shows in 80 % of cases. {within}."
    )


def _markdown(comparison: Comparison, lines: Sequence[str]) -> list[str]:
    rows = []
    for pair in comparison.pairs:
        for figure in pair.figures:
            label, first, second, *rest = _cells(figure)
            name, other = brief(pair.first.model), brief(pair.second.model)
            rows.append((pair.task, label, f"{name}: {first}", f"{other}: {second}", *rest))
    table = markdown(("task", "figure", "first", "second", *_COLUMNS), rows)
    return [table, *(["", *(f"- {printable(line)}" for line in lines)] if lines else [])]
