"""`load_items`: what a judge is asked to judge in a run, whatever it comes from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bias_tasks.data.errors import DataError
from bias_tasks.data.fetch import fetch_missing, fetch_source
from bias_tasks.data.further import plain
from bias_tasks.data.loading import SYNTHETIC_ITEMS, Origin, check_n, in_turns
from bias_tasks.data.records import jsonl
from bias_tasks.data.row_files import filled
from bias_tasks.data.tables import FILE_ENDINGS, Claim, one_id, read_rows
from bias_tasks.judging.data.layouts import FILE, LAYOUT, RowItems, items_of
from bias_tasks.judging.data.sources import (
    SYNTHETIC,
    JudgingSource,
    known_names,
    sources_named,
)
from bias_tasks.judging.items import JudgedItem
from bias_tasks.names import did_you_mean

LEFT_OUT = "left_out"
"""In a record of provenance: how many rows or pairs of the source were left out, by why."""


@dataclass(frozen=True, slots=True)
class LoadedItems:
    """Items in the order in which they are asked, where they come from, and what must be said."""

    items: tuple[JudgedItem, ...]
    provenance: tuple[Mapping[str, Any], ...]
    """One record a source: source, n (items of it that are used), left_out (rows or pairs that
    were left out, by why), and repository, revision and files with their hashes, or path and
    sha256, or seed."""
    notes: tuple[str, ...]
    """Rows and pairs that were left out, source by source."""


@dataclass(frozen=True, slots=True)
class _Found:
    """The items of one source, and the record of it."""

    items: tuple[JudgedItem, ...]
    origin: Origin


def load_items(data: str, seed: int = 0, n: int | None = None) -> LoadedItems:
    """The items of a run; domains take turns.

    Args:
        data: names of data sets separated by commas (`judgebench`, one of its parts
            `judgebench_gpt` and `judgebench_claude`, `rewardbench2`), `synthetic` for made-up
            items, or the path of your own file (JSONL, CSV or Parquet; see `layouts`).
        seed: of the order, and of synthetic items.
        n: at most so many items.

    Raises:
        DataError: items can't be fetched or read, or there are none.
        ValueError: n is less than 1.
    """
    check_n(n)
    return _loaded(_found(data, seed, n), data, seed, n)


def _loaded(found: Sequence[_Found], data: str, seed: int, n: int | None) -> LoadedItems:
    """The first `n` items in their order.

    Raises:
        DataError: there are none.
    """
    items = {item.id: item for each in found for item in each.items}
    notes = tuple(_left_out(each.origin) for each in found if LEFT_OUT in each.origin)
    if not items:
        raise DataError(f"data={data!r} has nothing to judge: {'; '.join(notes) or 'it is empty'}")
    ordered = in_turns(items.values(), seed, _domain, sorted({*map(_domain, items.values())}))
    used = tuple(ordered[:n])
    asked = {item.id for item in used}
    counts = (sum(item.id in asked for item in each.items) for each in found)
    provenance = ({**each.origin, "n": n} for each, n in zip(found, counts, strict=True))
    return LoadedItems(used, tuple(provenance), notes)


def _left_out(origin: Origin) -> str:
    reasons = (f"{count:,} ({why})" for why, count in origin[LEFT_OUT].items())
    return f"of {origin.get('path', origin['source'])} left out: {', '.join(reasons)}"


def _domain(item: JudgedItem) -> str:
    return item.domain or ""


def _found(data: str, seed: int, n: int | None) -> list[_Found]:
    if data == SYNTHETIC:
        from bias_tasks.judging.data.synthetic import generate_items

        items = generate_items(n or SYNTHETIC_ITEMS, seed)
        return [_Found(tuple(items), {"source": SYNTHETIC, "seed": seed})]
    if Path(data).suffix.lower() in FILE_ENDINGS:
        return [_of_file(data)]
    if Path(data).suffix or "/" in data:
        raise DataError(
            f"data={data!r}{did_you_mean([data], [*known_names(), SYNTHETIC])} is neither "
            f"{', '.join([*known_names(), SYNTHETIC])} nor a file that ends in "
            f"{', '.join(FILE_ENDINGS)}"
        )
    sources = sources_named(data)
    fetch_missing(sources, instead="made-up items with data=synthetic, or a file of your own")
    return [_of_source(source) for source in sources]


def _of_file(path: str) -> _Found:
    rows, sha256 = read_rows(path, LAYOUT, items_of, _claims)
    return _gathered(rows, {"source": FILE, "path": path, "sha256": sha256})


def _claims(row: RowItems) -> Iterator[Claim]:
    return (one_id(item.id) for item in row.items)


def _of_source(source: JudgingSource) -> _Found:
    paths, origin = fetch_source(source)
    rows = [_of_record(record, source) for record in jsonl(paths)]
    return _gathered(rows, {"source": source.name, **origin})


def _of_record(record: Mapping[str, Any], source: JudgingSource) -> RowItems:
    cells = {name: plain(value) for name, value in filled(record).items()}
    known = {name: value for name, value in cells.items() if name in LAYOUT.columns}
    further = {name: value for name, value in cells.items() if name not in known}
    try:
        return items_of(known, further, source.name)
    except ValueError as error:
        raise DataError(
            f"{source.name}: a record is not as it was when this was written: {error}"
        ) from error


def _gathered(rows: Iterable[RowItems], origin: Origin) -> _Found:
    """The items of rows, each once, and the record with what was left out."""
    left_out: Counter[str] = Counter()
    items: dict[str, JudgedItem] = {}
    for row in rows:
        left_out.update(row.left_out)
        items |= {item.id: item for item in row.items}
    record = {**origin, LEFT_OUT: dict(left_out)} if left_out else origin
    return _Found(tuple(items.values()), record)
