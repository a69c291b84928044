"""What each probe does to a run's score, beside what asking the same again does: a plot a run."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bias_tasks.families import PROBING
from bias_tasks.probing.items import REPEAT
from bias_tasks.report.forest import Row, forest
from bias_tasks.report.gather import Told
from bias_tasks.results.answers import UnusableRunError
from bias_tasks.results.every_figure import card_of
from bias_tasks.results.shown import brief
from bias_tasks.results.table import number
from bias_tasks.statistics.estimate import Estimate

_CHANGE, _COVERAGE = "change/", "coverage/"
_AGAIN = "asked again"
_SHOWN = 0.05
_RUNS = 12
"""Plots on a page at most, so that it stays small however many runs there are."""


@dataclass(frozen=True, slots=True)
class ByProbe:
    """A probed run's plot with what stands below it."""

    told: Told
    svg: str
    lower: tuple[str, ...]
    """Probes under which the score is shown to be lower, after Holm's adjustment."""
    higher: tuple[str, ...]
    not_asked: tuple[str, ...]
    """Probes that apply to no item."""


def by_probe(runs: Sequence[Told]) -> tuple[ByProbe, ...]:
    """The plots of the probed runs whose logs kept their answers."""
    probed = [told for told in runs if told.run.record["family"] == PROBING and told.answers]
    found = (_by_probe(told, place) for place, told in enumerate(probed[:_RUNS]))
    return tuple(each for each in found if each is not None)


def _by_probe(told: Told, place: int) -> ByProbe | None:
    """A run's plot; None where no probe has a change, or its answers contradict each other."""
    assert told.answers is not None
    try:
        card = card_of(told.answers)
    except UnusableRunError:
        return None  # the runs' own section says so
    changes = _of(card, _CHANGE)
    again = changes.pop(REPEAT, None)
    rows = [_row(name, each) for name, each in sorted(changes.items(), key=lambda e: e[1].value)]
    rows = [row for row in rows if math.isfinite(row.value)]
    if not rows:
        return None
    floor = None if again is None else _row(_AGAIN, again, ours=False)
    shown = {
        name: each.value for name, each in changes.items() if each.p is not None and each.p < _SHOWN
    }
    asked = f"{told.run.record['data']}, {told.run.model}"
    return ByProbe(
        told,
        _drawn(rows, floor, brief(asked), f"probes{place}"),
        tuple(sorted(name for name, value in shown.items() if value < 0)),
        tuple(sorted(name for name, value in shown.items() if value > 0)),
        tuple(name for name, each in _of(card, _COVERAGE).items() if each.value == 0),
    )


def _drawn(rows: Sequence[Row], floor: Row | None, asked: str, key: str) -> str:
    every = [*rows, *([] if floor is None else [floor])]
    bounded = floor is not None and math.isfinite(floor.low) and math.isfinite(floor.high)
    return forest(
        every,
        "change of the score (higher is better)",
        title=f"{asked}: change of the score under each probe with 95 % intervals",
        told="; ".join(map(_told, every)),
        zero=True,
        key=key,
        band=(floor.low, floor.high) if floor is not None and bounded else None,
    )


def _of(card: Mapping[str, Estimate], prefix: str) -> dict[str, Estimate]:
    return {
        name.removeprefix(prefix): each for name, each in card.items() if name.startswith(prefix)
    }


def _row(name: str, found: Estimate, *, ours: bool = True) -> Row:
    return Row(name, found.value, found.ci_low, found.ci_high, ours)


def _told(row: Row) -> str:
    bounds = "" if math.isnan(row.low) else f" ({number(row.low)} to {number(row.high)})"
    return f"{row.label} {number(row.value)}{bounds}".replace("-", "\u2212")
