"""The order of yes/no questions: domains and labels take turns."""

from __future__ import annotations

from collections.abc import Iterable

from bias_tasks.binary_qa.items import BINARY_LABELS, BinaryItem
from bias_tasks.data.order import in_turns


def binary_order(items: Iterable[BinaryItem], seed: int) -> list[BinaryItem]:
    """The questions in seeded random order, so that a run that stops early is balanced.

    The first k, for any k, hold equally many of every domain, of Yes and No, and of both in each
    domain (give or take one), except for those of which there are no more.
    """
    items = list(items)
    domains = sorted({item.domain for item in items})
    # A round asks each domain twice. Labels alternate from domain to domain, and in the second
    # half of the round each domain has the label that it did not have in the first.
    turns = [
        (domain, BINARY_LABELS[(position + half) % 2])
        for half in range(2)
        for position, domain in enumerate(domains)
    ]
    return in_turns(items, seed, lambda item: (item.domain, item.answer), turns)
