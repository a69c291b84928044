"""Turns each data set's own records into items."""

import json
import random
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from bias_tasks.data.errors import DataError
from bias_tasks.data.files import RawRecord, cell, jsonl, parsed_json
from bias_tasks.instruction_boundary.items import ChoiceItem, Item, JudgingItem, JudgingLabel
from bias_tasks.instruction_boundary.settings import LEVELS
from bias_tasks.names import content_hash
from bias_tasks.prompts.templates import seeded

_LABELS: Mapping[str, JudgingLabel] = {
    **{"PROVED": "True", "DISPROVED": "False", "UNKNOWN": "Unknown"},
    **{"TRUE": "True", "FALSE": "False", "UNCERTAIN": "Unknown"},
}
"""Gold labels as data sets print them, without underscores around them and in capitals."""
_PUBLIC_SIZE, _PUBLIC_SEED = 300, 42
"""How many questions the public code samples, and the seed that it gives."""


def ib_choice(paths: Sequence[Path]) -> Iterator[ChoiceItem]:
    """The paper's choice items. `Facts` holds the passage, if any, and the options once more."""
    for record in _json(paths):
        passage, _, _ = record["Facts"].rpartition("Options:\n")
        passage = passage.removeprefix("Background: ").rstrip("\n")
        yield _choice_item(
            "ib_choice",
            record["Conclusion"],
            record["options"],
            record["correct_answers"],
            passage or None,
            taken_from=record["dataset_source"],
        )


def ib_choice_2700(paths: Sequence[Path]) -> Iterator[ChoiceItem]:
    """The authors' 2,700 choice items."""
    for record in _json(paths):
        yield _choice_item(
            "ib_choice_2700",
            record["question"],
            record["options"],
            record["correct_answers"],
            record.get("passage_text"),
            taken_from=record["dataset_source"],
        )


def ib_choice_within(paths: Sequence[Path]) -> Iterator[ChoiceItem]:
    """The paper's choice items with a right option, each asked under two labels.

    In the paper's files a label is a data set's (see the source's issues), so that sparse against
    tense compares data sets. Here each question with one or two right options and at least two
    wrong ones stands twice, with one option less, once without a right one and once without a wrong
    one: of one right option under none (as the paper masks options, section 2.2) and single, of two
    under single and multiple.

    Both share the question's cluster. Their options are printed without numbers under either
    protocol, since those of the files would have a gap. No run's seed moves which one is left out.
    """
    for item in ib_choice(paths):
        wrong = [p for p in range(len(item.options)) if p not in item.answer]
        if len(item.answer) in (1, 2) and len(wrong) > 1:
            rng = seeded(0, item.id, "ib_choice_within")
            yield _without(item, rng.choice(item.answer))
            yield _without(item, rng.choice(wrong))


def mmlu_pro(paths: Sequence[Path]) -> Iterator[ChoiceItem]:
    """MMLU-Pro's test questions that have ten options, out of a zipped file of results."""
    for record in _zipped(paths):
        if len(record["options"]) == 10:
            answer = [record["answer_index"]]
            yield _choice_item("mmlu_pro", record["question"], record["options"], answer)


def mmlu_pro_public(paths: Sequence[Path]) -> Iterator[ChoiceItem]:
    """What the paper's public code draws for Disturbing Miscellany (table 6, figure 3).

    From one generator it samples MMLU-Pro's test questions and then draws, for one to nine
    distractors in turn and each question in its sampled order, which wrong options are shown. Where
    there are no more than wanted, all are shown and nothing is drawn.
    """
    # The file of results has them by subject; the data set begins with the first ids in order.
    records = sorted(_zipped(paths), key=lambda record: int(record["question_id"]))
    rng = random.Random(_PUBLIC_SEED)  # what `random.seed(42)` makes of the global one
    items = [
        _choice_item(
            "mmlu_pro_public", record["question"], record["options"], [record["answer_index"]]
        )
        for record in rng.sample(records, min(_PUBLIC_SIZE, len(records)))
    ]
    wrong = [[p for p in range(len(item.options)) if p not in item.answer] for item in items]
    drawn = [
        [tuple(places if n >= len(places) else rng.sample(places, n)) for places in wrong]
        for n in LEVELS
    ]
    for item, shown in zip(items, zip(*drawn, strict=True), strict=True):
        yield replace(item, drawn=shown)


def folio(paths: Sequence[Path]) -> Iterator[Item]:
    """FOLIO: the premises, one a line, and the conclusion to judge."""
    for record in jsonl(paths):
        premises = "\n".join(premise.strip() for premise in record["premises"])
        yield _judging_item("folio", {**record, "facts": premises}, "facts", "conclusion", "label")


def ib_judging(paths: Sequence[Path]) -> Iterator[Item]:
    """Their judging questions. A DataError where a column is missing or a label is unknown."""
    for record in _json(paths):
        yield _judging_item("ib_judging", record, "Facts", "Conclusion", "proof_label")


def fld(paths: Sequence[Path]) -> Iterator[Item]:
    """FLD; its versions name the answer by the world's assumption or by the proof alone. A
    DataError where a column is missing or a label is unknown."""
    for record in jsonl(paths):
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
        yield from parsed_json(path.read_bytes())


def _zipped(paths: Sequence[Path]) -> Iterator[RawRecord]:
    """The records of files that hold one zipped list each."""
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
    taken_from: str | None = None,
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
        taken_from=taken_from,
    )


def _without_numbers(printed: Sequence[str]) -> tuple[str, ...]:
    """The options without "0. ", "1. ", ..., if they are numbered so throughout."""
    bare = [option.removeprefix(f"{i}. ") for i, option in enumerate(printed)]
    numbered = all(len(b) < len(option) for b, option in zip(bare, printed, strict=True))
    return tuple(bare if numbered else printed)


def _without(item: ChoiceItem, left_out: int) -> ChoiceItem:
    """The item as one of `ib_choice_within`, without the option at a position."""
    kept = [p for p in range(len(item.options)) if p != left_out]
    options = tuple(item.options[p] for p in kept)
    answer = tuple(kept.index(p) for p in item.answer if p != left_out)
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
    """The item of a record, whose columns have these names."""
    context, question, printed = (
        cell(source, record, column, str).strip() for column in (facts, statement, label)
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
