"""Every figure of a probed task; `spread` and `variance` stand in `metrics_spread`."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from bias_tasks.contract.family import Outcome
from bias_tasks.probing.items import PLAIN, PROBES_TRIED, REPEAT, is_repeat
from bias_tasks.probing.metrics_spread import spread_of, two_way
from bias_tasks.statistics.effective_size import Floats, Ints, WeightedSample
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.holm import greatest_of, holm_adjusted, least_of
from bias_tasks.statistics.intervals import NOTHING, difference, pairs_of, rate
from bias_tasks.statistics.outcomes import Mask, codes, positions

MOST = "most_changed"
"""The headline: the most that a probe changes."""


@dataclass(frozen=True, slots=True)
class Table:
    """Outcomes as columns: k items in r rows, one for each epoch of an item, under v variants."""

    variants: tuple[str, ...]
    """Plain first."""
    cluster: Ints
    """Of each item."""
    item: Ints
    """Of each row."""
    score: Floats
    """r x v, in [0, 1]; nan where there is no score."""
    said: Ints
    """r x v: the answer's number among all answers to the item; -1 where none was read."""
    asked: Mask
    """r x v: whether the item was asked so."""
    in_vain: tuple[str, ...] = ()
    """Probes that the run tried and that apply to no item."""

    @property
    def probes(self) -> tuple[str, ...]:
        """The variants that are probes."""
        return tuple(each for each in self.variants if each != PLAIN and not is_repeat(each))

    @property
    def repeats(self) -> tuple[str, ...]:
        """The variants that ask the plain question again."""
        return tuple(each for each in self.variants if is_repeat(each))

    def columns(self, variants: Sequence[str]) -> list[int]:
        """The places of some variants."""
        return [self.variants.index(variant) for variant in variants]

    def under(self, variants: Sequence[str]) -> Floats:
        """The scores under some variants, a column each."""
        return self.score[:, self.columns(variants)]

    def of(self, variant: str) -> Floats:
        """The scores under a variant, one a row."""
        return self.score[:, self.variants.index(variant)]

    def sample(self, values: Floats, weights: Floats | None = None) -> WeightedSample:
        """One value for each item: the mean over its rows whose value is a number, weighted by not
        negative weights if given."""
        size = self.cluster.size
        given = np.ones(values.size) if weights is None else weights
        given = np.where(np.isnan(values), 0.0, given)
        total = np.bincount(self.item, np.nan_to_num(values) * given, size)
        weight = np.bincount(self.item, given, size)
        value = np.divide(total, weight, out=np.zeros(size), where=weight > 0)
        share = weight / np.bincount(self.item, minlength=size)
        return WeightedSample(value, self.cluster, np.zeros(size, dtype=np.int64), share)


def table(outcomes: Sequence[Outcome]) -> Table:
    """The table of at least one outcome, in any order; a ValueError where outcomes contradict each
    other, or a score lies outside of [0, 1]."""
    # Sorted: errors are simulated way by way, and must be the same in whatever order answers come.
    variants = (PLAIN, *sorted({outcome.variant for outcome in outcomes} - {PLAIN}))
    row, rows = positions((each.item, each.epoch) for each in outcomes)
    score = np.full((len(rows), len(variants)), math.nan)
    said = np.full(score.shape, -1)
    asked = np.zeros(score.shape, dtype=bool)
    known: dict[tuple[str, str], int] = {}
    clusters: dict[str, str] = {}
    for number, each in zip(row, outcomes, strict=True):
        place = number, variants.index(each.variant)
        if asked[place]:
            raise ValueError(f"{each.item} has two answers under {each.variant} in one epoch")
        if clusters.setdefault(each.item, each.cluster) != each.cluster:
            raise ValueError(f"{each.item} stands in two clusters, one of them {each.cluster!r}")
        score[place] = math.nan if each.score is None else each.score
        if not (math.isnan(score[place]) or 0 <= score[place] <= 1):
            raise ValueError(f"{each.item}: the score {each.score} is not in [0, 1]")
        asked[place] = True
        if each.answer is not None:
            said[place] = known.setdefault((each.item, each.answer), len(known))
    tried = {probe for each in outcomes for probe in each.own.get(PROBES_TRIED, ())}
    return Table(
        variants=variants,
        # An item whose cluster has no name stands alone.
        cluster=codes([(name, "" if name else item) for item, name in clusters.items()]),
        item=codes(item for item, _ in rows),
        score=score,
        said=said,
        asked=asked,
        in_vain=tuple(sorted(tried - set(variants))),
    )


