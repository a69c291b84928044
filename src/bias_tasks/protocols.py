"""The two ways in which every task asks, reads and scores."""

from __future__ import annotations

from typing import Literal

PaperProtocol = Literal["corrected", "published"]
"""`corrected` measures what the paper says it measures; `published` repeats its instrument."""
PROTOCOLS: tuple[PaperProtocol, ...] = ("corrected", "published")
