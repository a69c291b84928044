"""Converts the records of the paper's data sets (FormatEval, section 4, appendix D.1) to items."""

from ast import literal_eval
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from bias_tasks.data.files import RawRecord, get_cell, read_csv
from bias_tasks.data.sources import LazyTable, Source, source_table
from bias_tasks.digests import content_hash
from bias_tasks.output_format.items import AnswerType, FormatItem, Payload, texts_of
from bias_tasks.protocols import DesignSource, PaperProtocol
from bias_tasks.randomness import seeded_random


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatSource(Source):
    """A data set whose items are prompted in several formats."""

    answer_type: AnswerType
    source: DesignSource = "ours"
    """Whose choice it is. Runs that repeat the paper refuse other data sets."""

    @property
    def dataset(self) -> str:
        """Its name in `data=`, without the prefix that separates it from other families' data."""
        return self.name.removeprefix("format_")


FORMAT_SOURCES = source_table(__package__, FormatSource)
FORMAT_DATASETS = LazyTable(lambda: {source.dataset: source for source in FORMAT_SOURCES.values()})
"""The data sets by their names in `data=`."""


def dataset_items(
    dataset: str, paths: Sequence[Path], protocol: PaperProtocol, seed: int
) -> Iterator[FormatItem]:
    """Yield the items of a data set.

    Ids are hashes of the records' content. They depend on neither the protocol nor the seed.

    Args:
        dataset: A key of `FORMAT_DATASETS`.
        paths: Files of the data set.
        protocol: `corrected` or `published`.
        seed: Seed of the order of candidates.
    """
    for row in read_csv(paths):
        record = _parse_row(dataset, row, protocol, seed)
        content = record.identity or content_hash(record.text, record.options, record.answer)
        item_id, shared = f"{dataset}-{content}", record.shared
        yield FormatItem(
            id=item_id,
            dataset=dataset,
            input=record.text,
            answer=record.answer,
            answer_type=FORMAT_DATASETS[dataset].answer_type,
            cluster=item_id if shared is None else f"{texts_of(dataset)}-{content_hash(shared)}",
            options=tuple(record.options),
        )


class _Record(NamedTuple):
    """The content of a record."""

    text: str
    answer: Payload
    options: Sequence[str] = ()
    shared: str | None = None
    """The text that the questions of one cluster share."""
    identity: str | None = None
    """The hash in the item's id, if the other fields depend on the protocol or the seed."""


def _parse_row(dataset: str, row: RawRecord, protocol: PaperProtocol, seed: int) -> _Record:
    match dataset:
        case "mmlu" | "bbh":  # the data set's input contains the options
            text, listed, letter = (
                get_cell(row, column, str)
                for column in ("input_data", "choices_texts", "correct_key")
            )
            return _Record(text, letter, literal_eval(listed))
        case "scidocs":
            return _parse_scidocs(row, protocol, seed)
        case "semeval2017":  # the answer is the annotators' keyphrases
            phrases = literal_eval(row["keyphrases"])
            identity = content_hash(row["document"], phrases)
            if protocol == "corrected":
                phrases = [phrase.strip() for phrase in phrases]
            return _Record(row["document"], tuple(phrases), identity=identity)
        case "scirex_easy" | "scirex_medium" | "scirex_hard":  # more keys for the same documents
            answer = {key: tuple(names) for key, names in literal_eval(row["answer"]).items()}
            return _Record(row["input_data"], answer, shared=row["doc_id"])
        case _:  # GSM8K, HotpotQA, and FairytaleQA with several questions about one tale
            return _Record(row["input_data"], row["answer"], shared=row.get("story_name"))


def _parse_scidocs(row: RawRecord, protocol: PaperProtocol, seed: int) -> _Record:
    """Return a record of SciDocsRR, whose answer is 1 for a relevant paper and 0 for another.

    The corrected prompt numbers the shuffled papers, one per line: a list in one of the requested
    formats would favor that format. The published prompt has a Python list (appendix E.3 does not
    specify it).
    """
    relevant, others = literal_eval(row["positive"]), literal_eval(row["negative"])
    candidates = [(paper, 1) for paper in relevant] + [(paper, 0) for paper in others]
    identity = content_hash(row["query"], relevant, others)
    printed = f" {[paper for paper, _ in candidates]!r}"
    if protocol == "corrected":
        seeded_random(seed, "scidocs", identity).shuffle(candidates)
        lines = (f"\n{number}. {paper}" for number, (paper, _) in enumerate(candidates, 1))
        printed = "".join(lines)
    text = f"Topic: {row['query']}\nList of documents:{printed}"
    answer = tuple(gold for _, gold in candidates)
    return _Record(text, answer, shared=row["query"], identity=identity)
