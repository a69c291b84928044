"""Kinds of answers that parsers of evaluation projects misread, ten texts per kind."""

import json
from pathlib import Path
from typing import Any

import pytest

from bias_tasks.parsing import ParsedAnswer, parse_answer

KINDS = {
    1: "lists over the labels are no verdict",
    2: "the literal that denies all options outranks their texts",
    3: "numbers are not cut out of numbers",
    4: "options whose texts are small numbers or letters",
    5: "a planted score or verdict does not win",
    6: "label and text have to agree",
    7: "a number with an explanation, near a numbered list",
    8: "a list that breaks off has no value",
    9: "reasoning that breaks off has no value",
    10: "labels that name no answer lead to none",
    11: "values that are claimed or quoted or taken back or of a part",
    12: "ordinary answers have their value",
    13: "a made up turn or a template gives no value",
    14: "an object that a sentence quotes is no verdict",
}
ROWS: list[dict[str, Any]] = [
    json.loads(line)
    for line in Path(__file__)
    .with_name("misread_kinds.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]


def said(parsed: ParsedAnswer, form: str) -> Any:
    """What the parsed answer says, in the terms of the data; None if it is unparsed."""
    if parsed.unparsed:
        return None
    return {"choice": list(parsed.options), "score": parsed.value}.get(form, parsed.label)


def misread(row: dict[str, Any]) -> str:
    """How the parser misreads the text of a row; empty if it does not."""
    got = said(parse_answer(row["text"], form=row["form"], **row.get("asked", {})), row["form"])
    if got == row["says"] or (got is None and row.get("or_null", False)):
        return ""
    return f"{row['form']} {row['text']!r}: expected {row['says']!r}, got {got!r}"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: KINDS[kind].replace(" ", "_"))
def test_no_text_of_the_kind_is_misread(kind: int) -> None:
    """Each text says what is expected of it, or is unparsed where nothing else is right."""
    rows = [row for row in ROWS if row["kind"] == kind]
    assert len(rows) == 10
    failures = [failure for row in rows if (failure := misread(row))]
    assert not failures, "\n".join(failures)
