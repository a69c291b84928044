"""The figures of self-preference: how much more a judge likes its own answers than others do."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from bias_tasks.family import Outcome
from bias_tasks.judging.self_preference.comparisons import JUDGE, ORDERS
from bias_tasks.judging.self_preference.outcomes import VERDICTS, own_share
from bias_tasks.statistics.columns import codes
from bias_tasks.statistics.effective_size import Floats, Ints, WeightedSample
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.intervals import difference, rate

_EVEN = 0.5
_ByOrder = Mapping[str, str | None]
_Verdicts = Mapping[str, _ByOrder]


def self_preference_card(outcomes: Sequence[Outcome]) -> dict[str, Estimate]:
    """The figures by their names, of at least one outcome.

    A judge's verdicts on a prompt count where both orders were read. Several jurors count as one
    judge that is between them, where each was read in both orders.

    Raises:
        ValueError: a prompt was asked twice in one epoch, or stands in two clusters.
    """
    run = _Run.of(outcomes)
    own, jury = run.column(_judge_share), run.column(_jury_share)
    excess = own - jury
    return {
        "self_excess": difference(run.sample(excess)),
        "self_excess/equal": difference(run.sample(np.where(jury == _EVEN, excess, math.nan))),
        "own_share": rate(run.sample(own)),
        "own_share_jury": rate(run.sample(jury)),
        "consistent": rate(run.sample(run.column(lambda each: _consistent([each.get(JUDGE, {})])))),
        "consistent/jury": rate(run.sample(run.column(lambda each: _consistent(_jury(each))))),
        "compared": rate(run.sample(run.compared)),
        "unread": rate(run.sample(run.column(lambda each: _unread([each.get(JUDGE, {})])))),
        "unread/jury": rate(run.sample(run.column(lambda each: _unread(_jury(each))))),
    }


@dataclass(frozen=True, slots=True)
class _Run:
    """Outcomes as columns: a row for each prompt in each epoch."""

    rows: tuple[_Verdicts, ...]
    item: Ints
    cluster: Ints
    """Of each item."""

    @classmethod
    def of(cls, outcomes: Sequence[Outcome]) -> _Run:
        asked: set[tuple[str, int]] = set()
        cluster: dict[str, str] = {}
        for each in outcomes:
            if (each.item, each.epoch) in asked:
                raise ValueError(f"{each.item} was asked twice in epoch {each.epoch}")
            asked.add((each.item, each.epoch))
            if cluster.setdefault(each.item, each.cluster) != each.cluster:
                raise ValueError(f"{each.item} stands in two clusters")
        return cls(
            rows=tuple(each.own[VERDICTS] for each in outcomes),
            item=codes(each.item for each in outcomes),
            cluster=codes(cluster.values()),
        )

    @property
    def compared(self) -> Floats:
        """1 for each row whose answers were compared."""
        return np.array([float(bool(each)) for each in self.rows])

    def column(self, value: Callable[[_Verdicts], float | None]) -> Floats:
        """A value of each row; nan where there is none, and where nothing was compared."""
        values = (value(each) if each else None for each in self.rows)
        return np.array([math.nan if each is None else each for each in values])

    def sample(self, values: Floats) -> WeightedSample:
        """Each item's mean over its rows that have a value; none counts for less with fewer."""
        known, size = ~np.isnan(values), self.cluster.size
        count = np.bincount(self.item[known], minlength=size)
        total = np.bincount(self.item[known], values[known], size)
        rows = np.bincount(self.item, minlength=size)
        mean = np.divide(total, count, out=np.zeros(size), where=count > 0)
        return WeightedSample(mean, self.cluster, np.zeros(size, dtype=np.int64), count / rows)


def _jury(verdicts: _Verdicts) -> list[_ByOrder]:
    """What each juror said."""
    return [by_order for judge, by_order in verdicts.items() if judge != JUDGE]


def _judge_share(verdicts: _Verdicts) -> float | None:
    return own_share(verdicts.get(JUDGE, {}))


def _jury_share(verdicts: _Verdicts) -> float | None:
    return _mean(own_share(each) for each in _jury(verdicts))


def _consistent(judges: Iterable[_ByOrder]) -> float | None:
    """Whether the same is said in both orders, on average over judges."""
    return _mean(
        None if None in each.values() or len(each) < len(ORDERS) else len({*each.values()}) == 1
        for each in judges
    )


def _unread(judges: Iterable[_ByOrder]) -> float | None:
    return _mean(float(verdict is None) for each in judges for verdict in each.values())


def _mean(values: Iterable[float | None]) -> float | None:
    """The mean of values that are all there; None where one is not."""
    found = list(values)
    known = [each for each in found if each is not None]
    return fmean(known) if known and len(known) == len(found) else None
