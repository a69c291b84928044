"""Finished runs and their answers as data frames, for notebooks; both hosts' alike."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bias_tasks.names import encodable
from bias_tasks.results.answers import RunAnswers, answers_of, with_every_figure
from bias_tasks.results.find import usable_runs
from bias_tasks.results.run import Run, finite
from bias_tasks.statistics.estimate import standard_error

if TYPE_CHECKING:
    import pandas as pd

OUTCOME_COLUMNS: Mapping[str, type] = {
    **dict.fromkeys(("task", "model", "log", "item", "cluster", "variant"), str),
    "epoch": int,
    **dict.fromkeys(("gold", "answer"), str),
    "score": float,
    "right": bool,
    **dict.fromkeys(("why", "reason", "prompt"), str),
}
"""The columns of a table of answers, and the type of the values that are not missing."""
Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]


def results_df(paths: Paths) -> pd.DataFrame:
    """Every figure of the runs in logs, results files, or folders of them: a row a figure.

    Columns: task, model, host, figure, headline (whether it is the one that the task is about),
    value, ci_low, ci_high, n, p (adjusted, where the figure is a difference that is tested),
    stderr, family, protocol, data, changed (the parameters that are not the default, as JSON),
    digest, date, log. A value is missing where there was nothing to measure.

    Raises:
        UnusableRunError: a run did not finish, or its log is broken or kept no answers.
    """
    import pandas as pd

    return pd.DataFrame(figure_rows([with_every_figure(run) for run in _runs(paths)]))


def outcomes_df(paths: Paths, *, output: bool = False) -> pd.DataFrame:
    """What every answer came to: a row an answer, with the columns of `OUTCOME_COLUMNS`.

    `answer` is what was read, missing where nothing could be; `score` is on the family's scale, or
    1 for a right answer and 0 for any other; `right` is missing where there is no right or wrong;
    `why` says by which rule the answer was read, or why not.

    Args:
        paths: logs, results files, or folders of them.
        output: whether a column `output` has the model's whole text; missing where answers were
            compared by their likelihood.

    Raises:
        UnusableRunError: as `results_df` does.
    """
    import pandas as pd

    columns, keep = [*OUTCOME_COLUMNS, *["output"] * output], encodable if output else None
    rows = [row for run in _runs(paths) for row in outcome_rows(answers_of(run, keep), columns)]
    return pd.DataFrame(rows, columns=columns)


def figure_rows(runs: Sequence[Run]) -> list[dict[str, Any]]:
    """One row a figure of a run, with the columns of `results_df`."""
    return [
        {
            "task": run.record["task"],
            **{each: getattr(run, each) for each in ("model", "host")},
            "figure": name,
            "headline": name == headline,
            **finite(asdict(figure) | {"stderr": standard_error(figure)}),
            **{each: run.record[each] for each in ("family", "protocol", "data")},
            "changed": json.dumps(dict(run.record["changed"]), ensure_ascii=False, default=str),
            "digest": run.record["digest"],
            "date": run.date,
            "log": str(run.path),
        }
        for run in runs
        for headline in [run.headline]
        for name, figure in run.metrics.items()
    ]


def outcome_rows(
    found: RunAnswers, columns: Iterable[str] = tuple(OUTCOME_COLUMNS)
) -> Iterator[dict[str, Any]]:
    """The rows of a run's answers, each with these columns."""
    run = found.run
    same = {"task": run.record["task"], "model": run.model, "log": str(run.path)}
    for each in found.answers:
        outcome = each.outcome
        told = same | {"right": run.family.right(outcome), "prompt": each.prompt}
        told |= {"output": each.text}
        row = ((name, told.get(name, getattr(outcome, name, None))) for name in columns)
        yield {name: encodable(value) if isinstance(value, str) else value for name, value in row}


def _runs(paths: Paths) -> list[Run]:
    given = [paths] if isinstance(paths, str | os.PathLike) else paths
    return usable_runs(map(Path, given))
