"""Unlimited generated items with exact labels, for runs that no training set has seen.

Everything follows from the seed: the same arguments give the same items on every machine, and the
first k of n items are those of a call with n = k. Nothing is fetched.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import partial
from typing import Literal

from bias_tasks.data.synthetic.stream import stream
from bias_tasks.instruction_boundary.data.synthetic.choices import OPTION_COUNTS, choice_item
from bias_tasks.instruction_boundary.data.synthetic.deduction import (
    DEPTHS,
    DISTRACTORS,
    judging_item,
)
from bias_tasks.instruction_boundary.items import ChoiceItem, ChoiceLabel, Item, JudgingLabel

# The shares of the paper's data (section 3.1), in an order that keeps every prefix balanced.
_JUDGING_PATTERN: tuple[JudgingLabel, ...] = ("Unknown", "True", "Unknown", "False")
_CHOICE_PATTERN: tuple[ChoiceLabel, ...] = ("single", "multiple", "none")


def generate(
    form: Literal["judging", "choice", "all"],
    n: int,
    seed: int,
    *,
    depth: int | None = None,
    distractors: int | None = None,
) -> list[Item]:
    """Generated test items.

    Judging labels are half Unknown, a quarter True and a quarter False; choice items are in equal
    parts single, multiple and none, with four options.

    Args:
        form: judging, choice, or all: n judging items and then n choice items.
        n: items per form, 0 or more.
        seed: any integer; another seed gives other items.
        depth: judging form: rules that must be applied one after another, 1 to 6; varies from 1
            to 4 by default.
        distractors: judging form: sentences that do not bear on the statement, 0 to 12; varies
            from 2 to 5 by default.

    Raises:
        ValueError: an argument is out of range.
    """
    if form not in ("judging", "choice", "all"):
        raise ValueError(f"form is {form!r}: use judging, choice or all")
    _check_range("n", n, range(2**31))
    if depth is not None:
        _check_range("depth", depth, DEPTHS)
    if distractors is not None:
        _check_range("distractors", distractors, DISTRACTORS)
    items: list[Item] = []
    if form != "choice":
        make = partial(judging_item, depth=depth, distractors=distractors)
        labels = itertools.islice(itertools.cycle(_JUDGING_PATTERN), n)
        items += stream("judging", seed, labels, make)
    if form != "judging":
        kinds = itertools.islice(itertools.cycle(_CHOICE_PATTERN), n)
        items += stream("choice", seed, kinds, choice_item)
    return items


def generate_single(n: int, seed: int, n_options: int = 10) -> list[ChoiceItem]:
    """Test items with exactly one right option among many, for disturbing_miscellany.

    Raises:
        ValueError: an argument is out of range.
    """
    _check_range("n", n, range(2**31))
    _check_range("n_options", n_options, OPTION_COUNTS)
    labels: Iterator[ChoiceLabel] = itertools.repeat("single", n)
    return list(stream("single", seed, labels, partial(choice_item, n_options=n_options)))


def _check_range(name: str, value: int, allowed: range) -> None:
    if not isinstance(value, int) or value not in allowed:
        raise ValueError(
            f"{name} is {value!r}: use a whole number from {allowed[0]} to {allowed[-1]}"
        )
