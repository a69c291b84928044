"""The worked examples that few_shot shows (paper, sections 2.1 and 3.3, appendix F).

A sixteenth of all generated items is reserved for examples by their content, so no example is
ever among the test items, whatever the seeds.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TypeVar

import yaml

from bias_tasks.data.synthetic.stream import stream
from bias_tasks.instruction_boundary.data.synthetic import choice_item, judging_item
from bias_tasks.instruction_boundary.items import (
    CHOICE_LABELS,
    JUDGING_LABELS,
    LABELS,
    ChoiceItem,
    Form,
    Item,
    JudgingItem,
)
from bias_tasks.names import PaperProtocol, content_hash
from bias_tasks.prompts.templates import template

LabelT = TypeVar("LabelT", bound=str)

_LABELS: Mapping[str, Mapping[Form, tuple[str, ...]]] = {
    "sparse": {"judging": ("Unknown",), "choice": ("multiple", "none")},
    "tense": {"judging": ("True", "False"), "choice": ("single",)},
    "balanced": {"judging": ("True", "False", "Unknown"), "choice": ("single", "multiple", "none")},
}


def few_shot_examples(
    form: Form, examples: str, shots: int, seed: int, protocol: PaperProtocol = "corrected"
) -> tuple[Item, ...]:
    """`shots` worked examples of each label that `examples` stands for, label after label.

    The choice form starts with the paper's own examples (appendix I); all others come from the
    synthetic generator. Published: `sparse` is no correct option alone in the choice form, the one
    example that the public code has.

    Raises:
        ValueError: `examples` is a label of the other form.
    """
    labels = _labels(form, examples, protocol)
    if form == "judging":
        return tuple(judging_examples(labels * shots, len(labels) * shots, seed))
    own = [item for item in paper_examples() if item.label in labels]
    more = labels * (shots - 1)
    return (*own, *(choice_examples(more, len(more), seed) if more else ()))


def _labels(form: Form, examples: str, protocol: PaperProtocol) -> tuple[str, ...]:
    """The labels that `examples` stands for: a group of them, or the one label that it names."""
    if examples in LABELS[form]:
        return (examples,)
    if (protocol, form, examples) == ("published", "choice", "sparse"):
        return ("none",)
    if examples not in _LABELS:
        raise ValueError(f"examples={examples}: expected {', '.join(_LABELS)} or a {form} label")
    return _LABELS[examples][form]


def judging_examples(labels: Sequence[str], count: int, seed: int) -> list[JudgingItem]:
    """`count` judging items, 0 or more, whose gold labels are `labels`, repeated in turn.

    Raises:
        ValueError: `labels` is empty or has a label that the form does not know, or `count` is
            negative.
    """
    golds = _in_turn(labels, JUDGING_LABELS, count)
    return list(stream("judging", seed, golds, judging_item, examples=True))


def choice_examples(labels: Sequence[str], count: int, seed: int) -> list[ChoiceItem]:
    """The same of choice items, whose labels are single, multiple and none."""
    golds = _in_turn(labels, CHOICE_LABELS, count)
    return list(stream("choice", seed, golds, choice_item, examples=True))


def _in_turn(labels: Sequence[str], known: tuple[LabelT, ...], count: int) -> list[LabelT]:
    if not labels or not set(labels) <= set(known):
        raise ValueError(f"labels of the examples are {labels!r}: use some of {', '.join(known)}")
    if count < 0:
        raise ValueError(f"count of the examples is {count}: use 0 or more")
    golds = [known[known.index(label)] for label in labels]
    return list(itertools.islice(itertools.cycle(golds), count))


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
