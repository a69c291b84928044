"""What became of one question under one variant."""

from __future__ import annotations

from dataclasses import dataclass

from bias_tasks.binary_qa.items import NEGATIVE, BinaryLabel, opposite


@dataclass(frozen=True, slots=True)
class BinaryOutcome:
    """One answer. A question's answers of one epoch are compared with each other."""

    item: str
    cluster: str
    domain: str
    variant: str
    """One of `bias_tasks.binary_qa.items.VARIANTS`."""
    gold: BinaryLabel
    """The right answer to the *original* question, whatever the variant."""
    answer: BinaryLabel | None
    """What was answered; None when it could not be read."""
    epoch: int = 1

    @property
    def right(self) -> bool:
        """Whether the answer is the right one under the variant."""
        return self.answer == (opposite(self.gold) if self.variant in NEGATIVE else self.gold)
