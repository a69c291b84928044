"""The page itself: what the runs found, put into the template."""

import re
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from bias_tasks.names import encodable
from bias_tasks.results.answers import RunAnswers, answers_of
from bias_tasks.results.cautions import cautions, once
from bias_tasks.results.comparison.compare import compare_runs
from bias_tasks.results.report.found import SMALL, finding
from bias_tasks.results.report.moved import marked, moved, unread
from bias_tasks.results.report.plots import axis_of, by_probe
from bias_tasks.results.run import Answered, Problem, Run, UnusableRunError, in_order
from bias_tasks.results.tables import ARROWS, interval, number, probability
from bias_tasks.results.text import brief, cut, excerpt, values_listed
from bias_tasks.statistics.estimate import Estimate

_EXAMPLES = 40
"""Runs with examples on a page at most, so that it stays small however many runs there are."""


def page(runs: Sequence[Run], problems: Sequence[Problem] = ()) -> str:
    """The report of runs as one HTML file; the first of each task is what others are compared with.
    `problems` are what could not be read."""
    environment = Environment(
        loader=PackageLoader(__package__),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "name": _name,
        "brief": brief,
        "excerpt": excerpt,
        "number": lambda value: _minus(number(value)),
        "interval": _bounds,
        "share": lambda value: "unknown" if value is None else f"{value:.0%}",
        "probability": lambda p: _minus(probability(p)),
        "said": _said,
        "marked": marked,
    }
    return environment.get_template("page.html").render(
        {**_content(runs), "problems": problems, "version": version("bias-tasks")}
    )


def _content(runs: Sequence[Run]) -> dict[str, Any]:
    answers: dict[Run, RunAnswers] = {}
    missing: list[tuple[Run, list[str]]] = []
    for run in runs:
        try:
            answers[run] = answers_of(run, cut)
        except UnusableRunError as error:
            why = brief(str(error).removeprefix(f"{run.path}: "))
            told = f"its answers are not here ({why}): nothing is shown of what moved"
            missing.append((run, [told]))
    columns: dict[tuple[str, str], list[Run]] = {}
    for run in in_order(runs):
        changed = brief(values_listed(run.record["changed"]))
        title = run.record["task"] + (f" ({changed})" if changed else "")
        columns.setdefault((run.record["family"], title), []).append(run)
    ordered = [run for column in columns.values() for run in column]
    comparison, not_compared = None, ""
    if len({(run.record["family"], run.record["task"]) for run in runs}) < len(runs):
        try:
            comparison = compare_runs(list(answers.values()))
        except UnusableRunError as error:
            not_compared = brief(error)
    with_answers = [(run, answers[run]) for run in ordered if run in answers]
    examples = min(3, max(1, _EXAMPLES // max(len(with_answers), 1)))  # of each run
    shown = with_answers[:_EXAMPLES]
    unable = [(run, unread(found, examples)) for run, found in with_answers]
    return {
        "models": list(dict.fromkeys(run.model for run in ordered)),
        "columns": [_column(title, column) for (_, title), column in columns.items()],
        "unread_shares": {run: found.unread / found.asked for run, found in unable},
        "small": round(100 * SMALL),
        "by_probe": list(by_probe([found for _, found in shown])),
        "comparison": comparison,
        "not_compared": not_compared,
        "moved": [(run, *moved(found, examples)) for run, found in shown],
        "unread": [(run, found) for run, found in unable[:_EXAMPLES] if found.unread],
        "cautions": once([*missing, *((run, cautions(run, answers.get(run))) for run in ordered)]),
        "families": {run.family.name for run in ordered},
        "runs": ordered,
    }


def _column(title: str, runs: Sequence[Run]) -> dict[str, Any]:
    """A task with its runs' findings."""
    figure = next((run.headline for run in runs if run.headline is not None), "-")
    declared = runs[0].figure(figure)
    findings = [finding(run) for run in runs]
    figures = [each.figure for each in findings if each.figure is not None]
    return {
        "title": title,
        "figure": figure,
        "arrow": ARROWS[declared.better],
        "in_words": f"{declared.better or 'neither'} is better",
        "meaning": declared.meaning,
        "runs": list(zip(runs, findings, strict=True)),
        "axis": axis_of(figures, zero=declared.low < 0),
    }


def _name(text: object, most: int = 80) -> Markup:
    """A name, cut where it is long, that may go on in the next line behind `/` and `_`."""
    line = brief(encodable(str(text)), most)
    return Markup("<wbr>").join(map(escape, re.split(r"(?<=[/_])(?=[^/_])", line)))


def _said(answered: Answered, run: Run) -> str:
    """What was read in an answer, in the words of the item."""
    answer = answered.outcome.answer
    return "nothing" if answer is None else run.family.answer_text(answered.facts, answer)


def _bounds(figure: Estimate) -> str:
    """A figure's interval in brackets; nothing where it has none."""
    bounds = interval(figure)
    return "" if bounds == "-" else f"({_minus(bounds)})"


def _minus(text: str) -> str:
    """A number's text with a minus as long as a plus."""
    return text.replace("-", "−")
