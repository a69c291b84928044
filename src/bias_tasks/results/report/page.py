"""Renders the report of finished runs as one HTML page."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from importlib.metadata import version
from typing import NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from bias_tasks.contract.metrics import find_parts
from bias_tasks.messages import format_count
from bias_tasks.probing.items import REPEAT
from bias_tasks.results.answers import RunAnswers, load_answers
from bias_tasks.results.caveats import (
    find_caveats,
    find_largest_part,
    format_unparsed_share,
    group_by_caveat,
)
from bias_tasks.results.comparison import RunComparison, compare_runs
from bias_tasks.results.findings import SMALL_BIAS, Finding, build_finding, list_setting_findings
from bias_tasks.results.ranking import RankedRun, Ranking, rank_runs
from bias_tasks.results.report.breakdown import list_item_groups
from bias_tasks.results.report.changes import (
    AnswerChange,
    VariantChange,
    diff_prompts,
    find_changes,
    summarize_unparsed,
)
from bias_tasks.results.report.summary import rank_findings, summarize_models
from bias_tasks.results.run import (
    PROFILE,
    Problem,
    Run,
    ScoredAnswer,
    UnusableRunError,
    sort_runs,
)
from bias_tasks.results.tables import ARROWS, format_interval, format_number, format_p_value
from bias_tasks.results.text import format_excerpt, format_values, shorten, truncate_middle
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.unicode_text import encodable

_MAX_DETAILED_RUNS = 40
"""Maximum number of runs with examples and a breakdown, which keeps the page small."""
_MAX_EXAMPLES = 2
"""Maximum number of examples of unparsed answers per run."""
_MAX_RANKED = 10
"""Maximum number of runs of a task that are ranked: all pairs are compared."""
_MIN_LENGTH = 0.05
"""Minimum length of an axis in the metric's unit, so that rounding errors are invisible."""
_SIGNIFICANCE_LEVEL = 0.05
_MAX_SENTENCE_LENGTH = 10_000
"""Maximum number of characters of a caveat. No sentence is as long, but an edited log may be."""
load_for_page = partial(load_answers, keep=truncate_middle)
"""Loads the answers of a run with excerpts of their outputs, as the page shows them."""


class _Axis(NamedTuple):
    """The scale of a plot."""

    low: float
    high: float
    step: float
    """Distance between two ticks."""
    mirrored: bool = False
    """Whether high values are on the left, so that worse ones are on the right."""

    def percent(self, value: float) -> str:
        """Return the position of a value within the axis, in percent of its length."""
        share = (value - self.low) / (self.high - self.low)
        return f"{100 * (1 - share if self.mirrored else share):.2f}"

    @property
    def zero(self) -> str | None:
        """Position of 0; None if it is outside the axis."""
        return self.percent(0.0) if self.low <= 0 <= self.high else None

    @property
    def ticks(self) -> list[tuple[str, str]]:
        """Position and label of each tick."""
        count = round((self.high - self.low) / self.step)
        values = [self.low + self.step * tick for tick in range(count + 1)]
        decimals = max(0, -math.floor(math.log10(self.step)))
        # Adding 0 turns -0.0 into 0.0.
        return [(self.percent(value), f"{value + 0.0:.{decimals}f}") for value in values]


class _Entry(NamedTuple):
    """What the page shows of one run."""

    answers: RunAnswers
    finding: Finding
    task_args: str
    """Its parameters, if those of the task's runs differ."""
    changes: list[VariantChange]
    example: AnswerChange | None
    caveats: list[str]
    """The caveats that no other run has."""

    @property
    def run(self) -> Run:
        """The run."""
        return self.answers.run

    @property
    def task(self) -> str:
        """The task, with the parameters if those of its runs differ."""
        task = self.run.record.task
        return f"{task} with {self.task_args}" if self.task_args else task


