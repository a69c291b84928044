"""What a probe is."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from bias_tasks.probing.items import Asked, ProbedItem
from bias_tasks.probing.options_block import LETTERS
from bias_tasks.probing.rewordings.file import Rewordings


class DoesNotApplyError(Exception):
    """An item can't be asked under a probe; the message says why in a few words."""


class Probe(ABC):
    """One way to ask an item otherwise, such that its right answer stays what it is."""

    name: ClassVar[str]
    meaning: ClassVar[str]
    """What it changes, in a line."""
    generates: ClassVar[bool] = False
    """Whether it takes an answer that is written: it means nothing where choices are compared by
    their likelihood."""
    goes_on: ClassVar[bool] = False
    """Whether the model is asked once more behind its answer, which a host that asks each question
    once can't."""
    rewrites: ClassVar[bool] = False
    """Whether a model is asked to rewrite the prompt first, which such a host can't either."""
    shows_others: ClassVar[bool] = False
    """Whether it shows other items of the task, which a host then has to read."""
    takes_rewordings: ClassVar[bool] = False
    """Whether a file of rewordings says how items are asked under it."""

    def among(self, asked: Sequence[ProbedItem], others: Sequence[ProbedItem]) -> Probe:
        """The probe as a run asks it that asks these items of a task, and not the others."""
        return self

    @abstractmethod
    def asked(self, item: ProbedItem, rng: random.Random) -> Asked:
        """How the item is asked.

        Args:
            item: of any task.
            rng: seeded by the run, the item and the probe; nothing else may be drawn from.

        Raises:
            DoesNotApplyError: the item can't be asked so.
        """

    def with_rewordings(self, rewordings: Rewordings | None) -> Probe:
        """The probe with a file of rewordings, where it takes one."""
        return self

    def lacking(self) -> str | None:
        """What a run must be given for the probe to be asked, in words; None where nothing is."""
        return None

    def notes(self, items: Sequence[ProbedItem]) -> tuple[str, ...]:
        """What must be said wherever figures of the items that are asked so are shown."""
        return ()


def need_text(item: ProbedItem) -> None:
    """Raise where the item's prompt has no text into which something could be put."""
    if not item.text.strip():
        raise DoesNotApplyError("its prompt has no text of its own")


def need_choices(item: ProbedItem) -> None:
    """Raise where the item's prompt prints no choices, or more than there are letters for."""
    if len(item.choices) < 2:
        raise DoesNotApplyError("its prompt prints no choices")
    if len(item.choices) > len(LETTERS):
        raise DoesNotApplyError(f"it has more than {len(LETTERS)} choices")


def need_different_choices(item: ProbedItem) -> None:
    """Raise where two choices say the same, so that a right one may pass for a wrong one."""
    need_choices(item)
    if len({" ".join(each.split()) for each in item.choices}) < len(item.choices):
        raise DoesNotApplyError("two of its choices are the same")
