"""Finished runs and their answers as data frames, for notebooks; both hosts' alike."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from bias_tasks.results.answers import UnusableRunError, answers_of
from bias_tasks.results.every_figure import with_every_figure
from bias_tasks.results.find import apart, read_runs
from bias_tasks.results.printed import rows_of
from bias_tasks.results.run import Run

if TYPE_CHECKING:
    import pandas as pd

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
    """What every answer came to: a row an answer.

    Columns: task, model, log, item, cluster, variant, epoch, gold, answer (as it was read; missing
    where nothing could be), score (on the family's scale; 1 for a right answer and 0 for any other
    where there is none), why (by which rule it was read, or why not), reason, prompt.

    Raises:
        UnusableRunError: as `results_df` does.
    """
    import pandas as pd

    runs = {(run.path, run.task): run for run in _runs(paths)}
    rows = [
        {
            "task": found.run.record["task"],
            "model": found.run.model,
            "log": str(found.run.path),
            **{name: getattr(answer.outcome, name) for name in _COLUMNS},
            "prompt": answer.prompt,
        }
        for found in map(answers_of, runs.values())
        for answer in found.answers
    ]
    return pd.DataFrame(rows)


_COLUMNS = ("item", "cluster", "variant", "epoch", "gold", "answer", "score", "why", "reason")


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
