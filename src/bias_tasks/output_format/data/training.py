"""Items for demonstrations and fine-tuning: never those that are evaluated.

The paper takes them from MMLU's auxiliary training data (section 6). No training split of the
other data sets is at hand, and one cut out of the evaluated items would leak: so they are
generated, or come from a file of your own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from bias_tasks.data.errors import DataError
from bias_tasks.data.loading import SYNTHETIC_ITEMS, check_n
from bias_tasks.data.tables import FILE_ENDINGS
from bias_tasks.output_format.data.files import read_format_file
from bias_tasks.output_format.data.load import SYNTHETIC, held_answer_types
from bias_tasks.output_format.data.synthetic import generate_formats
from bias_tasks.output_format.items import FormatItem
from bias_tasks.prompts.seeded import seeded

_SHOWN = 5


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
    wanted = held_answer_types(formats)
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


def _from_file(dataset: str, source: str | None) -> list[FormatItem]:
    if source is None or not source.lower().endswith(FILE_ENDINGS):
        found = "" if source is None else f"demos_from={source!r} is neither: "
        raise DataError(
            f"{found}no training items of {dataset!r} are at hand: give demos_from={SYNTHETIC}, or "
            f"a file ({', '.join(FILE_ENDINGS)}) of rows input, answer, answer_type that are not "
            "evaluated"
        )
    return read_format_file(source)[0]


def evaluated_among(items: Iterable[FormatItem], evaluated: Iterable[FormatItem]) -> str:
    """The first of the items that are evaluated, for a message; empty where none is.

    They are told by their id, or by their input without regard to capitals and blanks.
    """
    evaluated = list(evaluated)
    ids = {item.id for item in evaluated}
    inputs = {_words(item) for item in evaluated}
    shared = [item.id for item in items if item.id in ids or _words(item) in inputs]
    more = f" and {len(shared) - _SHOWN:,} more" if len(shared) > _SHOWN else ""
    return f"{', '.join(shared[:_SHOWN])}{more}"


def _words(item: FormatItem) -> str:
    return " ".join(item.input.casefold().split())
