"""The questions of a run, and items for demonstrations and fine-tuning that the run does not ask.

The paper takes the latter from MMLU's auxiliary training data (section 6). No other data set's
training split is at hand: they are those of the core that the run does not ask, or a file's.
"""

from collections.abc import Collection, Iterable, Sequence
from itertools import zip_longest
from string import ascii_uppercase

from bias_tasks.data import loading
from bias_tasks.data.core import core_origin, core_rows, repeated
from bias_tasks.data.errors import DataError
from bias_tasks.data.fetch import fetch_source
from bias_tasks.data.loading import Found, Loaded
from bias_tasks.data.tables import FILE_ENDINGS
from bias_tasks.names import PaperProtocol, did_you_mean
from bias_tasks.output_format.data.files import read_format_file
from bias_tasks.output_format.data.sources import FORMAT_DATASETS, dataset_items
from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.items import (
    ANSWER_TYPES,
    CORE,
    PAPER,
    SYNTHETIC,
    FormatItem,
    folded,
    format_item_from_dict,
)
from bias_tasks.prompts.templates import seeded


def load_formats(
    data: str,
    protocol: PaperProtocol = "corrected",
    seed: int = 0,
    n: int | None = None,
    formats: Collection[str] = tuple(FORMATS),
) -> Loaded[FormatItem]:
    """The items of a run whose answers one of the formats can hold; answer types take turns, and in
    each the letters.

    Provenance is one record: what identifies the source, n (items that are used) and left_out
    (items whose answer none of the formats can hold). A DataError where items can't be had, or no
    format can hold any of them.

    `data` is a key of `FORMAT_DATASETS`, `core`, `synthetic` (the core's items over and over, for
    simulations), or the path of your own file. `corrected` keeps a repeated record once and
    shuffles candidates, `published` keeps every record and lists relevant candidates first.
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
    demos_from: str | None = None,
    formats: Collection[str] = tuple(FORMATS),
    evaluated: Iterable[FormatItem] = (),
) -> tuple[FormatItem, ...]:
    """Items to demonstrate a format with, in seeded order, that one of the formats can hold.

    They are of `demos_from`: `core` for those items of the core that are not among the `evaluated`
    ones of the run, or a file of rows as for `data=`; without it the core's where that is
    evaluated. A DataError where there are none, or one of a file is evaluated, by its id or input.
    """
    evaluated = list(evaluated)
    source = demos_from or (data if data in (CORE, SYNTHETIC) else "")
    if source in (CORE, SYNTHETIC):
        asked = {item.input for item in evaluated}
        found = [item for item in _core_items(CORE) if item.input not in asked]
    elif source.lower().endswith(FILE_ENDINGS):
        found, _ = read_format_file(source)
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
    """Ids of the first five of these items that are evaluated, by their id or input."""
    evaluated = list(evaluated)
    ids = {item.id for item in evaluated}
    inputs = {folded(item.input) for item in evaluated}
    shared = [i.id for i in items if i.id in ids or folded(i.input) in inputs]
    return ", ".join(shared[:5])


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
    return loading.from_file(read_format_file, data)


def _core_items(name: str) -> list[FormatItem]:
    """The core's items, under the name that the run gives them."""
    return [
        format_item_from_dict({"options": (), **row, "dataset": name, "cluster": row["id"]})
        for row in core_rows("formats")
    ]


def _held(items: Iterable[FormatItem], formats: Collection[str]) -> list[FormatItem]:
    """The items of an answer type that at least one of the formats can hold."""
    types = {answer_type for name in formats for answer_type in FORMATS[name].answer_types}
    return [item for item in items if item.answer_type in types]


def _in_order(items: Sequence[FormatItem], seed: int) -> list[FormatItem]:
    """Seeded random order in which answer types take turns, and in each the letters."""
    by_type = ([item for item in items if item.answer_type == kind] for kind in ANSWER_TYPES)
    turns = (loading.in_turns(mine, seed, _letter, ("", *ascii_uppercase)) for mine in by_type)
    return [item for turn in zip_longest(*turns) for item in turn if item is not None]


def _letter(item: FormatItem) -> str:
    return item.answer if isinstance(item.answer, str) and item.options else ""
