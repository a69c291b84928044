"""Where dots and lines of a plot stand, in percent of its width: a plot is a column of a table."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bias_tasks.contract.figures import parts_of
from bias_tasks.probing.items import REPEAT
from bias_tasks.results.answers import RunAnswers, card_of
from bias_tasks.results.run import Run, UnusableRunError
from bias_tasks.statistics.estimate import Estimate

_NARROWEST = 0.05
"""What an axis is long at least, in the figure's unit: the rounding of sums is not to be seen."""


class Axis(NamedTuple):
    """The scale of a plot: its ends, and what lies between two ticks."""

    low: float
    high: float
    step: float

    def place(self, value: float) -> str:
        """Where a value stands; its limits are within the axis."""
        return f"{100 * (value - self.low) / (self.high - self.low):.2f}"

    @property
    def zero(self) -> str | None:
        """Where 0 stands, if the axis has it."""
        return self.place(0.0) if self.low <= 0 <= self.high else None

    @property
    def ticks(self) -> list[tuple[str, str]]:
        """The place of each tick and what stands at it."""
        count = round((self.high - self.low) / self.step)
        values = [self.low + self.step * tick for tick in range(count + 1)]
        digits = max(0, -math.floor(math.log10(self.step)))
        return [(self.place(each), f"{each + 0.0:.{digits}f}") for each in values]


def axis_of(figures: Sequence[Estimate], *, zero: bool = False) -> Axis | None:
    """A scale for figures and their intervals, with 0 on it where they are differences (`zero`);
    None where there is no value."""
    ends = [end for each in figures for end in (each.value, each.ci_low, each.ci_high)]
    known = [end for end in ends if math.isfinite(end)] + ([0.0] if zero else [])
    if not any(math.isfinite(each.value) for each in figures):
        return None
    low, high = min(known), max(known)
    lacking = max(_NARROWEST - (high - low), 0.0) / 2
    low, high = low - lacking, high + lacking
    rough = (high - low) / 4
    power = 10.0 ** math.floor(math.log10(rough))
    step = power * next(each for each in (1, 2, 5, 10) if each * power >= rough)
    return Axis(math.floor(low / step) * step, math.ceil(high / step) * step, step)


class ByProbe(NamedTuple):
    """What each probe changes in a run, the most first, and the probes that apply to no item."""

    run: Run
    probes: dict[str, tuple[Estimate, Estimate | None]]
    """By probe the share of answers that it changes, and what it adds to the score, if any."""
    axis: Axis
    again: Estimate | None
    """The share of answers that stay when the very same is asked again."""
    not_asked: tuple[str, ...]

    def changes(self, probe: str) -> bool:
        """Whether it is shown, after Holm's adjustment, that a probe changes answers."""
        changed, _ = self.probes[probe]
        return changed.p is not None and changed.p < 0.05 and changed.value > 0


def by_probe(runs: Sequence[RunAnswers]) -> Iterator[ByProbe]:
    """What each probe changes in a run, of each of the runs whose headline is the most of it."""
    for answers in runs:
        run = answers.run
        if not run.figure(run.headline).by_part:
            continue
        try:
            card = card_of(answers)
        except UnusableRunError:
            continue  # the run's own section says so
        found = {
            part: (card[changed], card.get(score))
            for part, (changed, score) in parts_of(run.figure(run.headline), card).items()
            if math.isfinite(card[changed].value)
        }
        axis = axis_of([changed for changed, _ in found.values()], zero=True)
        if axis is not None:
            none = (n.partition("/") for n, each in card.items() if not each.value)
            not_asked = tuple(probe for kind, _, probe in none if kind == "coverage")
            yield ByProbe(run, found, axis, card.get(f"same_answer/{REPEAT}"), not_asked)
