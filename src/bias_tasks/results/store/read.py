"""Runs from a store, of which the foot of the file is read alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bias_tasks.results.guarded import Found
from bias_tasks.results.run import Problem, Stored
from bias_tasks.results.shown import brief
from bias_tasks.results.store.layout import (
    KEY,
    LAYOUT,
    OUTCOME_COLUMNS,
    OWN_COLUMNS,
    layout_of,
    runs_told,
)

MAGIC = b"PAR1"
"""How a Parquet file begins, and how one ends that is whole."""
_AGAIN = "export the logs again with `bias-tasks export parquet`"


class NotAStoreError(Exception):
    """A file that is no store, or none that can be read; the message says why and what to do."""


def read_store(path: Path) -> Found:
    """The runs in a store; or why there are none."""
    try:
        with opened(path) as file:
            return [*_runs(path, file)]
    except NotAStoreError as error:
        return [Problem(path, str(error), failed=True)]


@contextmanager
def opened(path: Path, coded: tuple[str, ...] = ()) -> Iterator[Any]:
    """A store as pyarrow's `ParquetFile`; `coded` columns are read as positions and values.

    Raises:
        NotAStoreError: it is empty, cut short, or no Parquet.
        OSError: it can't be read.
    """
    import pyarrow as pa  # type: ignore[import-untyped]
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    _check_whole(path)
    try:
        file = pq.ParquetFile(
            path, read_dictionary=list(coded), page_checksum_verification=True, pre_buffer=False
        )
    except pa.ArrowException as error:
        raise NotAStoreError(f"cannot be read as Parquet ({brief(error)}): {_AGAIN}") from error
    with file:
        yield file


def column(file: Any, stored: Stored, name: str) -> Any:
    """A column of a run's rows as pyarrow has it, in chunks.

    Raises:
        NotAStoreError: what stands there is damaged.
    """
    import pyarrow as pa

    try:
        groups = list(range(stored.first, stored.last))
        found = file.read_row_groups(groups, columns=[name], use_threads=False).column(0)
    except (pa.ArrowException, OSError) as error:
        raise NotAStoreError(f"is damaged ({brief(error)}): {_AGAIN}") from error
    check_read(stored, len(found))
    return found


def check_read(stored: Stored, rows: int) -> None:
    """Raise unless so many rows are all of a run's.

    A page's head has no checksum: where it is damaged, pyarrow reads fewer rows and says nothing.

    Raises:
        NotAStoreError: they are fewer, or more.
    """
    if rows != stored.rows:
        told = f"{rows:,} of {stored.rows:,} rows can be read"
        raise NotAStoreError(f"is damaged ({told}): {_AGAIN}")


def _check_whole(path: Path) -> None:
    with path.open("rb") as stream:
        start = stream.read(len(MAGIC))
        stream.seek(0, 2)
        size = stream.tell()
        stream.seek(max(size - len(MAGIC), 0))
        end = stream.read()
    if not size:
        raise NotAStoreError(f"is empty: {_AGAIN}")
    if start != MAGIC:
        raise NotAStoreError("is no Parquet file, whatever its name says")
    if end != MAGIC or size < 3 * len(MAGIC):
        raise NotAStoreError(f"was cut short: {_AGAIN}")


def _runs(path: Path, file: Any) -> Found:
    metadata = file.metadata.metadata or {}
    names = set(file.schema_arrow.names)
    if KEY not in metadata:
        if names >= set(OUTCOME_COLUMNS):
            raise NotAStoreError(
                "was exported by an older version of bias-tasks, without what figures are made of: "
                f"{_AGAIN}"
            )
        return [Problem(path, "skipped: is no store of `bias-tasks export parquet`")]
    told = json.loads(metadata[KEY])
    layout = layout_of(told)
    if layout != LAYOUT:
        raise NotAStoreError(
            f"is a store of layout {layout}, and this version of bias-tasks reads {LAYOUT}: "
            + ("update bias-tasks" if layout > LAYOUT else _AGAIN)
        )
    lacking = [name for name in (*OUTCOME_COLUMNS, *OWN_COLUMNS) if name not in names]
    if lacking:
        raise NotAStoreError(f"lacks the columns {', '.join(lacking)}: {_AGAIN}")
    runs = runs_told(told, path)
    _check_rows(file.metadata, [run.stored for run in runs if run.stored is not None])
    return [*runs] or [Problem(path, "holds no run", failed=True)]


def _check_rows(metadata: Any, stored: list[Stored]) -> None:
    """Raise unless the runs' row groups are all there, in their order, with all of their rows."""
    end = 0
    for each in stored:
        counted = sum(
            metadata.row_group(group).num_rows
            for group in range(each.first, min(each.last, metadata.num_row_groups))
        )
        if each.first != end or counted != each.rows:
            raise NotAStoreError(f"does not hold the rows that it tells of: {_AGAIN}")
        end = each.last
    if sum(each.rows for each in stored) != metadata.num_rows:
        raise NotAStoreError(f"holds rows of which it tells nothing: {_AGAIN}")
