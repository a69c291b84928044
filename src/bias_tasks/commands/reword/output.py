"""The file that rewordings are written to as they are made, and where a stopped run goes on.

While a run goes on, a row that is made anew is appended, and the last one of an item and kind
counts: whatever was made is on the disk at once. When the run ends, the file is put in order.
"""

from __future__ import annotations

import json
from pathlib import Path

from bias_tasks.commands.model_calls.lines import append, put_in_order, repair
from bias_tasks.commands.reword.items import Source
from bias_tasks.data.errors import DataError
from bias_tasks.data.files import stands_there
from bias_tasks.probing.rewordings.file import other_items, read_file
from bias_tasks.probing.rewordings.row import Kind, Row


class Output:
    """The rows written so far; a context manager that puts the file in order at its end."""

    def __init__(self, path: Path, source: Source, language: tuple[str, str] | None) -> None:
        """Opens the file, and goes on where an earlier run stopped.

        Args:
            path: of the file.
            source: the items that it is about.
            language: that of the items and that of translations, where any are made.

        Raises:
            DataError: the file can't be read or written, has wrong rows, or was made from other
                items or in another language.
        """
        self._path, self._ids = path, source.ids
        self.rows = {(row.item, row.kind): row for row in _read(path)}
        told = other_items(self.rows.values(), frozenset(source.ids), source.items, source.task)
        told = told or self._other_language(language)
        if told:
            raise DataError(f"{path} {told}. Give another --out")
        append(path)  # a file that can't be written is told before anything is asked

    def write(self, row: Row) -> None:
        """Appends a row."""
        append(self._path, _line(row))
        self.rows[row.item, row.kind] = row

    def __enter__(self) -> Output:
        return self

    def __exit__(self, *error: object) -> None:
        place = {name: number for number, name in enumerate(self._ids)}
        ordered = sorted(self.rows.values(), key=lambda row: place[row.item])
        put_in_order(self._path, map(_line, ordered))

    def _other_language(self, language: tuple[str, str] | None) -> str | None:
        kind: Kind = "language"
        for row in self.rows.values():
            found = (row.original_language, str(row.language))
            if language is not None and row.kind == kind and found != language:
                return f"has translations from {found[0]} into {found[1]}"
        return None


def _line(row: Row) -> bytes:
    return json.dumps(row.model_dump(mode="json"), ensure_ascii=False).encode() + b"\n"


def _read(path: Path) -> list[Row]:
    if not stands_there(path, "write"):
        return []
    repair(path)
    return [] if path.stat().st_size == 0 else read_file(path, superseded=True)
