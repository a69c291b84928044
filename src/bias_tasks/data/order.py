"""The order of items, made so that a run that stops early is still balanced."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from itertools import zip_longest

from bias_tasks.items import FORMS, LABELS, Item


def limit_friendly(items: Iterable[Item], seed: int) -> list[Item]:
    """The items in seeded random order, the labels of both forms taking turns.

    The first k items, for any k, hold equally many of every label of every form (give or take
    one), except for labels of which there are no more.
    """
    groups: dict[tuple[str, str], list[Item]] = {}
    for item in sorted(items, key=lambda item: _draw(item.id, seed)):
        groups.setdefault((item.form, item.label), []).append(item)
    turns = zip_longest(*(LABELS[form] for form in FORMS))
    keys = [(form, label) for turn in turns for form, label in zip(FORMS, turn, strict=True)]
    rounds = zip_longest(*(groups.get(key, []) for key in keys))
    return [item for one_round in rounds for item in one_round if item is not None]


def _draw(identifier: str, seed: int) -> str:
    return hashlib.sha256(f"{seed}:{identifier}".encode()).hexdigest()
