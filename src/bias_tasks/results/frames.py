"""Finished runs and their answers as data frames, for notebooks; both hosts' alike."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bias_tasks.families import load_family
from bias_tasks.family import Family, Outcome
from bias_tasks.names import encodable
from bias_tasks.results.answers import Answered, RunAnswers, UnusableRunError, answers_of
from bias_tasks.results.every_figure import with_every_figure
from bias_tasks.results.find import apart, read_runs
from bias_tasks.results.printed import rows_of
from bias_tasks.results.run import Run
from bias_tasks.results.shown import brief

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
    value, ci_low, ci_high, n, stderr, family, protocol, data, changed (the parameters that are not
    the default, as JSON), digest, date, log. A value is missing where there was nothing to measure.

    Raises:
        UnusableRunError: a run did not finish, or its log is broken or kept no answers.
    """
    import pandas as pd

    return pd.DataFrame(rows_of([with_every_figure(run) for run in _runs(paths)]))


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


def outcome_rows(found: RunAnswers) -> Iterator[dict[str, Any]]:
    """The rows of a run's answers, each with the columns of `OUTCOME_COLUMNS`.

    Raises:
        UnusableRunError: a value is none that a run of ours logs, as in an edited log.
    """
    return (outcome_row(found.run, answer) for answer in found.answers)


def outcome_row(run: Run, answer: Answered) -> dict[str, Any]:
    """The row of one of a run's answers; errors as `outcome_rows` has."""
    family, outcome = load_family(run.record["family"]), answer.outcome
    row = {"task": run.record["task"], "model": run.model, "log": str(run.path)}
    row |= {name: getattr(outcome, name) for name in _OF_OUTCOME}
    row |= {"right": right_in(run, family, outcome), "prompt": answer.prompt}
    for name, kind in OUTCOME_COLUMNS.items():
        value = row[name]
        if not (kind is str and type(value) is str and value.isascii()):  # as most of them are
            row[name] = _checked(run, name, value)
    return row


def right_in(run: Run, family: Family, outcome: Outcome) -> bool | None:
    """Whether an answer in a run's log is right; None where there is no right or wrong.

    Raises:
        UnusableRunError: its outcome is none that a run of ours logs.
    """
    try:
        return family.right(outcome)
    except (KeyError, TypeError, AttributeError) as error:
        raise not_ours(run, repr(error)) from error


def each_once(runs: Iterable[Run]) -> list[Run]:
    """The runs without those of the same answers: a log has one for each of its epoch reducers."""
    every = reversed(list(runs))
    return list({(run.path, run.task): run for run in every}.values())[::-1]


_WHOLE = 2**53
"""Whole numbers below it are the same as floating point; nan and infinities are no scores."""
_OF_OUTCOME = ("item", "cluster", "variant", "epoch", "gold", "answer", "score", "why", "reason")


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


def not_ours(run: Run, what: str) -> UnusableRunError:
    """What to raise of a value that no run of ours logs."""
    return UnusableRunError(
        f"{run.path}: its answers are not as {run.record['task']} logs them ({what})"
    )


def _runs(paths: Paths) -> list[Run]:
    """The runs in the paths, of which each is ours and finished."""
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    missing = [str(path) for path in given if not Path(path).exists()]
    if missing:
        raise FileNotFoundError(f"there is no {', '.join(missing)}")
    runs, problems = apart(read_runs([Path(path) for path in given]))
    failed = [each for each in problems if each.failed]
    if failed:
        raise UnusableRunError("; ".join(f"{each.path}: {each.reason}" for each in failed))
    if not runs:
        raise UnusableRunError("no finished run of bias-tasks was found")
    return runs
