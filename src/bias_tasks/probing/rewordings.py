"""The file of rewordings and translations that a run takes, one of `bias-tasks reword`.

What a model says is no ground for figures until somebody may have looked at it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from pydantic import Field

from bias_tasks.data.columns import Strict, Text, checked
from bias_tasks.data.errors import DataError
from bias_tasks.data.files import as_path, stands_there
from bias_tasks.data.tables import Cells, Claim, Further, Layout, read_rows
from bias_tasks.names import digest, is_encodable
from bias_tasks.probing.items import ProbedItem
from bias_tasks.probing.options import find_options

Kind = Literal["paraphrase", "language"]
"""The names of the probes that take rewordings."""
KINDS: tuple[Kind, ...] = get_args(Kind)
ENGLISH = "English"
HOW = (
    "`bias-tasks reword TASK --model MODEL --out rewordings.jsonl` "
    "(with `--language LANGUAGE` for translations) makes one"
)
PASSED = "passed"
LONGEST = 8_000
"""Characters of the longest text that is reworded."""
_SHRINKS: Mapping[Kind, int] = {"paraphrase": 4, "language": 6}
"""By how much a text may be shorter than its original; it may be twice as long and a bit."""
_ENDS = tuple(".?!:;…。？！؟՞\"'”’»)]`$")
"""What a text ends with that is whole; one that choices go on with does not."""
_PLACEHOLDER = re.compile(r"\{\w{1,60}\}|\[[A-Z]{2,20}\]|_{2,60}")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def unfit(item: ProbedItem) -> str | None:
    """Why an item's text is not given to a model at all; None where it is."""
    if not item.text.strip():
        return "it has no text of its own"
    if len(item.text) > LONGEST:
        return f"its text has more than {LONGEST:,} characters"
    if not is_encodable(item.text):
        return "its text holds half of a surrogate pair"
    if item.right and not item.choices and not item.text.rstrip().endswith(_ENDS):
        return "its text goes on in its choices"
    return None


def unusable(item: ProbedItem, text: str, kind: Kind) -> str | None:
    """Why a text can't stand for an item's, as far as can be seen unread; None where it can."""
    own, made = " ".join(item.text.split()), " ".join(text.split())
    if not made:
        return "it is empty"
    if len(made) > 2 * len(own) + 100 or len(made) * _SHRINKS[kind] < len(own) - 20:
        return "it is much longer or shorter than the original"
    if _CONTROL.search(text) or not is_encodable(text):
        return "it holds control characters"
    if made.casefold() == own.casefold():
        return "it is the original"
    printed = [found and found.labels for found in map(find_options, (text, item.text))]
    if printed[0] != printed[1]:
        return "it adds choices or loses some"
    if Counter(_PLACEHOLDER.findall(own)) - Counter(_PLACEHOLDER.findall(made)):
        return "it loses a placeholder"
    return None


def first_refusal(checks: Mapping[str, str]) -> tuple[str, str] | None:
    """The name of the first check that refuses, and why; None where all passed."""
    return next(((name, told) for name, told in checks.items() if told != PASSED), None)


class Row(Strict):
    """One item, reworded or translated; empty cells are as good as none."""

    task: Text | None = None
    item: Text
    kind: Kind
    digest: Text
    """Of the item: `item_digest`."""
    original: str = ""
    reworded: Text | None = None
    approved: bool | None = None
    """What a reviewer says; None where nobody said anything."""
    language: Text | None = None
    """Into which it was translated; None of other rewordings."""
    original_language: Text = ENGLISH
    back_translation: str | None = None
    checks: dict[str, str] = Field(default_factory=dict)
    """By name: `passed`, or why it does not."""
    by: Text | None = None
    """`model`, or `nobody` of a text that no model was given."""
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
        return "by hand" if self.edited else f"by {self.model or self.by}"

    def refusal(self, item: ProbedItem) -> str | None:
        """Why the item is not asked so, in words that many items share; None where it is."""
        called = "rewording" if self.kind == "paraphrase" else "translation"
        if self.approved is False:
            return "its reviewer did not approve it"
        if self.reworded is None:
            return f"no {called} of it was made"
        refused = None if self.edited else first_refusal(self.checks)
        why = f"check {refused[0]}" if refused else unusable(item, self.reworded, self.kind)
        return None if self.approved or why is None else f"its {called} was refused ({why})"


def item_digest(item: ProbedItem) -> str:
    """The digest of an item in a file: of its text, and of its choices in any order."""
    return digest(item.text, sorted(item.choices))


@dataclass(frozen=True, slots=True)
class Rewordings:
    """The rows of a file."""

    path: str
    rows: Mapping[tuple[str, str], Row]
    """By the item's id and the kind."""

    def check_items(self, ids: Collection[str], items: Iterable[ProbedItem], task: str) -> None:
        """Raise a ValueError unless the rows are of the task's items (`ids`), and of some that are
        asked (`items`)."""
        if told := other_items(self.rows.values(), frozenset(ids), items, task):
            raise ValueError(f"rewordings={self.path!r} {told}; {HOW} for this task")
        if not {item.id for item in items} & {name for name, _ in self.rows}:
            raise ValueError(
                f"rewordings={self.path!r} has no row of an item that is asked: make it with the "
                "same n and seed"
            )

    def notes(self, kind: str, items: Sequence[ProbedItem]) -> tuple[str, ...]:
        """What must be said of the rows that are asked of these items."""
        found = [self.rows[item.id, kind] for item in items]
        makers = sorted(Counter(row.maker for row in found).items())
        made = ", ".join(f"{count:,} {maker}" for maker, count in makers)
        into = f" ({found[0].language})" if found and found[0].language else ""
        return (f"{kind}{into}: {made}, of {self.path}",) if made else ()


def read_rewordings(given: str | None) -> Rewordings | None:
    """The file that a user names; None where none is named.

    Raises:
        DataError: there is no such JSONL file, or rows are wrong or twice there.
    """
    if given is None:
        return None
    path = as_path(given)
    if path.suffix.lower() != ".jsonl" or not stands_there(path):
        raise DataError(f"rewordings={given!r}: expected a .jsonl file that is there; {HOW}")
    return Rewordings(str(given), {(row.item, row.kind): row for row in read_file(path)})


def read_file(path: Path) -> list[Row]:
    """The rows of a JSONL file; a DataError where it can't be read, or rows are wrong."""

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
