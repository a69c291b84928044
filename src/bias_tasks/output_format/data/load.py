"""Loads the items of a run, and training items for demonstrations and fine-tuning.

The paper's training items come from MMLU's auxiliary training data (section 6). No training split
of the other data sets is available. Training items are therefore the items of bias-core that the
run does not evaluate, or those of a file.
"""

from collections.abc import Collection, Iterable, Sequence
from string import ascii_uppercase

from bias_tasks.data import loading
from bias_tasks.data.core import core_origin, core_rows, repeat_items
from bias_tasks.data.errors import DataError
from bias_tasks.data.fetch import fetch_source
from bias_tasks.data.loading import ItemsAndOrigins, Loaded
from bias_tasks.data.readers import FILE_ENDINGS
from bias_tasks.output_format.data.files import load_items_from_file
from bias_tasks.output_format.data.sources import FORMAT_DATASETS, dataset_items
from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.items import (
    ANSWER_TYPES,
    FormatItem,
    fold_text,
)
from bias_tasks.protocols import CORE, PAPER, SYNTHETIC, PaperProtocol
from bias_tasks.randomness import seeded_random
from bias_tasks.user_names import did_you_mean

_MAX_LISTED_IDS = 5


def load_formats(
    data: str,
    protocol: PaperProtocol = "corrected",
    seed: int = 0,
    n: int | None = None,
    formats: Collection[str] | None = tuple(FORMATS),
) -> Loaded[FormatItem]:
    """Load the items of a run that at least one of the formats supports.

    Answer types alternate, and within a type the letters of the correct options.

    Args:
        data: A key of `FORMAT_DATASETS`, `core`, `synthetic` (repeated items of the core, for
            simulations), or the path of a file.
        protocol: `corrected` keeps a repeated record once and shuffles candidates; `published`
            keeps every record and lists relevant candidates first.
        seed: Seed of the order of items and candidates.
        n: Maximum number of items; None for all.
        formats: Names of the formats; None for items with any type of answer.

    Returns:
        The items, and one provenance record: the source, n (used items) and left_out (items whose
        answer no format supports).

    Raises:
        DataError: The items are not available, or no format supports any of them.
    """
    all_items, [origin] = _load_source(data, protocol, seed)
    items = all_items if formats is None else _select_supported(all_items, formats)
    if formats is not None and not items:
        types = ", ".join(sorted({item.answer_type for item in all_items}))
        raise DataError(
            f"none of the formats {', '.join(formats)} supports the answers of {data!r}, whose "
            f"types are {types}: choose other formats="
        )
    used = _order_items(items, seed)
    if data == SYNTHETIC:
        used = repeat_items(used, n or loading.SYNTHETIC_ITEMS)
    used = used[:n]
    counts = {"n": len(used), "left_out": len(all_items) - len(items)}
    return Loaded(tuple(used), ({**origin, **counts},))


def training_items(
    data: str,
    seed: int = 0,
    demos_from: str | None = None,
    formats: Collection[str] = tuple(FORMATS),
    evaluated: Iterable[FormatItem] = (),
) -> tuple[FormatItem, ...]:
    """Load items to demonstrate the formats with, in seeded order.

    Args:
        data: The data of the run, as in `load_formats`. If it is the core, so is the default of
            `demos_from`.
        seed: Seed of the order.
        demos_from: `core` for items of the core that are not evaluated, or the path of a file.
        formats: Names of the formats, of which at least one must support an item.
        evaluated: The items of the run.

    Raises:
        DataError: There are no such items, or an item of the file is evaluated, by its id or input.
    """
    evaluated = list(evaluated)
    source = demos_from or (data if data in (CORE, SYNTHETIC) else "")
    if source in (CORE, SYNTHETIC):
        evaluated_inputs = {item.input for item in evaluated}
        all_items = [item for item in _load_core(CORE) if item.input not in evaluated_inputs]
    elif source.lower().endswith(FILE_ENDINGS):
        all_items, _ = load_items_from_file(source)
    else:
        problem = f"demos_from={source!r} is unknown" if source else f"{data!r} has no training set"
        raise DataError(
            f"{problem}: set demos_from={CORE}, or a file ({', '.join(FILE_ENDINGS)}) with the "
            "columns input, answer and answer_type, whose items are not evaluated"
        )
    items = _select_supported(all_items, formats)
    seeded_random(seed, "training").shuffle(items)
    if not items:
        raise DataError(f"demos_from={source!r} has no item that the formats support")
    if shared := list_evaluated(items, evaluated):
        raise DataError(
            f"demos_from={source!r} contains items that are evaluated: {shared}; remove them, or "
            "evaluate others"
        )
    return tuple(items)


def list_evaluated(items: Iterable[FormatItem], evaluated: Iterable[FormatItem]) -> str:
    """Return the ids of up to five items that are evaluated, by their id or input.

    Args:
        items: Training items.
        evaluated: The items of a run.

    Returns:
        The ids separated by commas; empty if no item is evaluated.
    """
    evaluated = list(evaluated)
    ids = {item.id for item in evaluated}
    inputs = {fold_text(item.input) for item in evaluated}
    shared = [item.id for item in items if item.id in ids or fold_text(item.input) in inputs]
    return ", ".join(shared[:_MAX_LISTED_IDS])


def _load_source(data: str, protocol: PaperProtocol, seed: int) -> ItemsAndOrigins[FormatItem]:
    """Load all items of the core, of one of the paper's data sets, or of a file."""
    if data in (CORE, SYNTHETIC):
        return _load_core(data), [core_origin(data)]
    if data in FORMAT_DATASETS:
        paths, origin = fetch_source(FORMAT_DATASETS[data])
        items = loading.with_unique_ids(dataset_items(data, paths, protocol, seed), protocol)
        return items, [{"source": data, **origin}]
    if "://" not in data and not data.lower().endswith(FILE_ENDINGS):
        names = [PAPER, CORE, SYNTHETIC, *FORMAT_DATASETS]
        raise DataError(
            f"unknown data {data!r}{did_you_mean([data], names)}; give {', '.join(names)}, or a "
            f"file that ends in {', '.join(FILE_ENDINGS)}"
        )
    return loading.load_file(load_items_from_file, data)


def _load_core(dataset: str) -> list[FormatItem]:
    """Load the core's items; `dataset` is the name that the run uses for them."""
    return [
        FormatItem.from_dict({**row, "dataset": dataset, "cluster": row["id"]})
        for row in core_rows("formats")
    ]


def _select_supported(items: Iterable[FormatItem], formats: Collection[str]) -> list[FormatItem]:
    """Return the items whose type of answer at least one of the formats supports."""
    types = {answer_type for name in formats for answer_type in FORMATS[name].answer_types}
    return [item for item in items if item.answer_type in types]


def _order_items(items: Sequence[FormatItem], seed: int) -> list[FormatItem]:
    """Return the items in seeded random order, so that any first `n` of them are balanced.

    Answer types take turns (a number, a text, a list, ...). Among the items with options, the
    letters of the correct options take turns (A, B, ...).
    """
    by_type = ([item for item in items if item.answer_type == kind] for kind in ANSWER_TYPES)
    return loading.take_turns(
        loading.interleave(same_type, seed, _find_letter, ("", *ascii_uppercase))
        for same_type in by_type
    )


def _find_letter(item: FormatItem) -> str:
    """Return the letter of the correct option; empty if the item has no options."""
    return item.answer if isinstance(item.answer, str) and item.options else ""
