"""The file that rewordings are written to as they are made, and where a stopped run goes on.

One JSON object a line, which `data=` reads as it is. While a run goes on, a question that gets one
more rewording is appended again, and the last row of a question counts: whatever was made is on the
disk at once. When the run ends, the file is put in order, one row a question.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from bias_tasks.binary_qa.data.converters import PendingNumberQuestion
from bias_tasks.binary_qa.data.load import QuestionRecord, record_to_dict
from bias_tasks.binary_qa.items import REFORMULATIONS
from bias_tasks.commands.model_calls.lines import append, put_in_order, repair
from bias_tasks.data.errors import DataError
from bias_tasks.data.files import stands_there

_FIXED = ("answer", "domain", "source", "cluster", "context")


class Output:
    """The rows written so far; a context manager that puts the file in order at its end."""

    def __init__(self, path: Path, questions: Sequence[QuestionRecord]) -> None:
        """Opens the file, and goes on where an earlier run stopped.

        A last line that a kill cut off is taken away.

        `questions` are all that rows of the file may be about, in their order.

        Raises:
            DataError: the file can't be read or written, has wrong rows, or was made from other
                questions.
        """
        self._path = path
        self._order = [record.item.id for record in questions]
        self._records = _read(path)
        _check_same(path, self._records, {record.item.id: record for record in questions})
        append(path)  # a file that can't be written is told before anything is asked

    def stored(self, identifier: str) -> QuestionRecord | None:
        """What the file holds of a question."""
        return self._records.get(identifier)

    def write(self, record: QuestionRecord) -> None:
        """Appends the question's row, unless the file holds the very same."""
        if self._records.get(record.item.id) == record:
            return
        append(self._path, _line(record))
        self._records[record.item.id] = record

    def __enter__(self) -> Output:
        return self

    def __exit__(self, *error: object) -> None:
        ordered = [self._records[name] for name in self._order if name in self._records]
        put_in_order(self._path, map(_line, ordered))


def _line(record: QuestionRecord) -> bytes:
    return json.dumps(record_to_dict(record), ensure_ascii=False).encode() + b"\n"


def _read(path: Path) -> dict[str, QuestionRecord]:
    from bias_tasks.binary_qa.data.files import read_binary_file

    if not stands_there(path, "write"):
        return {}
    repair(path)
    if path.stat().st_size == 0:
        return {}
    records, _ = read_binary_file(path, superseded=True)
    return {record.item.id: record for record in records}


def _check_same(
    path: Path, stored: dict[str, QuestionRecord], wanted: dict[str, QuestionRecord]
) -> None:
    for identifier, record in stored.items():
        difference = (
            _difference(record, wanted[identifier])
            if identifier in wanted
            else "that question is not among them"
        )
        if difference:
            raise DataError(
                f"{path} was made from other questions than these: of {identifier!r}, "
                f"{difference}. Give another --out, or the questions it was made from"
            )


def _difference(stored: QuestionRecord, wanted: QuestionRecord) -> str | None:
    """What of a question is not as it was; rewordings may have been edited, or added."""
    for name in _FIXED:
        if getattr(stored.item, name) != getattr(wanted.item, name):
            return f"the {name} differs"
    asked = stored.item.question
    if isinstance(wanted.item, PendingNumberQuestion):
        asked = stored.provenance.get("question", {}).get("turned_from", asked)
    if asked != wanted.item.question:
        return "the question differs"
    for kind in REFORMULATIONS:
        there = wanted.maker(kind) is not None
        if there and stored.provenance.get(kind) != wanted.provenance[kind]:
            return f"the given {kind} rewording differs"
    return None
