"""The paper's data sets, fetched and turned into items."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bias_tasks.data.errors import DataError
from bias_tasks.data.fetch import fetch_source
from bias_tasks.data.repeats import with_unique_ids
from bias_tasks.instruction_boundary.data.converters import CONVERTERS
from bias_tasks.instruction_boundary.data.sources import InstructionBoundarySource
from bias_tasks.instruction_boundary.items import Item, JudgingItem
from bias_tasks.names import PaperProtocol


def load_source(
    source: InstructionBoundarySource, protocol: PaperProtocol
) -> tuple[list[Item], dict[str, Any]]:
    """One data set's items, and where they come from: source, repository, revision, files.

    Raises:
        DataError: it can't be fetched or read.
    """
    paths, origin = fetch_source(source)
    items = settle_repeats(CONVERTERS[source.name](paths), protocol)
    if source.subset is not None:
        # a repeat marked ~2 is never among the distinct records that a subset is taken from
        items = take_subset([item for item in items if "~" not in item.id], source.subset)
    return items, {"source": source.name, **origin}


def settle_repeats(items: Iterable[Item], protocol: PaperProtocol) -> list[Item]:
    """The items with unique ids, in their order.

    An id hashes the whole record, so a repeated record repeats its id. Corrected keeps the first
    of each; published keeps all and marks the later ones `~2`, `~3`, in the first one's cluster.

    Raises:
        DataError: one question, with the same options and passage, has two different answers.
    """
    items = list(items)
    _check_agreement(items)
    return with_unique_ids(items, protocol)


def take_subset(items: Iterable[Item], wanted: Mapping[str, int]) -> list[Item]:
    """So many items of each label, in order of their ids, which are hashes: no seed moves it.

    Raises:
        DataError: there are fewer items of a label than wanted.
    """
    taken: list[Item] = []
    by_id = sorted(items, key=lambda item: item.id)
    for label, n in wanted.items():
        found = [item for item in by_id if item.label == label][:n]
        if len(found) < n:
            raise DataError(f"{n} items with the label {label} are wanted, {len(found)} are there")
        taken += found
    return taken


def _check_agreement(items: list[Item]) -> None:
    answers: dict[object, object] = {}
    for item in items:
        options = () if isinstance(item, JudgingItem) else item.options
        if answers.setdefault((item.context, item.question, options), item.answer) != item.answer:
            raise DataError(
                f"{item.id}: the same question occurs with another answer; remove one of the two"
            )
