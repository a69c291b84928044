"""The data sets of output format bias (FormatEval, section 4, appendix D.1), record by record."""

from ast import literal_eval
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import ascii_uppercase
from typing import Any, NamedTuple

from bias_tasks.data.files import csv_rows, jsonl
from bias_tasks.data.sources import LazyTable, Source, source_table
from bias_tasks.names import PaperProtocol, content_hash
from bias_tasks.output_format.items import AnswerType, FormatItem, Payload
from bias_tasks.prompts.templates import seeded

MMLU_SUBJECTS = 27
"""How many of the subjects the paper asks (section 4); it does not name them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatSource(Source):
    """A data set whose questions are asked in several formats."""

    answer_type: AnswerType

    @property
    def dataset(self) -> str:
        """What `data=` calls it: the name without what sets it apart from other families'."""
        return self.name.removeprefix("format_")


FORMAT_SOURCES = source_table(__package__, FormatSource)
FORMAT_DATASETS = LazyTable(lambda: {source.dataset: source for source in FORMAT_SOURCES.values()})
"""By what `data=` calls them."""


def dataset_items(
    dataset: str, paths: Sequence[Path], protocol: PaperProtocol, seed: int
) -> Iterator[FormatItem]:
    """The items of a data set's files. An id hashes what a record says, and neither the protocol
    nor the seed changes it."""
    for record in _mmlu_records(paths) if dataset == "mmlu" else csv_rows(paths):
        found = _read(dataset, record, protocol, seed)
        content = found.identity or content_hash(found.text, found.options, found.answer)
        identifier, shared = f"{dataset}-{content}", found.shared
        yield FormatItem(
            id=identifier,
            dataset=dataset,
            input=found.text,
            answer=found.answer,
            answer_type=FORMAT_DATASETS[dataset].answer_type,
            cluster=identifier if shared is None else f"{dataset}-{content_hash(shared)}",
            options=tuple(found.options),
        )


class _Found(NamedTuple):
    """What a record says."""

    text: str
    answer: Payload
    options: Sequence[str] = ()
    shared: str | None = None
    """What the questions of one cluster have in common."""
    identity: str | None = None
    """The hash in its id, where the protocol or the seed changes the rest."""


def _mmlu_records(paths: Sequence[Path]) -> Iterator[Mapping[str, Any]]:
    records = list(jsonl(paths))
    subjects = sorted({record["subject"] for record in records}, key=content_hash)[:MMLU_SUBJECTS]
    return (record for record in records if record["subject"] in subjects)


def _read(dataset: str, record: Mapping[str, Any], protocol: PaperProtocol, seed: int) -> _Found:
    match dataset:
        case "mmlu":  # printed as FormatEval's own files print options
            choices = record["choices"]
            lettered = zip(ascii_uppercase, choices, strict=False)
            printed = " | ".join(f"{letter}. {choice}" for letter, choice in lettered)
            text = f"Question: {record['question']}\nAnswer choices: {printed}"
            return _Found(text, ascii_uppercase[record["answer"]], choices)
        case "bbh":  # printed with its options by the data set itself
            options = literal_eval(record["choices_texts"])
            return _Found(record["input_data"], record["correct_key"], options)
        case "scidocs":
            return _scidocs(record, protocol, seed)
        case "semeval2017":  # the keyphrases that the annotators marked
            phrases = literal_eval(record["keyphrases"])
            identity = content_hash(record["document"], phrases)
            if protocol == "corrected":
                phrases = [phrase.strip() for phrase in phrases]
            return _Found(record["document"], tuple(phrases), identity=identity)
        case "scirex_easy" | "scirex_medium" | "scirex_hard":  # more of the same documents
            answer = {key: tuple(names) for key, names in literal_eval(record["answer"]).items()}
            return _Found(record["input_data"], answer, shared=record["doc_id"])
        case _:  # GSM8K, HotpotQA and, about sections of one tale, FairytaleQA
            return _Found(record["input_data"], record["answer"], shared=record.get("story_name"))


def _scidocs(record: Mapping[str, Any], protocol: PaperProtocol, seed: int) -> _Found:
    """SciDocsRR: gold is 1 for a relevant paper and 0 for another, in the order shown.

    Corrected numbers the shuffled papers, one a line: a list that is printed in one of the formats
    asked for would favour it. Published prints a Python list (appendix E.3 does not say how).
    """
    relevant, others = literal_eval(record["positive"]), literal_eval(record["negative"])
    candidates = [(paper, 1) for paper in relevant] + [(paper, 0) for paper in others]
    identity = content_hash(record["query"], relevant, others)
    listed = f" {[paper for paper, _ in candidates]!r}"
    if protocol == "corrected":
        seeded(seed, "scidocs", identity).shuffle(candidates)
        listed = "".join(f"\n{at}. {paper}" for at, (paper, _) in enumerate(candidates, 1))
    text = f"Topic: {record['query']}\nList of documents:{listed}"
    answer = tuple(gold for _, gold in candidates)
    return _Found(text, answer, shared=record["query"], identity=identity)
