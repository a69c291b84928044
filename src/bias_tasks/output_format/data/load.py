"""The questions of a run, and items for demonstrations and fine-tuning that the run does not ask.

The paper takes the latter from MMLU's auxiliary training data (section 6). No other data set's
training split is at hand: they are those of the core that the run does not ask, or a file's.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import zip_longest

from bias_tasks.data import loading
from bias_tasks.data.core import core_origin, core_rows, repeated
from bias_tasks.data.errors import DataError
from bias_tasks.data.fetch import fetch_source
from bias_tasks.data.loading import Found, Loaded
from bias_tasks.data.tables import FILE_ENDINGS
from bias_tasks.names import PaperProtocol, did_you_mean
from bias_tasks.output_format.data.sources import FORMAT_DATASETS, dataset_items
from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.items import (
    ANSWER_TYPES,
    CORE,
    PAPER,
    SYNTHETIC,
    FormatItem,
    format_item_from_dict,
)
from bias_tasks.prompts.templates import seeded

_SHOWN = 5
"""Ids that a message lists."""


def load_formats(
    data: str,
    *,
    protocol: PaperProtocol = "corrected",
    seed: int = 0,
    n: int | None = None,
    formats: Collection[str] = tuple(FORMATS),
) -> Loaded[FormatItem]:
    """The items of a run whose answers one of the formats can hold.

    Provenance is one record: what identifies the source, n (items that are used) and left_out
    (items whose answer none of the formats can hold). A DataError where items can't be had, or no
    format can hold any of them.

    Args:
        data: a key of `FORMAT_DATASETS`, `core`, `synthetic` (the core's items over and over, for
            simulations), or the path of your own file.
        protocol: `corrected` keeps a repeated record once and shuffles candidates, `published`
            keeps every record and lists relevant candidates first.
        seed, n: as in every loader; answer types and letters take turns.
        formats: their names.
    """
    found, [origin] = _named(data, protocol, seed)
    items = _held(found, formats)
    if not items:
        types = ", ".join(sorted({item.answer_type for item in found}))
        raise DataError(
            f"no format of {', '.join(formats)} can hold an answer of {data!r}, whose "
            f"answer types are {types}; choose other formats="
        )
    used = _in_order(items, seed)
    if data == SYNTHETIC:
        used = repeated(used, n or loading.SYNTHETIC_ITEMS)
    used = used[:n]
    counts = {"n": len(used), "left_out": len(found) - len(items)}
    return Loaded(tuple(used), ({**origin, **counts},))


def training_items(
    data: str,
    seed: int = 0,
    *,
    demos_from: str | None = None,
    formats: Collection[str] = tuple(FORMATS),
    evaluated: Iterable[FormatItem] = (),
) -> tuple[FormatItem, ...]:
    """Items to demonstrate a format with, in seeded order, that one of the formats can hold.

    They are of `demos_from`: `core` (or `synthetic`) for those items of the core that are not
    among the `evaluated` ones of the run, or a file of rows as for `data=`; without it the core's
    where that is evaluated. A DataError where there is nowhere to take them from, none can be held,
    or one of a file is evaluated, by its id or its input.
    """
    evaluated = list(evaluated)
    source = demos_from or (data if data in (CORE, SYNTHETIC) else "")
    if source in (CORE, SYNTHETIC):
        asked = {item.input for item in evaluated}
        found = [item for item in _core_items(CORE) if item.input not in asked]
    elif source.lower().endswith(FILE_ENDINGS):
        found, _ = _read_file(source)
    else:
        neither = f"demos_from={source!r} is neither: " if source else ""
        raise DataError(
            f"{neither}no training items of {data!r} are at hand: give demos_from={CORE}, or a "
            f"file ({', '.join(FILE_ENDINGS)}) of rows input, answer, answer_type that are not "
            "evaluated"
        )
    items = _held(found, formats)
    seeded(seed, "training").shuffle(items)
    if not items:
        raise DataError(f"demos_from={source!r} has no item that the formats can hold")
    if shared := evaluated_among(items, evaluated):
        raise DataError(
            f"demos_from={source!r} holds items that are evaluated: {shared}; take them out, or "
            "evaluate others"
        )
    return tuple(items)


def evaluated_among(items: Iterable[FormatItem], evaluated: Iterable[FormatItem]) -> str:
    """Ids of the first of these items that are evaluated, by their id or input, for a message."""
    evaluated = list(evaluated)
    ids = {item.id for item in evaluated}
    inputs = {folded_words(item.input) for item in evaluated}
    shared = [i.id for i in items if i.id in ids or folded_words(i.input) in inputs]
    return ", ".join(shared[:_SHOWN])


def folded_words(text: str) -> str:
    """A text without regard to capitals and blanks."""
    return " ".join(text.casefold().split())


def _named(data: str, protocol: PaperProtocol, seed: int) -> Found[FormatItem]:
    """The items of the core, of one of the paper's data sets, or of a file."""
    if data in (CORE, SYNTHETIC):
        return _core_items(data), [core_origin(data)]
    if data in FORMAT_DATASETS:
        paths, origin = fetch_source(FORMAT_DATASETS[data])
        items = loading.with_unique_ids(dataset_items(data, paths, protocol, seed), protocol)
        return items, [{"source": data, **origin}]
    if not data.lower().endswith(FILE_ENDINGS):
        known = [PAPER, CORE, SYNTHETIC, *FORMAT_DATASETS]
        raise DataError(
            f"unknown data {data!r}{did_you_mean([data], known)}; give {', '.join(known)}, or a "
            f"file that ends in {', '.join(FILE_ENDINGS)}"
        )
    return loading.from_file(_read_file, data)


def _core_items(name: str) -> list[FormatItem]:
    """The core's items, under the name that the run gives them."""
    return [
        format_item_from_dict({"options": (), **row, "dataset": name, "cluster": row["id"]})
        for row in core_rows("formats")
    ]


def _read_file(path: str) -> tuple[list[FormatItem], str]:
    # Imported here: it loads pydantic, which most runs do without.
    from bias_tasks.output_format.data.files import read_format_file

    return read_format_file(path)


def _held(items: Iterable[FormatItem], formats: Collection[str]) -> list[FormatItem]:
    """The items of an answer type that at least one of the formats can hold."""
    types = {answer_type for name in formats for answer_type in FORMATS[name].answer_types}
    return [item for item in items if item.answer_type in types]


def _in_order(items: Sequence[FormatItem], seed: int) -> list[FormatItem]:
    """Seeded random order in which answer types take turns, and in each the letters."""
    by_type = []
    for answer_type in ANSWER_TYPES:
        mine = [item for item in items if item.answer_type == answer_type]
        by_type.append(
            loading.in_turns(mine, seed, _letter, sorted({_letter(item) for item in mine}))
        )
    return [item for turn in zip_longest(*by_type) for item in turn if item is not None]


def _letter(item: FormatItem) -> str:
    return item.answer if isinstance(item.answer, str) and item.options else ""
