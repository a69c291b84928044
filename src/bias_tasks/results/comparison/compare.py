"""Compares finished runs of either host: each figure's difference, its interval, and a verdict."""

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, NamedTuple

from bias_tasks.contract.family import Outcome
from bias_tasks.contract.figures import Better, Figure
from bias_tasks.contract.figures import headline as headline_of
from bias_tasks.contract.record import FIGURES_OF
from bias_tasks.names import did_you_mean
from bias_tasks.results.answers import RunAnswers, card_of, gc_paused
from bias_tasks.results.differences import Paired, differences, paired
from bias_tasks.results.run import Run, UnusableRunError
from bias_tasks.statistics import paired_cards
from bias_tasks.statistics.effective_size import Ints
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.holm import holm_adjusted
from bias_tasks.statistics.paired_cards import Groups, PairedFigure, Replicated

Verdict = Literal["BETTER", "WORSE", "HIGHER", "LOWER", "EQUIVALENT", "INCONCLUSIVE", "UNREAD"]
SHARES = ""
"""Stands for all shares and differences of shares where a margin has no pattern."""


class FigureCompared(NamedTuple):
    """One figure in two runs, over the items that both have."""

    name: str
    headline: bool
    """Whether the task is about it."""
    declared: Figure
    found: PairedFigure
    margin: float | None
    """Within how much two values count as the same; None where nobody said."""
    verdict: Verdict
    """Of the second run against the first; UNREAD where no answer was read in either."""
    p: float = math.nan
    """Holm-adjusted over all headlines, or over all other figures, that were asked at once."""


class PairCompared(NamedTuple):
    """Two runs of one task, the baseline and another, with what was found."""

    first: Run
    second: Run
    paired: Paired
    figures: tuple[FigureCompared, ...]


class NotCompared(NamedTuple):
    """A run that was given and is in no pair, why, and whether that is a failure: it is a baseline,
    or can't be compared with the baseline beside which it stands."""

    run: Run
    why: str
    failed: bool


class Comparison(NamedTuple):
    """All pairs of runs that were compared at once."""

    pairs: tuple[PairCompared, ...]
    not_compared: tuple[NotCompared, ...] = ()

    @property
    def figures(self) -> list[FigureCompared]:
        """Those of all pairs."""
        return [figure for pair in self.pairs for figure in pair.figures]

    def tests(self, *, headline: bool) -> int:
        """Over how many p-values of headlines, or of other figures, Holm's adjustment goes."""
        return sum(each.headline == headline and not math.isnan(each.p) for each in self.figures)


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
    """Every run against the baseline of its task, paired by item, in the order of `runs`. An
    UnusableRunError where there is nothing to compare, no such baseline or no such figure.

    The baseline is the path of a log, or the name of a model, by default the first run of each
    task; with `pairs` all pairs are compared instead. `figures` is the pattern of their names, by
    default the headline's alone; `margins` say within how much two values are the same, by figures'
    patterns and `SHARES`. With `overlap` runs of which one has other items are compared in those
    that both have."""
    chosen, left = _pairs_of(runs, baseline, every=pairs)
    cards: dict[Any, Any] = {}
    names: set[str] = set()
    compared: list[PairCompared] = []
    with gc_paused():
        for one, other in chosen:
            try:
                pair = paired(one, other, overlap=overlap)
                found = _figures(pair, cards)
            except UnusableRunError as error:
                left.append(NotCompared(other.run, str(error), failed=True))
                continue
            names |= found.keys()
            compared.append(_compared(pair, found, "*" if every else figures, margins or {}))
    if not compared:
        why = "; ".join(dict.fromkeys(each.why for each in left))
        raise UnusableRunError(f"there is nothing to compare: {why}")
    for pattern in filter(None, [figures, *(margins or {})]):
        if not any(fnmatchcase(name, pattern) for name in names):
            near = did_you_mean([pattern], names)
            lists = "`bias-tasks results --all` lists them"
            raise UnusableRunError(f"no figure matches {pattern!r}{near}; {lists}")
    return Comparison(_judged(compared), tuple(left))


def _pairs_of(
    runs: Sequence[RunAnswers], baseline: str | None, *, every: bool
) -> tuple[list[tuple[RunAnswers, RunAnswers]], list[NotCompared]]:
    """The pairs to compare, alike in their parameters, and the runs without a counterpart."""
    found: list[tuple[RunAnswers, RunAnswers]] = []
    left: list[NotCompared] = []
    for group in _grouped(runs, lambda run: [run.record["family"], run.record["task"]]):
        task = group[0].run.record["task"]
        named = [run for run in group if baseline is not None and _is(run.run, baseline)]
        parts = _grouped(group, lambda run: [run.record["parameters"], run.record.get(FIGURES_OF)])
        for part in parts if any(len(part) > 1 for part in parts) else [group]:
            bases = part[:1] if baseline is None else [run for run in part if run in named]
            if len(part) > 1 and every:
                found += combinations(part, 2)
            elif len(part) > 1 and len(bases) == 1:
                found += [(bases[0], other) for other in part if other is not bases[0]]
            elif len(bases) > 1:
                several = f"{len(bases)} runs of {task} are the baseline {baseline}"
                raise UnusableRunError(f"{several}: give the path of one log")
            else:
                first = named or ([] if baseline else group[:1] if len(group) > 1 else runs[:1])
                why = f"no run of {task} is the baseline {baseline}"
                why = _why_alone(task, part, group) if named or baseline is None else why
                left += [NotCompared(each.run, why, each in first) for each in part]
    return found, left


