"""Compares finished runs of either host: each figure's difference, its interval, and a verdict."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from itertools import combinations
from pathlib import Path

from bias_tasks.family import Outcome
from bias_tasks.figures import block
from bias_tasks.record import FIGURES_OF
from bias_tasks.results.answers import RunAnswers, card_of, gc_paused
from bias_tasks.results.comparison.compared import (
    Comparison,
    FigureCompared,
    PairCompared,
    margin_of,
    verdict_of,
)
from bias_tasks.results.comparison.pairing import Key, Paired, paired
from bias_tasks.results.run import Run, UnusableRunError
from bias_tasks.results.text import printable
from bias_tasks.statistics.effective_size import Ints
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.holm import holm
from bias_tasks.statistics.paired_cards import (
    Groups,
    PairedFigure,
    Replicated,
    deal,
    paired_figures,
    replicates,
    same_figures,
)


def compare_runs(
    runs: Sequence[RunAnswers],
    *,
    baseline: str | None = None,
    pairs: bool = False,
    figures: str | None = None,
    every: bool = False,
    margins: Mapping[str, float] | None = None,
    overlap: bool = False,
) -> Comparison:
    """Every run against the baseline of its task, paired by item.

    Args:
        runs: the runs with their answers, in the order in which they are shown.
        baseline: the path of a log, or the name of a model; the first run of each task by default.
        pairs: whether all pairs of a task's runs are compared, instead of each with the baseline.
        figures: the pattern of the names of the figures; by default the headline and those beside.
        every: every figure instead.
        margins: within how much two values are the same, by the pattern of a figure's name; the
            empty pattern is for all shares and differences of shares.
        overlap: whether runs of which one has other items are compared in those that both have.

    Raises:
        UnusableRunError: there is nothing to compare, or two runs can't be.
    """
    cards = _Cards()
    chosen = pairs_of(runs, baseline=baseline, every=pairs)
    with gc_paused():
        matched = [paired(*pair, overlap=overlap) for pair in chosen]
        pattern = "*" if every else figures
        return _adjusted([_compared(each, pattern, margins or {}, cards) for each in matched])


def pairs_of(
    runs: Sequence[RunAnswers], *, baseline: str | None = None, every: bool = False
) -> list[tuple[RunAnswers, RunAnswers]]:
    """The pairs to compare, the run to compare with first; runs of one task belong together.

    A model's several runs of one task belong to different groups: those with the same parameters.

    Raises:
        UnusableRunError: nothing has a counterpart, or there is no such baseline.
    """
    by_task = _grouped(runs, lambda run: [run.record["family"], run.record["task"]])
    groups = [part for group in by_task for part in _alike(group) if len(part) > 1]
    if not groups:
        asked = ", ".join(dict.fromkeys(printable(each.run.record["task"]) for each in runs))
        raise UnusableRunError(
            f"there is nothing to compare: no two of the {len(runs)} runs are of one task ({asked})"
        )
    if every:
        return [pair for group in groups for pair in combinations(group, 2)]
    return [pair for group in groups for pair in _against(group, baseline)]


def _grouped(runs: Iterable[RunAnswers], key: Callable[[Run], object]) -> list[list[RunAnswers]]:
    groups: dict[str, list[RunAnswers]] = {}
    for run in runs:
        groups.setdefault(json.dumps(key(run.run), sort_keys=True, default=str), []).append(run)
    return list(groups.values())


def _alike(group: list[RunAnswers]) -> list[list[RunAnswers]]:
    """A task's runs; by parameters where the same ones stand more than once."""
    parts = _grouped(group, lambda run: [run.record["parameters"], run.record.get(FIGURES_OF)])
    return parts if len(parts) > 1 and any(len(part) > 1 for part in parts) else [group]


def _against(group: list[RunAnswers], baseline: str | None) -> list[tuple[RunAnswers, RunAnswers]]:
    """Every other run of the group against its baseline."""
    chosen = group[:1] if baseline is None else [run for run in group if _is(run.run, baseline)]
    if len(chosen) != 1:
        task = printable(group[0].run.record["task"])
        models = ", ".join(dict.fromkeys(printable(run.run.model) for run in group))
        raise UnusableRunError(
            f"{len(chosen)} runs of {task} are the baseline {printable(baseline)}: give the path "
            f"of one log, or one of the models {models}"
        )
    return [(chosen[0], other) for other in group if other is not chosen[0]]


def _is(run: Run, baseline: str) -> bool:
    path, here = Path(baseline).resolve(), run.path.resolve()
    return run.model == baseline or here == path or path in here.parents


