"""Simulated answers to yes/no questions.

The answer to the original wording is drawn from the seed and the question. The answer to a positive
rewording is the same and to a negative one the opposite, unless *rewording* or *negation* reverses
it. At the rate *unsteady* it is a fair coin flip, again at each call. Last, and by the question, a
Yes becomes a No (*no_lean*), a No a Yes (*yes_lean*), or the answer that the prompt lists first is
given (*order_effect*).

Expected metrics for each trait alone, with c = 1 - unsteady / 2 (`unsteady=1` is the paper's random
baseline):

| trait            | prc            | nrc             | arc            | sc             |
| ---------------- | -------------- | --------------- | -------------- | -------------- |
| accuracy         | 1              | 1               | 1              | 1              |
| no_lean=p        | 1              | 1 - p           | 1              | 1              |
| yes_lean=p       | 1              | 1 - p           | 1              | 1              |
| negation=p       | 1              | (1 - p)^2       | 1              | 1              |
| rewording=p      | (1 - p)^2      | 1               | 1              | 1              |
| order_effect=p   | 1              | 1 - p           | 1 - p          | 1              |
| unsteady         | c^3 + (1-c)^3  | c^3 + (1-c)^3   | c^2 + (1-c)^2  | c^3 + (1-c)^3  |
| abstention=p     | (1 - p)^3      | (1 - p)^3       | (1 - p)^2      | 1 - p          |
"""

import re

from bias_tasks.binary_qa.family import FAMILY
from bias_tasks.binary_qa.items import NEGATIVE_REFORMULATIONS, REFORMULATIONS, opposite
from bias_tasks.binary_qa.plan import BinaryData
from bias_tasks.contract.questions import Question
from bias_tasks.simulated.traits import Traits

_LISTED_ANSWERS = re.compile(r"Choose one of the following answers:[ \t]{0,8}(Yes/No|No/Yes)\b")


def answer_yes_no(model: Traits, prompt: str, question: Question) -> str:
    """Return the answer to a question; of the prompt, only the order of its answers matters."""
    data = question.data_as(BinaryData)
    no_first = _LISTED_ANSWERS.findall(prompt)[-1:] == ["No/Yes"]
    wording = data.variant if data.variant in REFORMULATIONS else "original"
    question_key = ("item", data.item)
    wording_key = (*question_key, wording)
    prompt_key = (*wording_key, "no_yes" if no_first else "yes_no")
    if model.abstains(*prompt_key):
        return model.refuse(*prompt_key)
    label = data.answer_to_original
    if not model.is_right(*question_key, name=label):
        label = opposite(label)
    if wording in NEGATIVE_REFORMULATIONS:
        is_overlooked = model.draw("negation", *wording_key) < model.negation
        label = label if is_overlooked else opposite(label)
    elif wording != "original" and model.draw("rewording", *wording_key) < model.rewording:
        label = opposite(label)
    if model.unsteady > 0:
        call_key = (*prompt_key, model.call(*prompt_key))
        if model.draw("unsteady", *call_key) < model.unsteady:
            label = "Yes" if model.draw("redraw", *call_key) < 0.5 else "No"
    lean = model.no_lean if label == "Yes" else model.yes_lean
    if model.draw(f"lean from {label}", *question_key) < lean:
        label = opposite(label)
    if model.draw("order", *question_key) < model.order_effect:
        label = "No" if no_first else "Yes"
    return FAMILY.write_answer(data, label)
