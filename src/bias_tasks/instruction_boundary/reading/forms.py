"""What the finders of explicit answers must know of a question form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bias_tasks.instruction_boundary.reading.statement import Region, Statement


@dataclass(frozen=True, slots=True)
class Form:
    """A question form, as its options stand in the prompt."""

    offered: tuple[int, ...]
    """Numbers of the options that are offered, from the first on; letters count from 0."""
    denials: Callable[[Region], list[tuple[Statement, bool]]]
    """Where a region says that none of the options is right, and whether that opens or closes it,
    or a line."""
    several: bool
    """Whether several options may be right, so that options can be judged each by itself."""
