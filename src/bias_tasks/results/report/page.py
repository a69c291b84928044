"""Renders the report of finished runs as one HTML page."""

import re
from collections.abc import Sequence
from importlib.metadata import version
from typing import NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from bias_tasks.names import encodable
from bias_tasks.results.answers import RunAnswers, load_answers
from bias_tasks.results.caveats import find_caveats, group_by_caveat
from bias_tasks.results.comparison.compare import RunComparison, compare_runs
from bias_tasks.results.report.changes import (
    AnswerChange,
    VariantChange,
    diff_prompts,
    find_changes,
    summarize_unparsed,
)
from bias_tasks.results.report.plots import Axis, build_axis, compute_probe_changes
from bias_tasks.results.report.summary import SMALL_BIAS, Finding, build_finding
from bias_tasks.results.run import Problem, Run, ScoredAnswer, UnusableRunError, sort_runs
from bias_tasks.results.tables import ARROWS, format_interval, format_number, format_p_value
from bias_tasks.results.text import format_excerpt, format_values, shorten, truncate_middle
from bias_tasks.statistics.estimate import Estimate

_MAX_RUNS_WITH_EXAMPLES = 40
"""Maximum number of runs with examples, which keeps the page small however many runs there are."""
_MAX_EXAMPLES = 3
"""Maximum number of examples per run."""


class _TaskFindings(NamedTuple):
    """The findings of all runs of a task with the same parameters."""

    title: str
    metric: str
    """Name of the headline metric."""
    arrow: str
    direction: str
    meaning: str
    runs: list[tuple[Run, Finding]]
    axis: Axis | None


class _RunChanges(NamedTuple):
    """The changed answers of a run."""

    run: Run
    variants: list[VariantChange]
    examples: list[AnswerChange]


def render_page(runs: Sequence[Run], problems: Sequence[Problem] = ()) -> str:
    """Render the report of finished runs as one HTML file.

    Args:
        runs: The runs; the first run of each task is the baseline of comparisons.
        problems: Files and runs that could not be read.
    """
    environment = Environment(
        loader=PackageLoader(__package__),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "name": _format_name,
        "shorten": shorten,
        "excerpt": format_excerpt,
        "number": lambda value: _use_minus_sign(format_number(value)),
        "interval": _format_bounds,
        "share": lambda value: "unknown" if value is None else f"{value:.0%}",
        "p_value": lambda p: _use_minus_sign(format_p_value(p)),
        "parsed_answer": _format_parsed_answer,
        "diff": diff_prompts,
    }
    return environment.get_template("page.html").render(
        {**_build_content(runs), "problems": problems, "version": version("bias-tasks")}
    )


def _build_content(runs: Sequence[Run]) -> dict[str, object]:
    """Return what the templates show."""
    answers: dict[Run, RunAnswers] = {}
    missing: list[tuple[Run, list[str]]] = []
    for run in runs:
        try:
            answers[run] = load_answers(run, truncate_middle)
        except UnusableRunError as error:
            reason = shorten(str(error).removeprefix(f"{run.path}: "))
            missing.append((run, [f"the page shows no answers of this run ({reason})"]))
    by_task: dict[tuple[str, str], list[Run]] = {}
    for run in sort_runs(runs):
        task_args = shorten(format_values(run.record.task_args))
        title = run.record.task + (f" ({task_args})" if task_args else "")
        by_task.setdefault((run.record.family, title), []).append(run)
    ordered = [run for group in by_task.values() for run in group]
    comparison, not_compared = _compare(runs, list(answers.values()))
    with_answers = [answers[run] for run in ordered if run in answers]
    with_examples = with_answers[:_MAX_RUNS_WITH_EXAMPLES]
    per_run = _MAX_RUNS_WITH_EXAMPLES // max(len(with_answers), 1)
    max_examples = min(_MAX_EXAMPLES, max(1, per_run))
    unparsed = [(a.run, summarize_unparsed(a, max_examples)) for a in with_answers]
    caveats = ((run, find_caveats(run, answers.get(run))) for run in ordered)
    return {
        "models": list(dict.fromkeys(run.model for run in ordered)),
        "tasks": [_build_findings(title, group) for (_, title), group in by_task.items()],
        "unparsed_shares": {run: summary.unparsed / summary.total for run, summary in unparsed},
        "small_bias": round(100 * SMALL_BIAS),
        "probe_changes": list(compute_probe_changes(with_examples)),
        "comparison": comparison,
        "not_compared": not_compared,
        "changes": [_RunChanges(a.run, *find_changes(a, max_examples)) for a in with_examples],
        "unparsed": [pair for pair in unparsed[:_MAX_RUNS_WITH_EXAMPLES] if pair[1].unparsed],
        "caveats": group_by_caveat([*missing, *caveats]),
        "families": {run.family.name for run in ordered},
        "runs": ordered,
    }


def _compare(
    runs: Sequence[Run], answers: Sequence[RunAnswers]
) -> tuple[RunComparison | None, str]:
    """Compare the runs of tasks with several runs; else return None and the reason, if any."""
    if len({(run.record.family, run.record.task) for run in runs}) == len(runs):
        return None, ""
    try:
        return compare_runs(answers), ""
    except UnusableRunError as error:
        return None, shorten(error)


def _build_findings(title: str, runs: Sequence[Run]) -> _TaskFindings:
    metric = next((run.headline for run in runs if run.headline is not None), "-")
    spec = runs[0].metric_spec(metric)
    findings = [build_finding(run) for run in runs]
    estimates = [finding.metric for finding in findings if finding.metric is not None]
    return _TaskFindings(
        title=title,
        metric=metric,
        arrow=ARROWS[spec.better],
        direction=f"{spec.better or 'neither'} is better",
        meaning=spec.meaning,
        runs=list(zip(runs, findings, strict=True)),
        axis=build_axis(estimates, include_zero=spec.low < 0),
    )


def _format_name(text: object, max_length: int = 80) -> Markup:
    """Return a shortened name that may wrap after `/` and `_`."""
    line = shorten(encodable(str(text)), max_length)
    return Markup("<wbr>").join(map(escape, re.split(r"(?<=[/_])(?=[^/_])", line)))


def _format_parsed_answer(scored: ScoredAnswer, run: Run) -> str:
    """Return the parsed answer in the words of the item."""
    answer = scored.outcome.answer
    if answer is None:
        return "nothing"
    return run.family.answer_text(scored.scoring_data, answer)


def _format_bounds(estimate: Estimate) -> str:
    """Return the interval in parentheses; empty if there is none."""
    bounds = format_interval(estimate)
    return "" if bounds == "-" else f"({_use_minus_sign(bounds)})"


def _use_minus_sign(text: str) -> str:
    """Replace hyphens by minus signs, which are as wide as a plus."""
    return text.replace("-", "−")
