"""Files of rewordings and translations, which a model writes (`make_rewordings`) and a run uses."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import Field

from bias_tasks.data.columns import Nested, Strict, Text, validate_row
from bias_tasks.data.errors import DataError
from bias_tasks.data.files import as_path, file_exists
from bias_tasks.data.tables import Cells, ExtraColumns, RowKey, read_rows
from bias_tasks.digests import digest
from bias_tasks.probing.displayed_options import find_options
from bias_tasks.probing.items import ProbedItem
from bias_tasks.probing.skip_reasons import ProbeNotApplicableError, SkipReason
from bias_tasks.unicode_text import is_encodable

Kind = Literal["paraphrase", "language"]
"""The probes that use rewordings."""
KINDS: tuple[Kind, ...] = get_args(Kind)
ENGLISH, PASSED = "English", "passed"
HOW_TO_MAKE = (
    "`inspect eval bias_tasks/make_rewordings -T task=TASK --model MODEL` (with `-T "
    "language=LANGUAGE` for translations) and `bias-tasks collect LOG --to FILE` make one"
)
MAX_LENGTH = 8_000
"""Characters of a text that is reworded."""
_MAX_SHRINKAGE: Mapping[Kind, int] = {"paraphrase": 4, "language": 6}
"""Factor by which a text may be shorter than its original. It may be about twice as long."""
_ENDINGS = tuple(".?!:;…。？！؟՞\"'”’»)]`$")
"""Ends of a complete text. A text with another end continues in its choices."""
_PLACEHOLDER = re.compile(r"\{\w{1,60}\}|\[[A-Z]{2,20}\]|_{2,60}")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def reason_not_to_reword(item: ProbedItem) -> str | None:
    """Return why no model gets an item's text, None if one does."""
    if not item.text.strip():
        return "it has no text of its own"
    if len(item.text) > MAX_LENGTH:
        return f"its text has more than {MAX_LENGTH:,} characters"
    if not is_encodable(item.text):
        return "its text holds half of a surrogate pair"
    if item.correct and not item.choices and not item.text.rstrip().endswith(_ENDINGS):
        return "its text continues in its choices"
    return None


def find_defect(item: ProbedItem, text: str, kind: Kind) -> str | None:
    """Return why a text cannot replace an item's, as far as rules can tell; None if it can."""
    original, new = " ".join(item.text.split()), " ".join(text.split())
    too_short = len(new) * _MAX_SHRINKAGE[kind] < len(original) - 20
    options, original_options = find_options(text), find_options(item.text)
    labels = None if options is None else options.labels
    original_labels = None if original_options is None else original_options.labels
    if not new:
        return "it is empty"
    if too_short or len(new) > 2 * len(original) + 100:
        return "it is much longer or shorter than the original"
    if _CONTROL.search(text) or not is_encodable(text):
        return "it contains control characters"
    if new.casefold() == original.casefold():
        return "it is the original"
    if labels != original_labels:
        return "it adds or loses choices"
    if Counter(_PLACEHOLDER.findall(original)) - Counter(_PLACEHOLDER.findall(new)):
        return "it loses a placeholder"
    return None


class Row(Strict):
    """One item, reworded or translated. Empty cells count as missing."""

    task: Text | None = None
    item: Text
    kind: Kind
    digest: Text
    """Digest of the item: `item_digest`."""
    original: str = ""
    reworded: Text | None = None
    approved: bool | None = None
    """The reviewer's decision; None without a review."""
    language: Text | None = None
    """The language of a translation; None for other rewordings."""
    original_language: Text = ENGLISH
    back_translation: str | None = None
    checks: Annotated[dict[str, str], Nested] = Field(default_factory=dict)
    """Results by name of the check: `passed`, or the reason why it failed."""
    by: Text | None = None
    """`model`, or `nobody` if no model got the text."""
    model: str | None = None
    attempts: int | None = None
    made: str | None = None
    """Digest of `reworded` as the model wrote it. Another text was edited by hand."""

    @property
    def is_edited(self) -> bool:
        """Whether a person wrote or changed the text."""
        return self.reworded is not None and self.made != digest(self.reworded)

    @property
    def failed_check(self) -> str | None:
        """The name of the first failed check, None if all passed."""
        return next((name for name, result in self.checks.items() if result != PASSED), None)

    def find_refusal(self, item: ProbedItem) -> ProbeNotApplicableError | None:
        """Return why the run does not use the row for its item, None if it does.

        An edited text needs no check by a model. An approved text needs no check at all.
        """
        if self.approved is False:
            return ProbeNotApplicableError(SkipReason.NOT_APPROVED)
        if self.reworded is None:
            return ProbeNotApplicableError(SkipReason.NO_REWORDING)
        if self.approved:
            return None
        failed = None if self.is_edited else self.failed_check
        defect = f"check {failed}" if failed else find_defect(item, self.reworded, self.kind)
        refused = SkipReason.REFUSED_REWORDING
        return None if defect is None else ProbeNotApplicableError(refused, defect)


