"""`load_prompts`: what a model and another one answer before their answers are compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bias_tasks.data.columns import RowModel, Text, checked
from bias_tasks.data.errors import DataError
from bias_tasks.data.loading import SYNTHETIC_ITEMS, check_n, in_turns
from bias_tasks.data.tables import FILE_ENDINGS, Claim, Layout, one_id, read_rows
from bias_tasks.judging.data.layouts import FILE, LAYOUT, RESPONSES, items_of
from bias_tasks.judging.data.load import load_items
from bias_tasks.judging.data.sources import SYNTHETIC
from bias_tasks.judging.items import JudgedItem
from bias_tasks.names import content_hash

_PROMPTS_EACH = 2
"""So many made-up items have at least one prompt, some of which several items share."""


@dataclass(frozen=True, slots=True)
class AuthoredItem:
    """A prompt that two models answer, or have answered."""

    id: str
    prompt: str
    own: str | None = None
    """The evaluated model's answer, where it is recorded."""
    other: str | None = None
    """The other model's answer, where it is recorded."""
    cluster: str | None = None
    domain: str | None = None
    further: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class LoadedPrompts:
    """Prompts in the order in which they are asked, and where they come from."""

    items: tuple[AuthoredItem, ...]
    provenance: tuple[Mapping[str, Any], ...]


class _PromptRow(RowModel):
    prompt: Text
    own: Text | None = None
    other: Text | None = None
    cluster: Text | None = None
    domain: Text | None = None


_LAYOUT = Layout(
    columns=tuple(dict.fromkeys([*_PromptRow.model_fields, *LAYOUT.columns])),
    json_columns=LAYOUT.json_columns,
)


def load_prompts(data: str, seed: int = 0, n: int | None = None) -> LoadedPrompts:
    """The prompts of a run, each once; domains take turns.

    Args:
        data: as `load_items` takes it, of whose items the prompts are taken alone. Rows of a file
            of your own may instead be `{id?, prompt, own?, other?, cluster?, domain?}`, whose
            answers `own` and `other` are then not asked for.
        seed: of the order, and of synthetic prompts.
        n: at most so many prompts.

    Raises:
        DataError: they can't be fetched or read, or there are none.
        ValueError: n is less than 1.
    """
    check_n(n)
    if Path(data).suffix.lower() in FILE_ENDINGS:
        rows, sha256 = read_rows(data, _LAYOUT, _of_row, _claims)
        found = [item for row in rows for item in row]
        origins: list[dict[str, Any]] = [{"source": FILE, "path": data, "sha256": sha256}]
    else:
        wanted = _PROMPTS_EACH * (n or SYNTHETIC_ITEMS) if data == SYNTHETIC else None
        loaded = load_items(data, seed, wanted)
        found = [_of_judged(item) for item in loaded.items]
        origins = [dict(record) for record in loaded.provenance]
    if not found:
        raise DataError(f"data={data!r} has no prompt")
    items = _ordered(found, seed)[: n or (SYNTHETIC_ITEMS if data == SYNTHETIC else None)]
    return LoadedPrompts(tuple(items), tuple({**each, "n": len(items)} for each in origins))


def _of_row(cells: Mapping[str, Any], further: Mapping[str, Any]) -> tuple[AuthoredItem, ...]:
    """The prompts of a row; those of one with responses to judge, without these."""
    if RESPONSES & cells.keys():
        return tuple(_of_judged(item) for item in items_of(cells, further).items)
    row = checked(_PromptRow, cells)
    identifier = row.id or f"{FILE}-{content_hash(row.prompt, row.own, row.other)}"
    cluster = row.cluster or f"prompt-{content_hash(row.prompt)}"
    item = AuthoredItem(
        identifier, row.prompt, row.own, row.other, cluster, row.domain, dict(further)
    )
    return (item,)


def _of_judged(item: JudgedItem) -> AuthoredItem:
    """The prompt of an item: the same, whichever of the prompt's responses the item has."""
    return AuthoredItem(
        id=f"prompt-{content_hash(item.prompt)}",
        prompt=item.prompt,
        cluster=item.cluster,
        domain=item.domain,
        further=item.further,
    )


def _claims(row: Iterable[AuthoredItem]) -> Iterator[Claim]:
    """A prompt's own id stands once; prompts without recorded answers may be several items'."""
    return (one_id(item.id) for item in row if not item.id.startswith("prompt-"))


def _ordered(found: Iterable[AuthoredItem], seed: int) -> list[AuthoredItem]:
    items: dict[str, AuthoredItem] = {}
    for item in found:
        items.setdefault(item.id, item)
    turns = sorted({item.domain or "" for item in items.values()})
    return in_turns(items.values(), seed, lambda item: item.domain or "", turns)
