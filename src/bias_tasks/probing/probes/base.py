"""What a probe is, what a run gives to it, and which items it needs."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bias_tasks.probing.formats import FINAL_FORMATS
from bias_tasks.probing.items import Asked, ProbedItem
from bias_tasks.probing.options import LETTERS
from bias_tasks.probing.rewordings import Rewordings


class DoesNotApplyError(Exception):
    """An item can't be asked under a probe; the message says why in a few words."""


@dataclass(frozen=True, slots=True, eq=False)
class ProbeInput:
    """What a run gives to its probes, beside the item that is asked."""

    asked: Sequence[ProbedItem] = ()
    """All items of the run."""
    others: Sequence[ProbedItem] = ()
    """Items of the same task that the run does not ask."""
    rewordings: Rewordings | None = None
    formats: Sequence[str] = tuple(FINAL_FORMATS)
    """Of which the probe `format` draws."""


@dataclass(frozen=True, slots=True)
class Probe:
    """One way to ask an item otherwise, such that its right answer stays what it is."""

    ask: Callable[[ProbedItem, random.Random, ProbeInput], Asked]
    """How an item is asked. The source of chance is seeded by the run, the item and the probe;
    nothing else may be drawn from. It raises DoesNotApplyError where the item can't be asked so."""
    generates: bool = False
    """Whether it needs a written answer, and so no task that compares likelihoods has it."""
    asks_twice: bool = False
    """Whether a model is asked before or behind the question, too."""

    @property
    def name(self) -> str:
        """Of its function."""
        return self.ask.__name__

    @property
    def meaning(self) -> str:
        """What it changes: the first paragraph of the function's docstring."""
        told = " ".join((self.ask.__doc__ or "").partition("\n\n")[0].split()).removesuffix(".")
        return told[:1].lower() + told[1:]


def need_text(item: ProbedItem) -> None:
    """Raise where the item's prompt has no text into which something could be put."""
    if not item.text.strip():
        raise DoesNotApplyError("its prompt has no text of its own")


def need_choices(item: ProbedItem, *, different: bool = False) -> None:
    """Raise where the item's prompt prints no choices, more than there are letters for, or, if they
    must be `different`, two that say the same."""
    if len(item.choices) < 2:
        raise DoesNotApplyError("its prompt prints no choices")
    if len(item.choices) > len(LETTERS):
        raise DoesNotApplyError(f"it has more than {len(LETTERS)} choices")
    if different and len({" ".join(each.split()) for each in item.choices}) < len(item.choices):
        raise DoesNotApplyError("two of its choices are the same")
