"""Turns each data set's own records into yes/no questions (paper, section 2.1)."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from bias_tasks.binary_qa.data.candidates import Candidate, as_question, binary_item
from bias_tasks.binary_qa.data.drop import drop
from bias_tasks.binary_qa.data.mqm import mqm
from bias_tasks.binary_qa.items import BinaryLabel
from bias_tasks.data.records import RawRecord, cell, csv_rows, jsonl, read_json

ACCEPTABLE = "Is this acceptable according to ordinary morality in usual circumstances?"
FAIR = "Is this fair/just according to ordinary morality in usual circumstances?"

_PARAGRAPHS = 10
"""Two that answer the question and eight distractors."""


def boolq(paths: Sequence[Path]) -> Iterator[Candidate]:
    """BoolQ: columns `question`, `passage`, `answer` (true or false)."""
    for record in jsonl(paths):
        passage = cell("boolq", record, "passage", str).strip()
        question = as_question(cell("boolq", record, "question", str))
        answer = _label(cell("boolq", record, "answer", bool))
        yield Candidate(binary_item("boolq", "reading", question, answer, passage, passage))


def hotpotqa(paths: Sequence[Path]) -> Iterator[Candidate]:
    """HotpotQA (distractor): the comparison questions that are answered by yes or no."""
    yield from _hotpotqa("hotpotqa", jsonl(paths), "level")


def hotpotqa_formateval(paths: Sequence[Path]) -> Iterator[Candidate]:
    """FormatEval's table of HotpotQA, in which a context is written as a Python literal."""
    rows = [row for row in csv_rows(paths) if row["answer"] in ("yes", "no")]
    records = [{**row, "context": ast.literal_eval(row["context"])} for row in rows]
    for candidate in _hotpotqa("hotpotqa_formateval", records, "qlevel"):
        yield Candidate(candidate.item)


def ethics_commonsense(paths: Sequence[Path]) -> Iterator[Candidate]:
    """ETHICS commonsense: label 1 means that what is told is clearly wrong."""
    source = "ethics_commonsense"
    for record in jsonl(paths):
        if cell(source, record, "is_short", bool):
            scenario = cell(source, record, "input", str).strip()
            acceptable = not cell(source, record, "label", int)
            yield Candidate(binary_item(source, "ethics", ACCEPTABLE, _label(acceptable), scenario))


def ethics_justice(paths: Sequence[Path]) -> Iterator[Candidate]:
    """ETHICS justice: label 1 means that the reason given is a fair one."""
    source = "ethics_justice"
    for record in jsonl(paths):
        scenario = cell(source, record, "scenario", str).strip()
        fair = bool(cell(source, record, "label", int))
        yield Candidate(binary_item(source, "ethics", FAIR, _label(fair), scenario))


def bbh_sports(paths: Sequence[Path]) -> Iterator[Candidate]:
    """Sports understanding: the sentence is the context, so that every question is the same."""
    for record in _examples(paths):
        sentence = record["input"].removeprefix("Is the following sentence plausible? ")
        item = binary_item(
            "bbh_sports",
            "plausibility",
            "Is the sentence plausible?",
            _label(record["target"] == "yes"),
            f"Sentence: {sentence}",
        )
        yield Candidate(item)


def bbh_boolean(paths: Sequence[Path]) -> Iterator[Candidate]:
    """Boolean expressions, in Python's notation."""
    for record in _examples(paths):
        question = f'Is the expression "{record["input"].removesuffix(" is")}" true?'
        answer = _label(record["target"] == "True")
        yield Candidate(binary_item("bbh_boolean", "boolean_logic", question, answer, None))


def folio_binary(paths: Sequence[Path]) -> Iterator[Candidate]:
    """FOLIO's proved (True) and disproved (False) statements.

    The statement stands in the context, and the question asks whether it is true: of a disproved
    one the opposite follows, so the negative rewordings have the opposite answer exactly.
    """
    for record in jsonl(paths):
        if record["label"] not in ("True", "False"):
            continue
        premises = "\n".join(premise.strip() for premise in record["premises"])
        item = binary_item(
            "folio_binary",
            "deduction",
            "Is the statement true according to the premises?",
            _label(record["label"] == "True"),
            f"Premises:\n{premises}\n\nStatement: {record['conclusion'].strip()}",
            premises,
        )
        yield Candidate(item)


wmt2020_ende = partial(mqm, "wmt2020_ende", least_ratings=2)
"""WMT 2020 English to German, rated by three translators each."""
wmt_ted_ende = partial(mqm, "wmt_ted_ende", least_ratings=1)
"""TED talks, English to German, rated by one translator each."""

CONVERTERS: Mapping[str, Callable[[Sequence[Path]], Iterator[Candidate]]] = {
    "boolq": boolq,
    "hotpotqa": hotpotqa,
    "drop": drop,
    "wmt2020_ende": wmt2020_ende,
    "ethics_commonsense": ethics_commonsense,
    "ethics_justice": ethics_justice,
    "hotpotqa_formateval": hotpotqa_formateval,
    "wmt_ted_ende": wmt_ted_ende,
    "bbh_sports": bbh_sports,
    "bbh_boolean": bbh_boolean,
    "folio_binary": folio_binary,
}


def _label(true: bool) -> BinaryLabel:
    return "Yes" if true else "No"


def _hotpotqa(source: str, records: Iterable[RawRecord], level: str) -> Iterator[Candidate]:
    for record in records:
        context = cell(source, record, "context", dict)
        paragraphs = [
            f"{title}\n{' '.join(sentence.strip() for sentence in sentences)}"
            for title, sentences in zip(context["title"], context["sentences"], strict=True)
        ]
        if len(paragraphs) == _PARAGRAPHS:
            question = as_question(cell(source, record, "question", str))
            answer = _label(cell(source, record, "answer", str) == "yes")
            item = binary_item(source, "multi_hop", question, answer, "\n\n".join(paragraphs))
            yield Candidate(item, cell(source, record, level, str))


def _examples(paths: Sequence[Path]) -> Iterator[RawRecord]:
    for path in paths:
        yield from read_json(path)["examples"]
