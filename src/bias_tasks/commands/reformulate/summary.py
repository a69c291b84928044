"""What a run of the reformulator achieved, and how to go on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from bias_tasks.binary_qa.data.load import QuestionRecord, lacking, makers
from bias_tasks.binary_qa.items import Reformulation
from bias_tasks.commands.model_calls.workers import what_failed

_SHOWN_REFUSALS = 5


def tell(path: Path, records: Sequence[QuestionRecord], kinds: Sequence[Reformulation]) -> str:
    """How many rewordings of the questions in the file were made by whom, on one line."""
    counts = makers(records, kinds)
    refused = sum(bool(_reasons(record, kinds)) for record in records)
    made = [f"{n} {_MADE[maker]}" for maker, n in sorted(counts.items())]
    told = f"{path}: {len(records)} questions; rewordings: {', '.join(made) or 'none'}"
    return told + (f"; a model's were refused for {refused} questions" if refused else "")


def what_remains(
    path: Path,
    wanted: int,
    records: Sequence[QuestionRecord],
    kinds: Sequence[Reformulation],
    model: str | None,
    failures: Sequence[str],
) -> str | None:
    """How many questions still lack a rewording and what to do about it; None where none does.

    `records` are those that the file holds of the questions wanted, and `failures` what the model's
    provider raised, by question.
    """
    short = [record for record in records if lacking(record, kinds)]
    unturned = wanted - len(records)
    if not short and not unturned:
        return None
    lines = [f"{len(short) + unturned} of {wanted} questions remain without a rewording"]
    if unturned and not failures:
        lines.append(f"{unturned} ask for a number, were not turned yes/no, and are left out")
    refusals = [told for record in short for told in _reasons(record, kinds)]
    lines += refusals[:_SHOWN_REFUSALS]
    if len(refusals) > _SHOWN_REFUSALS:
        lines.append(f"and {len(refusals) - _SHOWN_REFUSALS} more refusals, in its provenance")
    return "\n  ".join(lines) + f"\n{_how_to_go_on(path, model, failures)}"


def models_of(records: Iterable[QuestionRecord]) -> Iterator[str]:
    """The model of each rewording, and of each question, that one made."""
    for record in records:
        for origin in record.provenance.values():
            if origin.get("by") == "model":
                yield str(origin.get("model"))


def _reasons(record: QuestionRecord, kinds: Sequence[Reformulation]) -> list[str]:
    origins = {kind: record.provenance.get(kind, {}) for kind in lacking(record, kinds)}
    return [
        f"{record.item.id}, {kind}: refused, because {origin.get('reason')}"
        for kind, origin in origins.items()
        if origin.get("by") == "refused"
    ]


def _how_to_go_on(path: Path, model: str | None, failures: Sequence[str]) -> str:
    if failures:
        return what_failed(failures, "questions")
    if model is None:
        return "Run the same again with --model MODEL to have a model make them."
    return (
        f"Run the same again with another --model, write them into {path} yourself, or use it "
        "as it is: a question is asked in the variants that it has."
    )


_MADE = {
    "construction": "made with the question",
    "given": "given",
    "grammar": "by grammar",
    "missing": "missing",
    "model": "by a model",
}
