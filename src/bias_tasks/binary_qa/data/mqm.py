"""Translations whose errors people marked (MQM), as 'Is there an error in the translation?'.

A file has a row for each mark that a rater made in a translated segment, or one that says there
is nothing to mark. The marked words stand in `<v>...</v>`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from bias_tasks.binary_qa.data.candidates import Candidate, binary_item
from bias_tasks.binary_qa.items import BinaryLabel
from bias_tasks.data.errors import DataError

QUESTION = "Is there an error in the translation?"

_MARKUP = re.compile(r"</?v>")
# How the names of systems begin that are people's translations.
_HUMAN = re.compile(r"human|ref", re.IGNORECASE)
_NO_ERRORS = ("no-error", "source", "creative reinterpretation")
"""How categories begin that are no error of the translation, whatever their severity."""
_COLUMNS = ("system", "doc", "seg_id", "rater", "source", "target", "category", "severity")

Row = Mapping[str, str]
Pair = tuple[str, str]
"""A sentence and its translation."""


def mqm(source: str, paths: Sequence[Path], least_ratings: int) -> Iterator[Candidate]:
    """The machine translations on which all ratings agree; any error makes the answer Yes.

    A translation needs `least_ratings` ratings.

    Raises:
        DataError: a column is missing.
    """
    for (sentence, translation), verdicts in _verdicts(_rows(source, paths)).items():
        if len(verdicts) >= least_ratings and len(set(verdicts)) == 1 and verdicts[0] is not None:
            yield Candidate(
                binary_item(
                    source,
                    "translation",
                    QUESTION,
                    verdicts[0],
                    f"Source (English): {sentence}\nTranslation (German): {translation}",
                    sentence,
                )
            )


def _rows(source: str, paths: Sequence[Path]) -> Iterator[Row]:
    for path in paths:
        with path.open(encoding="utf-8", newline="\n") as lines:
            header = next(lines, "").rstrip("\r\n").split("\t")
            missing = [column for column in _COLUMNS if column not in header]
            if missing:
                raise DataError(
                    f"{source}: {path.name} has no column {', '.join(missing)}; "
                    f"its columns are {', '.join(header)}"
                )
            for number, line in enumerate(lines, start=2):
                row = dict(zip(header, line.rstrip("\r\n").split("\t"), strict=False))
                if not row.keys() >= set(_COLUMNS):
                    raise DataError(f"{source}: line {number} of {path.name} has too few cells")
                if not _HUMAN.match(row["system"]):
                    yield row


def _verdicts(rows: Iterable[Row]) -> Mapping[Pair, Sequence[BinaryLabel | None]]:
    """What each rating of each pair says; segments that raters saw differently are left out."""
    marks: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in rows:
        marks[row["system"], row["doc"], row["seg_id"]].append(row)
    verdicts: dict[Pair, list[BinaryLabel | None]] = defaultdict(list)
    for segment in marks.values():
        pairs = {(_plain(row["source"]), _plain(row["target"])) for row in segment}
        if len(pairs) == 1:
            by_rater: dict[str, list[Row]] = defaultdict(list)
            for row in segment:
                by_rater[row["rater"]].append(row)
            verdicts[pairs.pop()] += [_verdict(rating) for rating in by_rater.values()]
    return verdicts


def _verdict(rating: Iterable[Row]) -> BinaryLabel | None:
    """Yes for an error, No for none, None where the marks don't tell."""
    kinds = {(row["category"].lower(), row["severity"].lower()) for row in rating}
    if any(_is_error(category, severity) for category, severity in kinds):
        return "Yes"
    return "No" if all(category == "no-error" for category, _ in kinds) else None


def _is_error(category: str, severity: str) -> bool:
    return severity in ("minor", "major") and not category.startswith(_NO_ERRORS)


def _plain(text: str) -> str:
    """The text without the marks, and without blanks that might tell where they were."""
    if text[:1] == text[-1:] == '"' and '""' in text[1:-1]:
        text = _unquoted(text)
    return " ".join(_MARKUP.sub("", text).split())


def _unquoted(text: str) -> str:
    """The text of a quoted cell, in which quotation marks are doubled; other texts as they are."""
    inner = text[1:-1]
    return text if '"' in inner.replace('""', "") else inner.replace('""', '"')
