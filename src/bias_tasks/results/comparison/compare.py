"""Compares finished runs of either host: each figure's difference, its interval, and a verdict."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase

from bias_tasks.families import load_family
from bias_tasks.figures import Figure, block
from bias_tasks.results.answers import RunAnswers, UnusableRunError
from bias_tasks.results.collecting import uncollected
from bias_tasks.results.comparison.compared import Comparison, FigureCompared, PairCompared
from bias_tasks.results.comparison.pairing import Key, Paired, paired
from bias_tasks.results.comparison.verdict import margin_of, nothing_read, verdict_of
from bias_tasks.results.comparison.which import pairs_of
from bias_tasks.results.every_figure import card_of
from bias_tasks.statistics.delete_groups import Groups, deal, replicates
from bias_tasks.statistics.effective_size import Ints
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.holm import holm
from bias_tasks.statistics.paired_cards import (
    PairedFigure,
    Replicated,
    paired_figures,
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
    asked = _Asked("*" if every else figures, margins or {})
    chosen = pairs_of(runs, baseline=baseline, every=pairs)
    with uncollected():
        matched = [paired(*pair, overlap=overlap) for pair in chosen]
        return _adjusted([_compared(each, asked, cards) for each in matched])


@dataclass(frozen=True, slots=True)
class _Asked:
    """Which figures are compared, and what counts as the same."""

    pattern: str | None
    margins: Mapping[str, float]

    def names(self, pair: Paired, names: Sequence[str]) -> list[str]:
        """The names that are asked for, of those that a run of the pair has.

        Raises:
            UnusableRunError: there are none.
        """
        if self.pattern is None:
            return list(block(pair.second.run.spec, names))
        found = [name for name in names if fnmatchcase(name, self.pattern)]
        if not found:
            raise UnusableRunError(
                f"{pair.second.run.path}: no figure matches {self.pattern!r}; "
                "`bias-tasks results --all` lists those it has"
            )
        return found


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
            self.groups[keys] = _dealt(pair.first)
        groups = self.groups[keys]
        return paired_figures(
            self._replicated(pair.first, keys), self._replicated(pair.second, keys), groups
        )

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


def _dealt(run: RunAnswers) -> Groups:
    outcomes = run.outcomes()
    return deal(
        [outcome.cluster for outcome in outcomes], [outcome.gold or "" for outcome in outcomes]
    )


def _compared(pair: Paired, asked: _Asked, cards: _Cards) -> PairCompared:
    figures = cards.of(pair)
    names = asked.names(pair, list(figures))
    family = load_family(pair.second.run.record["family"])
    outcomes = (*pair.first.outcomes(), *pair.second.outcomes())
    found = [
        _figure(
            name,
            figures[name],
            family.figure(name),
            asked.margins,
            unread=nothing_read(name, outcomes),
        )
        for name in names
        if _has_interval(figures[name])
    ]
    return PairCompared(
        pair.first.run,
        pair.second.run,
        tuple(found),
        pair.items,
        pair.first_only,
        pair.second_only,
        pair.differing,
        tuple(name for name in names if not _has_interval(figures[name])),
    )


def _has_interval(figure: PairedFigure) -> bool:
    """Whether the figure is an estimate at all, and no count of what was asked."""
    sides = (figure.first, figure.second)
    return not all(math.isfinite(each.value) and math.isnan(each.ci_low) for each in sides)


def _figure(
    name: str,
    found: PairedFigure,
    declared: Figure | None,
    margins: Mapping[str, float],
    *,
    unread: bool,
) -> FigureCompared:
    """The figure before its p-value is adjusted: without a verdict, unless nothing was read."""
    unit = "score" if declared is None else declared.unit
    change = found.difference
    if declared is not None and math.isfinite(declared.high - declared.low):
        most = declared.high - declared.low
        change = replace(
            change, ci_low=_within(change.ci_low, most), ci_high=_within(change.ci_high, most)
        )
    return FigureCompared(
        name,
        unit,
        None if declared is None else declared.better,
        found.first,
        found.second,
        change,
        math.nan if change.p is None else change.p,
        margin_of(name, unit, margins),
        "UNREAD" if unread else "INCONCLUSIVE",
        found.smallest,
        found.correlation,
    )


def _within(value: float, most: float) -> float:
    return value if math.isnan(value) else min(max(value, -most), most)


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
    verdict = verdict_of(difference, figure.margin, figure.better)
    unread = figure.verdict == "UNREAD"
    return replace(figure, difference=difference, verdict="UNREAD" if unread else verdict)
