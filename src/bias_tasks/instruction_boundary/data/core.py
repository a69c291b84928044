"""The core set's judging and choice items: those that are asked, and those kept as worked examples.

Of each gold label the first `KEPT` items in order of their ids, which are hashes, are never asked:
`few_shot` shows them. So 141 judging and 141 choice items are asked, as many of each label.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from bias_tasks.data.core import core_rows
from bias_tasks.instruction_boundary.items import LABELS, ChoiceItem, Form, Item, JudgingItem

KEPT = 3
"""How many items of each label are kept as worked examples."""
CORE, SYNTHETIC = "core", "synthetic"


def core_items(form: Form, *, ten_options: bool = False) -> list[Item]:
    """The items of a form that are asked; with `ten_options` the choice items that have ten."""
    if form == "choice" and ten_options:
        return [_item(row) for row in core_rows("distractors")]
    return [item for label in LABELS[form] for item in _of_label(form, label)[KEPT:]]


def core_examples(form: Form, label: str, *, beside_core: bool) -> Sequence[Item]:
    """What `few_shot` may show of a label: in a run that asks the core set, only what it keeps."""
    return _of_label(form, label)[: KEPT if beside_core else None]


@cache
def _of_label(form: Form, label: str) -> tuple[Item, ...]:
    items = [item for item in map(_item, core_rows(form)) if item.label == label]
    return tuple(sorted(items, key=lambda item: item.id))


def _item(row: Mapping[str, Any]) -> Item:
    own = {"id": row["id"], "question": row["question"], "source": CORE, "cluster": row["id"]}
    if "options" not in row:
        return JudgingItem(context=row["context"], answer=row["answer"], **own)
    options, answer = tuple(row["options"]), tuple(row["answer"])
    return ChoiceItem(context=row.get("context"), options=options, answer=answer, **own)
