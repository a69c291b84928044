"""What every answer came to as a table: a row an answer, written a run at a time."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, BinaryIO

from bias_tasks.results.frames import OUTCOME_COLUMNS

Rows = Sequence[Mapping[str, Any]]


def write_csv(runs: Iterable[Rows], stream: BinaryIO) -> None:
    """Write runs as CSV: a line an answer, nothing between commas where a value is missing."""
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="", write_through=True)
    lines = csv.DictWriter(text, list(OUTCOME_COLUMNS), lineterminator="\n")
    lines.writeheader()
    for rows in runs:
        lines.writerows(rows)
    text.detach()  # or the stream, which is its owner's, would be closed


def write_parquet(runs: Iterable[Rows], stream: BinaryIO) -> None:
    """Write runs as Parquet: a row an answer, a run a row group."""
    import pyarrow as pa  # type: ignore[import-untyped]
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    types = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
    schema = pa.schema([(name, types[kind]) for name, kind in OUTCOME_COLUMNS.items()])
    with pq.ParquetWriter(stream, schema, compression="zstd") as writer:
        for rows in runs:
            writer.write_table(pa.Table.from_pylist(list(rows), schema=schema))
