"""Finished runs and their answers as data frames, the same for both frameworks."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from bias_tasks.names import encodable
from bias_tasks.results.answers import RunAnswers, load_all_metrics, load_answers
from bias_tasks.results.find import Paths, read_usable_runs
from bias_tasks.results.run import Run, none_if_not_finite
from bias_tasks.statistics.estimate import standard_error

if TYPE_CHECKING:
    import pandas as pd

OUTCOME_COLUMNS = {
    **dict.fromkeys(("task", "model", "log", "item", "cluster", "variant"), "string"),
    "epoch": "Int64",
    **dict.fromkeys(("gold", "answer"), "string"),
    **{"score": "Float64", "correct": "boolean"},
    **dict.fromkeys(("explanation", "reason", "prompt"), "string"),
}
"""The columns of a table of answers, with pandas types that allow missing values."""


def results_df(paths: Paths) -> pd.DataFrame:
    """Return all metrics of finished runs as a data frame with one row per metric.

    Args:
        paths: Inspect logs, results files of lm-eval, or folders of these.

    Returns:
        The columns are `task`, `model`, `framework`, `metric`, `headline` (whether it is the
        headline metric of its task), `value`, `ci_low`, `ci_high`, `n`, `p_adjusted` (for
        differences that are tested), `stderr`, `family`, `protocol`, `data`, `task_args` (the
        parameters that differ from their defaults, as JSON), `digest`, `date` and `log`. A value
        is missing if there is nothing to measure.

    Raises:
        UnusableRunError: A log is broken or has no answers, or a path has no finished run. Other
            skipped logs are warnings.
    """
    import pandas as pd

    runs = [load_all_metrics(run) for run in read_usable_runs(paths)]
    return pd.DataFrame(build_metric_rows(runs))


def outcomes_df(paths: Paths, *, output: bool = False) -> pd.DataFrame:
    """Return the outcomes of all answers as a data frame with one row per answer.

    Args:
        paths: Inspect logs, results files of lm-eval with samples, or folders of these.
        output: Add the column `output` with the model's whole text; it is missing if options were
            compared by their likelihoods.

    Returns:
        The columns are those of `OUTCOME_COLUMNS`. `answer` is the parsed answer, missing if it is
        unparsed. `score` is on the family's scale, or 1 for a correct answer and 0 for another.
        `correct` is missing if no answer is correct or wrong. `explanation` says how the answer was
        parsed, or why it could not be. `prompt` is the prompt of the last output.

    Raises:
        UnusableRunError: A log is broken or has no answers, or a path has no finished run. Other
            skipped logs are warnings.
    """
    import pandas as pd

    columns = [*OUTCOME_COLUMNS, "output"] if output else [*OUTCOME_COLUMNS]
    keep = encodable if output else None
    rows = [
        row
        for run in read_usable_runs(paths)
        for row in build_outcome_rows(load_answers(run, keep), columns)
    ]
    return pd.DataFrame(rows, columns=columns)


def answer_distribution_df(paths: Paths) -> pd.DataFrame:
    """Return how often each label was answered, as a data frame with one row per label.

    Args:
        paths: Inspect logs, results files of lm-eval with samples, or folders of these.

    Returns:
        The columns are `task`, `model`, `log`, `variant`, `form` (such as `choice`; empty if all
        questions are alike), `label` as the prompt displays it, `answers` and `gold` (numbers of
        prompts with this answer and with this correct answer), `unparsed` (number of unparsed
        answers of the variant and form) and `constant` (whether nearly all of its parsed answers
        have this label although the correct answers vary).

    Raises:
        UnusableRunError: A run did not finish, or its log is broken or has no answers.
    """
    import pandas as pd

    rows = []
    for run in map(load_all_metrics, read_usable_runs(paths)):
        run_columns = {"task": run.record.task, "model": run.model, "log": str(run.path)}
        for group in run.distributions:
            columns = {**run_columns, "variant": group.variant, "form": group.form}
            rows += [
                {
                    **columns,
                    "label": label,
                    "answers": group.labels[label],
                    "gold": group.golds[label],
                    "unparsed": group.unparsed.total(),
                    "constant": label == group.constant_label,
                }
                for label in dict.fromkeys([*group.labels, *group.golds])
            ]
    return pd.DataFrame(rows)


def build_metric_rows(runs: Sequence[Run]) -> list[dict[str, object]]:
    """Return one row per metric of each run, with the columns of `results_df`."""
    rows = []
    for run in runs:
        record, headline = run.record, run.headline
        run_columns = {"task": record.task, "model": run.model, "framework": run.framework}
        record_columns = {"family": record.family, "protocol": record.protocol, "data": record.data}
        task_args = json.dumps(dict(record.task_args), ensure_ascii=False, default=str)
        log_columns = {"digest": record.digest, "date": run.date, "log": str(run.path)}
        last_columns = {**record_columns, "task_args": task_args, **log_columns}
        for name, e in run.metrics.items():
            estimate = {"value": e.value, "ci_low": e.ci_low, "ci_high": e.ci_high, "n": e.n}
            numbers = {**estimate, "p_adjusted": e.p, "stderr": standard_error(e)}
            row = {**run_columns, "metric": name, "headline": name == headline}
            row |= {column: none_if_not_finite(number) for column, number in numbers.items()}
            rows.append(row | last_columns)
    return rows


def build_outcome_rows(
    answers: RunAnswers, columns: Iterable[str] = tuple(OUTCOME_COLUMNS)
) -> Iterator[dict[str, object]]:
    """Yield one row per answer of a run.

    Args:
        answers: The answers of the run.
        columns: Columns of `OUTCOME_COLUMNS`, and `output`.
    """
    run = answers.run
    for answer in answers.answers:
        outcome = answer.outcome
        values = outcome.to_dict() | {
            "task": run.record.task,
            "model": run.model,
            "log": str(run.path),
            "correct": run.family.is_correct(outcome),
            "prompt": answer.prompt,
            "output": answer.text,
        }
        selected = ((name, values[name]) for name in columns)
        yield {n: encodable(v) if isinstance(v, str) else v for n, v in selected}
