"""Finished runs and their answers as data frames, the same for both frameworks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bias_tasks.contract.family import AnyFamily
from bias_tasks.results.answers import RunAnswers, load_all_metrics, load_answers
from bias_tasks.results.find import Paths, read_usable_runs
from bias_tasks.results.run import Run, ScoredAnswer, UnusableRunError
from bias_tasks.results.tables import Row
from bias_tasks.results.text import to_json
from bias_tasks.statistics.estimate import standard_error
from bias_tasks.unicode_text import encodable

if TYPE_CHECKING:
    import pandas as pd

    from bias_tasks.results.comparison import MetricComparison, RunComparison
    from bias_tasks.results.ranking import Ranking

LABEL_COLUMNS = [f"{part}_{form}" for part in ("gold", "answer") for form in ("label", "text")]
OUTCOME_COLUMNS = {
    **dict.fromkeys(("task", "model", "framework", "run_id"), "string"),
    "created": "datetime64[ns, UTC]",
    **dict.fromkeys(("log", "item", "cluster", "level", "variant"), "string"),
    "epoch": "Int64",
    **dict.fromkeys(("gold", "answer", *LABEL_COLUMNS), "string"),
    **{"score": "Float64", "correct": "boolean"},
    **dict.fromkeys(("explanation", "reason", "prompt"), "string"),
}
"""The columns of a table of answers, with pandas types that allow missing values."""


def results_df(paths: Paths) -> pd.DataFrame:
    """Return all metrics of finished runs as a data frame with one row per metric.

    Args:
        paths: Inspect logs (paths or `EvalLog` objects), results files of lm-eval, or folders.

    Returns:
        The columns are `task`, `model`, `framework`, `run_id`, `created` (start of the run, a
        datetime in UTC), `log`, `metric`, `headline` (whether it is the headline metric of its
        task), `value`, `ci_low`, `ci_high`, `n`, `p_adjusted` (for differences that are tested),
        `stderr`, `family`, `protocol`, `data`, `task_args` (the parameters that differ from their
        defaults, as JSON), `digest`, `items` (number of scored items), `samples_total` and, of
        them, `samples_failed`, `samples_unscored` and `samples_missing` in the log, `settings` of
        the framework and `versions` of packages (as JSON) and `notes` on the run. A value is
        missing if there is nothing to measure. A run is identified by `run_id` and `task`, since
        one run of lm-eval has several tasks.

    Raises:
        UnusableRunError: A log is broken or has no answers, or a path has no finished run. Other
            skipped logs are warnings.
    """
    runs = map(load_all_metrics, read_usable_runs(paths))
    return build_frame(build_metric_rows({run: [*run.metrics] for run in runs}))


def outcomes_df(paths: Paths, *, output: bool = False) -> pd.DataFrame:
    """Return the outcomes of all answers as a data frame with one row per answer.

    Args:
        paths: Inspect logs (paths or `EvalLog` objects), results files of lm-eval with samples, or
            folders.
        output: Add the column `output` with the model's whole text; it is missing if options were
            compared by their likelihoods.

    Returns:
        The columns are those of `OUTCOME_COLUMNS`. `level` is the difficulty of items of the core
        and of generated ones, or the column `difficulty` of your file. `answer` is the parsed
        answer, missing if it is unparsed. It and `gold` are the family's codes, which are the same
        under all variants; `gold_label` and `answer_label` are what the prompt displays for them,
        such as `C` or `3` (missing if the answer is open), and `gold_text` and `answer_text` the
        texts of options. `score` is on the family's scale, or 1 for a correct answer and 0 for
        another. `correct` is missing if no answer is correct or wrong. `explanation` says how the
        answer was parsed, or why it could not be. `prompt` is the prompt of the last output.

    Raises:
        UnusableRunError: A log is broken or has no answers, or a path has no finished run. Other
            skipped logs are warnings.
    """
    keep = encodable if output else None
    loaded = [load_answers(run, keep) for run in read_usable_runs(paths)]
    rows = [row for answers in loaded for row in build_outcome_rows(answers, output=output)]
    return build_frame(rows)


def answer_distribution_df(paths: Paths) -> pd.DataFrame:
    """Return how often each label was answered, as a data frame with one row per label.

    Args:
        paths: Inspect logs (paths or `EvalLog` objects), results files of lm-eval with samples, or
            folders.

    Returns:
        The columns are `task`, `model`, `framework`, `run_id`, `created`, `log`, `variant`, `form`
        (such as `choice`; empty if there is one kind), `label` as the prompt displays it, `answers`
        and `gold` (numbers of prompts with this answer and with this correct answer), `unparsed`
        (number of unparsed answers of the variant and form) and `constant` (whether nearly all of
        its parsed answers have this label although the correct answers vary).

    Raises:
        UnusableRunError: A run did not finish, or its log is broken or has no answers.
    """
    rows = [
        {
            **_identify(run),
            "variant": group.variant,
            "form": group.form,
            "label": label,
            "answers": group.labels[label],
            "gold": group.golds[label],
            "unparsed": group.unparsed.total(),
            "constant": label == group.constant_label,
        }
        for run in map(load_all_metrics, read_usable_runs(paths))
        for group in run.distributions
        for label in dict.fromkeys([*group.labels, *group.golds])
    ]
    return build_frame(rows)


def build_frame(rows: Sequence[Row]) -> pd.DataFrame:
    """Return rows about runs as a data frame, with `created` as a datetime in UTC."""
    import pandas as pd

    frame = pd.DataFrame(rows)
    created = pd.to_datetime(frame["created"], format="ISO8601", utc=True, errors="coerce")
    return frame.assign(created=created)


def build_metric_rows(shown: Mapping[Run, Iterable[str]]) -> list[dict[str, Any]]:
    """Return one row per metric of each run, with the columns of `results_df`.

    Args:
        shown: The names of the metrics by run.
    """
    return [
        {
            **_identify(run),
            "metric": name,
            "headline": name == run.headline,
            "value": e.value,
            "ci_low": e.ci_low,
            "ci_high": e.ci_high,
            "n": e.n,
            "p_adjusted": e.p,
            "stderr": standard_error(e),
            **describe_run(run),
        }
        for run, names in shown.items()
        for name, e in ((name, run.metrics[name]) for name in names)
    ]


def describe_run(run: Run) -> dict[str, object]:
    """Return the columns of `results_df` that are the same for all metrics of a run."""
    record = run.record
    return {
        **{"family": record.family, "protocol": record.protocol, "data": record.data},
        "task_args": to_json(dict(record.task_args)),
        "digest": record.digest,
        "items": run.n,
        **{f"samples_{name}": count for name, count in run.samples._asdict().items()},
        "settings": to_json(dict(run.settings)),
        "versions": to_json(dict(run.versions)),
        "notes": "; ".join(record.notes),
    }


def average_models(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return one row per task, digest and metric, with the mean over the models of `rows`.

    The confidence bounds are the means of the models' bounds. They hold for these models whatever
    the correlation of their errors is (MOVER with correlations of 1; Zou and Donner 2008). Metrics
    that some of the models do not have are left out.

    Args:
        rows: Rows of `build_metric_rows`.

    Returns:
        The columns are `task`, `digest`, `metric`, `value`, `ci_low` and `ci_high` (nan if one of
        the models has none), `n` (the smallest) and `models`, their number.

    Raises:
        UnusableRunError: One model has two runs with the same digest.
    """
    frame = build_frame(rows)
    keys = ["task", "digest", "metric"]
    for _, run in frame[frame.duplicated([*keys, "model"])].iterrows():
        raise UnusableRunError(
            f"{run['model']} has two runs with the same prompts, one of them {run['log']}: leave "
            "one out"
        )
    groups = frame.groupby(keys, sort=False)
    means = groups[["value", "ci_low", "ci_high"]].agg(lambda column: column.mean(skipna=False))
    means = means.assign(n=groups["n"].min(), models=groups["model"].nunique()).reset_index()
    n_models = means.groupby(["task", "digest"])["models"].transform("max")
    records: list[dict[str, Any]] = means[means["models"] == n_models].to_dict("records")
    return records


