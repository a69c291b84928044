"""The paper's criteria of a mitigation, for those of compared runs that are of format tasks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bias_tasks.commands.mitigation.answers import FAMILY, FormatRun
from bias_tasks.commands.mitigation.compare import ComparedRuns, compare_runs
from bias_tasks.commands.mitigation.report import comparison_lines, comparison_to_dict
from bias_tasks.results.answers import RunAnswers, UnusableRunError
from bias_tasks.results.comparison.compared import Comparison
from bias_tasks.results.comparison.verdict import SHARES

_MARGIN = 0.05
"""How far `fi` may fall in a format for a mitigation to be shown to hold, where nobody said."""


@dataclass(frozen=True, slots=True)
class Mitigation:
    """Whether the second run's way of asking, or its model, mitigates format bias."""

    found: ComparedRuns | None
    why_not: str = ""
    """Why that can't be told, where there is nothing found."""

    def lines(self) -> Iterator[str]:
        """What to print."""
        if self.found is None:
            yield f"mitigation (FormatEval, section 3.2): {self.why_not}"
        else:
            yield from comparison_lines(self.found)

    def to_dict(self) -> dict[str, Any]:
        """The same as plain JSON values."""
        return {"why_not": self.why_not} if self.found is None else comparison_to_dict(self.found)


def mitigations(
    comparison: Comparison, runs: Sequence[RunAnswers], margins: Mapping[str, float]
) -> tuple[Mitigation, ...]:
    """The criteria for each two files of format runs that were compared, their tasks together."""
    margin = margins.get(SHARES, _MARGIN)
    files = dict.fromkeys(
        (pair.first.path, pair.second.path)
        for pair in comparison.pairs
        if pair.first.record["family"] == FAMILY
    )
    compared = [run for pair in comparison.pairs for run in (pair.first, pair.second)]
    used = [run for run in runs if any(run.run is each for each in compared)]
    return tuple(
        _of(_format_run(one, used), _format_run(other, used), margin) for one, other in files
    )


def _format_run(path: Path, runs: Sequence[RunAnswers]) -> FormatRun:
    own = (run for run in runs if run.run.path == path and run.run.record["family"] == FAMILY)
    return FormatRun(path, tuple(own))


def _of(base: FormatRun, mitigated: FormatRun, margin: float) -> Mitigation:
    try:
        return Mitigation(compare_runs(base, mitigated, margin))
    except UnusableRunError as error:
        return Mitigation(None, str(error))
