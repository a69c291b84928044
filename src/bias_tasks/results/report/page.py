"""The page itself: what was collected, put into the template."""

from __future__ import annotations

import math
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from bias_tasks.record import MOST
from bias_tasks.results.report.collect import Collected, Column, ReportedRun, changed
from bias_tasks.results.report.forest import Row, forest, in_words, minus
from bias_tasks.results.report.moved import moved, unread
from bias_tasks.results.report.printed import printed_beside
from bias_tasks.results.report.sections import by_probe, compared, costs, total, warnings
from bias_tasks.results.run import FigureValue
from bias_tasks.results.tables import ARROWS, interval, number
from bias_tasks.results.text import brief, excerpt, name
from bias_tasks.statistics.estimate import Estimate

_EXAMPLES = 40
"""Runs with examples on a page at most, so that it stays small however many runs there are."""
_OF_A_RUN = 3
"""Examples of a run at most."""
_IN_WORDS = {"higher": "higher is better", "lower": "lower is better", None: "neither is better"}


def page(collected: Collected) -> str:
    """The report as one HTML file."""
    # Imported here: other commands don't need it.
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader(__package__),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "name": name,
        "brief": brief,
        "excerpt": excerpt,
        "number": _number,
        "interval": _bounds,
        "share": lambda value: "unknown" if value is None else f"{value:.0%}",
        "probability": _probability,
        "changed": changed,
    }
    return environment.get_template("page.html").render(_content(collected))


def _content(collected: Collected) -> dict[str, Any]:
    runs, columns = collected.runs, collected.columns
    with_answers = [each for each in runs if each.answers is not None]
    examples = min(_OF_A_RUN, max(1, _EXAMPLES // max(len(with_answers), 1)))
    shown = with_answers[:_EXAMPLES]
    spent = costs(runs)
    return {
        "version": version("bias-tasks"),
        "models": collected.models,
        "columns": [_head(column) for column in columns],
        "profile": [
            (
                model,
                [[each for each in column.runs if each.run.model == model] for column in columns],
            )
            for model in collected.models
        ],
        "plots": [_plot(column, position) for position, column in enumerate(columns)],
        "by_probe": by_probe(runs),
        "compared": [(each, found) for each in columns if (found := compared(each)) is not None],
        "moved": [(each, moved(each, examples)) for each in shown],
        "unread": [
            (each, unable) for each in shown if (unable := unread(each, examples)) is not None
        ],
        "warnings": [(each, said) for each in runs if (said := tuple(warnings(each)))],
        "costs": spent,
        "totals": {
            each: total([getattr(line, each) for line in spent])
            for each in ("answers", "sent", "written", "price", "minutes")
        },
        "families": {column.family.name for column in columns},
        "problems": collected.problems,
        "runs": runs,
        "most": MOST,
    }


def _head(column: Column) -> dict[str, str]:
    """What stands above a column of the profile: the figure that it is about, and what it means."""
    headlines = (each.run.headline for each in column.runs)
    figure = next((each.name for each in headlines if each is not None), "-")
    declared = column.family.figure(figure)
    better = None if declared is None else declared.better
    return {
        "title": column.title,
        "figure": figure,
        "arrow": ARROWS[better],
        "in_words": _IN_WORDS[better],
        "meaning": "" if declared is None else declared.meaning,
    }


def _plot(column: Column, position: int) -> dict[str, Any] | None:
    """The column's forest plot, and whose printed figures it has beside ours; None where none of
    its runs has the figure."""
    head, printed = _head(column), printed_beside(column)
    rows = [row for each in column.runs if (row := _row(each, column.runs)) is not None]
    if not rows:
        return None
    if printed is not None:
        ranked = sorted(printed.values.items(), key=lambda each: -each[1])
        rows += [Row(f"{model} (paper)", value, *(math.nan,) * 2, False) for model, value in ranked]
    declared = column.family.figure(head["figure"])
    svg = forest(
        rows,
        f"{head['figure']} ({head['in_words']})",
        title=f"{head['title']}: {head['figure']} with 95 % intervals",
        told=in_words(rows),
        zero=declared is not None and declared.low < 0,
        key=f"plot{position}",
    )
    beside = None if printed is None else f"{printed.source}; {printed.caveat}"
    return {"title": head["title"], "svg": svg, "beside": beside}


def _row(reported: ReportedRun, runs: Sequence[ReportedRun]) -> Row | None:
    """A run's line: the model without its provider, and the host where both ran it."""
    run, headline = reported.run, reported.run.headline
    if headline is None:
        return None
    models = [each.run.model for each in runs]
    short = run.model.rpartition("/")[2]
    alike = {model for model in models if model.rpartition("/")[2] == short}
    label = name(short if short and len(alike) == 1 else run.model)
    if models.count(run.model) > 1:
        label = f"{label}, {run.host}"
    return Row(label, headline.value, headline.ci_low, headline.ci_high)


def _number(value: float) -> str:
    return minus(number(value))


def _bounds(figure: FigureValue | Estimate) -> str:
    """A figure's interval in brackets; nothing where it has none."""
    bounds = interval(figure)
    return "" if bounds == "-" else f"({minus(bounds)})"


def _probability(p: float | None) -> str:
    """A p-value to three digits; a dash where there is none."""
    if p is None or math.isnan(p):
        return "–"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
