"""What became of one item in one format."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FormatOutcome:
    """One answer, or the mean of several over epochs."""

    item: str
    cluster: str
    format: str
    follows: float
    """Share of epochs whose answer follows the format (fi); 0 or 1 over one epoch."""
    score: float
    """Mean task score of the answers over all epochs, from 0 to 1.

    Corrected: an answer that does not follow the format scores 0. Published: it scores what could
    be extracted from it.
    """
