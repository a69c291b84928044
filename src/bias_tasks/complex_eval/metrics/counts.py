"""The counts of flaws of a run as columns: one row for each response and number of planted ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bias_tasks.complex_eval.metrics.outcome import MODES, IssueCount
from bias_tasks.statistics.effective_size import Floats, Ints

_MOST = 10**6
"""More flaws than any answer lists; it keeps sums exact."""


@dataclass(frozen=True, slots=True)
class Counts:
    """n responses under one mode; every field is an array with one value for each."""

    item: Ints
    cluster: Ints
    planted: Ints
    found: Floats
    """Mean over the epochs that were read; nan where none was."""
    located: Floats
    """Mean over epochs; nan where that is not known in every epoch that was read."""
    by_chance: Floats
    """Likewise: what blind reports would locate."""
    unread: Floats
    """Share of epochs."""


def counts(outcomes: Sequence[IssueCount]) -> dict[str, Counts]:
    """The counts of every mode that was run, in the order of MODES.

    Raises:
        ValueError: a response is judged twice, an item is in two clusters, a mode is unknown, or a
            number is impossible.
    """
    seen: set[tuple[str, str, int, int]] = set()
    items: dict[str, int] = {}
    clusters: dict[str, int] = {}
    cluster_of: dict[str, str] = {}
    groups: dict[str, dict[tuple[str, int], list[IssueCount]]] = {}
    for outcome in outcomes:
        _check(outcome)
        if cluster_of.setdefault(outcome.item, outcome.cluster) != outcome.cluster:
            raise _bad(outcome, "stands in two clusters")
        key = outcome.mode, outcome.item, outcome.planted, outcome.epoch
        if key in seen:
            raise _bad(outcome, f"is judged twice in epoch {outcome.epoch}")
        seen.add(key)
        items.setdefault(outcome.item, len(items))
        clusters.setdefault(outcome.cluster, len(clusters))
        responses = groups.setdefault(outcome.mode, {})
        responses.setdefault((outcome.item, outcome.planted), []).append(outcome)
    return {
        mode: Counts(
            item=np.array([items[item] for item, _ in groups[mode]]),
            cluster=np.array([clusters[cluster_of[item]] for item, _ in groups[mode]]),
            planted=np.array([planted for _, planted in groups[mode]]),
            found=np.array([_mean([o.found for o in _read(e)]) for e in groups[mode].values()]),
            located=np.array([_mean([o.located for o in _read(e)]) for e in groups[mode].values()]),
            by_chance=np.array(
                [_mean([o.by_chance for o in _read(e)]) for e in groups[mode].values()]
            ),
            unread=np.array([1 - len(_read(e)) / len(e) for e in groups[mode].values()]),
        )
        for mode in MODES
        if mode in groups
    }


def _read(epochs: Sequence[IssueCount]) -> list[IssueCount]:
    return [outcome for outcome in epochs if outcome.found is not None]


def _mean(numbers: Sequence[float | None]) -> float:
    """nan where there is no number, or one is not known."""
    known = [number for number in numbers if number is not None]
    return sum(known) / len(known) if known and len(known) == len(numbers) else float("nan")


def _check(outcome: IssueCount) -> None:
    if outcome.mode not in MODES:
        raise _bad(outcome, f"has an unknown mode: modes are {', '.join(MODES)}")
    if not 0 <= outcome.planted <= _MOST:
        raise _bad(outcome, f"needs a number of planted flaws from 0 to {_MOST}")
    if outcome.found is not None and not 0 <= outcome.found <= _MOST:
        raise _bad(outcome, f"has {outcome.found} found: it is from 0 to {_MOST}, or None (unread)")
    if outcome.located is None:
        return
    if outcome.found is None:
        raise _bad(outcome, f"has {outcome.located} located, but is unread (found is None)")
    if not 0 <= outcome.located <= min(outcome.found, outcome.planted):
        raise _bad(
            outcome,
            f"has {outcome.located} located: at most the {outcome.found} found and the planted",
        )
    if outcome.by_chance is None:
        return
    if not 0 <= outcome.by_chance <= min(outcome.found, outcome.planted):
        raise _bad(outcome, f"has {outcome.by_chance:g} by chance: at most those that can be found")


def _bad(outcome: IssueCount, reason: str) -> ValueError:
    return ValueError(
        f"item {outcome.item!r} with {outcome.planted} flaws, mode {outcome.mode!r}: {reason}"
    )