def row_means(values: Floats) -> tuple[Floats, Floats]:
    """The mean of each row over its numbers, nan where it has none, and how many these are."""
    count = (~np.isnan(values)).sum(axis=1).astype(float)
    total = np.nansum(values, axis=1)
    return np.divide(total, count, out=np.full(count.size, np.nan), where=count > 0), count


def probe_card(outcomes: Sequence[Outcome]) -> dict[str, Estimate]:
    """The figures by their names; none where there are no outcomes. The same answer everywhere, and
    not always right, shows nothing of what probes change: then `most_changed` has no value."""
    if not outcomes:
        return {}
    items, said = ({getattr(each, name) for each in outcomes} for name in ("item", "answer"))
    alike = len(items) > 1 == len(said) and any(each.score != 1 for each in outcomes)
    return card_of(table(outcomes)) | ({MOST: NOTHING} if alike else {})


def card_of(run: Table) -> dict[str, Estimate]:
    """The figures of a table by their names."""
    card = answers_changed(run) | {f"score/{PLAIN}": rate(run.sample(run.of(PLAIN)))}
    card |= changes(run) | agreement(run)
    if run.probes:
        scores, cluster, *noise = ways_of(run)
        card |= {"worst": worst(run)} | spread_of(scores, cluster)
        parts = two_way(scores, cluster, *noise) if run.repeats else {}
        card |= {f"variance/{part}": share for part, share in parts.items()}
    return card | {"unread": unread(run)}


def answers_changed(run: Table) -> dict[str, Estimate]:
    """`most_changed`, and from the largest to the least `answers_changed/<probe>` (Holm).

    The share of pairs of a plain answer and one under the probe that differ, less that of pairs of
    two plain answers, the repeats being plain ones. That nothing was read is one more answer; an
    item of which nothing was read at all is left out. `most_changed` is the largest over the probes
    that count at least half of the items, or over all where none does (see `greatest_of`), but for
    probes of whose own items most are left out.
    """
    draws = run.columns((PLAIN, *run.repeats))
    again = _differing(run, list(combinations(draws, 2)))
    found, used = {}, []
    for probe, place in zip(run.probes, run.columns(run.probes), strict=True):
        beyond = _differing(run, [(draw, place) for draw in draws]) - again
        read = (run.said[:, [*draws, place]] >= 0).any(axis=1)
        sample = run.sample(np.where(read, beyond, np.nan))
        found[f"answers_changed/{probe}"] = difference(sample)
        counted, asked = sample.used(), np.unique(run.item[run.asked[:, place]])
        if counted.values.size and 2 * counted.values.size >= asked.size:
            used.append(counted)
    values = {name: each.value for name, each in found.items()}
    order = sorted(values, key=lambda name: (math.isnan(values[name]), -round(values[name], 12)))
    ample = [each for each in used if 2 * each.values.size >= run.cluster.size]
    most = greatest_of([pairs_of(each) for each in ample or used]) if used else NOTHING
    return {MOST: most} | holm_adjusted({name: found[name] for name in order})


def _differing(run: Table, pairs: Sequence[tuple[int, int]]) -> Floats:
    """By row the share of pairs of variants whose answers differ; nan where there is no pair."""
    found = np.full((run.item.size, len(pairs)), np.nan)
    for place, (one, other) in enumerate(pairs):
        both = run.asked[:, one] & run.asked[:, other]
        found[both, place] = (run.said[:, one] != run.said[:, other])[both]
    return row_means(found)[0]


def unread(run: Table) -> Estimate:
    """The share of answers in which nothing was read."""
    asked: Floats = run.asked.sum(axis=1).astype(float)
    unread: Floats = ((run.said < 0) & run.asked).sum(axis=1)
    return rate(run.sample(unread / asked, asked))


