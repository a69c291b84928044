"""The models of a column against its first, with a verdict each."""

from __future__ import annotations

from dataclasses import dataclass
from glob import escape

from bias_tasks.report.gather import Column
from bias_tasks.results.answers import UnusableRunError
from bias_tasks.results.comparison.compare import compare_runs
from bias_tasks.results.comparison.compared import FigureCompared
from bias_tasks.results.run import Run
from bias_tasks.results.shown import brief


@dataclass(frozen=True, slots=True)
class Line:
    """One run against the column's first."""

    run: Run
    figure: FigureCompared
    items: int
    differing: tuple[str, ...]
    """What the two differ in beside model and answers."""


@dataclass(frozen=True, slots=True)
class Compared:
    """The comparisons of a column."""

    first: Run
    figure: str
    lines: tuple[Line, ...]
    refused: str | None = None
    """Why its runs can't be compared."""


def compared(column: Column) -> Compared | None:
    """The headline of each run against that of the column's first; None where there is but one.

    p-values are Holm-adjusted over the column.
    """
    first = column.runs[0].run
    runs = [told.answers for told in column.runs if told.answers is not None]
    if len(column.runs) < 2 or first.headline is None:
        return None
    name = first.headline.name
    try:
        found = compare_runs(runs, figures=escape(name))
    except UnusableRunError as error:
        return Compared(first, name, (), brief(error))
    lines = tuple(
        Line(
            pair.second,
            figure,
            pair.items,
            tuple(str(each) for each in pair.differing if each.kind not in ("model", "asked")),
        )
        for pair in found.pairs
        for figure in pair.figures
    )
    return Compared(found.pairs[0].first if found.pairs else first, name, lines)
