"""The few figures of a run that are shown where there is room for few: its headline and what stands
beside it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase

from bias_tasks.parameters import TaskSpec
from bias_tasks.statistics.estimate import Estimate, standard_error

BESIDE = 6
"""How many figures are shown beside the headline at most."""


def headline(spec: TaskSpec, names: Iterable[str]) -> str | None:
    """The printed name of the figure that a run of the task is about; None where it has none."""
    return next(iter(_matching(spec.headline, list(names))), None)


def block(spec: TaskSpec, names: Iterable[str]) -> tuple[str, ...]:
    """The names of the headline and of up to `BESIDE` figures beside it that a run has."""
    known = list(names)
    first = headline(spec, known)
    beside = [name for name in _matching(spec.beside, known) if name != first]
    return (*(() if first is None else (first,)), *beside[:BESIDE])


def brief(spec: TaskSpec, card: Mapping[str, Estimate]) -> dict[str, float]:
    """What a host shows of a run: the headline, its `stderr`, `ci_low` and `ci_high`, the figures
    beside it, and `items`."""
    shown = block(spec, card)
    if not shown:
        return {}
    first = card[shown[0]]
    found = {shown[0]: first.value, "stderr": standard_error(first)}
    found |= {"ci_low": first.ci_low, "ci_high": first.ci_high}
    found |= {name: card[name].value for name in shown[1:]}
    return found | {"items": card["items"].value if "items" in card else math.nan}


def _matching(patterns: Iterable[str], names: list[str]) -> list[str]:
    """The names that a pattern stands for, pattern by pattern, each once."""
    return list(
        dict.fromkeys(name for pattern in patterns for name in names if fnmatchcase(name, pattern))
    )