def render_page(runs: Sequence[RunAnswers], problems: Sequence[Problem] = ()) -> str:
    """Render the report of finished runs as one HTML file.

    Args:
        runs: The runs with excerpts of their outputs; the first run of each task is the baseline
            of comparisons.
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
        "code": _mark_code,
        "counted": format_count,
        "shorten": shorten,
        "sentence": _format_sentence,
        "excerpt": format_excerpt,
        "number": lambda value: _use_minus_sign(format_number(value)),
        "interval": _format_bounds,
        "unparsed_share": format_unparsed_share,
        "p_value": lambda p: _use_minus_sign(format_p_value(p)),
        "parsed_answer": _format_parsed_answer,
        "diff": diff_prompts,
        "settings": list_setting_findings,
    }
    return environment.get_template("page.html").render(
        {**_build_content(runs), "problems": problems, "version": version("bias-tasks")}
    )


def _build_content(loaded_runs: Sequence[RunAnswers]) -> dict[str, object]:
    """Return what the templates show."""
    runs = [loaded.run for loaded in loaded_runs]
    answers = {loaded.run: loaded for loaded in loaded_runs}
    by_task = _group_by_task(sort_runs(runs))
    ordered = [run for group in by_task for run in group]
    caveats = group_by_caveat((run, find_caveats(run)) for run in ordered)
    entries: list[_Entry] = []
    for group in by_task:
        for run, task_args in zip(group, _list_differing_arguments(group), strict=True):
            finding = build_finding(run)
            is_detailed = len(entries) < _MAX_DETAILED_RUNS
            changes, example = (
                find_changes(answers[run], _find_parts(run, finding)) if is_detailed else ([], None)
            )
            own = [text for text, affected in caveats.items() if affected == [run]]
            entries.append(_Entry(answers[run], finding, task_args, changes, example, own))
    comparison, not_compared = _compare(runs, loaded_runs)
    detailed = entries[:_MAX_DETAILED_RUNS]
    unparsed = [(e.run, summarize_unparsed(e.answers, _MAX_EXAMPLES)) for e in detailed]
    profiles = {run.settings.get(PROFILE) for run in runs}
    return {
        "title": "Bias profile" if all(profiles) else "Report",
        "models": rank_findings([(entry.run, entry) for entry in entries]),
        "summaries": summarize_models([(e.task, e.run, e.finding) for e in entries]),
        "shared_caveats": {text: runs for text, runs in caveats.items() if len(runs) > 1},
        "small_bias": round(100 * SMALL_BIAS),
        "charts": list(_build_charts(entries, comparison, _rank(loaded_runs))),
        "comparison": comparison,
        "not_compared": not_compared,
        "breakdowns": [(entry, list_item_groups(entry.answers)) for entry in detailed],
        "probe_changes": {e.run: probes for e in detailed if (probes := _list_probes(e.run))},
        "unparsed": [pair for pair in unparsed if pair[1].unparsed],
        "metrics": {run.headline: run.metric_spec(run.headline) for run in ordered if run.headline},
        "arrows": ARROWS,
        "families": {run.family.name for run in ordered},
        "runs": ordered,
    }


def _find_parts(run: Run, finding: Finding) -> set[str]:
    """Return the setting, the probe or the kind of attack that a finding is about, if any."""
    value = math.nan if finding.metric is None else finding.metric.value
    part = find_largest_part(run.metric_spec(finding.name), value, run.metrics)
    return {part, *finding.name.split("/")}


def _compare(
    runs: Sequence[Run], answers: Sequence[RunAnswers]
) -> tuple[RunComparison | None, str]:
    """Compare the runs of tasks with several runs; else return None and the reason, if any."""
    if len({(run.record.family, run.record.task) for run in runs}) == len(runs):
        return None, ""
    try:
        return compare_runs(answers), ""
    except UnusableRunError as error:
        return None, str(error)


def _rank(answers: Sequence[RunAnswers]) -> list[Ranking]:
    """Return the rankings of tasks with 2 to `_MAX_RANKED` runs."""
    counts = Counter((a.run.record.family, a.run.record.task) for a in answers)
    ranked = {task for task, count in counts.items() if 1 < count <= _MAX_RANKED}
    few = [a for a in answers if (a.run.record.family, a.run.record.task) in ranked]
    try:
        rankings, _ = rank_runs(few)
    except UnusableRunError:
        return []
    return rankings


def _group_by_task(runs: Sequence[Run]) -> list[list[Run]]:
    """Group runs by task and headline metric, whatever their other parameters are."""
    groups: dict[tuple[str | None, ...], list[Run]] = {}
    for run in runs:
        groups.setdefault((run.record.family, run.record.task, run.headline), []).append(run)
    return list(groups.values())


def _list_differing_arguments(runs: Sequence[Run]) -> list[str]:
    """Return the parameters of each run of a task; empty texts if all have the same."""
    texts = [shorten(format_values(run.record.task_args)) for run in runs]
    return ["" if len(set(texts)) == 1 else text or "default parameters" for text in texts]


def _build_charts(
    entries: Sequence[_Entry], comparison: RunComparison | None, rankings: Sequence[Ranking]
) -> Iterator[dict[str, object]]:
    """Yield the rows of the chart for each task with several runs, worse values on the right.

    A row has the run's headline with its comparisons and its place in a ranking, if any.
    """
    ranked: dict[Run, RankedRun] = {r.run: r for ranking in rankings for r in ranking.ranked}
    groups: dict[tuple[str, str | None], list[_Entry]] = {}
    for entry in entries:
        groups.setdefault((entry.run.record.task, entry.run.headline), []).append(entry)
    for (task, metric), group in groups.items():
        if len(group) < 2 or metric is None:
            continue
        spec = group[0].run.metric_spec(metric)
        estimates = [entry.run.metrics[metric] for entry in group]
        axis = _build_axis(estimates, include_zero=spec.low < 0, mirrored=spec.better == "higher")
        pairs = [] if comparison is None else comparison.pairs
        yield {
            "task": task,
            "metric": metric,
            "axis": axis,
            "rows": [
                (
                    entry,
                    estimate,
                    [pair for pair in pairs if pair.second is entry.run],
                    ranked.get(entry.run),
                )
                for entry, estimate in zip(group, estimates, strict=True)
            ],
        }


def _build_axis(
    estimates: Sequence[Estimate], *, include_zero: bool = False, mirrored: bool = False
) -> _Axis | None:
    """Return an axis that covers estimates and their intervals; None if there is no value.

    Args:
        estimates: The estimates.
        include_zero: Extend the axis to 0, as for differences.
        mirrored: As in `_Axis`.
    """
    if not any(math.isfinite(estimate.value) for estimate in estimates):
        return None
    ends = [end for e in estimates for end in (e.value, e.ci_low, e.ci_high) if math.isfinite(end)]
    if include_zero:
        ends.append(0.0)
    low, high = min(ends), max(ends)
    padding = max(_MIN_LENGTH - (high - low), 0.0) / 2
    low, high = low - padding, high + padding
    rough_step = (high - low) / 4
    power = 10.0 ** math.floor(math.log10(rough_step))
    step = power * next(factor for factor in (1, 2, 5, 10) if factor * power >= rough_step)
    return _Axis(math.floor(low / step) * step, math.ceil(high / step) * step, step, mirrored)


def _list_probes(run: Run) -> dict[str, object]:
    """Return the changes by each probe, for a run whose headline is a maximum over probes.

    `probes` has the share of answers that each probe changes, and its change of the score if there
    is one. The probe with the largest share is first. `significant` are the probes that change
    answers after Holm's adjustment, `inapplicable` those that apply to no item, and `same_answer`
    is the share of answers that stay the same if the prompt is repeated.
    """
    spec, metrics = run.metric_spec(run.headline), run.metrics
    probes = {
        probe: (metrics[changed], next((metrics.get(name) for name in others), None))
        for probe, (changed, *others) in find_parts(spec, metrics).items()
        if math.isfinite(metrics[changed].value)
    }
    shares = {probe: changed for probe, (changed, _) in probes.items()}
    axis = _build_axis(list(shares.values()), include_zero=True)
    if axis is None:
        return {}
    zero = (name.partition("/") for name, estimate in metrics.items() if not estimate.value)
    return {
        "probes": probes,
        "axis": axis,
        "changed": spec.by_part[0].replace("_", " ").capitalize(),
        "significant": {
            probe
            for probe, e in shares.items()
            if e.p is not None and e.p < _SIGNIFICANCE_LEVEL and e.value > 0
        },
        "inapplicable": [probe for metric, _, probe in zero if metric == "coverage"],
        "same_answer": metrics.get(f"same_answer/{REPEAT}"),
    }


def _format_name(text: object, max_length: int = 80) -> Markup:
    """Return a shortened name that may wrap after `/` and `_`."""
    line = shorten(encodable(str(text)), max_length)
    return Markup("<wbr>").join(map(escape, re.split(r"(?<=[/_])(?=[^/_])", line)))


def _mark_code(text: str) -> Markup:
    """Return a text with its parts in backticks as code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def _format_sentence(text: object) -> str:
    """Return a sentence on one line that begins with a capital letter, unless with a name."""
    line = shorten(encodable(str(text)), _MAX_SENTENCE_LENGTH)
    is_word = line.partition(" ")[0].isalpha()  # and no name, such as `judge_pairwise`
    return line[:1].upper() + line[1:] if is_word else line


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
