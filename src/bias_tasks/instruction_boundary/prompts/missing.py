"""The options of missing_choices, in the two steps of appendix A.3.

Step 1 splits the items into halves. Where one is *modified*, its right option is replaced by the
statement "all other options are false", which is right from then on; the other half stays as it is.
Step 2 shows everything in the complete setting. In the insufficient one the statement is left out
of the modified items, so that no option is right any more, and one wrong option of the others.
"""

from __future__ import annotations

import re
from typing import Literal

from bias_tasks.instruction_boundary.items import ChoiceItem
from bias_tasks.instruction_boundary.prompts.options import (
    NOT_ITS_OWN,
    ShownOptions,
    all_options,
    numbered,
    show,
)
from bias_tasks.names import PaperProtocol
from bias_tasks.prompts.seeded import seeded

COVERING = "all other options are false"
Loss = Literal["covering", "wrong", "nothing"]
"""What an item loses: the option that says that all others are false, a wrong one, or nothing."""

_ALL_OTHERS_FALSE = re.compile(
    r"\ball (?:the )?other options are (?:false|wrong|incorrect)\b", re.I
)
_FEWEST = 2
"""So many options are left at least."""


def complete_options(item: ChoiceItem, seed: int, protocol: PaperProtocol) -> ShownOptions:
    """Every option, after step 1: what the insufficient setting is compared with.

    The statement stands in the place of the right option, or of the first of several; of an item
    whose right option its data set has masked already, in a drawn place. Published: the item as it
    is, since the public code has no step 1.
    """
    if protocol == "published" or not _is_modified(item, seed):
        return all_options(item, protocol)
    places = [NOT_ITS_OWN if p in item.answer[:1] else p for p in _wrong_or_first(item)]
    if not item.answer:
        drawn = seeded(seed, item.id, "place of the statement").randrange(len(places) + 1)
        places.insert(drawn, NOT_ITS_OWN)
    texts = [COVERING if p == NOT_ITS_OWN else item.options[p] for p in places]
    covering = places.index(NOT_ITS_OWN)
    return ShownOptions(tuple(places), numbered(texts), first=1, covering=covering)


def without_one(item: ChoiceItem, seed: int, protocol: PaperProtocol) -> ShownOptions:
    """The options of which one is left out. Published: all options stay, as in the public code."""
    if protocol == "published":
        return all_options(item, protocol)
    kept = list(range(len(item.options)))
    own = _covering_own(item)
    match loss_of(item, seed):
        case "covering" if own is not None:
            kept.remove(own)
        case "covering":
            kept = _wrong(item)
        case "wrong":
            kept.remove(seeded(seed, item.id, "missing_choices").choice(_wrong(item)))
    return show(item, tuple(kept), protocol)


def loss_of(item: ChoiceItem, seed: int) -> Loss:
    """What the item loses in the insufficient setting, under the corrected protocol."""
    if _covering_own(item) is not None or _is_modified(item, seed):
        return "covering"
    return "wrong" if _wrong(item) and len(item.options) > _FEWEST else "nothing"


def _is_modified(item: ChoiceItem, seed: int) -> bool:
    """Whether step 1 puts the statement in the place of the right option.

    It does so by a seeded coin. Where no option is right, the right one was masked already (section
    2.2), which leaves its place to the statement. An item that has such a statement of its own, or
    would keep fewer than two options without its right ones, stays as it is.
    """
    if _covering_own(item) is not None or len(_wrong(item)) < _FEWEST:
        return False
    return not item.answer or seeded(seed, item.id, "label modification").random() < 0.5


def _covering_own(item: ChoiceItem) -> int | None:
    """Position of the item's own option that says that all others are false."""
    found = (p for p, text in enumerate(item.options) if _ALL_OTHERS_FALSE.search(text))
    return next(found, None)


def _wrong(item: ChoiceItem) -> list[int]:
    return [p for p in range(len(item.options)) if p not in item.answer]


def _wrong_or_first(item: ChoiceItem) -> list[int]:
    """The wrong options and the first right one, in the item's order."""
    return [p for p in range(len(item.options)) if p not in item.answer[1:]]
