"""How a yes/no question is asked, and how its rewording is asked for (Khrapunova 2025, section 2).

The paper prints of its prompt only the sentence that names the two answers; the layout around it
is ours (`templates/binary_qa/SOURCE.md`).
"""

from bias_tasks.binary_qa.items import (
    NEGATIVE,
    BinaryItem,
    Order,
    PendingNumberQuestion,
    Reformulation,
)
from bias_tasks.prompts.templates import fill, template, with_cue


def ask_binary(
    item: BinaryItem,
    variant: str,
    order: Order = "yes_no",
    *,
    cue: bool = False,
    wording: str | None = None,
) -> str:
    """The prompt that asks `item` under `variant`; of the repeats the original's, byte for byte.

    `order` says which answer it names first; under `reversed` the other one is. With `cue` it ends
    with a line "Answer:", so that " Yes" and " No" can be compared behind it. `wording` is the
    question's, where not the item's own under `variant`. A ValueError where the item has no such
    rewording."""
    if variant == "reversed":
        order = "no_yes" if order == "yes_no" else "yes_no"
    question = item.wording(variant) if wording is None else wording
    fields = {"question": question, "answers": _text(f"answers_{order}")}
    layout = "question_in_context" if item.context else "question"
    prompt = fill(_text(layout), context=item.context or "", **fields)
    return with_cue(prompt) if cue else prompt


def reformulation_request(question: str, kind: Reformulation) -> str:
    """The request to the model in the role `reformulator` to reword a question.

    One-shot, as in section 2.2, with the example that the paper prints for this kind.
    """
    return fill(_text(f"reformulate/{kind}"), question=question)


def number_question_request(item: PendingNumberQuestion) -> str:
    """The request to the model in the role `reformulator` to make a yes/no question (section 2.1),
    to which the item's answer is right."""
    return _of_number(f"number/{item.style}", item)


def meaning_request(question: str, kind: Reformulation, reworded: str) -> str:
    """To ask the model in the role `checker` whether a rewording asks the same, or the opposite."""
    name = "opposite" if kind in NEGATIVE else "same"
    return fill(_text(f"check/{name}"), question=question, reworded=reworded)


def number_meaning_request(item: PendingNumberQuestion, reworded: str) -> str:
    """To ask the `checker` whether the item's answer is right to its yes/no form."""
    return _of_number("check/number", item, reworded=reworded)


def _of_number(name: str, item: PendingNumberQuestion, **more: str) -> str:
    question, value = item.question, str(item.value)
    return fill(_text(name), question=question, value=value, answer=item.answer, **more)


def _text(name: str) -> str:
    return template(f"binary_qa/{name}.txt")
