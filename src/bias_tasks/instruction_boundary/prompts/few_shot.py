"""Selects the worked examples of few-shot prompts (sections 2.1 and 3.3, appendix F)."""

from collections.abc import Mapping
from functools import cache

import yaml

from bias_tasks.instruction_boundary.data.core import core_examples
from bias_tasks.instruction_boundary.items import LABELS, TENSE_LABELS, ChoiceItem, Form, Item
from bias_tasks.names import PaperProtocol, content_hash
from bias_tasks.prompts.templates import seeded_random, template

_LABEL_SETS: Mapping[str, Mapping[Form, tuple[str, ...]]] = {
    "sparse": {"judging": ("Unknown",), "choice": ("multiple", "none")},
    "tense": TENSE_LABELS,
    "balanced": LABELS,
}


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
        core = core_examples(form, label, reserved_only=reserved_only)
        if shots > len(printed) + len(core):
            raise ValueError(
                f"shots={shots}: with data=core and data=synthetic there are only "
                f"{len(printed) + len(core)} worked examples of the label {label}"
            )
        shuffled = seeded_random(seed, form, label, "worked examples").sample(core, len(core))
        examples[label] = [*printed, *shuffled][:shots]
    return tuple(examples[label][shot] for shot in range(shots) for label in labels)


@cache
def load_paper_examples() -> tuple[ChoiceItem, ...]:
    """Load the paper's single, multiple and unanswerable question, in the appendix's order."""
    rows = yaml.safe_load(template("instruction_boundary/choice/examples.yaml"))
    return tuple(
        ChoiceItem(
            id=f"appendix-i-{row['label']}",
            question=row["question"],
            context=row["context"],
            options=tuple(row["options"]),
            answer=tuple(number - 1 for number in row["answer"]),
            source="appendix I",
            cluster=content_hash(row["question"]),
        )
        for row in rows
    )