def changes(run: Table) -> dict[str, Estimate]:
    """By variant: `score`, `score_change` (Holm-adjusted over the probes), `lost` and `gained`. All
    repeats of the plain question are `repeat`. Of two answers at least one was read."""
    card: dict[str, Estimate] = {}
    changed: dict[str, Estimate] = {}
    again = {REPEAT: run.repeats} if run.repeats else {}
    for name, variants in (again | {probe: (probe,) for probe in run.probes}).items():
        change = _change(run, variants)
        parts = {"score": run.under(variants), "lost": np.maximum(-change, 0)}
        for part, values in (parts | {"gained": np.maximum(change, 0)}).items():
            card[f"{part}/{name}"] = rate(run.sample(row_means(values)[0]))
        changed[name] = difference(run.sample(row_means(change)[0]))
    changed |= holm_adjusted({name: changed[name] for name in run.probes})
    return {f"score_change/{name}": each for name, each in changed.items()} | card


def worst(run: Table) -> Estimate:
    """The least of the probes' changes, with limits of the least true one."""
    samples = [run.sample(_change(run, [probe])[:, 0]).used() for probe in run.probes]
    found = [pairs_of(sample) for sample in samples if sample.values.size]
    return least_of(found) if found else NOTHING


def _change(run: Table, variants: Sequence[str]) -> Floats:
    """What the score under each variant is above the plain one, a column each."""
    return np.where(_one_read(run, variants), run.under(variants) - run.under([PLAIN]), np.nan)


def _one_read(run: Table, variants: Sequence[str]) -> Mask:
    """Whether something was read of the answers under each variant or of the plain one; a scorer
    that never says what it read, and gives scores above 0, has read every answer."""
    read: Mask = run.said >= 0
    if not read.any() and np.nansum(run.score) > 0:
        read = run.asked
    either: Mask = read[:, run.columns(variants)] | read[:, run.columns([PLAIN])]
    return either


def agreement(run: Table) -> dict[str, Estimate]:
    """By probe, and over all: `same_answer`, `same_score`, where of two answers at least one was
    read; by probe also `coverage`."""
    said, plain = run.said, run.said[:, run.columns([PLAIN])]
    asked = run.asked & run.asked[:, run.columns([PLAIN])] & ((said >= 0) | (plain >= 0))
    change = _change(run, run.variants)
    same = {
        "same_answer": np.where(asked, said == plain, np.nan),
        "same_score": np.where(np.isnan(change), np.nan, change == 0),
    }
    groups: dict[str, tuple[str, ...]] = {f"/{probe}": (probe,) for probe in run.probes}
    groups |= {f"/{REPEAT}": run.repeats, "": run.probes}
    card = {
        f"{figure}{name}": rate(run.sample(*row_means(values[:, run.columns(variants)])))
        for name, variants in groups.items()
        for figure, values in same.items()
        if variants
    }
    there = dict(zip(run.variants, run.asked.T.astype(float), strict=True))
    for probe in (*run.probes, *run.in_vain):
        card[f"coverage/{probe}"] = rate(run.sample(there.get(probe, np.zeros(run.item.size))))
    return card


def ways_of(run: Table) -> tuple[Floats, Ints, Floats, Floats]:
    """What `two_way` takes of the items with a score in every way of asking, plain and all probes,
    of whose answers at least one was read."""
    every = (PLAIN, *run.probes)
    scores = run.under(every)
    complete = ~np.isnan(scores).any(axis=1) & _one_read(run, every).any(axis=1)
    epochs = np.bincount(run.item[complete], minlength=run.cluster.size).astype(float)
    sums = np.zeros((run.cluster.size, scores.shape[1]))
    np.add.at(sums, run.item[complete], scores[complete])
    kept = epochs > 0
    means = sums[kept] / epochs[kept, None]
    return means, run.cluster[kept], _noise(run)[kept], epochs[kept]


def _noise(run: Table) -> Floats:
    """Of each item, the variance among its plain answers and repeats; nan of fewer than two."""
    again = run.under((PLAIN, *run.repeats))
    known, size = ~np.isnan(again), run.cluster.size
    item, values = np.broadcast_to(run.item[:, None], again.shape)[known], again[known]
    count = np.bincount(item, minlength=size)
    mean = np.bincount(item, values, size) / np.maximum(count, 1)
    squares = np.bincount(item, (values - mean[item]) ** 2, size)
    found: Floats = np.divide(squares, count - 1, out=np.full(size, np.nan), where=count > 1)
    return found
