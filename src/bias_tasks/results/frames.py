"""Finished runs and their answers as data frames, for notebooks; both hosts' alike."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bias_tasks.families import load_family
from bias_tasks.family import Outcome
from bias_tasks.names import encodable
from bias_tasks.record import scored_in
from bias_tasks.results.answers import (
    Answered,
    RunAnswers,
    answers_of,
    not_ours,
    with_every_figure,
)
from bias_tasks.results.find import usable_runs
from bias_tasks.results.run import Run
from bias_tasks.results.text import brief

if TYPE_CHECKING:
    import pandas as pd
    from inspect_ai.analysis import SampleColumn
    from inspect_ai.log import EvalSample, EvalSampleSummary

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
_OF_OUTCOME = ("item", "cluster", "variant", "epoch", "gold", "answer", "score", "why", "reason")
_WHOLE = 2**53
"""Whole numbers below it are the same as floating point; nan and infinities are no scores."""


def results_df(paths: Paths) -> pd.DataFrame:
    """Every figure of the runs in logs, results files, or folders of them: a row a figure.

    Columns: task, model, host, figure, headline (whether it is the one that the task is about),
    value, ci_low, ci_high, n, stderr, family, protocol, data, changed (the parameters that are not
    the default, as JSON), digest, date, log. A value is missing where there was nothing to measure.

    Raises:
        UnusableRunError: a run did not finish, or its log is broken or kept no answers.
    """
    import pandas as pd

    return pd.DataFrame(figure_rows([with_every_figure(run) for run in _runs(paths)]))


def outcomes_df(paths: Paths) -> pd.DataFrame:
    """What every answer came to: a row an answer, with the columns of `OUTCOME_COLUMNS`.

    `answer` is what was read, missing where nothing could be; `score` is on the family's scale, or
    1 for a right answer and 0 for any other; `right` is missing where there is no right or wrong;
    `why` says by which rule the answer was read, or why not.

    Raises:
        UnusableRunError: as `results_df` does.
    """
    import pandas as pd

    rows = [row for run in each_once(_runs(paths)) for row in outcome_rows(answers_of(run))]
    return pd.DataFrame(rows, columns=list(OUTCOME_COLUMNS))


def outcome_columns() -> list[SampleColumn]:
    """Columns for `inspect_ai.analysis.samples_df`, the same for the tasks of every family.

    `outcome_answer` is what was read, `outcome_score` a number or missing, `outcome_right` a truth
    value or missing where there is no right or wrong, `outcome_why` by which rule the answer was
    read or why it could not be, and `outcome_reason` the host's word for an abnormal answer.
    Samples of other tasks have none of them.
    """
    from inspect_ai.analysis import SampleColumn

    columns: dict[str, Callable[[str, Outcome], Any]] = {
        "answer": lambda family, outcome: outcome.answer,
        "score": lambda family, outcome: outcome.score,
        "right": lambda family, outcome: load_family(family).right(outcome),
        "why": lambda family, outcome: outcome.why,
        "reason": lambda family, outcome: outcome.reason,
    }
    return [
        SampleColumn(
            f"outcome_{name}",
            path=partial(_of_sample, value),
            type=OUTCOME_COLUMNS[name],
            full=True,
        )
        for name, value in columns.items()
    ]


def figure_rows(runs: Sequence[Run]) -> list[dict[str, Any]]:
    """One row a figure of a run, with the columns of `results_df`."""
    rows = []
    for run in runs:
        headline = run.headline
        first = {"task": run.record["task"], "model": run.model, "host": run.host}
        last = {
            "family": run.record["family"],
            "protocol": run.protocol,
            "data": run.data,
            "changed": json.dumps(dict(run.changed), ensure_ascii=False, default=str),
            "digest": run.digest,
            "date": run.date,
            "log": str(run.path),
        }
        for figure in run.metrics:
            named = {"figure": figure.name, "headline": figure == headline}
            value = {**figure.to_dict(), "stderr": figure.stderr}
            value.pop("name")
            rows.append(first | named | value | last)
    return rows


def outcome_rows(found: RunAnswers) -> Iterator[dict[str, Any]]:
    """The rows of a run's answers, each with the columns of `OUTCOME_COLUMNS`.

    Raises:
        UnusableRunError: a value is none that a run of ours logs, as in an edited log.
    """
    return (_outcome_row(found.run, answer) for answer in found.answers)


def each_once(runs: Iterable[Run]) -> list[Run]:
    """The runs without those of the same answers: a log has one for each of its epoch reducers."""
    every = reversed(list(runs))
    return list({(run.path, run.task): run for run in every}.values())[::-1]


def _outcome_row(run: Run, answer: Answered) -> dict[str, Any]:
    outcome = answer.outcome
    try:
        right = run.family.right(outcome)
    except (KeyError, TypeError, AttributeError) as error:
        raise not_ours(run, repr(error)) from error
    row = {"task": run.record["task"], "model": run.model, "log": str(run.path)}
    row |= {name: getattr(outcome, name) for name in _OF_OUTCOME}
    row |= {"right": right, "prompt": answer.prompt}
    return {name: _checked(run, name, row[name]) for name in OUTCOME_COLUMNS}


def _checked(run: Run, name: str, value: Any) -> Any:
    """The value as its column has it."""
    kind = OUTCOME_COLUMNS[name]
    if value is None or (kind is bool and isinstance(value, bool)):
        return value
    if kind is str and isinstance(value, str):
        return encodable(value)
    if kind in (int, float) and isinstance(value, int | kind) and abs(value) < _WHOLE:
        return kind(value)
    raise not_ours(run, f"{name} is {brief(repr(value))}")


def _of_sample(value: Callable[[str, Outcome], Any], sample: EvalSample | EvalSampleSummary) -> Any:
    for score in (sample.scores or {}).values():
        found = scored_in(score.metadata)
        if found is not None:
            return value(found.family, found.outcome)
    return None


def _runs(paths: Paths) -> list[Run]:
    """The runs in the paths, of which each is ours and finished."""
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    missing = [str(path) for path in given if not Path(path).exists()]
    if missing:
        raise FileNotFoundError(f"there is no {', '.join(missing)}")
    return usable_runs([Path(path) for path in given])
