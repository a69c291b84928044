"""The answers in a store one after the other, a batch of rows at a time."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bias_tasks.family import Outcome
from bias_tasks.results.run import Stored
from bias_tasks.results.store.read import check_read, opened

_AT_ONCE = 5_000
_TAKEN = ("item", "cluster", "variant", "gold", "answer", "score", "why", "reason", "epoch")
_OF_OUTCOME = (*_TAKEN, "own", "span_start", "span_end")


def stored_answers(stored: Stored) -> Iterator[tuple[Mapping[str, Any], Outcome, str]]:
    """The facts of each question, what its answer came to, and its prompt."""
    for row in _rows(stored, (*_OF_OUTCOME, "facts", "prompt")):
        yield json.loads(row["facts"]), _outcome(row), row["prompt"]


def stored_outcomes(stored: Stored) -> Iterator[Outcome]:
    """What each answer came to."""
    return map(_outcome, _rows(stored, _OF_OUTCOME))


def _rows(stored: Stored, columns: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    with opened(stored.path) as file:
        batches = file.iter_batches(
            batch_size=_AT_ONCE,
            row_groups=list(range(stored.first, stored.last)),
            columns=list(columns),
            use_threads=False,
        )
        rows = 0
        for batch in batches:
            rows += batch.num_rows
            yield from batch.to_pylist()
    check_read(stored, rows)


def _outcome(row: Mapping[str, Any]) -> Outcome:
    span = None if row["span_start"] is None else (row["span_start"], row["span_end"])
    values = {name: row[name] for name in _TAKEN}
    return Outcome(**values, own=json.loads(row["own"]), span=span)
