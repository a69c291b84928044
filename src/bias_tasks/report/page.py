"""The page itself: what was gathered, put into the template."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from bias_tasks.figures import Figure
from bias_tasks.record import MOST
from bias_tasks.report.by_probe import by_probe
from bias_tasks.report.cautions import warnings
from bias_tasks.report.comparisons import compared
from bias_tasks.report.cost import costs, total
from bias_tasks.report.forest import Row, forest
from bias_tasks.report.gather import Column, Gathered, Told, changed, share_unread
from bias_tasks.report.moved import moved
from bias_tasks.report.printed import printed_beside
from bias_tasks.report.texts import excerpt, name, visible
from bias_tasks.report.unread import unread
from bias_tasks.results.run import FigureValue
from bias_tasks.results.shown import ARROWS, brief
from bias_tasks.results.table import number
from bias_tasks.statistics.estimate import Estimate

Bounded = FigureValue | Estimate
_MOVES, _UNREAD = 40, 40
"""Examples on a page at most, so that it stays small however many runs there are."""
_A_RUN = 3
"""Examples of a run at most."""
_IN_WORDS = {"higher": "higher is better", "lower": "lower is better", None: "neither is better"}


def page(gathered: Gathered) -> str:
    """The report as one HTML file."""
    # Imported here: other commands don't need it.
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("bias_tasks.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "name": name,
        "brief": brief,
        "visible": visible,
        "excerpt": excerpt,
        "number": _number,
        "interval": _bounds,
        "share": _share,
        "probability": _probability,
        "changed": changed,
    }
    return environment.get_template("page.html").render(_content(gathered))


def _content(gathered: Gathered) -> dict[str, Any]:
    runs = gathered.runs
    with_answers = [told for told in runs if told.answers is not None]
    examples = min(_A_RUN, max(1, _MOVES // max(len(with_answers), 1)))
    spent = costs(runs)
    return {
        "version": version("bias-tasks"),
        "models": gathered.models,
        "columns": [_head(column) for column in gathered.columns],
        "profile": [
            (model, [_cells(column, model) for column in gathered.columns])
            for model in gathered.models
        ],
        "plots": [_plot(column, number) for number, column in enumerate(gathered.columns)],
        "by_probe": by_probe(runs),
        "compared": [(c, found) for c in gathered.columns if (found := compared(c)) is not None],
        "moved": [(told, moved(told, examples)) for told in with_answers[:_MOVES]],
        "unread": [
            (told, unable)
            for told in with_answers[:_UNREAD]
            if (unable := unread(told, examples)) is not None
        ],
        "warnings": [(told, said) for told in runs if (said := tuple(warnings(told)))],
        "costs": spent,
        "totals": {
            each: total([getattr(line, each) for line in spent])
            for each in ("answers", "sent", "written", "price", "minutes")
        },
        "families": sorted({column.family.name for column in gathered.columns}),
        "problems": gathered.problems,
        "runs": runs,
        "most": MOST,
    }


@dataclass(frozen=True, slots=True)
class Head:
    """What stands above a column of the profile."""

    title: str
    task: str
    figure: str
    arrow: str
    in_words: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Cell:
    """One run in the profile."""

    told: Told
    value: str
    bounds: str
    unread: float | None
    form: bool
    """Whether unread answers are what is measured."""


@dataclass(frozen=True, slots=True)
class Plot:
    """A forest plot with what stands beside it."""

    head: Head
    svg: str
    beside: str | None
    """Whose printed figures it has beside ours, and what differs."""


def _head(column: Column) -> Head:
    declared = _declared(column)
    better = None if declared is None else declared.better
    headline = _named(column)
    meaning = "" if declared is None else declared.meaning
    return Head(column.title, column.task, headline, ARROWS[better], _IN_WORDS[better], meaning)


def _named(column: Column) -> str:
    """The figure that the column is about."""
    found = (told.run.headline for told in column.runs)
    return next((each.name for each in found if each is not None), "-")


def _declared(column: Column) -> Figure | None:
    return column.family.figure(_named(column))


def _cells(column: Column, model: str) -> list[Cell]:
    """The runs of a model in a column: mostly one, two where both hosts ran it."""
    return [
        Cell(
            told,
            "–" if told.run.headline is None else _number(told.run.headline.value),
            "" if told.run.headline is None else _bounds(told.run.headline),
            share_unread(told),
            told.family.measures_form,
        )
        for told in column.runs
        if told.run.model == model
    ]


def _plot(column: Column, position: int) -> Plot | None:
    """The column's plot; None where none of its runs has the figure."""
    head, printed = _head(column), printed_beside(column)
    rows = [_row(told, column.runs) for told in column.runs if told.run.headline is not None]
    if not rows:
        return None
    if printed is not None:
        ranked = sorted(printed.values.items(), key=lambda each: -each[1])
        rows += [Row(f"{model} (paper)", value, *(math.nan,) * 2, False) for model, value in ranked]
    declared = _declared(column)
    zero = declared is not None and declared.low < 0
    axis = f"{head.figure} ({head.in_words})"
    title = f"{head.title}: {head.figure} with 95 % intervals"
    drawn = forest(rows, axis, title=title, told=_told(rows), zero=zero, key=f"plot{position}")
    beside = None if printed is None else f"{printed.source}; {printed.caveat}"
    return Plot(head, drawn, beside)


def _row(told: Told, runs: Sequence[Told]) -> Row:
    """A run's line: the model without its provider, and the host where both ran it."""
    headline = told.run.headline
    assert headline is not None
    several = sum(each.run.model == told.run.model for each in runs) > 1
    short = told.run.model.rpartition("/")[2]
    alike = {each.run.model for each in runs if each.run.model.rpartition("/")[2] == short}
    label = name(short if short and len(alike) == 1 else told.run.model)
    if several:
        label = f"{label}, {told.run.host}"
    return Row(label, headline.value, headline.ci_low, headline.ci_high)


def _told(rows: Sequence[Row]) -> str:
    """What a plot shows, in words."""
    return "; ".join(
        f"{row.label} {_number(row.value)}"
        + (f" ({_number(row.low)} to {_number(row.high)})" if math.isfinite(row.low) else "")
        for row in rows
    )


def _number(value: float) -> str:
    """A value to three digits, with a minus as long as a plus."""
    return number(value).replace("-", "−")


def _bounds(figure: Bounded) -> str:
    """A figure's interval in brackets; nothing where it has none."""
    if math.isnan(figure.ci_low) or math.isnan(figure.ci_high):
        return ""
    return f"({_number(figure.ci_low)} to {_number(figure.ci_high)})"


def _probability(p: float | None) -> str:
    """A p-value to three digits; a dash where there is none."""
    if p is None or math.isnan(p):
        return "–"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _share(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.0%}"
