"""Which options of a choice item are shown, in which order and with which numbers."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from typing import Literal

from bias_tasks.instruction_boundary.items import ChoiceItem
from bias_tasks.prompts.seeded import seeded
from bias_tasks.protocols import PaperProtocol

Symbols = Literal["numbers", "letters"]

ALL_TRUE = "All above are true"
ALL_FALSE = "All above are false"
"""Table 2's two extra options of Disturbing Miscellany."""

_ALL_OTHERS_FALSE = re.compile(
    r"\ball (?:the )?other options are (?:false|wrong|incorrect)\b", re.I
)


@dataclass(frozen=True, slots=True)
class ShownOptions:
    """The options in the order shown.

    `positions[k]` is the item's option shown at place k; -1 marks an option that is not the
    item's own and is wrong. `lines[k]` is its line in the prompt.
    """

    positions: tuple[int, ...]
    lines: tuple[str, ...]
    first: int
    """The number that stands for the first option."""
    symbols: Symbols = "numbers"

    def places(self, positions: tuple[int, ...]) -> tuple[int, ...]:
        """Where the item's options at `positions` are shown; those not shown are left out."""
        return tuple(sorted(self.positions.index(p) for p in positions if p in self.positions))

    def symbol(self, place: int) -> str:
        """What stands for the option shown at `place`: its number, or its letter in the item."""
        if self.symbols == "letters":
            return _letter(self.positions[place])
        return str(self.first + place)


def all_options(item: ChoiceItem, protocol: PaperProtocol) -> ShownOptions:
    """Every option in the item's order.

    Corrected: numbered from 1. Published: as the source prints them, with or without numbers,
    while gold counts from 0.
    """
    return show(item, tuple(range(len(item.options))), protocol)


def without_one(item: ChoiceItem, seed: int, protocol: PaperProtocol) -> ShownOptions:
    """The options of missing_choices (appendix A.3, step 2).

    The option that says that all others are false is left out where there is one; otherwise one
    wrong option is, unless no option is right (there the covering option was never offered) or
    fewer than two options would remain. Published: all options stay, only the template changes.
    """
    kept = list(range(len(item.options)))
    covering = [p for p in kept if _ALL_OTHERS_FALSE.search(item.options[p])]
    wrong = [p for p in kept if p not in item.answer]
    if protocol == "corrected" and covering:
        kept.remove(covering[0])
    elif protocol == "corrected" and item.answer and wrong and len(kept) > 2:
        kept.remove(seeded(seed, item.id, "missing_choices").choice(wrong))
    return show(item, tuple(kept), protocol)


def with_distractors(
    item: ChoiceItem, count: int, seed: int, protocol: PaperProtocol
) -> ShownOptions:
    """The right options and `count` wrong ones (Disturbing Miscellany).

    A larger count only adds options: the wrong ones are taken in one seeded order. Corrected:
    shown in a seeded order and numbered from 1; an item with fewer wrong options than `count`
    gets table 2's extra options, as far as they are wrong for it. Published: in the item's order,
    each with its letter in the item.
    """
    rng = seeded(seed, item.id, "disturbing_miscellany")
    wrong = _shuffled(rng, [p for p in range(len(item.options)) if p not in item.answer])
    shown = [*item.answer, *wrong[:count]]
    if protocol == "published":
        shown = sorted(shown)
        lines = tuple(f"{_letter(p)}. {item.options[p]}" for p in shown)
        return ShownOptions(tuple(shown), lines, first=0, symbols="letters")
    shown = _shuffled(rng, shown)
    extra = [ALL_TRUE, ALL_FALSE] if item.answer else [ALL_TRUE]
    extra = extra[: max(0, count - len(wrong))]
    texts = [*(item.options[p] for p in shown), *extra]
    return ShownOptions((*shown, *(-1 for _ in extra)), _numbered(texts), first=1)


def show(item: ChoiceItem, positions: tuple[int, ...], protocol: PaperProtocol) -> ShownOptions:
    """The item's options at `positions`, numbered as the protocol wants it."""
    if protocol == "published":
        printed = item.printed_options or item.options
        return ShownOptions(positions, tuple(printed[p] for p in positions), first=0)
    return ShownOptions(positions, _numbered([item.options[p] for p in positions]), first=1)


def _numbered(texts: list[str]) -> tuple[str, ...]:
    return tuple(f"{number}. {text}" for number, text in enumerate(texts, start=1))


def _shuffled(rng: random.Random, positions: list[int]) -> list[int]:
    return rng.sample(positions, len(positions))


def _letter(position: int) -> str:
    return chr(ord("A") + position)
