"""Endless seeded streams of items, and the split between test items and worked examples."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from bias_tasks.data.loading import Identified

ItemT = TypeVar("ItemT", bound=Identified)
LabelT = TypeVar("LabelT", bound=str)


def stream(
    name: str,
    seed: int,
    labels: Iterable[LabelT],
    make: Callable[[random.Random, LabelT], ItemT],
    *,
    examples: bool = False,
) -> Iterator[ItemT]:
    """One item per label, all different.

    Each item has a generator of its own, seeded by the stream's name, the seed and the item's
    place, so that an item depends on nothing behind it. A repeated item, or one of the other
    split, is drawn again.

    Args:
        name: sets streams of one seed apart.
        seed: any integer.
        labels: gold label of each item in turn.
        make: builds an item of the label from the generator.
        examples: draw worked examples instead of test items; no item is ever both.
    """
    seen: set[str] = set()
    for index, label in enumerate(labels):
        for attempt in itertools.count():
            item = make(random.Random(f"{name}/{seed}/{index}/{attempt}"), label)
            if item.id not in seen and is_example(item.id) == examples:
                break
        seen.add(item.id)
        yield item


def is_example(item_id: str) -> bool:
    """Whether the item is reserved for worked examples: a sixteenth of all, by content hash."""
    return item_id.endswith("0")
