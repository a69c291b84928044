"""Computes the positions of dots and lines in plots, in percent of the width of a table column."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bias_tasks.contract.metrics import find_parts
from bias_tasks.probing.items import REPEAT
from bias_tasks.results.answers import RunAnswers, compute_run_metrics
from bias_tasks.results.run import Run, UnusableRunError
from bias_tasks.statistics.estimate import Estimate

_MIN_LENGTH = 0.05
"""Minimum length of an axis in the metric's unit, so that rounding errors are invisible."""
_SIGNIFICANCE_LEVEL = 0.05


class Axis(NamedTuple):
    """The scale of a plot."""

    low: float
    high: float
    step: float
    """Distance between two ticks."""

    def percent(self, value: float) -> str:
        """Return the position of a value within the axis, in percent of its length."""
        return f"{100 * (value - self.low) / (self.high - self.low):.2f}"

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


def build_axis(estimates: Sequence[Estimate], *, include_zero: bool = False) -> Axis | None:
    """Return an axis that covers estimates and their intervals; None if there is no value.

    Args:
        estimates: The estimates.
        include_zero: Extend the axis to 0, as for differences.
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
    return Axis(math.floor(low / step) * step, math.ceil(high / step) * step, step)


class ProbeChanges(NamedTuple):
    """What each probe changes in a run."""

    run: Run
    probes: dict[str, tuple[Estimate, Estimate | None]]
    """Share of answers that each probe changes, and its change of the score if there is one. The
    probe with the largest share is first."""
    axis: Axis
    same_answer: Estimate | None
    """Share of answers that stay the same if the prompt is repeated."""
    inapplicable: tuple[str, ...]
    """Probes that apply to no item."""

    def is_significant(self, probe: str) -> bool:
        """Return whether a probe changes answers, after Holm's adjustment."""
        changed, _ = self.probes[probe]
        return changed.p is not None and changed.p < _SIGNIFICANCE_LEVEL and changed.value > 0


def compute_probe_changes(runs: Sequence[RunAnswers]) -> Iterator[ProbeChanges]:
    """Yield the changes by each probe, for each run whose headline is a maximum over probes."""
    for answers in runs:
        run = answers.run
        spec = run.metric_spec(run.headline)
        if not spec.by_part:
            continue
        try:
            metrics = compute_run_metrics(answers)
        except UnusableRunError:
            continue  # the run's own section reports the error
        probes = {
            probe: (metrics[changed], metrics.get(score))
            for probe, (changed, score) in find_parts(spec, metrics).items()
            if math.isfinite(metrics[changed].value)
        }
        axis = build_axis([changed for changed, _ in probes.values()], include_zero=True)
        if axis is not None:
            zero = (name.partition("/") for name, estimate in metrics.items() if not estimate.value)
            inapplicable = tuple(probe for metric, _, probe in zero if metric == "coverage")
            same_answer = metrics.get(f"same_answer/{REPEAT}")
            yield ProbeChanges(run, probes, axis, same_answer, inapplicable)
