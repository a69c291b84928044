"""What a probe is, what a run gives to it, and which items it needs."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from bias_tasks.probing.formats import FINAL_FORMATS
from bias_tasks.probing.items import Asked, ProbedItem
from bias_tasks.probing.options import LETTERS
from bias_tasks.probing.rewordings import Rows


class DoesNotApplyError(Exception):
    """An item can't be asked under a probe, for a reason of a few words."""


@dataclass(frozen=True, slots=True, eq=False)
class ProbeInput:
    """What a run gives to its probes, beside the item that is asked."""

    asked: Sequence[ProbedItem] = ()
    """All items of the run."""
    others: Sequence[ProbedItem] = ()
    """Items of the same task that the run does not ask."""
    rewordings: Rows = field(default_factory=dict)
    formats: Sequence[str] = tuple(FINAL_FORMATS)
    """Of which the probe `format` draws."""


Probe = Callable[[ProbedItem, random.Random, ProbeInput], Asked]
"""One way to ask an item otherwise, such that its right answer stays what it is. The source of
chance is seeded by the run, the item and the probe; nothing else may be drawn from. It raises
DoesNotApplyError where the item can't be asked so."""


def need_text(item: ProbedItem) -> None:
    """Raise where the item's prompt has no text into which something could be put."""
    if not item.text.strip():
        raise DoesNotApplyError("its prompt has no text of its own")


def need_choices(item: ProbedItem, *, different: bool = False) -> None:
    """Raise where the prompt prints no choices, too many or, if `different`, two that are alike."""
    if len(item.choices) < 2:
        raise DoesNotApplyError("its prompt prints no choices")
    if len(item.choices) > len(LETTERS):
        raise DoesNotApplyError(f"it has more than {len(LETTERS)} choices")
    if different and len({" ".join(each.split()) for each in item.choices}) < len(item.choices):
        raise DoesNotApplyError("two of its choices are the same")
