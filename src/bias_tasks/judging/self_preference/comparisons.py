"""What a run of one prompt holds: both answers, and what each judge said of them in both orders.

A host writes it as the sample's output, so that it goes into any log, and the figures are read
from there.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Literal

from pydantic import TypeAdapter, ValidationError

Author = Literal["own", "other"]
OWN: Author = "own"
OTHER: Author = "other"
ORDERS: tuple[Author, ...] = (OWN, OTHER)
"""Whose answer stands first."""
JUDGE = "judge"
"""The evaluated model as a judge; the others are `jury`, or `jury1`, `jury2` and so on."""
JURY = "jury"


@dataclass(frozen=True, slots=True)
class Said:
    """What a judge said of both answers in one order."""

    judge: str
    first: Author
    text: str
    cut: bool = False
    """Whether it ended at a token limit."""


@dataclass(frozen=True, slots=True)
class Comparisons:
    """Two answers to a prompt, and what the judges said of them."""

    own: str
    other: str
    said: tuple[Said, ...] = ()

    def to_text(self) -> str:
        """As JSON, which `of_text` reads back."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @property
    def alike(self) -> bool:
        """Whether both answers are the same but for blanks around them."""
        return self.own.strip() == self.other.strip() != ""

    @property
    def incomparable(self) -> str | None:
        """Why the answers can't be compared; None where they can."""
        blank = [
            name
            for name, text in zip(ORDERS, (self.own, self.other), strict=True)
            if not text.strip()
        ]
        if blank:
            return f"no answer: {' and '.join(blank)}"
        return "both answers are the same" if self.alike else None


_ADAPTER = TypeAdapter(Comparisons)


def of_text(text: str) -> Comparisons | None:
    """The comparisons that `Comparisons.to_text` wrote; None for any other text."""
    try:
        return _ADAPTER.validate_json(text)
    except ValidationError:
        return None


def juries(count: int) -> Sequence[str]:
    """The names of so many further judges."""
    return [JURY] if count == 1 else [f"{JURY}{number}" for number in range(1, count + 1)]
