"""The questions of a run, and items for demonstrations and fine-tuning that are never evaluated.

The paper takes the latter from MMLU's auxiliary training data (section 6). No training split of the
other data sets is at hand, and one cut out of the evaluated items would leak: so they are
generated, or come from a file of your own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
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
from bias_tasks.data.tables import FILE_ENDINGS
from bias_tasks.names import PaperProtocol, did_you_mean
from bias_tasks.output_format.data.sources import CONVERTERS, FORMAT_DATASETS, Setup
from bias_tasks.output_format.data.synthetic import generate_formats
from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.items import ANSWER_TYPES, AnswerType, FormatItem
from bias_tasks.prompts.templates import seeded

SYNTHETIC = "synthetic"
_SHOWN = 5


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
    wanted = _held_answer_types(formats)
    if dataset == SYNTHETIC:
        found: list[FormatItem] = generate_formats(
            n or SYNTHETIC_ITEMS, seed, _comparable(wanted, formats)
        )
        origin = {"source": SYNTHETIC, "seed": seed}
    else:
        found, [origin] = _named(dataset, protocol, seed)
    items = [item for item in found if item.answer_type in wanted]
    if not items:
        types = ", ".join(sorted({item.answer_type for item in found}))
        raise DataError(
            f"no format of {', '.join(formats or ())} can hold an answer of {dataset!r}, whose "
            f"answer types are {types}; choose other formats="
        )
    used = items if dataset == SYNTHETIC else _in_order(items, seed)[:n]
    counts = {"n": len(used), "left_out": len(found) - len(items)}
    return Loaded(tuple(used), ({**origin, **counts},))


def training_items(
    dataset: str,
    seed: int = 0,
    *,
    demos_from: str | None = None,
    n: int | None = None,
    formats: Collection[str] | None = None,
    evaluated: Iterable[FormatItem] = (),
) -> tuple[FormatItem, ...]:
    """Items to demonstrate a format with or to train on, in seeded order.

    Args:
        dataset: what is evaluated, as in `load_formats`.
        seed: orders the items of a file, and generates synthetic ones.
        demos_from: `synthetic`, or a file of rows as for `dataset=`; without it `synthetic` where
            that is evaluated, and an error otherwise.
        n: at most so many.
        formats: only items that one of these formats can hold.
        evaluated: the run's items.

    Raises:
        DataError: there is nowhere to take them from, none can be held, or one is among the
            evaluated items, by its id or its input.
        ValueError: a format is unknown, or n is below 1.
    """
    check_n(n)
    source = demos_from or (SYNTHETIC if dataset == SYNTHETIC else None)
    wanted = _held_answer_types(formats)
    if source == SYNTHETIC:
        items = generate_formats(n or SYNTHETIC_ITEMS, seed, wanted, training=True)
    else:
        items = [item for item in _from_file(dataset, source) if item.answer_type in wanted]
        seeded(seed, "training").shuffle(items)
    if not items:
        raise DataError(f"demos_from={source!r} has no item that the formats can hold")
    if shared := evaluated_among(items, evaluated):
        raise DataError(
            f"demos_from={source!r} holds items that are evaluated: {shared}; take them out, or "
            "evaluate others"
        )
    return tuple(items[:n])


def evaluated_among(items: Iterable[FormatItem], evaluated: Iterable[FormatItem]) -> str:
    """The first of the items that are evaluated, for a message; empty where none is.

    They are told by their id, or by their input without regard to capitals and blanks.
    """
    evaluated = list(evaluated)
    ids = {item.id for item in evaluated}
    inputs = {folded_words(item.input) for item in evaluated}
    shared = [i.id for i in items if i.id in ids or folded_words(i.input) in inputs]
    more = f" and {len(shared) - _SHOWN:,} more" if len(shared) > _SHOWN else ""
    return f"{', '.join(shared[:_SHOWN])}{more}"


def folded_words(text: str) -> str:
    """A text without regard to capitals and blanks."""
    return " ".join(text.casefold().split())


def fetch_datasets(datasets: Sequence[str]) -> None:
    """Fetch those of the paper's data sets among these that are not in the cache.

    Raises:
        DataError: some can't be fetched.
    """
    sources = [FORMAT_DATASETS[name] for name in datasets if name in FORMAT_DATASETS]
    fetch_missing(sources, instead=f"dataset={SYNTHETIC} or a file of your own")


def _named(dataset: str, protocol: PaperProtocol, seed: int) -> Found[FormatItem]:
    """The items of one of the paper's data sets, or of a file."""
    # Imported here: it loads pydantic, which most runs do without.
    from bias_tasks.output_format.data.files import read_format_file

    if dataset in FORMAT_DATASETS:
        fetch_datasets([dataset])
        paths, origin = fetch_source(FORMAT_DATASETS[dataset])
        items = with_unique_ids(CONVERTERS[dataset](paths, Setup(protocol, seed)), protocol)
        return items, [{"source": dataset, **origin}]
    if Path(dataset).suffix.lower() not in FILE_ENDINGS:
        known = [*FORMAT_DATASETS, SYNTHETIC]
        raise DataError(
            f"unknown dataset {dataset!r}{did_you_mean([dataset], known)}; give one of "
            f"{', '.join(known)}, or a file that ends in {', '.join(FILE_ENDINGS)}"
        )
    return from_file(read_format_file, dataset)


def _from_file(dataset: str, source: str | None) -> list[FormatItem]:
    from bias_tasks.output_format.data.files import read_format_file

    if source is None or not source.lower().endswith(FILE_ENDINGS):
        found = "" if source is None else f"demos_from={source!r} is neither: "
        raise DataError(
            f"{found}no training items of {dataset!r} are at hand: give demos_from={SYNTHETIC}, or "
            f"a file ({', '.join(FILE_ENDINGS)}) of rows input, answer, answer_type that are not "
            "evaluated"
        )
    return read_format_file(source)[0]


def _held_answer_types(formats: Collection[str] | None) -> tuple[AnswerType, ...]:
    """The answer types that at least one of the formats can hold; all of them without a choice.

    Raises:
        ValueError: a format is unknown.
    """
    if formats is None:
        return ANSWER_TYPES
    check_names("format", formats, FORMATS, error=ValueError)
    held = {answer_type for name in formats for answer_type in FORMATS[name].answer_types}
    return tuple(answer_type for answer_type in ANSWER_TYPES if answer_type in held)


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


def _in_order(items: Sequence[FormatItem], seed: int) -> list[FormatItem]:
    """Seeded random order in which answer types take turns, and in each the letters."""
    by_type = []
    for answer_type in ANSWER_TYPES:
        mine = [item for item in items if item.answer_type == answer_type]
        by_type.append(in_turns(mine, seed, _letter, sorted({_letter(item) for item in mine})))
    return [item for turn in zip_longest(*by_type) for item in turn if item is not None]


def _letter(item: FormatItem) -> str:
    return item.answer if isinstance(item.answer, str) and item.options else ""
