"""`bias-core 1`: the frozen items of all families that the package brings (`docs/core.md`).

A part is a file of JSON lines under `core_items/`. Each row has an `id`, which hashes the rest of
it, and the columns of its family. A run records the digest of all parts together.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from operator import attrgetter
from typing import Any, TypeVar

NAME = "bias-core 1"
LICENCE = "CC-BY-4.0"
_FOLDER = files("bias_tasks.data") / "core_items"
ItemT = TypeVar("ItemT", bound=Any)


@cache
def core_rows(part: str) -> tuple[Mapping[str, Any], ...]:
    """The rows of a part, such as `binary` or `pairs`, in their frozen order."""
    text = (_FOLDER / f"{part}.jsonl").read_text(encoding="utf-8")
    return tuple(json.loads(line) for line in text.splitlines())


def core_parts() -> list[str]:
    """The names of all parts, in alphabetical order."""
    return sorted(name[:-6] for path in _FOLDER.iterdir() if (name := path.name).endswith(".jsonl"))


@cache
def core_digest() -> str:
    """Sixteen hex digits over all parts: the same in every installation of one version."""
    found = hashlib.sha256()
    for part in core_parts():
        name = f"{part}.jsonl"
        found.update(f"{name}\n".encode() + (_FOLDER / name).read_bytes())
    return found.hexdigest()[:16]


def core_origin(source: str = "core") -> dict[str, Any]:
    """What a run records of where its items come from."""
    return {"source": source, "name": NAME, "digest": core_digest(), "licence": LICENCE}


def renamed(item: ItemT, identifier: str) -> ItemT:
    """A copy of an item under another id, in a cluster of its own."""
    return replace(item, id=identifier, cluster=identifier)


def repeated(
    items: Sequence[ItemT],
    n: int,
    again: Callable[[ItemT, str], ItemT] = renamed,
    id_of: Callable[[ItemT], str] = attrgetter("id"),
) -> list[ItemT]:
    """`n` items for simulations (`data=synthetic`): the given ones, over and over under fresh ids.

    `again` makes a copy of an item under the id it is given.
    """
    rounds = (divmod(place, len(items)) for place in range(n))
    return [
        again(items[place], f"{id_of(items[place])}-{turn + 1}") if turn else items[place]
        for turn, place in rounds
    ]
