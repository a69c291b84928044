"""Faults that the served respondent makes on request, so that retries can be tried out."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import Literal, get_args

from bias_tasks.respondents.draws import draw

Fault = Literal[
    "error_429",
    "error_500",
    "cut",
    "garbage",
    "error_503",
    "drop",
    "truncated",
    "stall",
    "error_200",
]
KINDS: tuple[Fault, ...] = get_args(Fault)


@dataclass(frozen=True, slots=True)
class Faults:
    """How often which fault happens: shares of the requests, between 0 and 1.

    Raises:
        ValueError: a share is out of range, the shares add up to more than 1, or the latency is
            negative.
    """

    latency: float = 0.0
    """Seconds before each response."""
    error_429: float = 0.0
    """Too many requests."""
    error_500: float = 0.0
    cut: float = 0.0
    """The connection ends in the middle of the body."""
    garbage: float = 0.0
    """A body with status 200 that is not JSON."""
    error_503: float = 0.0
    """Not available."""
    drop: float = 0.0
    """The connection ends before the response begins."""
    truncated: float = 0.0
    """A response that is whole by its length, and whose JSON ends in the middle."""
    stall: float = 0.0
    """No response, until the client hangs up."""
    error_200: float = 0.0
    """An error that is told with the status of an answer, as some gateways do."""
    retry_after: bool = True
    """Whether responses with an error say when to come again: soon."""
    seed: int = 0

    def __post_init__(self) -> None:
        for kind, share in zip(KINDS, self._shares(), strict=True):
            if not 0 <= share <= 1:
                raise ValueError(f"{kind}={share}: expected a share between 0 and 1")
        if sum(self._shares()) > 1:
            raise ValueError(f"the shares of faults add up to {sum(self._shares()):g}, above 1")
        if not 0 <= self.latency < float("inf"):
            raise ValueError(f"latency={self.latency}: expected seconds, 0 or more")

    def of(self, request: int) -> Fault | None:
        """The fault of the request with this running number, or None.

        The number is drawn for, not the prompt, so a repeated request can succeed.
        """
        drawn = draw(self.seed, "fault", str(request))
        for kind, bound in zip(KINDS, accumulate(self._shares()), strict=True):
            if drawn < bound:
                return kind
        return None

    def _shares(self) -> tuple[float, ...]:
        return tuple(getattr(self, kind) for kind in KINDS)
