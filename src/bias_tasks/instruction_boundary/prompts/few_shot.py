"""The worked examples that few_shot shows (paper, sections 2.1 and 3.3, appendix F).

A sixteenth of all generated items is reserved for examples by their content, so no example is
ever among the test items, whatever the seeds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import yaml

from bias_tasks.data.synthetic.stream import stream
from bias_tasks.instruction_boundary.data.synthetic import choice_item, judging_item
from bias_tasks.instruction_boundary.items import LABELS, ChoiceItem, Form, Item
from bias_tasks.names import PaperProtocol, content_hash
from bias_tasks.prompts.templates import template

_LABELS: Mapping[str, Mapping[Form, tuple[str, ...]]] = {
    "sparse": {"judging": ("Unknown",), "choice": ("multiple", "none")},
    "tense": {"judging": ("True", "False"), "choice": ("single",)},
    "balanced": LABELS,
}


def few_shot_examples(
    form: Form, examples: str, shots: int, seed: int, protocol: PaperProtocol = "corrected"
) -> tuple[Item, ...]:
    """`shots` worked examples of each label that `examples` stands for, label after label.

    The choice form starts with the paper's own examples (appendix I); all others come from the
    synthetic generator. Published: `sparse` is no correct option alone in the choice form, the one
    example that the public code has.

    Args:
        examples: `sparse`, `tense`, `balanced`, or a label of the form.
    """
    labels = (examples,) if examples in LABELS[form] else _LABELS[examples][form]
    if (protocol, form, examples) == ("published", "choice", "sparse"):
        labels = ("none",)
    if form == "judging":
        return tuple(_drawn(form, labels * shots, seed))
    own = [item for item in paper_examples() if item.label in labels]
    return (*own, *_drawn(form, labels * (shots - 1), seed))


def _drawn(form: Form, labels: Sequence[str], seed: int) -> list[Item]:
    """A generated example of each label."""
    make: Any = judging_item if form == "judging" else choice_item
    return list(stream(form, seed, labels, make, examples=True))


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
