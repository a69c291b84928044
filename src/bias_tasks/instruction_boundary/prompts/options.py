"""Which options of a choice item are shown, in which order and with which numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from bias_tasks.instruction_boundary.items import ChoiceItem
from bias_tasks.names import PaperProtocol
from bias_tasks.prompts.templates import seeded

Symbols = Literal["numbers", "letters"]
NOT_ITS_OWN = -1
"""Stands among positions for an option that is not the item's own."""

ALL_TRUE = "All above are true"
ALL_FALSE = "All above are false"
"""Table 2's two extra options of Disturbing Miscellany."""
COVERING = "all other options are false"
Loss = Literal["covering", "wrong", "nothing"]
"""What an item loses: the option that says that all others are false, a wrong one, or nothing."""
_FEWEST = 2
"""So many options are left at least."""


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
    wrong = rng.sample(_wrong(item), len(_wrong(item)))
    shown = [*item.answer, *wrong[:count]]
    if protocol == "published":
        drawn = wrong[:count] if item.drawn is None else item.drawn[count - 1]
        shown = sorted((*item.answer, *drawn))
        lines = tuple(f"{letter(p)}. {item.options[p]}" for p in shown)
        return ShownOptions(tuple(shown), lines, first=0, symbols="letters")
    shown = rng.sample(shown, len(shown))
    # Table 2's extra options that are wrong for the item.
    extra = [ALL_TRUE] * (len(item.answer) < len(item.options)) + [ALL_FALSE] * bool(item.answer)
    extra = extra[: max(0, count - len(wrong))]
    texts = [*(item.options[p] for p in shown), *extra]
    return ShownOptions((*shown, *(NOT_ITS_OWN for _ in extra)), numbered(texts), first=1)


def complete_options(item: ChoiceItem, seed: int, protocol: PaperProtocol) -> ShownOptions:
    """The options of missing_choices in its complete setting (appendix A.3): all, after step 1.

    Step 1 splits the items into halves. Where one is *modified*, its right option is replaced by
    the statement "all other options are false", which is right from then on; the other half stays
    as it is. In the insufficient setting (`without_one`) that statement is left out of the modified
    items, so that no option is right any more, and one wrong option of the others.

    The statement stands in the place of the right option, or of the first of several; of an item
    whose right option its data set has masked already, in a drawn place. Published: the item as it
    is, since the public code has no step 1.
    """
    if protocol == "published" or not _is_modified(item, seed):
        return all_options(item, protocol)
    own = [p for p in range(len(item.options)) if p not in item.answer[1:]]
    places = [NOT_ITS_OWN if p in item.answer[:1] else p for p in own]
    if not item.answer:
        drawn = seeded(seed, item.id, "place of the statement").randrange(len(places) + 1)
        places.insert(drawn, NOT_ITS_OWN)
    texts = [COVERING if p == NOT_ITS_OWN else item.options[p] for p in places]
    covering = places.index(NOT_ITS_OWN)
    return ShownOptions(tuple(places), numbered(texts), first=1, covering=covering)


def without_one(item: ChoiceItem, seed: int, protocol: PaperProtocol) -> ShownOptions:
    """The options with one left out. Published: all options stay, as in the public code."""
    if protocol == "published":
        return all_options(item, protocol)
    loss = loss_of(item, seed)
    kept = _wrong(item) if loss == "covering" else list(range(len(item.options)))
    if loss == "wrong":
        kept.remove(seeded(seed, item.id, "missing_choices").choice(_wrong(item)))
    return show(item, tuple(kept), protocol)


def loss_of(item: ChoiceItem, seed: int) -> Loss:
    """What the item loses in the insufficient setting, under the corrected protocol."""
    if _is_modified(item, seed):
        return "covering"
    return "wrong" if _wrong(item) and len(item.options) > _FEWEST else "nothing"


def _is_modified(item: ChoiceItem, seed: int) -> bool:
    """Whether step 1 puts the statement in the place of the right option.

    It does so by a seeded coin. Where no option is right, the right one was masked already (section
    2.2), which leaves its place to the statement. An item that would keep fewer than two options
    without its right ones stays as it is.
    """
    if len(_wrong(item)) < _FEWEST:
        return False
    return not item.answer or seeded(seed, item.id, "label modification").random() < 0.5


def _wrong(item: ChoiceItem) -> list[int]:
    return [p for p in range(len(item.options)) if p not in item.answer]
