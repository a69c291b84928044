"""Writes the two files of a run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from bias_tasks.data.files import replacing
from bias_tasks.export.eee.identity import Identity
from bias_tasks.export.eee.instances import instances_of
from bias_tasks.export.eee.record import Evaluator, record_of
from bias_tasks.names import encodable
from bias_tasks.results.answers import RunAnswers, UnusableRunError, answers_of
from bias_tasks.results.every_figure import card_of
from bias_tasks.results.run import Run, figures_in


@dataclass(frozen=True, slots=True)
class Exported:
    """A run that was written."""

    record: Path
    rows: int
    """How many answers stand beside it."""
    missing: str | None = None
    """Why its answers do not."""


def write_run(run: Run, folder: Path, evaluator: Evaluator, retrieved: int) -> Exported:
    """Write a run's record and, where its log has them, its answers.

    Args:
        run: as it was found; its figures are worked out from its answers where its log has few.
        folder: where the folder `data` is, or will be.
        evaluator: who asked the model.
        retrieved: now, in seconds since 1970.

    Raises:
        UnusableRunError: its log is an Inspect log without answers that can be read.
        DataError: a file can't be written.
    """
    answers, missing = _answers(run)
    if answers is not None and run.host == "inspect":
        run = replace(run, metrics=figures_in(card_of(answers)))
    identity = Identity.of(run, retrieved, evaluator.developer)
    record = record_of(run, identity, evaluator, retrieved)
    path = folder / identity.record
    path.parent.mkdir(parents=True, exist_ok=True)
    if answers is None:
        with replacing(path) as stream:
            stream.write(_json(record, indent=2))
        return Exported(path, 0, missing)
    # Both are whole before either takes its place: no record has other answers, or none.
    with replacing(folder / identity.samples) as lines, replacing(path) as stream:
        rows, checksum = _write_lines(lines, instances_of(answers, run, identity))
        record["detailed_evaluation_results"] = {
            "format": "jsonl",
            "file_path": str(identity.samples),
            "hash_algorithm": "sha256",
            "checksum": checksum,
            "total_rows": rows,
        }
        stream.write(_json(record, indent=2))
    return Exported(path, rows, missing)


def _answers(run: Run) -> tuple[RunAnswers | None, str | None]:
    """The answers with the models' texts; or none, and why, where the figures stand without."""
    try:
        found = answers_of(run, str)
        return (found, None) if found.answers else (None, f"{run.path}: has no answers")
    except UnusableRunError as error:
        if run.host == "inspect":
            raise
        return None, str(error)


def _write_lines(stream: BinaryIO, rows: Iterable[Mapping[str, Any]]) -> tuple[int, str]:
    """Write a line a row; how many there are, and the hash of all."""
    count, found = 0, hashlib.sha256()
    for row in rows:
        line = _json(row) + b"\n"
        stream.write(line)
        found.update(line)
        count += 1
    stream.flush()
    return count, found.hexdigest()


def _json(value: Any, indent: int | None = None) -> bytes:
    """JSON without NaN and infinities, which only Python reads, and halves of surrogate pairs."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    return encodable(text).encode()
