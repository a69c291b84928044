"""Converts the records of each data set to items."""

import json
import random
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from bias_tasks.data.errors import DataError
from bias_tasks.data.files import RawRecord, get_cell, parse_json, read_jsonl
from bias_tasks.instruction_boundary.items import ChoiceItem, Item, JudgingItem, JudgingLabel
from bias_tasks.instruction_boundary.settings import DISTRACTOR_LEVELS
from bias_tasks.names import content_hash
from bias_tasks.prompts.templates import seeded_random

_LABELS: Mapping[str, JudgingLabel] = {
    **{"PROVED": "True", "DISPROVED": "False", "UNKNOWN": "Unknown"},
    **{"TRUE": "True", "FALSE": "False", "UNCERTAIN": "Unknown"},
}
"""Labels by the gold labels of data sets, in capitals and without surrounding underscores."""
_PUBLIC_SIZE, _PUBLIC_SEED = 300, 42
"""Number of questions that the public code samples, and its seed."""


def ib_choice(paths: Sequence[Path]) -> Iterator[ChoiceItem]:
    """Convert the paper's choice items. `Facts` holds the passage, if any, and the options."""
    for record in _json(paths):
        passage, _, _ = record["Facts"].rpartition("Options:\n")
        passage = passage.removeprefix("Background: ").rstrip("\n")
        yield _choice_item(
            "ib_choice",
            record["Conclusion"],
            record["options"],
            record["correct_answers"],
            passage or None,
            collected_from=record["dataset_source"],
        )


def ib_choice_2700(paths: Sequence[Path]) -> Iterator[ChoiceItem]:
    """Convert the authors' 2,700 choice items."""
    for record in _json(paths):
        yield _choice_item(
            "ib_choice_2700",
            record["question"],
            record["options"],
            record["correct_answers"],
            record.get("passage_text"),
            collected_from=record["dataset_source"],
        )


def ib_choice_within(paths: Sequence[Path]) -> Iterator[ChoiceItem]:
    """Convert the paper's choice items with a correct option, each to two items of two labels.

    In the paper's files each data set has one label (see the source's issues), so that sparse minus
    tense compares data sets. Here each question with one or two correct options and at least two
    wrong ones yields two items: one without a correct option and one without a wrong option. With
    one correct option their labels are none (as the paper masks options, section 2.2) and single,
    with two they are single and multiple.

    Both share the question's cluster. Their options are printed without numbers under either
    protocol, since the files' numbers would have a gap. The omitted option does not depend on the
    seed of a run.
    """
    for item in ib_choice(paths):
        wrong = item.wrong_positions
        if len(item.answer) in (1, 2) and len(wrong) > 1:
            rng = seeded_random(0, item.id, "ib_choice_within")
            yield _omit_option(item, rng.choice(item.answer))
            yield _omit_option(item, rng.choice(wrong))


def mmlu_pro(paths: Sequence[Path]) -> Iterator[ChoiceItem]:
    """Convert MMLU-Pro's test questions with ten options, from a zipped file of results."""
    for record in _zipped(paths):
        if len(record["options"]) == 10:
            answer = [record["answer_index"]]
            yield _choice_item("mmlu_pro", record["question"], record["options"], answer)


def mmlu_pro_public(paths: Sequence[Path]) -> Iterator[ChoiceItem]:
    """Convert the questions that the paper's public code samples (table 6, figure 3).

    For disturbing miscellany, one random generator first samples MMLU-Pro's test questions. Then,
    for one to nine distractors in turn and each question in its sampled order, it samples the wrong
    options to display. If a question has no more wrong options than requested, all are displayed
    without sampling.
    """
    # The file of results is sorted by subject, but the public code reads the data set by id.
    records = sorted(_zipped(paths), key=lambda record: int(record["question_id"]))
    rng = random.Random(_PUBLIC_SEED)  # equals the global generator after `random.seed(42)`
    items = [
        _choice_item(
            "mmlu_pro_public", record["question"], record["options"], [record["answer_index"]]
        )
        for record in rng.sample(records, min(_PUBLIC_SIZE, len(records)))
    ]
    wrong = [item.wrong_positions for item in items]
    by_level = [
        [tuple(rng.sample(p, n) if n < len(p) else p) for p in wrong] for n in DISTRACTOR_LEVELS
    ]
    for item, distractors in zip(items, zip(*by_level, strict=True), strict=True):
        yield replace(item, published_distractors=distractors)


