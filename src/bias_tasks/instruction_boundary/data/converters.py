"""Converts the records of each data set to items."""

import json
import random
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from bias_tasks.data.files import RawRecord, get_cell, read_json_lists, read_jsonl
from bias_tasks.digests import content_hash
from bias_tasks.instruction_boundary.items import ChoiceItem, Item, JudgingItem, JudgingLabel
from bias_tasks.instruction_boundary.settings import DISTRACTOR_LEVELS
from bias_tasks.randomness import seeded_random

_LABELS: Mapping[str, JudgingLabel] = {
    **{"PROVED": "True", "DISPROVED": "False", "UNKNOWN": "Unknown"},
    **{"TRUE": "True", "FALSE": "False", "UNCERTAIN": "Unknown"},
}
"""Labels by the gold labels of data sets, in capitals and without surrounding underscores."""
_PUBLIC_SIZE, _PUBLIC_SEED = 300, 42
"""Number of questions that the public code samples, and its seed."""


def ib_choice(paths: Sequence[Path]) -> Iterator[ChoiceItem]:
    """Convert the paper's choice items. `Facts` holds the passage, if any, and the options."""
    for record in read_json_lists(paths):
        passage = record["Facts"].rpartition("Options:\n")[0].removeprefix("Background: ")
        yield _choice_item(
            "ib_choice", record, "Conclusion", "correct_answers", passage.rstrip("\n") or None
        )


def ib_choice_2700(paths: Sequence[Path]) -> Iterator[ChoiceItem]:
    """Convert the authors' 2,700 choice items."""
    for record in read_json_lists(paths):
        passage = record.get("passage_text")
        yield _choice_item("ib_choice_2700", record, "question", "correct_answers", passage)


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
            yield _choice_item("mmlu_pro", record, "question", "answer_index")


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
        _choice_item("mmlu_pro_public", record, "question", "answer_index")
        for record in rng.sample(records, min(_PUBLIC_SIZE, len(records)))
    ]
    wrong = [item.wrong_positions for item in items]
    by_level = [
        [tuple(rng.sample(p, n) if n < len(p) else p) for p in wrong] for n in DISTRACTOR_LEVELS
    ]
    for item, distractors in zip(items, zip(*by_level, strict=True), strict=True):
        yield replace(item, published_distractors=distractors)


def _judging_items(
    source: str,
    read: Callable[[Sequence[Path]], Iterator[RawRecord]],
    columns: tuple[str, str, str],
    paths: Sequence[Path],
) -> Iterator[JudgingItem]:
    """Convert judging records.

    Args:
        source: Name of the data set.
        read: Yields the records of its files.
        columns: Columns of the facts (a text, or the premises), the statement and the label.
        paths: Its files.

    Raises:
        ValueError: A column is missing, or a label is unknown.
    """
    for raw in read(paths):
        facts, _, label = columns
        record = dict(raw)
        if isinstance(record.get(facts), list):
            record[facts] = "\n".join(premise.strip() for premise in record[facts])
        # The versions of FLD name the answer by the world's assumption or only by the proof.
        record.setdefault(label, record.get("proof_label"))
        context, question, printed = (get_cell(record, column, str).strip() for column in columns)
        answer = _LABELS.get(printed.strip("_").upper())
        if answer is None:
            known = ", ".join(_LABELS)
            raise ValueError(f"unknown {label} {printed!r}; known are {known}")
        yield JudgingItem(
            id=f"{source}-{content_hash(context, question, answer)}",
            context=context,
            question=question,
            answer=answer,
            source=source,
            cluster=f"{source}-{content_hash(context)}",
        )


def _zipped(paths: Sequence[Path]) -> Iterator[RawRecord]:
    """Yield the records of files that hold one zipped list each."""
    for path in paths:
        with zipfile.ZipFile(path) as archive:
            (name,) = archive.namelist()
            yield from json.loads(archive.read(name))


def _choice_item(
    source: str, record: RawRecord, question: str, answer: str, passage: str | None = None
) -> ChoiceItem:
    """Return the item of a record whose question and answer have these column names."""
    printed, positions = record["options"], record[answer]
    options = _without_numbers(printed)
    gold = (positions,) if isinstance(positions, int) else tuple(sorted(positions))
    identifier = f"{source}-{content_hash(record[question], options, gold, passage)}"
    return ChoiceItem(
        id=identifier,
        question=record[question],
        options=options,
        answer=gold,
        source=source,
        cluster=identifier if passage is None else f"{source}-{content_hash(passage)}",
        context=passage,
        printed_options=tuple(printed),
        collected_from=record.get("dataset_source"),
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


CONVERTERS: Mapping[str, Callable[[Sequence[Path]], Iterator[Item]]] = {
    "ib_choice": ib_choice,
    "ib_choice_2700": ib_choice_2700,
    "ib_choice_within": ib_choice_within,
    "mmlu_pro": mmlu_pro,
    "mmlu_pro_public": mmlu_pro_public,
    **{
        source: partial(_judging_items, source, read, columns)
        for source, read, columns in (
            ("ib_judging", read_json_lists, ("Facts", "Conclusion", "proof_label")),
            ("folio", read_jsonl, ("premises", "conclusion", "label")),
            ("fld", read_jsonl, ("context", "hypothesis", "world_assump_label")),
        )
    },
}
