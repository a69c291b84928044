"""A mitigated run against its base, in each data set and category that both have."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bias_tasks.commands.mitigation.answers import FormatRun
from bias_tasks.names import PaperProtocol
from bias_tasks.output_format.metrics.card import format_scorecard
from bias_tasks.output_format.metrics.mitigation import Comparison, compare
from bias_tasks.output_format.metrics.outcome import FormatOutcome
from bias_tasks.output_format.outcomes import Group
from bias_tasks.results.answers import UnusableRunError
from bias_tasks.statistics.estimate import Estimate

BIAS = ("bias_f", "bias_f_corrected")


@dataclass(frozen=True, slots=True)
class Row:
    """A figure in both runs, and the paired difference, mitigated less base."""

    name: str
    base: float
    mitigated: float
    difference: Estimate


@dataclass(frozen=True, slots=True)
class Compared:
    """One data set and category in both runs, on what both were asked."""

    group: Group
    rows: tuple[Row, ...]
    """`bias_f` and `bias_f_corrected` in percent squared, then `fi/<format>`, shares."""
    result: Comparison
    asked: int
    """Pairs of an item and a format that both runs have."""
    base_only: int
    mitigated_only: int


@dataclass(frozen=True, slots=True)
class ComparedRuns:
    """Both runs in every group that they share."""

    base: FormatRun
    mitigated: FormatRun
    margin: float
    """How far `fi` may fall, a share, for a mitigation to be shown to hold."""
    groups: tuple[Compared, ...]
    alone: tuple[Group, ...]
    """What only one of the runs asked."""


def compare_runs(base: FormatRun, mitigated: FormatRun, margin: float) -> ComparedRuns:
    """Compares the groups that both runs have, which are runs that can be compared.

    Raises:
        UnusableRunError: the runs have no group in common, or in one of them different formats or
            no items in common.
    """
    before, after = base.outcomes(), mitigated.outcomes()
    both = [group for group in before if group in after]
    if not both:
        raise UnusableRunError(
            f"the runs have nothing in common: the base run asked {named(before)}, the mitigated "
            f"one {named(after)}"
        )
    return ComparedRuns(
        base,
        mitigated,
        margin,
        tuple(
            _compared(group, before[group], after[group], margin, base.protocol) for group in both
        ),
        tuple(sorted(before.keys() ^ after.keys())),
    )


def _compared(
    group: Group,
    base: Sequence[FormatOutcome],
    mitigated: Sequence[FormatOutcome],
    margin: float,
    protocol: PaperProtocol,
) -> Compared:
    try:
        result = compare(base, mitigated, margin=margin, protocol=protocol)
    except ValueError as error:
        raise UnusableRunError(f"{named([group])}: {error}") from error
    keys, others = ({_key(outcome) for outcome in run} for run in (base, mitigated))
    both = keys & others
    shared = [[outcome for outcome in run if _key(outcome) in both] for run in (base, mitigated)]
    return Compared(
        group=group,
        rows=_rows(result, *(_figures(run, result.left_out, protocol) for run in shared)),
        result=result,
        asked=len(both),
        base_only=len(keys - others),
        mitigated_only=len(others - keys),
    )


def _figures(
    outcomes: Sequence[FormatOutcome], left_out: Sequence[str], protocol: PaperProtocol
) -> dict[str, float]:
    """The run's figures; its `bias_f` leaves out the formats that the comparison leaves out."""
    card = format_scorecard(outcomes, protocol=protocol)
    kept = [outcome for outcome in outcomes if outcome.format not in left_out]
    bias = format_scorecard(kept, protocol=protocol)
    values = {name: card[name].value for name in card if name.startswith("fi/")}
    return values | {name: bias[name].value if name in bias else math.nan for name in BIAS}


def _rows(
    result: Comparison, before: Mapping[str, float], after: Mapping[str, float]
) -> tuple[Row, ...]:
    return tuple(
        Row(name, before[name], after[name], difference)
        for delta, difference in result.figures.items()
        for name in [delta.removeprefix("delta_")]
    )


def _key(outcome: FormatOutcome) -> tuple[str, str]:
    return outcome.item, outcome.format


def named(groups: Iterable[Group]) -> str:
    """The groups in words."""
    return ", ".join(
        f"{dataset} in {category} formats under {prompting}"
        for dataset, prompting, category in groups
    )
