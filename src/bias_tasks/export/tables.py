"""What every answer came to as a table in CSV, written a run at a time."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, BinaryIO

from bias_tasks.results.store.layout import OUTCOME_COLUMNS

Rows = Sequence[Mapping[str, Any]]


def write_csv(runs: Iterable[Rows], stream: BinaryIO) -> None:
    """Write runs as CSV: a line an answer, nothing between commas where a value is missing."""
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="", write_through=True)
    lines = csv.DictWriter(text, list(OUTCOME_COLUMNS), lineterminator="\n")
    lines.writeheader()
    for rows in runs:
        lines.writerows(rows)
    text.detach()  # or the stream, which is its owner's, would be closed
