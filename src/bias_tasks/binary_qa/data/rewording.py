"""Which rewordings a run needs, those that the grammar makes, and what to say where one lacks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Literal, get_args

from bias_tasks.binary_qa.data.record import QuestionRecord
from bias_tasks.binary_qa.items import REFORMULATIONS, Reformulation
from bias_tasks.binary_qa.reformulation import grammar
from bias_tasks.data.errors import DataError, listed

Reformulate = Literal["given", "grammar", "skip"]
REFORMULATE: tuple[Reformulate, ...] = get_args(Reformulate)

_SHOWN_QUESTIONS = 10
_SHOWN_CHARACTERS = 80


def needed(variants: Collection[str]) -> tuple[Reformulation, ...]:
    """The rewordings among the variants."""
    return tuple(kind for kind in REFORMULATIONS if kind in variants)


def lacking(record: QuestionRecord, kinds: Iterable[Reformulation]) -> list[Reformulation]:
    """Those of the rewordings that the record does not have."""
    return [kind for kind in kinds if kind in record.item.reformulations.missing()]


def by_grammar(record: QuestionRecord, kinds: Iterable[Reformulation]) -> QuestionRecord:
    """The record with the lacking rewordings that the grammar can make."""
    for kind in lacking(record, kinds):
        text = grammar.reformulate(record.item.question, kind)
        if text is not None:
            record = record.reworded(kind, text, {"by": "grammar"})
    return record


def require_some(
    records: Sequence[QuestionRecord], kinds: Sequence[Reformulation], data: str, mode: Reformulate
) -> None:
    """Check that there is a rewording to compare with, where any is needed.

    `data` and `mode` say in the message what was loaded, and how rewordings were to be had.

    Raises:
        DataError: no question has any of them; names questions, and says how to go on.
    """
    by_record = [(record, lacking(record, kinds)) for record in records]
    if any(len(missing) < len(kinds) for _, missing in by_record) or not kinds:
        return
    short = [_told(record, missing) for record, missing in by_record]
    why = "" if mode == "given" else " that the grammar could make"
    head = f"none of {len(records)} questions has a rewording{why}"
    raise DataError(f"{listed(head, short, _SHOWN_QUESTIONS)}\n{_ways_on(data, mode)}")


def makers(records: Iterable[QuestionRecord], kinds: Iterable[Reformulation]) -> dict[str, int]:
    """How many of the rewordings each maker made."""
    kinds = tuple(kinds)
    return dict(Counter(record.maker(kind) or "missing" for record in records for kind in kinds))


def _told(record: QuestionRecord, missing: Iterable[str]) -> str:
    question = record.item.question
    if len(question) > _SHOWN_CHARACTERS:
        question = question[:_SHOWN_CHARACTERS] + "..."
    return f"{record.item.id} lacks {', '.join(missing)}: {question!r}"


def _ways_on(data: str, mode: Reformulate) -> str:
    way = "give reformulate=grammar, which rewords the usual shapes of a question, or "
    command = f"bias-tasks reformulate {data} --out OUT.jsonl --model MODEL"
    run = f"run `{command}` and use data=OUT.jsonl."
    return f"Either {way}{run}" if mode == "given" else f"R{run[1:]}"
