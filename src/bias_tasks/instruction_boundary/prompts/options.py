"""Which options of a choice item are shown, in which order and with which numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from bias_tasks.instruction_boundary.items import ChoiceItem
from bias_tasks.names import PaperProtocol

Symbols = Literal["numbers", "letters"]
NOT_ITS_OWN = -1
"""Stands among positions for an option that is not the item's own."""


@dataclass(frozen=True, slots=True)
class ShownOptions:
    """The options in the order shown.

    `positions[k]` is the item's option shown at place k; `NOT_ITS_OWN` marks an option that is not
    the item's own, and is wrong unless it is the `covering` one. `lines[k]` is its line in the
    prompt.
    """

    positions: tuple[int, ...]
    lines: tuple[str, ...]
    first: int
    """The number that stands for the first option."""
    symbols: Symbols = "numbers"
    covering: int | None = None
    """Place of an option that says that all others are false, where that is added and true."""

    def places(self, positions: tuple[int, ...]) -> tuple[int, ...]:
        """Where the item's options at `positions` are shown; those not shown are left out."""
        return tuple(sorted(self.positions.index(p) for p in positions if p in self.positions))

    def right(self, item: ChoiceItem) -> tuple[int, ...]:
        """Places of the right ones among the options shown."""
        return self.places(item.answer) if self.covering is None else (self.covering,)

    def symbol(self, place: int) -> str:
        """What stands for the option shown at `place`: its number, or its letter in the item."""
        if self.symbols == "letters":
            return letter(self.positions[place])
        return str(self.first + place)


def all_options(item: ChoiceItem, protocol: PaperProtocol) -> ShownOptions:
    """Every option in the item's order.

    Corrected: numbered from 1. Published: as the source prints them, with or without numbers,
    while gold counts from 0.
    """
    return show(item, tuple(range(len(item.options))), protocol)


def show(item: ChoiceItem, positions: tuple[int, ...], protocol: PaperProtocol) -> ShownOptions:
    """The item's options at `positions`, numbered as the protocol wants it."""
    if protocol == "published":
        printed = item.printed_options or item.options
        return ShownOptions(positions, tuple(printed[p] for p in positions), first=0)
    return ShownOptions(positions, numbered([item.options[p] for p in positions]), first=1)


def numbered(texts: Sequence[str]) -> tuple[str, ...]:
    """The lines of options numbered from 1."""
    return tuple(f"{number}. {text}" for number, text in enumerate(texts, start=1))


def letter(position: int) -> str:
    """The letter of an item's option at a position counted from 0."""
    return chr(ord("A") + position)
