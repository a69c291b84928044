"""Finished runs and their answers as data frames, for notebooks; both hosts' alike."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from bias_tasks.names import encodable
from bias_tasks.results.answers import RunAnswers, answers_of, with_every_figure
from bias_tasks.results.find import Paths, usable_runs
from bias_tasks.results.run import Run, finite
from bias_tasks.statistics.estimate import standard_error

if TYPE_CHECKING:
    import pandas as pd

OUTCOME_COLUMNS = {
    **dict.fromkeys(("task", "model", "log", "item", "cluster", "variant"), "string"),
    "epoch": "Int64",
    **dict.fromkeys(("gold", "answer"), "string"),
    **{"score": "Float64", "right": "boolean"},
    **dict.fromkeys(("why", "reason", "prompt"), "string"),
}
"""The columns of a table of answers, with those types of pandas in which values can be missing."""


def results_df(paths: Paths) -> pd.DataFrame:
    """Every figure of the runs in logs, results files, or folders of them: a row a figure.

    Columns: task, model, host, figure, headline (whether the task is about it), value, ci_low,
    ci_high, n, p (adjusted, of a difference that is tested), stderr, family, protocol, data,
    changed (the parameters that are not the default, as JSON), digest, date, log. A value is
    missing where there was nothing to measure. Runs that did not finish, and logs that are broken
    or kept no answers, are an UnusableRunError.
    """
    import pandas as pd

    return pd.DataFrame(figure_rows([with_every_figure(run) for run in usable_runs(paths)]))


def outcomes_df(paths: Paths, *, output: bool = False) -> pd.DataFrame:
    """What every answer came to: a row an answer, with the columns of `OUTCOME_COLUMNS`.

    `answer` is what was read, missing where nothing could be; `score` is on the family's scale, or
    1 for a right answer and 0 for any other; `right` is missing where there is no right or wrong;
    `why` says by which rule the answer was read, or why not. With `output` a further column has the
    model's whole text, missing where answers were compared by their likelihood. Runs that can't be
    used are an UnusableRunError, as of `results_df`.
    """
    import pandas as pd

    columns, keep = [*OUTCOME_COLUMNS, *["output"] * output], encodable if output else None
    rows = [
        row for run in usable_runs(paths) for row in outcome_rows(answers_of(run, keep), columns)
    ]
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
        told = same | {"prompt": each.prompt, "output": each.text} | each.outcome.to_dict()
        told["right"] = run.family.right(each.outcome)
        values = ((name, told[name]) for name in columns)
        yield {n: encodable(each) if isinstance(each, str) else each for n, each in values}
