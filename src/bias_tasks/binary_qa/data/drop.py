"""DROP's 'How many' questions, turned into threshold and exact-number questions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any, get_args

from bias_tasks.binary_qa.data.candidates import Candidate, PendingNumberQuestion
from bias_tasks.binary_qa.items import BINARY_LABELS, BinaryItem, BinaryLabel
from bias_tasks.binary_qa.reformulation.numeric import NumberStyle, number_question
from bias_tasks.data.records import RawRecord, cell, jsonl
from bias_tasks.names import content_hash

# Which of the four a question becomes is told by its hash, so no question is asked twice.
_CELLS: tuple[tuple[NumberStyle, BinaryLabel], ...] = tuple(
    product(get_args(NumberStyle), BINARY_LABELS)
)


def drop(paths: Sequence[Path]) -> Iterator[Candidate]:
    """DROP: columns `passage`, `question`, `answer`, and what others answered.

    Questions that can't be turned mechanically come as `PendingNumberQuestion`.
    """
    for record in jsonl(paths):
        question = " ".join(cell("drop", record, "question", str).split())
        value = _agreed_number(record)
        if value is not None and _asks_for_a_number(question):
            passage = cell("drop", record, "passage", str).strip()
            item, style = _turned(question, passage, value)
            yield Candidate(item, style, record=question)


def _turned(question: str, passage: str, value: int | float) -> tuple[BinaryItem, NumberStyle]:
    digest = content_hash(question, passage, value)
    style, answer = _CELLS[int(digest, 16) % len(_CELLS)]
    text = number_question(question, value, style, answer, seed=int(digest, 16))
    fields: dict[str, Any] = {
        "id": f"drop-{digest}",
        "answer": answer,
        "domain": "numerical",
        "source": "drop",
        "cluster": f"drop-{content_hash(passage)}",
        "context": passage,
    }
    if text is None:
        return PendingNumberQuestion(question=question, value=value, style=style, **fields), style
    return BinaryItem(question=text, **fields), style


def _asks_for_a_number(question: str) -> bool:
    return question.lower().startswith("how many ") and question.endswith("?")


def _agreed_number(record: RawRecord) -> int | float | None:
    """The number that everybody gave as the answer, or None."""
    gold = _number(cell("drop", record, "answer", dict).get("number"))
    others = cell("drop", record, "validated_answers", dict).get("number") or []
    return gold if all(_number(other) == gold for other in others) else None


def _number(text: object) -> int | float | None:
    """The number that a cell holds; there is none where the answer was a date or a span."""
    try:
        number = float(text) if isinstance(text, str) else math.nan
    except ValueError:
        return None
    if not math.isfinite(number) or number < 0:
        return None
    return int(number) if number.is_integer() else number
