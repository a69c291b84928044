"""Breaks a run down by the difficulty level and the domain of its items."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from bias_tasks.contract.questions import ScoringData
from bias_tasks.results.answers import RunAnswers, compute_run_metrics, count_baseline_correct
from bias_tasks.results.run import UnusableRunError

_MAX_GROUPS = 12
"""Groups of items that are shown of each kind, the largest ones."""


class ItemGroup(NamedTuple):
    """Items of one level or domain."""

    kind: str
    name: str
    items: int
    right: tuple[int, int]
    """Number of right baseline answers, and of those that are right or wrong."""
    value: float
    """The headline metric of these items; nan if there is none."""


def list_item_groups(answers: RunAnswers) -> list[ItemGroup]:
    """Return the groups of a run's items, by level and by domain, if there are several.

    Values have no intervals: the groups are small, and may differ by chance.
    """
    groups = []
    for kind in ("level", "domain"):
        indices: dict[str, list[int]] = {}
        for index, answer in enumerate(answers.answers):
            name = _describe_item(answer.scoring_data).get(kind)
            if name:
                indices.setdefault(name, []).append(index)
        largest = sorted(indices, key=lambda name: -len(indices[name]))[:_MAX_GROUPS]
        if len(largest) > 1:
            groups += [_build_group(answers, kind, name, indices[name]) for name in sorted(largest)]
    return groups


def _describe_item(data: ScoringData) -> Mapping[str, str | None]:
    """Return the level and the domain of an item; the topic if it has no domain."""
    topic = data.columns.get("topic")
    domain = getattr(data, "domain", None) or topic
    return {"level": data.level, "domain": None if domain is None else str(domain)}


def _build_group(answers: RunAnswers, kind: str, name: str, indices: list[int]) -> ItemGroup:
    subset = replace(answers, answers=tuple(answers.answers[index] for index in indices))
    n_items = len({outcome.item for outcome in subset.outcomes()})
    try:
        metrics = compute_run_metrics(subset, intervals=False)
    except UnusableRunError:
        metrics = {}
    headline = metrics.get(answers.run.headline or "")
    value = math.nan if headline is None else headline.value
    return ItemGroup(kind, name, n_items, count_baseline_correct(subset), value)