def folio(paths: Sequence[Path]) -> Iterator[Item]:
    """Convert FOLIO: the premises, one per line, and the conclusion to judge."""
    for record in read_jsonl(paths):
        premises = "\n".join(premise.strip() for premise in record["premises"])
        yield _judging_item("folio", {**record, "facts": premises}, "facts", "conclusion", "label")


def ib_judging(paths: Sequence[Path]) -> Iterator[Item]:
    """Convert the authors' judging items.

    Raises:
        DataError: A column is missing, or a label is unknown.
    """
    for record in _json(paths):
        yield _judging_item("ib_judging", record, "Facts", "Conclusion", "proof_label")


def fld(paths: Sequence[Path]) -> Iterator[Item]:
    """Convert FLD, whose versions name the answer by the world's assumption or only by the proof.

    Raises:
        DataError: A column is missing, or a label is unknown.
    """
    for record in read_jsonl(paths):
        label = "world_assump_label" if "world_assump_label" in record else "proof_label"
        yield _judging_item("fld", record, "context", "hypothesis", label)


CONVERTERS: Mapping[str, Callable[[Sequence[Path]], Iterator[Item]]] = {
    converter.__name__: converter
    for converter in (
        *(ib_choice, ib_choice_2700, ib_choice_within, ib_judging),
        *(folio, fld, mmlu_pro, mmlu_pro_public),
    )
}


def _json(paths: Sequence[Path]) -> Iterator[RawRecord]:
    for path in paths:
        yield from parse_json(path.read_bytes())


def _zipped(paths: Sequence[Path]) -> Iterator[RawRecord]:
    """Yield the records of files that hold one zipped list each."""
    for path in paths:
        with zipfile.ZipFile(path) as archive:
            (name,) = archive.namelist()
            yield from json.loads(archive.read(name))


def _choice_item(
    source: str,
    question: str,
    printed: Sequence[str],
    answer: Sequence[int],
    passage: str | None = None,
    collected_from: str | None = None,
) -> ChoiceItem:
    options = _without_numbers(printed)
    identifier = f"{source}-{content_hash(question, options, sorted(answer), passage)}"
    return ChoiceItem(
        id=identifier,
        question=question,
        options=options,
        answer=tuple(sorted(answer)),
        source=source,
        cluster=identifier if passage is None else f"{source}-{content_hash(passage)}",
        context=passage,
        printed_options=tuple(printed),
        collected_from=collected_from,
    )


def _without_numbers(printed: Sequence[str]) -> tuple[str, ...]:
    """Return the options without "0. ", "1. ", ..., if all of them have these numbers."""
    bare = [option.removeprefix(f"{i}. ") for i, option in enumerate(printed)]
    numbered = all(len(b) < len(option) for b, option in zip(bare, printed, strict=True))
    return tuple(bare if numbered else printed)


def _omit_option(item: ChoiceItem, omitted: int) -> ChoiceItem:
    """Return the item as one of `ib_choice_within`, without the option at a position."""
    kept = [p for p in range(len(item.options)) if p != omitted]
    options = tuple(item.options[p] for p in kept)
    answer = tuple(kept.index(p) for p in item.answer if p != omitted)
    digest = content_hash(item.question, options, answer, item.context)
    return replace(
        item,
        id=f"ib_choice_within-{digest}",
        options=options,
        answer=answer,
        source="ib_choice_within",
        printed_options=None,
    )


def _judging_item(
    source: str, record: RawRecord, facts: str, statement: str, label: str
) -> JudgingItem:
    """Return the item of a record with these column names."""
    context, question, printed = (
        get_cell(source, record, column, str).strip() for column in (facts, statement, label)
    )
    answer = _LABELS.get(printed.strip("_").upper())
    if answer is None:
        raise DataError(f"{source}: unknown {label} {printed!r}; known are {', '.join(_LABELS)}")
    return JudgingItem(
        id=f"{source}-{content_hash(context, question, answer)}",
        context=context,
        question=question,
        answer=answer,
        source=source,
        cluster=f"{source}-{content_hash(context)}",
    )
