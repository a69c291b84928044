"""The judging and choice items of the core set, and those reserved as worked examples.

The first `N_RESERVED` items of each gold label, in order of their ids (hashes), are never prompted:
few-shot prompts use them as examples. 141 judging and 141 choice items are prompted, equally many
of each label.
"""

from collections.abc import Sequence
from functools import cache

from bias_tasks.data.core import core_rows
from bias_tasks.data.files import RawRecord
from bias_tasks.instruction_boundary.items import LABELS, ChoiceItem, Form, Item, JudgingItem
from bias_tasks.names import CORE

N_RESERVED = 3
"""Number of items of each label that are reserved as worked examples."""


def core_items(form: Form, *, ten_options: bool = False) -> list[Item]:
    """Return the items of a form that a run may prompt.

    Args:
        form: Form of the items.
        ten_options: Whether to return the choice items with ten options instead.
    """
    if form == "choice" and ten_options:
        return [_build_item(row) for row in core_rows("distractors")]
    return [item for label in LABELS[form] for item in _load_label(form, label)[N_RESERVED:]]


def core_examples(form: Form, label: str, *, reserved_only: bool) -> Sequence[Item]:
    """Return the items of a label that few-shot prompts may use as examples.

    Args:
        form: Form of the items.
        label: Their gold label.
        reserved_only: Whether to return only reserved items, for runs that prompt the others.
    """
    return _load_label(form, label)[: N_RESERVED if reserved_only else None]


@cache
def _load_label(form: Form, label: str) -> tuple[Item, ...]:
    items = [item for item in map(_build_item, core_rows(form)) if item.label == label]
    return tuple(sorted(items, key=lambda item: item.id))


def _build_item(row: RawRecord) -> Item:
    if "options" not in row:
        return JudgingItem(**row, source=CORE, cluster=row["id"])
    tuples = {name: tuple(row[name]) for name in ("options", "answer")}
    return ChoiceItem(**{**row, **tuples}, source=CORE, cluster=row["id"])
