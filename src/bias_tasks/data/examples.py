"""Worked examples for the few-shot setting, generated like the synthetic items.

A sixteenth of all generated items is reserved for examples by their content, so no example is
ever among the test items, whatever the seeds.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TypeVar

from bias_tasks.data.synthetic.choices import choice_item
from bias_tasks.data.synthetic.deduction import judging_item
from bias_tasks.data.synthetic.stream import stream
from bias_tasks.items import CHOICE_LABELS, JUDGING_LABELS, ChoiceItem, JudgingItem

LabelT = TypeVar("LabelT", bound=str)


def judging_examples(labels: Sequence[str], count: int, seed: int) -> list[JudgingItem]:
    """`count` judging items whose gold labels are `labels`, repeated in turn.

    Args:
        labels: one or more of True, False, Unknown.
        count: examples, 0 or more.
        seed: any integer; the same seed gives the same examples.

    Raises:
        ValueError: `labels` is empty or has a label that the form does not know, or `count` is
            negative.
    """
    golds = _in_turn(labels, JUDGING_LABELS, count)
    return list(stream("judging", seed, golds, judging_item, examples=True))


def choice_examples(labels: Sequence[str], count: int, seed: int) -> list[ChoiceItem]:
    """`count` choice items whose gold labels are `labels`, repeated in turn.

    Args:
        labels: one or more of single, multiple, none.
        count: examples, 0 or more.
        seed: any integer; the same seed gives the same examples.

    Raises:
        ValueError: `labels` is empty or has a label that the form does not know, or `count` is
            negative.
    """
    golds = _in_turn(labels, CHOICE_LABELS, count)
    return list(stream("choice", seed, golds, choice_item, examples=True))


def _in_turn(labels: Sequence[str], known: tuple[LabelT, ...], count: int) -> list[LabelT]:
    if not labels or not set(labels) <= set(known):
        raise ValueError(f"labels of the examples are {labels!r}: use some of {', '.join(known)}")
    if count < 0:
        raise ValueError(f"count of the examples is {count}: use 0 or more")
    golds = [known[known.index(label)] for label in labels]
    return list(itertools.islice(itertools.cycle(golds), count))
