"""A comparison as tables for people, and in the formats of other tools."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from bias_tasks.commands.mitigation.criteria import Mitigation
from bias_tasks.results.comparison.compared import Comparison, FigureCompared, PairCompared
from bias_tasks.results.printed import markdown_line, write_text
from bias_tasks.results.run import Run
from bias_tasks.results.shown import ARROWS, brief, shown

_STYLES = {"BETTER": "green", "WORSE": "red", "HIGHER": "bold", "LOWER": "bold"}
_COLUMNS = ("difference [95 %]", "p", "verdict", "shows")


def write_comparison(
    comparison: Comparison, beside: Sequence[Mitigation], form: str, out: Path | None
) -> None:
    """Write what was found to a file, or to standard output."""
    if form == "table":
        with click.open_file("-" if out is None else str(out), "w", encoding="utf-8") as stream:
            _print(Console() if out is None else Console(file=stream), comparison, beside)
    elif form == "json":
        told = {**to_dict(comparison), "mitigations": [each.to_dict() for each in beside]}
        write_text(json.dumps(told, indent=2), out)
    elif form == "csv":
        import pandas as pd

        write_text(pd.DataFrame(rows_of(comparison)).to_csv(index=False).rstrip("\n"), out)
    else:
        write_text("\n".join(_markdown(comparison, beside)), out)


def to_dict(comparison: Comparison) -> dict[str, Any]:
    """The comparison as plain JSON values, null where there is nothing to say."""
    return {
        "tests": comparison.tests,
        "comparisons": [
            {
                "task": pair.task,
                "first": _run(pair.first),
                "second": _run(pair.second),
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


def rows_of(comparison: Comparison) -> list[dict[str, Any]]:
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


def _run(run: Run) -> dict[str, str]:
    return {"log": str(run.path), "model": run.model, "host": run.host, "task": run.task}


def _figure(figure: FigureCompared) -> dict[str, Any]:
    change = figure.difference
    told = {
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
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in told.items()
    }


def _print(console: Console, comparison: Comparison, beside: Sequence[Mitigation]) -> None:
    for pair in comparison.pairs:
        for line in _header(pair):
            console.print(Text(line, style="bold" if line.startswith(shown(pair.task)) else ""))
        console.print(_table(pair))
    for each in beside:
        for line in each.lines():
            console.print(Text(shown(line)))
    console.print(Text(_legend(comparison), style="dim"))


def _header(pair: PairCompared) -> list[str]:
    """What is compared, and on what."""
    lines = [f"{shown(pair.task)}, {pair.items:,} items that both have"]
    for which, run in (("first", pair.first), ("second", pair.second)):
        lines.append(f"{which}: {brief(run.model)} ({run.host}), {shown(run.path)}")
    if pair.first_only or pair.second_only:
        lines.append(
            f"left out: {pair.first_only:,} answers of the first run and {pair.second_only:,} of "
            "the second, to what the other was not asked"
        )
    told = [str(each) for each in pair.differing if each.kind not in ("model", "host")]
    if told:
        lines.append(f"they differ in (first / second): {'; '.join(told)}")
    if pair.left_out:
        lines.append(f"not compared, without an interval: {shown(', '.join(pair.left_out))}")
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
    return [
        f"{shown(figure.name)} {ARROWS[figure.better]}".strip(),
        _number(figure.first.value),
        _number(figure.second.value),
        bounds,
        _p_value(change.p),
        figure.verdict,
        _number(figure.smallest),
    ]


def _number(value: float, sign: str = "") -> str:
    """To three digits behind the point, of large numbers to fewer; a dash where there is none."""
    digits = 3 if abs(value) < 10 else 1 if abs(value) < 1000 else 0
    return "-" if math.isnan(value) else f"{value:{sign}.{digits}f}"


def _p_value(p: float | None) -> str:
    if p is None or math.isnan(p):
        return "-"
    return f"{p:.3f}" if p >= 0.001 else "<0.001"


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


def _markdown(comparison: Comparison, beside: Sequence[Mitigation]) -> list[str]:
    named = ("task", "figure", "first", "second", *_COLUMNS)
    lines = [markdown_line(named), markdown_line(["---"] * len(named))]
    for pair in comparison.pairs:
        for figure in pair.figures:
            label, first, second, *rest = _cells(figure)
            name, other = brief(pair.first.model), brief(pair.second.model)
            cells = (pair.task, label, f"{name}: {first}", f"{other}: {second}", *rest)
            lines.append(markdown_line(cells))
    texts = [line for each in beside for line in each.lines()]
    return [*lines, *(["", *(f"- {shown(line)}" for line in texts)] if texts else [])]