def _grouped(runs: Iterable[RunAnswers], key: Callable[[Run], object]) -> list[list[RunAnswers]]:
    groups: dict[str, list[RunAnswers]] = {}
    for run in runs:
        groups.setdefault(json.dumps(key(run.run), sort_keys=True, default=str), []).append(run)
    return list(groups.values())


def _is(run: Run, baseline: str) -> bool:
    path, here = Path(baseline).resolve(), run.path.resolve()
    return run.model == baseline or here == path or path in here.parents


def _why_alone(task: str, part: Sequence[RunAnswers], group: Sequence[RunAnswers]) -> str:
    others = [run.run for run in group if run not in part]
    if not others:
        return f"no other run is of {task}"
    found = differences(part[0].run, others[0])
    differing = "; ".join(str(each) for each in found if each.kind == "parameter")
    return f"it asked otherwise than the runs of {task} that are compared ({differing})"


def _figures(pair: Paired, made: dict[Any, Any]) -> dict[str, PairedFigure]:
    """The figures of a pair; what a run has in other pairs, too, is worked out once (`made`)."""
    outcomes = pair.first.outcomes()
    keys = frozenset((each.item, each.variant) for each in outcomes)
    if keys not in made:
        golds = [outcome.gold or "" for outcome in outcomes]
        made[keys] = paired_cards.deal([outcome.cluster for outcome in outcomes], golds)
    for answers in (pair.first, pair.second):
        if (answers.run, keys) not in made:
            made[answers.run, keys] = _replicated(answers, made[keys])
    one, other = (made[answers.run, keys] for answers in (pair.first, pair.second))
    return paired_cards.paired_figures(one, other, made[keys])


def _replicated(whole: RunAnswers, groups: Groups) -> Replicated:
    def card(places: Ints) -> Mapping[str, Estimate]:
        return card_of(replace(whole, answers=tuple(whole.answers[place] for place in places)))

    clusters = [outcome.cluster for outcome in whole.outcomes()]
    return Replicated(card_of(whole), paired_cards.replicates(card, clusters, groups))


def _compared(
    pair: Paired,
    figures: Mapping[str, PairedFigure],
    pattern: str | None,
    margins: Mapping[str, float],
) -> PairCompared:
    """The figures that were asked for, the headline first; `_judged` has their verdicts."""
    run = pair.second.run
    headline = headline_of(run.spec, figures)
    asked = [n for n in figures if (n == headline if pattern is None else fnmatchcase(n, pattern))]
    outcomes = (*pair.first.outcomes(), *pair.second.outcomes())
    found = []
    for name in sorted(asked, key=lambda name: name != headline):
        both = (figures[name].first, figures[name].second)
        if all(math.isfinite(each.value) and math.isnan(each.ci_low) for each in both):
            continue  # no estimate, but a count of what was asked
        declared = run.figure(name)
        shares = declared.unit in ("share", "difference")
        named = [margins[each] for each in margins if each != SHARES and fnmatchcase(name, each)]
        margin = named[-1] if named else margins.get(SHARES) if shares else None
        verdict: Verdict = "UNREAD" if _nothing_read(name, outcomes) else "INCONCLUSIVE"
        within = _within(figures[name], declared.high - declared.low)
        found.append(FigureCompared(name, name == headline, declared, within, margin, verdict))
    return PairCompared(pair.first.run, run, pair, tuple(found))


def _within(found: PairedFigure, most: float) -> PairedFigure:
    """The figure, with limits of the difference that are within the most that there can be."""
    change = found.difference
    low, high = max(change.ci_low, -most), min(change.ci_high, most)
    return replace(found, difference=replace(change, ci_low=low, ci_high=high))


def _nothing_read(name: str, outcomes: Sequence[Outcome]) -> bool:
    """Whether no answer was read in both runs under the variants that a figure names."""
    parts = set(name.split("/"))
    named = [each for each in outcomes if each.variant in parts]
    return all(each.answer is None for each in named or outcomes)


def _judged(pairs: Sequence[PairCompared]) -> tuple[PairCompared, ...]:
    """The pairs with adjusted p-values (`FigureCompared.p`), and the verdicts that follow."""
    adjusted: dict[str, Estimate] = {}
    for headline in (True, False):
        figures = [f for pair in pairs for f in pair.figures if f.headline == headline]
        adjusted |= holm_adjusted({str(id(f)): f.found.difference for f in figures})

    def judged(figure: FigureCompared) -> FigureCompared:
        change = adjusted[str(id(figure))]
        verdict = verdict_of(change, figure.margin, figure.declared.better)
        verdict = "UNREAD" if figure.verdict == "UNREAD" else verdict
        return figure._replace(p=math.nan if change.p is None else change.p, verdict=verdict)

    return tuple(pair._replace(figures=tuple(map(judged, pair.figures))) for pair in pairs)


def verdict_of(difference: Estimate, margin: float | None, better: Better | None) -> Verdict:
    """The word for a difference whose p-value is adjusted for all that was asked; EQUIVALENT comes
    first: a difference that is shown, and shown to be too small to matter, is none."""
    low, high = difference.ci_low, difference.ci_high
    if math.isnan(low) or difference.p is None or math.isnan(difference.p):
        return "INCONCLUSIVE"
    if margin is not None and -margin < low and high < margin:
        return "EQUIVALENT"
    if difference.p >= 0.05:
        return "INCONCLUSIVE"
    rises = difference.value > 0
    if better is None:
        return "HIGHER" if rises else "LOWER"
    return "BETTER" if rises == (better == "higher") else "WORSE"
