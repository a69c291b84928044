"""The judging and choice items of the core set, and the worked examples of few-shot prompts.

A passage has one item of each gold label. The items of `N_RESERVED` passages of each form are never
prompted: few-shot prompts use them as examples. 231 judging and 291 choice items are prompted,
equally many of each label.
"""

from collections.abc import Mapping
from functools import cache

import yaml

from bias_tasks.data.core import core_rows
from bias_tasks.data.files import RawRecord
from bias_tasks.digests import content_hash
from bias_tasks.instruction_boundary.items import LABELS, ChoiceItem, Form, Item, JudgingItem
from bias_tasks.prompts.templates import template
from bias_tasks.protocols import CORE, PaperProtocol
from bias_tasks.randomness import seeded_random

_LABEL_SETS: Mapping[str, Mapping[Form, tuple[str, ...]]] = {
    "sparse": {"judging": ("Unknown",), "choice": ("multiple", "none")},
    "tense": {"judging": ("True", "False"), "choice": ("single",)},
    "balanced": LABELS,
}
"""Labels of worked examples (sections 2.1 and 3.3, appendix F)."""
N_RESERVED = 3
"""Number of items of each label that are reserved as worked examples, from as many passages."""


def core_items(form: Form, *, ten_options: bool = False) -> list[Item]:
    """Return the items of a form that a run may prompt.

    Args:
        form: Form of the items.
        ten_options: Whether to return the choice items with ten options instead.
    """
    if form == "choice" and ten_options:
        return [_build_item(row) for row in core_rows("distractors")]
    return [item for label in LABELS[form] for item in _load_label(form, label)[N_RESERVED:]]


def select_examples(
    form: Form,
    example_labels: str,
    shots: int,
    seed: int,
    protocol: PaperProtocol = "corrected",
    *,
    reserved_only: bool = False,
) -> tuple[Item, ...]:
    """Select worked examples, one of each label in turn.

    The choice form starts with the paper's own examples (appendix I). All others are items of the
    core set in seeded order. Published: `sparse` means only `none` in the choice form, as in the
    one example of the public code.

    Args:
        form: Form of the examples.
        example_labels: A label, or `sparse`, `tense` or `balanced`.
        shots: Number of examples per label.
        seed: Seed of their order.
        protocol: Protocol of the run.
        reserved_only: Whether the run prompts items of the core set, so that only its reserved
            items can be examples.

    Raises:
        ValueError: There are fewer examples of a label than `shots`.
    """
    labels = _LABEL_SETS.get(example_labels, {form: (example_labels,)})[form]
    if (protocol, form, example_labels) == ("published", "choice", "sparse"):
        labels = ("none",)
    examples: dict[str, list[Item]] = {}
    for label in labels:
        printed = [e for e in load_paper_examples() if (e.form, e.label) == (form, label)]
        core = _load_label(form, label)[: N_RESERVED if reserved_only else None]
        if shots > len(printed) + len(core):
            raise ValueError(
                f"shots={shots}: with data=core and data=synthetic there are only "
                f"{len(printed) + len(core)} worked examples of the label {label}"
            )
        shuffled = seeded_random(seed, form, label, "worked examples").sample(core, len(core))
        examples[label] = [*printed, *shuffled][:shots]
    return tuple(examples[label][shot] for shot in range(shots) for label in labels)


@cache
def load_paper_examples() -> tuple[Item, ...]:
    """Load the paper's single, multiple and unanswerable question, in the appendix's order."""
    rows = yaml.safe_load(template("instruction_boundary/choice/examples.yaml"))
    return tuple(_build_item(row, "appendix I") for row in rows)


@cache
def _load_label(form: Form, label: str) -> tuple[Item, ...]:
    items = [item for item in map(_build_item, core_rows(form)) if item.label == label]
    return tuple(sorted(items, key=lambda item: (not item.context, item.cluster, item.id)))


def _build_item(row: RawRecord, source: str = CORE) -> Item:
    cluster = content_hash(row["context"]) if row.get("context") else row["id"]
    if "options" not in row:
        return JudgingItem(**row, source=source, cluster=cluster)
    tuples = {name: tuple(row[name]) for name in ("options", "answer")}
    return ChoiceItem(**{**row, **tuples}, source=source, cluster=cluster)
