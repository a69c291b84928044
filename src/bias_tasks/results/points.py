"""Chosen figures of several runs as CSV: the points that a paper draws, one a line."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from bias_tasks.names import did_you_mean
from bias_tasks.results.run import Run
from bias_tasks.results.shown import shown

COLUMNS = ("model", "task", "host", "protocol", "figure", "value", "ci_low", "ci_high", "n")


def points(runs: Sequence[Run], figures: Sequence[str]) -> str:
    """A line for each run and figure, in the order of both; a run without a figure has none.

    Values have all their digits, and `nan` stands where there was nothing to measure.

    Raises:
        ValueError: no run has one of the figures.
    """
    known = {figure.name for run in runs for figure in run.metrics}
    for name in figures:
        if name not in known:
            raise ValueError(f"no run has a figure {name!r}{did_you_mean([name], known)}")
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for run in runs:
        by_name = {figure.name: figure for figure in run.metrics}
        for name in dict.fromkeys(figures):
            if name in by_name:
                found = by_name[name]
                told = (run.model, run.task, run.host, run.protocol, name)
                writer.writerow(
                    [*map(shown, told), found.value, found.ci_low, found.ci_high, found.n]
                )
    return text.getvalue()