def build_comparison_rows(comparison: RunComparison) -> list[dict[str, object]]:
    """Return one row per metric of each pair of runs."""
    return [
        {
            "task": pair.second.record.task,
            "first_model": pair.first.model,
            "second_model": pair.second.model,
            **_compare_metric(metric),
            "items": pair.paired.items,
            "first_only": pair.paired.first_only,
            "second_only": pair.paired.second_only,
            "differences": "; ".join(map(str, pair.paired.differences)),
            "regressions": "; ".join(pair.regressions),
            "first_log": str(pair.first.path),
            "second_log": str(pair.second.path),
        }
        for pair in comparison.pairs
        for metric in pair.metrics
    ]


def build_ranking_rows(rankings: Iterable[Ranking]) -> list[dict[str, object]]:
    """Return one row per model of each ranking, with its differences from the other models."""
    rows: list[dict[str, object]] = []
    for ranking in rankings:
        for position, ranked in enumerate(ranking.ranked):
            estimate = ranked.estimate
            rows.append(
                {
                    **{"task": ranking.task, "metric": ranking.name},
                    **{"better": ranking.spec.better, "position": position + 1},
                    **{"group": ranked.group, "model": ranked.label, "value": estimate.value},
                    **{"ci_low": estimate.ci_low, "ci_high": estimate.ci_high},
                    **{"p_best": ranked.p_best, "items": ranking.items},
                    **{"left_out": ranking.left_out, "log": str(ranked.run.path)},
                    "differences": [
                        {
                            "from": ranking.ranked[i].label,
                            **_compare_metric(pair.comparison),
                            "reversal_by_prompt": pair.reversal_by_prompt,
                            "reversal_by_repeat": pair.reversal_by_repeat,
                        }
                        for (i, j), pair in ranking.pairs.items()
                        if j == position
                    ],
                }
            )
    return rows


