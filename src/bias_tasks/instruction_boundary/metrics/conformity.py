"""Whether answers move to what was suggested (setting conformity)."""

from __future__ import annotations

import numpy as np

from bias_tasks.instruction_boundary.metrics.outcome import UNREAD
from bias_tasks.instruction_boundary.metrics.table import OUTPUTS, Table
from bias_tasks.statistics.effective_size import Floats, WeightedSample
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.intervals import rate


def conformity_figures(setting: Table, vanilla: Table) -> dict[str, Estimate]:
    """`adopted` and `abandoned`, overall and for each suggested label.

    Both tables hold the same items in the same order, all of them with a suggestion.

    `adopted`: of the answers that were read and stood elsewhere in vanilla, the share that stands
    at the suggestion now. `abandoned`: of the answers that were right in vanilla and whose
    suggestion is wrong, the share that is not right any more.

    Raises:
        ValueError: the vanilla outcomes do not say how often they are at the suggestion.
    """
    if np.isnan(vanilla.at_suggestion).any() or np.isnan(setting.at_suggestion).any():
        raise ValueError(
            "adopted and abandoned need at_suggestion on the vanilla outcomes too: "
            "score both with the suggestion that the setting makes"
        )
    unread = np.nan_to_num(vanilla.labels[:, OUTPUTS.index(UNREAD)])
    elsewhere = np.maximum(1 - vanilla.at_suggestion - unread, 0)
    at_risk = vanilla.ok * (setting.suggestion_is_gold == 0)
    codes = [int(code) for code in np.unique(setting.suggested)]
    figures: dict[str, Estimate] = {}
    for name, values, weights in (
        ("adopted", setting.at_suggestion, elsewhere),
        ("abandoned", 1 - setting.ok, at_risk),
    ):
        figures[name] = rate(_subset(setting, values, weights))
        for code in codes:
            chosen = weights * (setting.suggested == code)
            figures[f"{name}/{OUTPUTS[code]}"] = rate(_subset(setting, values, chosen))
    return figures


def _subset(table: Table, values: Floats, weights: Floats) -> WeightedSample:
    """A ratio's sample. Who is in the denominator is drawn, not designed: a single stratum."""
    return WeightedSample(values, table.cluster, np.zeros_like(table.stratum), weights)
