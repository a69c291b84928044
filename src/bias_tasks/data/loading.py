"""What loading the items of a run has in common, whichever family they belong to.

Every loader takes `seed` and `n`. The seed orders the items, and generates the synthetic ones; it
never changes which items of the paper's data sets are used, unless `n` cuts them. `n` is the most
items that are used, balanced as far as there are; of synthetic items there are exactly so many.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from bias_tasks.data.errors import DataError
from bias_tasks.names import PROTOCOLS

ItemT = TypeVar("ItemT")
Origin = dict[str, Any]
"""Where items come from, of plain JSON values; its `source` is what their own `source` says."""
Found = tuple[list[ItemT], list[Origin]]
"""Everything that could be asked, in any order, and one record for each source of it."""
Names = str | Sequence[str] | None
"""Names as a list or separated by commas; None where nobody chose."""

SYNTHETIC_ITEMS = 200
"""How many synthetic items there are, of each form or domain, unless `n` says otherwise."""


@dataclass(frozen=True, slots=True)
class Loaded(Generic[ItemT]):
    """Items in the order they are to be asked, and where they come from."""

    items: tuple[ItemT, ...]
    provenance: tuple[Mapping[str, Any], ...]
    """Records of plain JSON values. What they hold is said where each family is loaded."""


def check_n(n: int | None) -> None:
    """Raise a ValueError unless `n` is None or at least 1."""
    if n is not None and n < 1:
        raise ValueError(f"n must be at least 1, not {n}")


def check_protocol(protocol: str) -> None:
    """Raise a ValueError unless there is such a protocol."""
    if protocol not in PROTOCOLS:
        raise ValueError(f"protocol must be 'corrected' or 'published', not {protocol!r}")


def check_sources(data: str, sources: Names) -> None:
    """Raise a DataError where sources are named of data that has none."""
    if sources is not None and data != "paper":
        raise DataError(f"sources= picks among the paper's data sets; data={data!r} has none")


def from_file(read: Callable[[str], tuple[list[ItemT], str]], path: str) -> Found[ItemT]:
    """What `read` makes of the user's file; it gives the items and the file's sha256."""
    items, sha256 = read(path)
    return items, [{"source": "file", "path": path, "sha256": sha256}]


def counted(origins: Sequence[Origin], sources: Sequence[str]) -> tuple[Origin, ...]:
    """The records with `n`, the number of items of theirs that are used.

    Args:
        origins: one record a source.
        sources: the source of each item that is used. The rows of a user's file may name sources
            of their own: where there is only one record, all items are counted in it.
    """
    counts = Counter(sources)
    single = len(origins) == 1
    return tuple(
        {**origin, "n": len(sources) if single else counts[origin["source"]]} for origin in origins
    )
