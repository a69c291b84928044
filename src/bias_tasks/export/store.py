"""Writes a store: runs with all their answers in one Parquet file, of which little is ever held.

A run is first written beside the file, as fast as its log can be read, and taken over when it is
whole: of a run that turns out to be broken half way there is nothing in the store.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from bias_tasks.family import Outcome
from bias_tasks.results.answers import Answered
from bias_tasks.results.frames import not_ours, outcome_row
from bias_tasks.results.run import Run, Stored
from bias_tasks.results.shown import brief
from bias_tasks.results.store.layout import KEY, OUTCOME_COLUMNS, OWN_COLUMNS, told_of_runs

_ROWS, _BYTES = 50_000, 2**23
"""Of a row group: from how many rows and bytes on it ends. Prompts may be of any length."""
_HELD_ROWS, _HELD_BYTES = 2_000, 2**22
"""The same of the answers that are held as objects."""
_TEXTS = ("prompt", "facts", "own", "item", "answer", "why")
"""The columns whose texts may be long."""


class StoreWriter:
    """Adds runs to a store, one after the other; as a context it is whole when it is left."""

    def __init__(self, stream: BinaryIO, folder: Path) -> None:
        """Writes to a stream; `folder` takes what is not whole yet, under no name."""
        import pyarrow.parquet as pq  # type: ignore[import-untyped]

        self._folder = folder
        self._runs: list[tuple[Run, Stored]] = []
        self.schema = _schema()
        self._groups = 0
        self._writer = pq.ParquetWriter(
            stream, self.schema, compression="zstd", write_page_checksum=True
        )

    def add(self, run: Run, answers: Iterable[Answered | None]) -> int:
        """Add a run, and say how many rows it has.

        Args:
            run: the run.
            answers: its answers, as `each_answer` reads them. Where they can't be read to their end
                nothing of the run is added.
        """
        import pyarrow as pa

        options = pa.ipc.IpcWriteOptions(compression="lz4")
        counts = _Counts()
        with tempfile.TemporaryFile(dir=self._folder) as spool:
            with pa.ipc.new_stream(spool, self.schema, options=options) as out:
                for batch in self._batches(run, answers, counts):
                    out.write_batch(batch)
            spool.seek(0)
            with pa.ipc.open_stream(spool) as whole:
                self.add_batches(run, whole, counts.unscored)
        return counts.rows

    def __enter__(self) -> StoreWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Write the runs' records at the foot of the file, unless something went wrong."""
        if kind is None:
            self._writer.add_key_value_metadata({KEY: told_of_runs(self._runs)})
            self._writer.close()
            return
        with suppress(OSError):  # what went wrong may be the writing itself
            self._writer.close()

    def add_batches(self, run: Run, batches: Iterable[Any], unscored: int = 0) -> None:
        """Add a run whose answers are pyarrow's record batches of the store's `schema`."""
        first, rows = self._groups, 0
        for group in _grouped(batches):
            self._writer.write_table(group, row_group_size=group.num_rows)
            rows += group.num_rows
            self._groups += 1
        self._runs.append((run, Stored(Path(), first, self._groups, rows, unscored)))

    def _batches(
        self, run: Run, answers: Iterable[Answered | None], counts: _Counts
    ) -> Iterator[Any]:
        import pyarrow as pa

        number, held, size = len(self._runs), [], 0
        for answer in answers:
            if answer is None:
                counts.unscored += 1
                continue
            row = _row(run, number, answer)
            held.append(row)
            size += sum(len(row[name] or "") for name in _TEXTS)
            if len(held) == _HELD_ROWS or size >= _HELD_BYTES:
                counts.rows += len(held)
                yield pa.RecordBatch.from_pylist(held, schema=self.schema)
                held, size = [], 0
        if held:
            counts.rows += len(held)
            yield pa.RecordBatch.from_pylist(held, schema=self.schema)


def _grouped(batches: Iterable[Any]) -> Iterator[Any]:
    """Batches put together into tables that are large enough for a row group."""
    import pyarrow as pa

    held: list[Any] = []
    for batch in batches:
        held.append(batch)
        rows, size = sum(each.num_rows for each in held), sum(each.nbytes for each in held)
        if rows >= _ROWS or size >= _BYTES:
            yield pa.Table.from_batches(held)
            held = []
    if held:
        yield pa.Table.from_batches(held)


class _Counts:
    """What became of a run's samples."""

    def __init__(self) -> None:
        self.rows = self.unscored = 0


def _row(run: Run, number: int, answer: Answered) -> dict[str, Any]:
    outcome: Outcome = answer.outcome
    start, end = (None, None) if outcome.span is None else outcome.span
    _check(run, outcome, start, end)
    return outcome_row(run, answer) | {
        "run": number,
        "own": json.dumps(outcome.own),
        "facts": json.dumps(answer.facts),
        "span_start": start,
        "span_end": end,
    }


def _check(run: Run, outcome: Outcome, *places: object) -> None:
    """Raise where an outcome is none that a run of ours logs, as in an edited log."""
    for place in places:
        if place is not None and not (isinstance(place, int) and 0 <= place < 2**53):
            raise not_ours(run, f"span is {brief(repr(outcome.span))}")
    if not isinstance(outcome.own, Mapping):
        raise not_ours(run, f"own is {brief(repr(outcome.own))}")


def _schema() -> Any:
    import pyarrow as pa

    types = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
    columns = {**OUTCOME_COLUMNS, **OWN_COLUMNS}
    return pa.schema([(name, types[kind]) for name, kind in columns.items()])
