"""Steps of loading a run's items that the families share.

Every loader takes a `seed`, which orders the items, and `n`, the maximum number of items, balanced
over groups as far as possible. Synthetic data have exactly `n` items.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import zip_longest
from typing import Any, Generic, TypeVar

from bias_tasks.data.errors import DataError
from bias_tasks.data.files import RawRecord
from bias_tasks.data.sources import Origin
from bias_tasks.protocols import PaperProtocol
from bias_tasks.user_names import Names

ItemT = TypeVar("ItemT", bound=Any)
"""An item of any family: a dataclass with an `id` that hashes its content."""
ItemsAndOrigins = tuple[list[ItemT], list[Origin]]
"""All available items in any order, and one record per source."""

SYNTHETIC_ITEMS = 200
"""Default number of synthetic items of each form or domain."""


@dataclass(frozen=True, slots=True)
class Loaded(Generic[ItemT]):
    """The items of a run in their order, and their provenance as plain JSON values."""

    items: tuple[ItemT, ...]
    provenance: tuple[RawRecord, ...]


def check_sources(data: str, sources: Names) -> None:
    """Check that sources are named only for the paper's data.

    Raises:
        DataError: Sources are named for other data.
    """
    if sources is not None and data != "paper":
        raise DataError(f"sources= selects data sets of the paper; data={data!r} has none")


def load_file(read: Callable[[str], tuple[list[ItemT], str]], path: str) -> ItemsAndOrigins[ItemT]:
    """Load a user's file.

    Args:
        read: Returns the items of a file, and its sha256.
        path: The file.
    """
    items, digest = read(path)
    return items, [{"source": "file", "path": path, "sha256": digest}]


def add_counts(origins: Sequence[Origin], sources: Sequence[str]) -> tuple[Origin, ...]:
    """Return the origins, each with `n`, the number of its items in the run.

    A single origin counts all items, because the rows of a user's file can name other sources.

    Args:
        origins: One record per source.
        sources: The source of each item of the run.
    """
    if len(origins) == 1:
        return ({**origins[0], "n": len(sources)},)
    return tuple({**origin, "n": sources.count(origin["source"])} for origin in origins)


def interleave(
    items: Iterable[ItemT], seed: int, group: Callable[[ItemT], Hashable], turns: Iterable[Hashable]
) -> list[ItemT]:
    """Return the items in seeded random order, with their groups taking turns.

    The order does not depend on the order of `items`.

    Args:
        items: The items.
        seed: Seed of the order.
        group: Returns the group of an item.
        turns: All groups in the order of their turns; exhausted groups are skipped.
    """
    groups: dict[Hashable, list[ItemT]] = {}
    for item in sorted(items, key=lambda item: sha256(f"{seed}:{item.id}".encode()).digest()):
        groups.setdefault(group(item), []).append(item)
    return take_turns(groups.get(key, []) for key in turns)


def take_turns(groups: Iterable[Sequence[ItemT]]) -> list[ItemT]:
    """Return the first items of all groups, then the second ones, and so on."""
    rounds = zip_longest(*groups)
    return [item for one_round in rounds for item in one_round if item is not None]


def with_unique_ids(items: Iterable[ItemT], protocol: PaperProtocol) -> list[ItemT]:
    """Return the items in their order with unique ids.

    Args:
        items: Items, of which several may have the same id.
        protocol: `corrected` keeps the first item of each id; `published` marks later ones `~2`,
            `~3`, and so on.
    """
    counts: Counter[str] = Counter()
    unique = []
    for item in items:
        counts[item.id] += 1
        if counts[item.id] == 1:
            unique.append(item)
        elif protocol == "published":
            unique.append(replace(item, id=f"{item.id}~{counts[item.id]}"))
    return unique