_COLUMNS = tuple(Row.model_fields)
Rows = Mapping[tuple[str, Kind], Row]
"""Rows by item id and kind."""


def item_digest(item: ProbedItem) -> str:
    """Return the digest of an item in a file: of its text, and of its choices in any order."""
    return digest(item.text, sorted(item.choices))


def read_rewordings(
    path: str | None, ids: Collection[str], items: Iterable[ProbedItem], task: str
) -> Rows:
    """Return the rows of the file that a user names; no rows without a file.

    Args:
        path: A `.jsonl` file, or None.
        ids: Ids of all items of the task.
        items: Items of the run.
        task: Name of the task.

    Raises:
        DataError: There is no such file, or rows are invalid or duplicates.
        ValueError: The rows are about other items than the task's, or about none of the run's.
    """
    if path is None:
        return {}
    file = as_path(path)
    if file.suffix.lower() != ".jsonl" or not file_exists(file):
        raise DataError(f"rewordings={path!r}: expected an existing .jsonl file; {HOW_TO_MAKE}")
    rows = {(row.item, row.kind): row for row in read_file(file)}
    if mismatch := find_mismatch(rows.values(), ids, items, task):
        raise ValueError(f"rewordings={path!r} {mismatch}; {HOW_TO_MAKE} for this task")
    if not {item.id for item in items} & {name for name, _ in rows}:
        raise ValueError(
            f"rewordings={path!r} has no row for an item of the run: make the file with the same n "
            "and seed"
        )
    return rows


def describe_rows(rows: Sequence[Row], path: str) -> str:
    """Return who made the rows of one kind, as a note of the run."""
    makers = Counter("hand" if row.is_edited else row.model or str(row.by) for row in rows)
    counts = ", ".join(f"{count:,} by {maker}" for maker, count in sorted(makers.items()))
    language = f" ({rows[0].language})" if rows[0].language else ""
    return f"{rows[0].kind}{language}: {counts}, from {path}"


def read_file(path: Path) -> list[Row]:
    """Return the rows of a JSONL file.

    Raises:
        DataError: The file cannot be read, or rows are invalid.
    """
    return read_rows(path, _COLUMNS, _parse_row, lambda row: [_build_key(row)])[0]


def _parse_row(cells: Cells, extra: ExtraColumns) -> Row:
    row = validate_row(Row, cells, _COLUMNS)
    if row.kind == "language" and row.language is None:
        raise ValueError("column language: expected a language if kind is language")
    return row


def _build_key(row: Row) -> RowKey:
    key = (row.item, row.kind)
    return RowKey(key, key, asked=f"{row.kind} of item {row.item!r}")


def find_mismatch(
    rows: Iterable[Row], ids: Collection[str], items: Iterable[ProbedItem], task: str
) -> str | None:
    """Return how a file's rows differ from a task's items, None if they fit.

    Args:
        rows: Rows of the file.
        ids: Ids of all items of the task.
        items: Items of the run.
        task: Name of the task.
    """
    digests = {item.id: item_digest(item) for item in items}
    for row in rows:
        other_task = row.task or "another task"
        origin = "is older" if row.task == task else f"was made from {other_task}"
        if row.item not in ids:
            return f"{origin}: {task} has no item {row.item!r}"
        if digests.get(row.item, row.digest) != row.digest:
            return f"{origin}: item {row.item!r} has another text or other choices in {task}"
    return None
