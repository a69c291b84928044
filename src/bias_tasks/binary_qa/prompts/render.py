"""Render yes/no questions and requests for their rewordings (Khrapunova 2025, section 2).

The paper prints only the sentence of its prompt that names the two answers; this package defines
the layout around it (`templates/SOURCE.md`).
"""

from bias_tasks.binary_qa.items import (
    NEGATIVE_REFORMULATIONS,
    AnswerOrder,
    BinaryItem,
    PendingNumberQuestion,
    Reformulation,
)
from bias_tasks.prompts.templates import fill, template, with_cue


def render_question(
    item: BinaryItem,
    variant: str,
    answer_order: AnswerOrder = "yes_no",
    *,
    cue: bool = False,
    wording: str | None = None,
    affirmative_first: bool = False,
) -> str:
    """Return the prompt of an item under a variant. Repeats have exactly the original's prompt.

    Args:
        item: The yes/no question.
        variant: One of `VARIANTS`.
        answer_order: Which answer the prompt names first; the variant `reversed` swaps them.
        cue: Whether the prompt ends in a line `Answer:`, so that " Yes" and " No" can be compared
            as continuations.
        affirmative_first: Whether the prompt of a negative reformulation first asks for the
            affirmative form.
        wording: The text of the question, if it is not the item's own under the variant.

    Raises:
        ValueError: The item has no such rewording, and `wording` is None.
    """
    if variant == "reversed":
        answer_order = "no_yes" if answer_order == "yes_no" else "yes_no"
    question = item.wording(variant) if wording is None else wording
    answers = _template(f"answers_{answer_order}")
    if affirmative_first and variant in NEGATIVE_REFORMULATIONS:
        answers = f"{answers}\n{_template('affirmative_first')}"
    fields = {"question": question, "answers": answers}
    layout = "question_in_context" if item.context else "question"
    prompt = fill(_template(layout), context=item.context or "", **fields)
    return with_cue(prompt) if cue else prompt


def reformulation_request(question: str, kind: Reformulation) -> str:
    """Return the request to the model in the role `reformulator` to reword a question.

    It is one-shot, as in section 2.2, with the example that the paper prints for this kind.
    """
    return fill(_template(f"reformulate/{kind}"), question=question)


def number_question_request(item: PendingNumberQuestion) -> str:
    """Return the request to the `reformulator` to write a yes/no question (section 2.1).

    The item's answer is the correct answer to that question.
    """
    return _fill_number_template(f"number/{item.style}", item)


def meaning_request(question: str, kind: Reformulation, reworded: str) -> str:
    """Return the request to the `checker`: does a rewording ask the same, or the opposite?"""
    name = "opposite" if kind in NEGATIVE_REFORMULATIONS else "same"
    return fill(_template(f"check/{name}"), question=question, reworded=reworded)


def number_meaning_request(item: PendingNumberQuestion, reworded: str) -> str:
    """Return the request to the `checker`: is the item's answer correct for its yes/no form?"""
    return _fill_number_template("check/number", item, reworded=reworded)


def _fill_number_template(name: str, item: PendingNumberQuestion, **fields: str) -> str:
    question, value = item.question, str(item.value)
    return fill(_template(name), question=question, value=value, answer=item.answer, **fields)


def _template(name: str) -> str:
    return template(f"binary_qa/{name}.txt")
