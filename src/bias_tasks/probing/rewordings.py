"""The file of rewordings and translations that a run takes, one of `bias-tasks reword`."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_args

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
ENGLISH, PASSED = "English", "passed"
HOW = (
    "`bias-tasks reword TASK --model MODEL --out rewordings.jsonl` "
    "(with `--language LANGUAGE` for translations) makes one"
)
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
    compared = item.right and not item.choices
    reasons = {
        "it has no text of its own": not item.text.strip(),
        f"its text has more than {LONGEST:,} characters": len(item.text) > LONGEST,
        "its text holds half of a surrogate pair": not is_encodable(item.text),
        "its text goes on in its choices": compared and not item.text.rstrip().endswith(_ENDS),
    }
    return next((reason for reason, holds in reasons.items() if holds), None)


def unusable(item: ProbedItem, text: str, kind: Kind) -> str | None:
    """Why a text can't stand for an item's, as far as can be seen unread; None where it can."""
    own, made = " ".join(item.text.split()), " ".join(text.split())
    shorter = len(made) * _SHRINKS[kind] < len(own) - 20
    printed = [found and found.labels for found in map(find_options, (text, item.text))]
    lost = Counter(_PLACEHOLDER.findall(own)) - Counter(_PLACEHOLDER.findall(made))
    reasons = {
        "it is empty": not made,
        "it is much longer or shorter than the original": shorter or len(made) > 2 * len(own) + 100,
        "it holds control characters": _CONTROL.search(text) or not is_encodable(text),
        "it is the original": made.casefold() == own.casefold(),
        "it adds choices or loses some": printed[0] != printed[1],
        "it loses a placeholder": lost,
    }
    return next((reason for reason, holds in reasons.items() if holds), None)


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
    def failed(self) -> str | None:
        """The name of the first check that refuses; None where all passed."""
        return next((name for name, told in self.checks.items() if told != PASSED), None)

    def refusal(self, item: ProbedItem) -> str | None:
        """Why the item is not asked so, in words that many items share; None where it is."""
        called = "rewording" if self.kind == "paraphrase" else "translation"
        if self.approved is False:
            return "its reviewer did not approve it"
        if self.reworded is None:
            return f"no {called} of it was made"
        refused = None if self.edited else self.failed
        why = f"check {refused}" if refused else unusable(item, self.reworded, self.kind)
        return None if self.approved or why is None else f"its {called} was refused ({why})"


Rows = Mapping[tuple[str, Any], Row]
"""By the item's id and the kind."""


def item_digest(item: ProbedItem) -> str:
    """The digest of an item in a file: of its text, and of its choices in any order."""
    return digest(item.text, sorted(item.choices))


def read_rewordings(
    given: str | None, ids: Collection[str], items: Iterable[ProbedItem], task: str
) -> Rows:
    """The rows of the file that a user names, none where none is named; a DataError where there is
    no such JSONL file, or rows are wrong or twice there, and a ValueError where they are of other
    items than the task's (`ids`), or none is of one that is asked (`items`)."""
    if given is None:
        return {}
    path = as_path(given)
    if path.suffix.lower() != ".jsonl" or not stands_there(path):
        raise DataError(f"rewordings={given!r}: expected a .jsonl file that is there; {HOW}")
    rows = {(row.item, row.kind): row for row in read_file(path)}
    if told := other_items(rows.values(), ids, items, task):
        raise ValueError(f"rewordings={given!r} {told}; {HOW} for this task")
    if not {item.id for item in items} & {name for name, _ in rows}:
        raise ValueError(
            f"rewordings={given!r} has no row of an item that is asked: make it with the same n "
            "and seed"
        )
    return rows


def reworded_by(rows: Sequence[Row], path: str) -> str:
    """Who made the rows of a kind that are asked, as a line of notes says it."""
    makers = Counter("hand" if row.edited else row.model or str(row.by) for row in rows)
    made = ", ".join(f"{count:,} by {maker}" for maker, count in sorted(makers.items()))
    into = f" ({rows[0].language})" if rows[0].language else ""
    return f"{rows[0].kind}{into}: {made}, of {path}"


def read_file(path: Path) -> list[Row]:
    """The rows of a JSONL file; a DataError where it can't be read, or rows are wrong."""
    layout = Layout(tuple(Row.model_fields), ("checks",))
    return read_rows(path, layout, _row, lambda row: [_claim(row)])[0]


def _row(cells: Cells, further: Further) -> Row:
    row = checked(Row, cells)
    if row.kind == "language" and row.language is None:
        raise ValueError("column language: expected a language where kind is language")
    return row


def _claim(row: Row) -> Claim:
    return (row.item, row.kind), f"the {row.kind} of item {row.item!r} stands in"


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
