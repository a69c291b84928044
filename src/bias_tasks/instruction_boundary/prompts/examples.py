"""The worked examples of few_shot as they stand in a prompt (appendices I and J)."""

from __future__ import annotations

from collections.abc import Sequence

from bias_tasks.instruction_boundary.items import JUDGING_LABELS, ChoiceItem, Form, Item
from bias_tasks.instruction_boundary.prompts.options import all_options
from bias_tasks.instruction_boundary.prompts.texts import facts_line, text_of
from bias_tasks.names import PaperProtocol
from bias_tasks.prompts.templates import fill

_KIND = {
    "single": "Single-choice Question",
    "multiple": "Multi-Choices Question",
    "none": "Not answerable question",
}


def examples_text(examples: Sequence[Item], form: Form, protocol: PaperProtocol) -> str:
    """The examples one below the other, numbered from 1.

    Raises:
        ValueError: there is none, or one is of another form.
    """
    if not examples:
        raise ValueError("few_shot needs worked examples of the item's form")
    if any(example.form != form for example in examples):
        raise ValueError(f"the worked examples of a {form} item must be {form} items")
    blocks = (_example(number, each, protocol) for number, each in enumerate(examples, start=1))
    return "\n\n".join(blocks)


def _example(number: int, example: Item, protocol: PaperProtocol) -> str:
    if isinstance(example, ChoiceItem):
        return _choice_example(number, example, protocol)
    return fill(
        text_of("judging", "example", protocol),
        number=str(number),
        facts=example.context,
        question=example.question,
        answer=str(JUDGING_LABELS.index(example.answer) + 1),
    )


def _choice_example(number: int, example: ChoiceItem, protocol: PaperProtocol) -> str:
    """Its options and their numbers in the answer are what the questions' are."""
    shown = all_options(example, protocol)
    numbers = ", ".join(shown.symbol(place) for place in example.answer)
    return fill(
        text_of("choice", "example", protocol),
        number=str(number),
        kind=_KIND[example.label],
        question=example.question,
        facts_line=facts_line(example),
        options="\n".join(shown.lines),
        answer=numbers or "No correct answer",
    )
