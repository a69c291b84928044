"""Which of several runs are compared with which."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

from bias_tasks.record import FIGURES_OF
from bias_tasks.results.answers import RunAnswers, UnusableRunError
from bias_tasks.results.shown import shown

Pair = tuple[RunAnswers, RunAnswers]


def pairs_of(
    runs: Sequence[RunAnswers], *, baseline: str | None = None, every: bool = False
) -> list[Pair]:
    """The pairs to compare, the run to compare with first; runs of one task belong together.

    A model's several runs of one task belong to different groups: those with the same parameters.

    Raises:
        UnusableRunError: nothing has a counterpart, or there is no such baseline.
    """
    groups = _groups(runs)
    usable = [group for group in groups if len(group) > 1]
    if not usable:
        asked = ", ".join(dict.fromkeys(shown(each.run.record["task"]) for each in runs))
        raise UnusableRunError(
            f"there is nothing to compare: no two of the {len(runs)} runs are of one task ({asked})"
        )
    if every:
        return [pair for group in usable for pair in combinations(group, 2)]
    return [pair for group in usable for pair in _against(group, baseline)]


def _groups(runs: Sequence[RunAnswers]) -> list[list[RunAnswers]]:
    """The runs by task, and by parameters where a model ran a task several times."""
    by_task: dict[str, list[RunAnswers]] = {}
    for run in runs:
        record = run.run.record
        by_task.setdefault(_key([record["family"], record["task"]]), []).append(run)
    return [part for group in by_task.values() for part in _apart(group)]


def _apart(group: list[RunAnswers]) -> list[list[RunAnswers]]:
    """A task's runs; by parameters where the same ones stand more than once."""
    parts: dict[str, list[RunAnswers]] = {}
    for run in group:
        record = run.run.record
        parts.setdefault(_key([record["parameters"], record.get(FIGURES_OF)]), []).append(run)
    several = sum(len(part) > 1 for part in parts.values())
    return list(parts.values()) if several and len(parts) > 1 else [group]


def _key(value: object) -> str:
    return json.dumps(value, sort_keys=True, default=str)


def _against(group: list[RunAnswers], baseline: str | None) -> list[Pair]:
    """Every other run of the group against its baseline."""
    if baseline is None:
        return [(group[0], other) for other in group[1:]]
    chosen = [run for run in group if _is(run, baseline)]
    if len(chosen) != 1:
        task = shown(group[0].run.record["task"])
        models = ", ".join(dict.fromkeys(shown(run.run.model) for run in group))
        raise UnusableRunError(
            f"{len(chosen)} runs of {task} are the baseline {shown(baseline)}: give the path of "
            f"one log, or one of the models {models}"
        )
    return [(chosen[0], other) for other in group if other is not chosen[0]]


def _is(run: RunAnswers, baseline: str) -> bool:
    path = Path(baseline).resolve()
    here = run.run.path.resolve()
    return run.run.model == baseline or here == path or path in here.parents
