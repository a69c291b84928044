"""The file of rewordings: where a run of a model is kept, reviewed, and taken from again.

A probed task's questions are made before any model is at hand, so that a role can't be asked then;
and what a model says is no ground for figures until somebody may have looked at it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bias_tasks.data.columns import checked
from bias_tasks.data.errors import DataError
from bias_tasks.data.files import as_path, stands_there
from bias_tasks.data.row_files import Cells
from bias_tasks.data.tables import Claim, Further, Layout, read_rows
from bias_tasks.probing.items import ProbedItem
from bias_tasks.probing.rewordings.row import KINDS, Kind, Row, item_digest, passed

COLUMNS = tuple(Row.model_fields)
HOW = (
    "`bias-tasks reword TASK --model MODEL --out rewordings.jsonl` "
    "(with `--language LANGUAGE` for translations) makes one"
)
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Rewordings:
    """What a file holds."""

    path: str
    rows: Mapping[tuple[str, str], Row]
    """By the item's id and the kind."""

    def kinds(self) -> frozenset[str]:
        """Of which there is a row."""
        return frozenset(kind for _, kind in self.rows)

    def row(self, item: ProbedItem, kind: Kind) -> Row | None:
        """The item's row; None where the file has none."""
        return self.rows.get((item.id, kind))

    def check_items(self, ids: Collection[str], items: Iterable[ProbedItem], task: str) -> None:
        """Raise a ValueError unless the rows are of this task's items, and of some that are asked.

        Args:
            ids: of all items of the task.
            items: those that are asked.
            task: its name.
        """
        known = frozenset(ids)
        told = other_items(self.rows.values(), known, items, task)
        if told:
            raise ValueError(f"rewordings={self.path!r} {told}; {HOW} for this task")
        if not any(item.id in {name for name, _ in self.rows} for item in items):
            raise ValueError(
                f"rewordings={self.path!r} has no row of an item that is asked: make it with the "
                "same n and seed"
            )

    def notes(self, kind: Kind, items: Sequence[ProbedItem]) -> tuple[str, ...]:
        """What must be said of the rows that are asked of these items."""
        found = [(row, item) for item in items if (row := self.row(item, kind)) is not None]
        if not found:
            return ()
        makers = Counter(_maker(row) for row, _ in found)
        into = ", ".join(sorted({row.language for row, _ in found if row.language}))
        made = ", ".join(f"{count:,} {maker}" for maker, count in sorted(makers.items()))
        told = [f"{kind}{f' ({into})' if into else ''}: {made}, of {self.path}"]
        against = [item.id for row, item in found if not passed(row.speaking(item))]
        if against:
            some = ", ".join(against[:_SHOWN]) + (", ..." if against[_SHOWN:] else "")
            told.append(
                f"{kind}: {len(against):,} are asked since their reviewer approved them, though "
                f"checks speak against them: {some}"
            )
        return tuple(told)


def read_rewordings(given: str | None) -> Rewordings | None:
    """The file that a user names; None where none is named.

    Raises:
        DataError: there is no such file, it is no JSONL, or rows are wrong or twice there.
    """
    if given is None:
        return None
    path = as_path(given)
    if path.suffix.lower() != ".jsonl":
        raise DataError(f"rewordings={given!r}: expected a .jsonl file; {HOW}")
    if not stands_there(path):
        raise DataError(f"rewordings={given!r}: there is no such file; {HOW}")
    return Rewordings(str(given), {_key(row): row for row in read_file(path)})


def read_file(path: Path, *, superseded: bool = False) -> list[Row]:
    """The rows of a file.

    Args:
        path: of a JSONL file.
        superseded: whether several rows may be of one item and kind, as a killed run leaves them.

    Raises:
        DataError: the file can't be read, or rows are wrong.
    """

    def claims(row: Row) -> Iterable[Claim]:
        if superseded:
            return ()
        return [Claim(_key(row), f"the {row.kind} of item {row.item!r} stands in")]

    rows, _ = read_rows(path, Layout(COLUMNS, ("checks",)), _row, claims)
    return rows


def other_items(
    rows: Iterable[Row], ids: Collection[str], items: Iterable[ProbedItem], task: str
) -> str | None:
    """What to say of a file whose rows are of other items than a task's; None where none is."""
    digests = {item.id: item_digest(item) for item in items}
    for row in rows:
        made = f"was made from {row.task or 'another task'}" if row.task != task else "is older"
        if row.item not in ids:
            return f"{made}: {task} has no item {row.item!r}"
        if digests.get(row.item, row.digest) != row.digest:
            return f"{made}: item {row.item!r} has another text or other choices in {task}"
    return None


def _key(row: Row) -> tuple[str, str]:
    return row.item, row.kind


def _row(cells: Cells, further: Further) -> Row:
    row = checked(Row, cells)
    if row.kind == "language" and row.language is None:
        raise ValueError(f"column language: expected a language where kind is {KINDS[1]}")
    return row


def _maker(row: Row) -> str:
    if row.edited:
        return "by hand"
    return "by the grammar" if row.by == "grammar" else f"by {row.model}"