def _compare_metric(metric: MetricComparison) -> dict[str, object]:
    """Return the columns about one metric of two runs."""
    result, change = metric.result, metric.result.difference
    return {
        "metric": metric.name,
        "headline": metric.headline,
        "unit": metric.spec.unit,
        "better": metric.spec.better,
        "first": result.first.value,
        "second": result.second.value,
        "difference": change.value,
        "ci_low": change.ci_low,
        "ci_high": change.ci_high,
        "p_adjusted": metric.p_adjusted,
        "p_value": change.p,
        "n": change.n,
        "margin": metric.margin,
        "verdict": metric.verdict,
        "reason": metric.reason or None,
        "mde": result.mde,
        "correlation": result.correlation,
    }


def build_outcome_rows(answers: RunAnswers, *, output: bool = False) -> Iterator[dict[str, object]]:
    """Yield one row per answer of a run, with `OUTCOME_COLUMNS` and, if `output`, the output."""
    run_columns, family = _identify(answers.run), answers.run.family
    for answer in answers.answers:
        outcome = answer.outcome
        values = outcome.to_dict() | {
            **run_columns,
            **_label_columns(family, answer),
            "level": answer.scoring_data.level,
            "correct": family.is_correct(outcome),
            "prompt": answer.prompt,
        }
        row = {name: values[name] for name in OUTCOME_COLUMNS}
        row |= {"output": answer.text} if output else {}
        yield {n: encodable(v) if isinstance(v, str) else v for n, v in row.items()}


def _label_columns(family: AnyFamily, answer: ScoredAnswer) -> dict[str, str | None]:
    """Return the correct and the parsed answer as the prompt displays them, and their texts."""
    data, outcome = answer.scoring_data, answer.outcome
    columns: dict[str, str | None] = {}
    for part, code in (("gold", outcome.gold), ("answer", outcome.answer)):
        columns[f"{part}_label"] = family.displayed_label(data, code) if code else None
        columns[f"{part}_text"] = family.answer_text(data, code) if code else None
    return columns


def _identify(run: Run) -> dict[str, object]:
    """Return the columns that tell a run from others."""
    names = {"task": run.record.task, "model": run.model, "framework": run.framework}
    return {**names, "run_id": run.run_id or None, "created": run.date, "log": str(run.path)}
