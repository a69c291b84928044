"""Every figure of a judge under probes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bias_tasks.family import Outcome
from bias_tasks.judging.metrics.calibration import human_card
from bias_tasks.judging.metrics.order import order_figures
from bias_tasks.judging.metrics.pull import pulls, shifts
from bias_tasks.judging.outcomes import preferences
from bias_tasks.judging.probes.choice import control_of
from bias_tasks.probing.items import PLAIN
from bias_tasks.probing.metrics import probe_card, table, unread
from bias_tasks.statistics.estimate import Estimate

NEEDS_NO_LABEL = ("same_answer",)
"""What of a probed task's figures there is where nobody says which response is better."""
_LEFT_OUT = ("coverage", "unread")
"""Of a probed task's: probes of judges apply to every pair, and an answer of a judge may be one
score of two."""


def judging_card(outcomes: Sequence[Outcome]) -> dict[str, Estimate]:
    """The figures by their names; none where there are no outcomes.

    Raises:
        ValueError: an item was judged twice in one way and epoch, or stands in two clusters.
    """
    if not outcomes:
        return {}
    preferred = preferences(outcomes)
    card: dict[str, Estimate] = {}
    if any(each.variant == PLAIN for each in preferred):
        labelled = any(each.gold for each in preferred)
        probed = [each for each in preferred if control_of(each.variant) is None]
        card |= {
            name: figure
            for name, figure in probe_card(probed).items()
            if name.partition("/")[0] in NEEDS_NO_LABEL
            or (labelled and name.partition("/")[0] not in _LEFT_OUT)
        }
        card |= order_figures(preferred) | pulls(preferred)
    bare = [replace(each, score=None) for each in outcomes]
    card |= human_card(preferred, outcomes)
    return card | shifts(outcomes) | {"unread": unread(table(bare))}
