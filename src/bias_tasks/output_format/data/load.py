"""`load_formats`: the questions of a run, whatever they come from."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import zip_longest
from pathlib import Path

from bias_tasks.data.errors import DataError, check_names
from bias_tasks.data.fetch import fetch_missing, fetch_source
from bias_tasks.data.loading import (
    SYNTHETIC_ITEMS,
    Found,
    Loaded,
    check_n,
    check_protocol,
    from_file,
    in_turns,
    with_unique_ids,
)
from bias_tasks.names import PaperProtocol, did_you_mean
from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.items import ANSWER_TYPES, AnswerType, FormatItem

SYNTHETIC = "synthetic"


def load_formats(
    dataset: str,
    *,
    protocol: PaperProtocol = "corrected",
    seed: int = 0,
    n: int | None = None,
    formats: Collection[str] | None = None,
) -> Loaded[FormatItem]:
    """The items of a run.

    Provenance is one record: source, n (items that are used), left_out (items whose answer none
    of the formats can hold), and repository, revision and files with their hashes, or path and
    sha256, or seed.

    Args:
        dataset: one of the paper's (`mmlu`, `bbh`, `gsm8k`, `hotpotqa`, `fairytaleqa`, `scidocs`,
            `semeval2017`, `scirex_easy`, `scirex_medium`, `scirex_hard`), `synthetic` for generated
            items, or the path of your own (JSONL, CSV or Parquet; see
            `bias_tasks.output_format.data.files`).
        protocol: `corrected` keeps a repeated record once and shuffles candidates, `published`
            keeps every record and lists relevant candidates first.
        seed, n: as in every loader (`bias_tasks.data.loading`); answer types and
            letters take turns, and the seed shuffles candidates too.
        formats: names of the formats to be asked for; only items that one of them can hold.

    Raises:
        DataError: items can't be fetched or read, or no format can hold any of them.
        ValueError: an argument is not among the allowed ones.
    """
    check_protocol(protocol)
    check_n(n)
    wanted = held_answer_types(formats)
    if dataset == SYNTHETIC:
        found, origins = _synthetic(wanted, formats, seed, n)
    else:
        found, origins = _named(dataset, protocol, seed)
    items = [item for item in found if item.answer_type in wanted]
    if not items:
        types = ", ".join(sorted({item.answer_type for item in found}))
        raise DataError(
            f"no format of {', '.join(formats or ())} can hold an answer of {dataset!r}, whose "
            f"answer types are {types}; choose other formats="
        )
    used = items if dataset == SYNTHETIC else _in_order(items, seed)[:n]
    counts = {"n": len(used), "left_out": len(found) - len(items)}
    return Loaded(tuple(used), tuple({**origin, **counts} for origin in origins))


def fetch_datasets(datasets: Sequence[str]) -> None:
    """Fetch those of the paper's data sets among these that are not in the cache.

    Raises:
        DataError: some can't be fetched.
    """
    from bias_tasks.output_format.data.sources import FORMAT_DATASETS

    sources = [FORMAT_DATASETS[name] for name in datasets if name in FORMAT_DATASETS]
    fetch_missing(sources, instead=f"dataset={SYNTHETIC} or a file of your own")


def held_answer_types(formats: Collection[str] | None) -> tuple[AnswerType, ...]:
    """The answer types that at least one of the formats can hold; all of them without a choice.

    Raises:
        ValueError: a format is unknown.
    """
    if formats is None:
        return ANSWER_TYPES
    check_names("format", formats, FORMATS, error=ValueError)
    held = {answer_type for name in formats for answer_type in FORMATS[name].answer_types}
    return tuple(answer_type for answer_type in ANSWER_TYPES if answer_type in held)


def _named(dataset: str, protocol: PaperProtocol, seed: int) -> Found[FormatItem]:
    from bias_tasks.data.tables import FILE_ENDINGS
    from bias_tasks.output_format.data.files import read_format_file
    from bias_tasks.output_format.data.sources import FORMAT_DATASETS

    if dataset in FORMAT_DATASETS:
        return _paper(dataset, protocol, seed)
    if Path(dataset).suffix.lower() not in FILE_ENDINGS:
        known = [*FORMAT_DATASETS, SYNTHETIC]
        raise DataError(
            f"unknown dataset {dataset!r}{did_you_mean([dataset], known)}; give one of "
            f"{', '.join(known)}, or a file that ends in {', '.join(FILE_ENDINGS)}"
        )
    return from_file(read_format_file, dataset)


def _paper(dataset: str, protocol: PaperProtocol, seed: int) -> Found[FormatItem]:
    from bias_tasks.output_format.data.converters import CONVERTERS, Setup
    from bias_tasks.output_format.data.sources import FORMAT_DATASETS

    fetch_datasets([dataset])
    paths, origin = fetch_source(FORMAT_DATASETS[dataset])
    items = with_unique_ids(CONVERTERS[dataset](paths, Setup(protocol, seed)), protocol)
    return items, [{"source": dataset, **origin}]


def _comparable(
    wanted: Sequence[AnswerType], formats: Collection[str] | None
) -> tuple[AnswerType, ...]:
    """The answer types that no chosen format leaves to another one of its category.

    So that the formats of a category are compared on the same items.
    """
    chosen = [FORMATS[name] for name in formats or ()]
    left = {
        answer_type
        for one in chosen
        for other in chosen
        if one.category == other.category
        for answer_type in one.answer_types - other.answer_types
    }
    return tuple(answer_type for answer_type in wanted if answer_type not in left)


def _synthetic(
    wanted: Sequence[AnswerType], formats: Collection[str] | None, seed: int, n: int | None
) -> Found[FormatItem]:
    from bias_tasks.output_format.data.synthetic import generate_formats

    items = generate_formats(n or SYNTHETIC_ITEMS, seed, _comparable(wanted, formats))
    return items, [{"source": SYNTHETIC, "seed": seed}]


def _in_order(items: Sequence[FormatItem], seed: int) -> list[FormatItem]:
    """Seeded random order in which answer types take turns, and in each the letters."""
    by_type = []
    for answer_type in ANSWER_TYPES:
        mine = [item for item in items if item.answer_type == answer_type]
        by_type.append(in_turns(mine, seed, _letter, sorted({_letter(item) for item in mine})))
    return [item for turn in zip_longest(*by_type) for item in turn if item is not None]


def _letter(item: FormatItem) -> str:
    return item.answer if isinstance(item.answer, str) and item.options else ""
