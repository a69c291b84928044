"""How far a response's dress draws a judge to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bias_tasks.family import Outcome
from bias_tasks.judging.metrics.order import preference_for
from bias_tasks.judging.outcomes import SCALE
from bias_tasks.judging.probes.choice import control_of, dressing_of
from bias_tasks.probing.items import PLAIN
from bias_tasks.probing.metrics import Table, changes, table
from bias_tasks.statistics.estimate import Estimate


def pulls(preferred: Sequence[Outcome]) -> dict[str, Estimate]:
    """`pull/<probe>`: how much more often a dressed response is preferred (Holm).

    The same pairs plain and under the probe, a tie counting as half; those of which either verdict
    is unread are left out. A control dresses the response that its probe leaves alone.

    Args:
        preferred: with at least one plain preference.
    """
    taken = [each for each in preferred if each.variant == PLAIN or dressing_of(each.variant)]
    if all(each.variant == PLAIN for each in taken):
        return {}
    return pulls_of(
        table([replace(each, score=preference_for(each, each.own["dressed"])) for each in taken])
    )


def pulls_of(run: Table) -> dict[str, Estimate]:
    """`pull/<probe>` of a table, plain and dressed; its scores are preferences for what is dressed
    (under a control, what its probe dresses)."""
    return {
        f"pull/{name}": _scaled(figure, 1 if control_of(name) is None else -1)
        for name, figure in _changes(run)
    }


def shifts(outcomes: Sequence[Outcome]) -> dict[str, Estimate]:
    """`shift/<probe>`: by how many points a dressed response's own score moves, Holm-adjusted.

    Of responses that are scored one by one; those of which either score is unread are left out.
    """
    low, high = SCALE
    scored = [each for each in outcomes if "response" in each.own]
    worn = {(each.item, each.own["response"]) for each in scored if dressing_of(each.own["way"])}
    taken = [
        replace(
            each,
            # A pair's two responses are rows of their own, whose items share a cluster.
            item=f"{each.item}/{each.own['response']}",
            variant=each.own["way"],
            score=None if each.score is None else (each.score - low) / (high - low),
        )
        for each in scored
        if (each.item, each.own["response"]) in worn
        and (each.own["way"] == PLAIN or dressing_of(each.own["way"]))
    ]
    return shifts_of(table(taken)) if taken else {}


def shifts_of(run: Table) -> dict[str, Estimate]:
    """`shift/<probe>` of a table, plain and dressed; its scores are shares of the scale."""
    size = SCALE[1] - SCALE[0]
    return {f"shift/{name}": _scaled(figure, size) for name, figure in _changes(run)}


def _changes(run: Table) -> list[tuple[str, Estimate]]:
    """The change of each probe, by its name."""
    card = changes(run)
    return [(probe, card[f"change/{probe}"]) for probe in run.probes]


def _scaled(figure: Estimate, factor: float) -> Estimate:
    """The figure and its limits on another scale, which may be turned round."""
    low, high = sorted((factor * figure.ci_low, factor * figure.ci_high))
    value = factor * figure.value + 0.0  # no negative zero
    return replace(figure, value=value, ci_low=low + 0.0, ci_high=high + 0.0)
