"""`bias-core 3`: the frozen items of all families that the package includes (`docs/core.md`).

A part is a file of JSON lines in `core_items/`. Each row has the columns of its family, its
`difficulty` (1 to 3) and `topic`, and an `id` that hashes them. A run records the digest of all
parts together.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

from bias_tasks.data.files import RawRecord

NAME = "bias-core 3"
LICENCE = "CC-BY-4.0"
_FOLDER = files("bias_tasks.data") / "core_items"
_UNPROMPTED = ("difficulty", "topic")
ItemT = TypeVar("ItemT", bound=Any)


@cache
def core_rows(part: str) -> tuple[RawRecord, ...]:
    """Return the rows of a part, such as `binary` or `pairs`, in their frozen order.

    `difficulty` and `topic`, which no prompt shows, are in the field `columns`, as the further
    columns of a user's file are.
    """
    lines = (_FOLDER / f"{part}.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(_read_row(line) for line in lines)


def _read_row(line: str) -> RawRecord:
    cells = json.loads(line)
    prompted = {name: value for name, value in cells.items() if name not in _UNPROMPTED}
    return {**prompted, "columns": {name: cells[name] for name in _UNPROMPTED}}


def core_parts() -> list[str]:
    """Return the names of all parts in alphabetical order."""
    names = (path.name for path in _FOLDER.iterdir())
    return sorted(name.removesuffix(".jsonl") for name in names if name.endswith(".jsonl"))


@cache
def core_digest() -> str:
    """Return 16 hex digits over all parts, the same in every installation of a version."""
    sha256 = hashlib.sha256()
    for part in core_parts():
        name = f"{part}.jsonl"
        sha256.update(f"{name}\n".encode() + (_FOLDER / name).read_bytes())
    return sha256.hexdigest()[:16]


def core_origin(source: str = "core") -> dict[str, object]:
    """Return the provenance of core items, as a run records it."""
    return {"source": source, "name": NAME, "digest": core_digest(), "licence": LICENCE}


def with_id(item: ItemT, identifier: str) -> ItemT:
    """Return a copy of an item with another id, in its own cluster."""
    return replace(item, id=identifier, cluster=identifier)


def repeat_items(
    items: Sequence[ItemT],
    n: int,
    copy_item: Callable[[ItemT, str], ItemT] = with_id,
) -> list[ItemT]:
    """Return `n` items for simulations (`data=synthetic`), repeated with new ids.

    Args:
        items: The items to repeat, in their order.
        n: Number of items to return.
        copy_item: Returns a copy of an item with the given id.
    """
    repeated = []
    for position in range(n):
        repeat, index = divmod(position, len(items))
        item = items[index]
        repeated.append(copy_item(item, f"{item.id}-{repeat + 1}") if repeat else item)
    return repeated
