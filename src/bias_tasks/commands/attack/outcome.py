"""What became of one attack."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Outcome:
    """An attacked response, or why there is none."""

    by: Literal["rule", "model"]
    text: str | None
    """The attacked response, None where it was rejected."""
    rejected: str | None = None
    """Why it was rejected."""
    steps: tuple[dict[str, Any], ...] = ()
    """What a model was asked, and what it replied."""

    def record(self) -> dict[str, Any]:
        """How the attack was made, as plain JSON values, for the provenance."""
        return {"by": self.by, "rejected": self.rejected, "steps": list(self.steps)}
