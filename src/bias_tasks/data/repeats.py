"""Repeated records, and fixed subsets of a data set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from bias_tasks.data.errors import DataError
from bias_tasks.items import Item, JudgingItem, Protocol
from bias_tasks.items.output_format import FormatItem

ItemT = TypeVar("ItemT", bound=Item | FormatItem)


def settle_repeats(items: Iterable[Item], protocol: Protocol) -> list[Item]:
    """The items with unique ids, in their order.

    An id hashes the whole record, so a repeated record repeats its id. Corrected keeps the first
    of each; published keeps all and marks the later ones `~2`, `~3`, in the first one's cluster.

    Raises:
        DataError: one question, with the same options and passage, has two different answers.
    """
    items = list(items)
    _check_agreement(items)
    return with_unique_ids(items, protocol)


def with_unique_ids(items: Iterable[ItemT], protocol: Protocol) -> list[ItemT]:
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


def take_subset(items: Iterable[Item], wanted: Mapping[str, int]) -> list[Item]:
    """So many items of each label, in order of their ids, which are hashes: no seed moves it.

    Raises:
        DataError: there are fewer items of a label than wanted.
    """
    taken: list[Item] = []
    by_id = sorted(items, key=lambda item: item.id)
    for label, n in wanted.items():
        found = [item for item in by_id if item.label == label][:n]
        if len(found) < n:
            raise DataError(f"{n} items with the label {label} are wanted, {len(found)} are there")
        taken += found
    return taken


def _check_agreement(items: list[Item]) -> None:
    answers: dict[object, object] = {}
    for item in items:
        options = () if isinstance(item, JudgingItem) else item.options
        if answers.setdefault((item.context, item.question, options), item.answer) != item.answer:
            raise DataError(
                f"{item.id}: the same question occurs with another answer; remove one of the two"
            )
