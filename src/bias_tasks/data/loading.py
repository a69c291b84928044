"""What loading the items of a run has in common, whichever family they belong to.

Every loader takes `seed`, which orders the items, and `n`, the most that are used, balanced as far
as there are; of synthetic items there are exactly so many.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import zip_longest
from typing import Any, Generic, TypeVar

from bias_tasks.data.errors import DataError
from bias_tasks.names import Names, PaperProtocol

ItemT = TypeVar("ItemT", bound=Any)
"""An item of any family: a dataclass with an `id` made of its content."""
Origin = dict[str, Any]
"""Where items come from, of plain JSON values; its `source` is what their own `source` says."""
Found = tuple[list[ItemT], list[Origin]]
"""Everything that could be asked, in any order, and one record for each source of it."""

SYNTHETIC_ITEMS = 200
"""How many synthetic items there are, of each form or domain, unless `n` says otherwise."""


@dataclass(frozen=True, slots=True)
class Loaded(Generic[ItemT]):
    """Items in the order they are to be asked, and where they come from: plain JSON values."""

    items: tuple[ItemT, ...]
    provenance: tuple[Mapping[str, Any], ...]


def check_sources(data: str, sources: Names) -> None:
    """Raise a DataError where sources are named of data that has none."""
    if sources is not None and data != "paper":
        raise DataError(f"sources= picks among the paper's data sets; data={data!r} has none")


def from_file(read: Callable[[str], tuple[list[ItemT], str]], path: str) -> Found[ItemT]:
    """What `read` makes of the user's file: it gives the items and the file's sha256."""
    items, digest = read(path)
    return items, [{"source": "file", "path": path, "sha256": digest}]


def counted(origins: Sequence[Origin], sources: Sequence[str]) -> tuple[Origin, ...]:
    """The records, one a source, with `n`, how many of the items, whose `sources` are given, are
    its own. A single one counts all: the rows of a user's file may name sources of their own."""
    if len(origins) == 1:
        return ({**origins[0], "n": len(sources)},)
    return tuple({**origin, "n": sources.count(origin["source"])} for origin in origins)


def in_turns(
    items: Iterable[ItemT],
    seed: int,
    group: Callable[[ItemT], Hashable],
    turns: Iterable[Hashable],
) -> list[ItemT]:
    """The items in seeded random order, which does not hang on theirs, their groups taking turns.

    `turns` are all groups in the order of their turns; one that has run out is left out.
    """
    groups: dict[Hashable, list[ItemT]] = {}
    for item in sorted(items, key=lambda i: sha256(f"{seed}:{i.id}".encode()).digest()):
        groups.setdefault(group(item), []).append(item)
    rounds = zip_longest(*(groups.get(key, []) for key in turns))
    return [item for one_round in rounds for item in one_round if item is not None]


def with_unique_ids(items: Iterable[ItemT], protocol: PaperProtocol) -> list[ItemT]:
    """The items in their order: corrected keeps the first of each id, published marks the later
    ones `~2`, `~3`."""
    seen: Counter[str] = Counter()
    settled = []
    for item in items:
        seen[item.id] += 1
        if seen[item.id] == 1:
            settled.append(item)
        elif protocol == "published":
            settled.append(replace(item, id=f"{item.id}~{seen[item.id]}"))
    return settled
