"""Repeated records of a data set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeVar

from bias_tasks.names import PaperProtocol

ItemT = TypeVar("ItemT", bound=Any)
"""An item of any family: a dataclass with an `id`."""


def with_unique_ids(items: Iterable[ItemT], protocol: PaperProtocol) -> list[ItemT]:
    """The items of any family in their order: corrected keeps the first of each id, published all.

    Later ones are then marked `~2`, `~3`.
    """
    seen: Counter[str] = Counter()
    settled = []
    for item in items:
        seen[item.id] += 1
        if seen[item.id] == 1:
            settled.append(item)
        elif protocol == "published":
            settled.append(replace(item, id=f"{item.id}~{seen[item.id]}"))
    return settled
