"""The worked examples that few_shot shows (paper, sections 2.1 and 3.3, appendix F)."""

from collections.abc import Mapping
from functools import cache

import yaml

from bias_tasks.instruction_boundary.data.core import core_examples
from bias_tasks.instruction_boundary.items import LABELS, ChoiceItem, Form, Item
from bias_tasks.names import PaperProtocol, content_hash
from bias_tasks.prompts.templates import seeded, template

_LABELS: Mapping[str, Mapping[Form, tuple[str, ...]]] = {
    "sparse": {"judging": ("Unknown",), "choice": ("multiple", "none")},
    "tense": {"judging": ("True", "False"), "choice": ("single",)},
    "balanced": LABELS,
}


def few_shot_examples(
    form: Form,
    examples: str,
    shots: int,
    seed: int,
    protocol: PaperProtocol = "corrected",
    beside_core: bool = False,
) -> tuple[Item, ...]:
    """`shots` worked examples of each label that `examples` stands for, label after label.

    The choice form starts with the paper's own examples (appendix I); all others are items of the
    core set in seeded order, where that is asked (`beside_core`) those that it keeps. Published:
    `sparse` is no correct option alone in the choice form, the one example of the public code. A
    ValueError where there are not so many."""
    labels = (examples,) if examples in LABELS[form] else _LABELS[examples][form]
    if (protocol, form, examples) == ("published", "choice", "sparse"):
        labels = ("none",)
    shown: dict[str, list[Item]] = {}
    for label in labels:
        own = [each for each in paper_examples() if (each.form, each.label) == (form, label)]
        more = core_examples(form, label, beside_core=beside_core)
        if shots > len(own) + len(more):
            raise ValueError(
                f"shots={shots}: beside data=core and data=synthetic there are "
                f"{len(own) + len(more)} worked examples of the label {label}"
            )
        order = seeded(seed, form, label, "worked examples").sample(more, len(more))
        shown[label] = [*own, *order][:shots]
    return tuple(shown[label][shot] for shot in range(shots) for label in labels)


@cache
def paper_examples() -> tuple[ChoiceItem, ...]:
    """One single, one multiple and one unanswerable question, in the appendix's order."""
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
