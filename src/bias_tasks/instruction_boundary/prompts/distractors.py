"""The options of Disturbing Miscellany: the right one among so many wrong ones (section 3.3)."""

from __future__ import annotations

import random

from bias_tasks.instruction_boundary.items import ChoiceItem
from bias_tasks.instruction_boundary.prompts.options import (
    NOT_ITS_OWN,
    ShownOptions,
    letter,
    numbered,
)
from bias_tasks.names import PaperProtocol
from bias_tasks.prompts.seeded import seeded

ALL_TRUE = "All above are true"
ALL_FALSE = "All above are false"
"""Table 2's two extra options of Disturbing Miscellany."""


def with_distractors(
    item: ChoiceItem, count: int, seed: int, protocol: PaperProtocol
) -> ShownOptions:
    """The right options and `count` wrong ones.

    Corrected: a larger count only adds options, since the wrong ones are taken in one seeded
    order; shown in a seeded order and numbered from 1. An item with fewer wrong options than
    `count` gets table 2's extra options, as far as they are wrong for it.

    Published: the item's own options alone, in its order, each with its letter in the item; of the
    questions that the public code samples, those that it draws.
    """
    rng = seeded(seed, item.id, "disturbing_miscellany")
    wrong = _shuffled(rng, [p for p in range(len(item.options)) if p not in item.answer])
    shown = [*item.answer, *wrong[:count]]
    if protocol == "published":
        drawn = wrong[:count] if item.drawn is None else item.drawn[count - 1]
        shown = sorted((*item.answer, *drawn))
        lines = tuple(f"{letter(p)}. {item.options[p]}" for p in shown)
        return ShownOptions(tuple(shown), lines, first=0, symbols="letters")
    shown = _shuffled(rng, shown)
    extra = _extra(item)[: max(0, count - len(wrong))]
    texts = [*(item.options[p] for p in shown), *extra]
    return ShownOptions((*shown, *(NOT_ITS_OWN for _ in extra)), numbered(texts), first=1)


def own_and_extra(item: ChoiceItem, count: int, protocol: PaperProtocol) -> tuple[int, int]:
    """How many wrong options of the item's own, and of table 2's, are shown for `count`."""
    own = min(count, len(item.options) - len(item.answer))
    extra = 0 if protocol == "published" else min(count - own, len(_extra(item)))
    return own, extra


def _extra(item: ChoiceItem) -> list[str]:
    """Table 2's extra options that are wrong for the item."""
    some_wrong, some_right = len(item.answer) < len(item.options), bool(item.answer)
    return [ALL_TRUE] * some_wrong + [ALL_FALSE] * some_right


def _shuffled(rng: random.Random, positions: list[int]) -> list[int]:
    return rng.sample(positions, len(positions))
