"""The file of rewordings and translations that a run takes, one of `bias-tasks reword`.

A probed task's questions are made before any model is at hand, so that a role can't be asked then;
and what a model says is no ground for figures until somebody may have looked at it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, Field

from bias_tasks.data.columns import Strict, Text, checked
from bias_tasks.data.errors import DataError
from bias_tasks.data.files import as_path, stands_there
from bias_tasks.data.row_files import Cells
from bias_tasks.data.tables import Claim, Further, Layout, read_rows
from bias_tasks.names import digest, is_encodable
from bias_tasks.probing.items import ProbedItem
from bias_tasks.probing.rewording_checks import (
    PASSED,
    check_rewording,
    check_translation,
    first_refusal,
)

Kind = Literal["paraphrase", "language"]
"""The names of the probes that take rewordings."""
KINDS: tuple[Kind, ...] = get_args(Kind)
ENGLISH = "English"
HOW = (
    "`bias-tasks reword TASK --model MODEL --out rewordings.jsonl` "
    "(with `--language LANGUAGE` for translations) makes one"
)
_CALLED = {"paraphrase": "rewording", "language": "translation"}
_SHOWN = 3
"""How many items a note names."""


def _encodable(text: str) -> str:
    if not is_encodable(text):
        raise ValueError("expected a text without half of a surrogate pair")
    return text


class Row(Strict):
    """One item, reworded or translated; empty cells are as good as none."""

    task: Text | None = None
    item: Text
    kind: Kind
    digest: Text
    """Of the item: `item_digest`."""
    original: Annotated[str, AfterValidator(_encodable)] = ""
    reworded: Text | None = None
    approved: bool | None = None
    """What a reviewer says; None where nobody said anything."""
    language: Text | None = None
    """Into which it was translated; None of other rewordings."""
    original_language: Text = ENGLISH
    back_translation: str | None = None
    checks: dict[str, str] = Field(default_factory=dict)
    """By name: `passed`, or why it does not; checks that were not made are not named."""
    by: Literal["grammar", "model", "nobody"] | None = None
    model: str | None = None
    attempts: int | None = None
    made: str | None = None
    """Digest of `reworded` as it was made: another text was edited by hand."""

    @property
    def edited(self) -> bool:
        """Whether a person wrote the text, or another than was made."""
        return self.reworded is not None and self.made != digest(self.reworded)

    @property
    def maker(self) -> str:
        """Who made the text, in words."""
        if self.edited:
            return "by hand"
        return "by the grammar" if self.by == "grammar" else f"by {self.model}"

    def refusal(self, item: ProbedItem) -> str | None:
        """Why the item can't be asked so, in words that many items share; None where it can."""
        if self.approved is False:
            return "its reviewer did not approve it"
        if self.reworded is None:
            found = first_refusal(self.checks)
            return f"no {_CALLED[self.kind]} of it was made" + (f" ({found[0]})" if found else "")
        if self.approved:
            return None
        found = first_refusal(self.current_checks(item))
        edited = ", as it was edited," if self.edited else ""
        return None if found is None else f"its {_CALLED[self.kind]}{edited} fails {found[0]!r}"

    def current_checks(self, item: ProbedItem) -> dict[str, str]:
        """The checks of the text as it stands: those noted, or of an edited one those made now."""
        if self.reworded is None or not (self.edited or not self.checks):
            return self.checks
        check = check_rewording if self.kind == "paraphrase" else check_translation
        return check(item, self.reworded)


def item_digest(item: ProbedItem) -> str:
    """The digest of an item in a file: of its text, and of its choices in any order.

    Choices count since a rewording was checked against them.
    """
    return digest(item.text, sorted(item.choices))


def passed(checks: Mapping[str, str]) -> bool:
    """Whether no check refuses."""
    return all(told == PASSED for told in checks.values())


@dataclass(frozen=True, slots=True)
class Rewordings:
    """The rows of a file."""

    path: str
    rows: Mapping[tuple[str, str], Row]
    """By the item's id and the kind."""

    def kinds(self) -> frozenset[str]:
        """Of which there is a row."""
        return frozenset(kind for _, kind in self.rows)

    def row(self, item: ProbedItem, kind: str) -> Row | None:
        """The item's row; None where the file has none."""
        return self.rows.get((item.id, kind))

    def check_items(self, ids: Collection[str], items: Iterable[ProbedItem], task: str) -> None:
        """Raise a ValueError unless the rows are of this task's items, and of some that are asked.

        Args:
            ids: of all items of the task.
            items: those that are asked.
            task: its name.
        """
        told = other_items(self.rows.values(), frozenset(ids), items, task)
        if told:
            raise ValueError(f"rewordings={self.path!r} {told}; {HOW} for this task")
        if not any(item.id in {name for name, _ in self.rows} for item in items):
            raise ValueError(
                f"rewordings={self.path!r} has no row of an item that is asked: make it with the "
                "same n and seed"
            )

    def notes(self, kind: str, items: Sequence[ProbedItem]) -> tuple[str, ...]:
        """What must be said of the rows that are asked of these items."""
        found = [(row, item) for item in items if (row := self.row(item, kind)) is not None]
        if not found:
            return ()
        makers = Counter(row.maker for row, _ in found)
        into = ", ".join(sorted({row.language for row, _ in found if row.language}))
        made = ", ".join(f"{count:,} {maker}" for maker, count in sorted(makers.items()))
        told = [f"{kind}{f' ({into})' if into else ''}: {made}, of {self.path}"]
        against = [item.id for row, item in found if not passed(row.current_checks(item))]
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
    return Rewordings(str(given), {(row.item, row.kind): row for row in read_file(path)})


def read_file(path: Path) -> list[Row]:
    """The rows of a JSONL file.

    Raises:
        DataError: the file can't be read, or rows are wrong.
    """

    def claims(row: Row) -> Iterable[Claim]:
        return [Claim((row.item, row.kind), f"the {row.kind} of item {row.item!r} stands in")]

    rows, _ = read_rows(path, Layout(tuple(Row.model_fields), ("checks",)), _row, claims)
    return rows


def _row(cells: Cells, further: Further) -> Row:
    row = checked(Row, cells)
    if row.kind == "language" and row.language is None:
        raise ValueError(f"column language: expected a language where kind is {KINDS[1]}")
    return row


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