@dataclass(slots=True)
class _Cards:
    """Scorecards of runs over the same answers are made once, however many pairs a run is in."""

    groups: dict[frozenset[Key], Groups] = field(default_factory=dict)
    made: dict[tuple[object, ...], Replicated] = field(default_factory=dict)

    def of(self, pair: Paired) -> dict[str, PairedFigure]:
        """The figures of a pair."""
        if pair.same_answers:
            return same_figures(card_of(pair.first))
        keys = frozenset((each.item, each.variant) for each in pair.first.outcomes())
        if keys not in self.groups:
            outcomes = pair.first.outcomes()
            golds = [outcome.gold or "" for outcome in outcomes]
            self.groups[keys] = deal([outcome.cluster for outcome in outcomes], golds)
        first, second = (self._replicated(run, keys) for run in (pair.first, pair.second))
        return paired_figures(first, second, self.groups[keys])

    def _replicated(self, run: RunAnswers, keys: frozenset[Key]) -> Replicated:
        name = run.run.path, run.run.task, run.run.model, run.run.settings.get("reducer"), keys
        if name not in self.made:
            self.made[name] = replicated(run, self.groups[keys])
        return self.made[name]


def replicated(run: RunAnswers, groups: Groups) -> Replicated:
    """A run's scorecard with its replicates."""

    def card(places: Ints) -> Mapping[str, Estimate]:
        return card_of(replace(run, answers=tuple(run.answers[place] for place in places)))

    clusters = [answer.outcome.cluster for answer in run.answers]
    return Replicated(card_of(run), replicates(card, clusters, groups))


def _compared(
    pair: Paired, pattern: str | None, margins: Mapping[str, float], cards: _Cards
) -> PairCompared:
    figures = cards.of(pair)
    names = _asked(pair.second.run, pattern, list(figures))
    outcomes = (*pair.first.outcomes(), *pair.second.outcomes())
    with_interval = [name for name in names if _has_interval(figures[name])]
    return PairCompared(
        pair.first.run,
        pair.second.run,
        tuple(
            _figure(name, figures[name], pair.second.run, margins, outcomes)
            for name in with_interval
        ),
        pair.items,
        pair.first_only,
        pair.second_only,
        pair.differing,
        tuple(name for name in names if name not in with_interval),
    )


def _asked(run: Run, pattern: str | None, names: Sequence[str]) -> list[str]:
    """The names that are asked for; by default the headline and those beside it.

    Raises:
        UnusableRunError: there are none.
    """
    if pattern is None:
        return list(block(run.spec, names))
    found = [name for name in names if fnmatchcase(name, pattern)]
    if not found:
        raise UnusableRunError(
            f"{run.path}: no figure matches {pattern!r}; "
            "`bias-tasks results --all` lists those it has"
        )
    return found


def _has_interval(figure: PairedFigure) -> bool:
    """Whether the figure is an estimate at all, and no count of what was asked."""
    sides = (figure.first, figure.second)
    return not all(math.isfinite(each.value) and math.isnan(each.ci_low) for each in sides)


def _figure(
    name: str,
    found: PairedFigure,
    run: Run,
    margins: Mapping[str, float],
    outcomes: Sequence[Outcome],
) -> FigureCompared:
    """The figure before its p-value is adjusted: without a verdict, unless nothing was read."""
    declared = run.declared(name)
    unit = "score" if declared is None else declared.unit
    change = found.difference
    if declared is not None and math.isfinite(declared.high - declared.low):
        most = declared.high - declared.low
        low, high = (
            end if math.isnan(end) else min(max(end, -most), most)
            for end in (change.ci_low, change.ci_high)
        )
        change = replace(change, ci_low=low, ci_high=high)
    return FigureCompared(
        name,
        unit,
        None if declared is None else declared.better,
        found.first,
        found.second,
        change,
        math.nan if change.p is None else change.p,
        margin_of(name, unit, margins),
        "UNREAD" if nothing_read(name, outcomes) else "INCONCLUSIVE",
        found.smallest,
        found.correlation,
    )


def nothing_read(name: str, outcomes: Sequence[Outcome]) -> bool:
    """Whether no answer was read of all that a figure is about: then it compares nothing.

    Args:
        name: the figure's; where it names variants it is about answers under these.
        outcomes: of both runs.
    """
    parts = set(name.split("/"))
    named = [each for each in outcomes if each.variant in parts]
    return all(each.answer is None for each in named or outcomes)


def _adjusted(pairs: Sequence[PairCompared]) -> Comparison:
    """The pairs with p-values adjusted over all of them, and the verdicts that follow."""
    tested = [each.p for pair in pairs for each in pair.figures if not math.isnan(each.p)]
    adjusted = iter(holm(tested))
    return Comparison(
        tuple(
            replace(pair, figures=tuple(_judged(each, adjusted) for each in pair.figures))
            for pair in pairs
        )
    )


def _judged(figure: FigureCompared, adjusted: Iterator[float]) -> FigureCompared:
    p = figure.p if math.isnan(figure.p) else next(adjusted)
    difference = replace(figure.difference, p=p)
    if figure.verdict == "UNREAD":
        return replace(figure, difference=difference)
    verdict = verdict_of(difference, figure.margin, figure.better)
    return replace(figure, difference=difference, verdict=verdict)
