"""Whether a mitigation of format bias holds (FormatEval, section 3.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bias_tasks.names import PaperProtocol
from bias_tasks.output_format.metrics.bias_change import bias_change
from bias_tasks.output_format.metrics.outcome import FormatOutcome
from bias_tasks.output_format.metrics.table import Table, table
from bias_tasks.statistics.effective_size import WeightedSample
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.holm import holm_adjusted
from bias_tasks.statistics.intervals import difference


@dataclass(frozen=True, slots=True)
class Comparison:
    """A mitigation against its base, on the items that both were asked."""

    figures: Mapping[str, Estimate]
    """Mitigated less base: `delta_bias_f` and `delta_bias_f_corrected` in percent squared, which
    share one interval, and `delta_fi/<format>`, with p-values that are Holm-adjusted."""
    holds: bool
    """The paper's two criteria, on what was seen: `bias_f` falls, and `fi` of no format does."""
    shown: bool
    """It holds, and the intervals bear it out: that of `delta_bias_f` lies below 0, and that of
    every `delta_fi` above minus the margin."""
    falling: tuple[str, ...]
    """The formats whose `fi` falls."""
    left_out: tuple[str, ...]
    """The formats that `bias_f` leaves out: no answer follows them in one run or the other."""


def compare(
    base: Sequence[FormatOutcome],
    mitigated: Sequence[FormatOutcome],
    *,
    margin: float = 0.05,
    protocol: PaperProtocol = "corrected",
) -> Comparison:
    """Compares a mitigated run with its base, paired over items.

    Only what both runs asked counts: an item under a format that one of them lacks is left out.
    Where a mitigation makes more answers follow, `bias_f` falls for lack of noise alone;
    `delta_bias_f_corrected` is free of that.

    Args:
        base, mitigated: at most one outcome for each item and format, in any order.
        margin: how far `fi` may fall, a share, for the mitigation to be `shown` still.
        protocol: as `format_scorecard` takes it.

    Raises:
        ValueError: the runs have different formats, or a format without an item in common; or an
            outcome or parameter is not what it can be.
    """
    if not 0 < margin < 1:
        raise ValueError(f"margin is {margin}: it must be between 0 and 1")
    before, after = _paired(base, mitigated, protocol)
    follow = _follow_changes(before, after)
    followed = (before.follows.sum(axis=0) > 0) & (after.follows.sum(axis=0) > 0)
    bias = bias_change(before.with_formats(followed), after.with_formats(followed))
    falling = tuple(name for name, change in follow.items() if change.value < 0)
    delta = bias["delta_bias_f"]
    holds = delta.value < 0 and not falling
    kept = all(change.ci_low > -margin for change in follow.values())
    return Comparison(
        figures=bias | {f"delta_fi/{name}": change for name, change in follow.items()},
        holds=holds,
        shown=holds and kept and delta.ci_high < 0,
        falling=falling,
        left_out=tuple(
            name for name, both in zip(before.formats, followed, strict=True) if not both
        ),
    )


def _paired(
    base: Sequence[FormatOutcome], mitigated: Sequence[FormatOutcome], protocol: PaperProtocol
) -> tuple[Table, Table]:
    """Both tables with the same formats, and the same items under each of them."""
    keys = [{(outcome.item, outcome.format) for outcome in run} for run in (base, mitigated)]
    formats = [{name for _, name in asked} for asked in keys]
    if alone := formats[0] ^ formats[1]:
        raise ValueError(
            f"only one of the two runs has {', '.join(sorted(alone))}: compare runs of one set of "
            "formats"
        )
    common = keys[0] & keys[1]
    if lacking := formats[0] - {name for _, name in common}:
        raise ValueError(f"the runs have no item in common under {', '.join(sorted(lacking))}")
    if not common:
        raise ValueError("there are no outcomes to compare")
    before, after = (
        table([outcome for outcome in run if (outcome.item, outcome.format) in common], protocol)
        for run in (base, mitigated)
    )
    places = {item: row for row, item in enumerate(after.items)}
    return before, after.take(np.array([places[item] for item in before.items]))


def _follow_changes(before: Table, after: Table) -> dict[str, Estimate]:
    """What each format's `fi` gains."""
    strata = np.zeros_like(before.cluster)
    return holm_adjusted(
        {
            name: difference(
                WeightedSample(
                    after.follows[:, column] - before.follows[:, column],
                    before.cluster,
                    strata,
                    before.asked[:, column].astype(float),
                )
            )
            for column, name in enumerate(before.formats)
        }
    )
