"""How a persona answers a yes/no question.

Its answer to the original wording is drawn from (seed, question). That to a positive rewording is
the same, to a negative one the opposite, unless *rewording* or *negation* turns it around; at the
rate *unsteady* it is a fair coin's, anew at each call. Last, a Yes is said as No, a No as Yes
(*no_lean*, *yes_lean*), or what is listed first is said (*order_effect*), by the question.

What comes out, each trait alone, with c = 1 - unsteady / 2 (at `unsteady=1` the paper's baseline):

| trait            | prc            | nrc             | arc            | sc             |
| ---------------- | -------------- | --------------- | -------------- | -------------- |
| accuracy         | 1              | 1               | 1              | 1              |
| no_lean=p        | 1              | 1 - p           | 1              | 1              |
| yes_lean=p       | 1              | 1 - p           | 1              | 1              |
| negation=p       | 1              | (1 - p)^2       | 1              | 1              |
| rewording=p      | (1 - p)^2      | 1               | 1              | 1              |
| order_effect=p   | 1              | 1 - p           | 1 - p          | 1              |
| unsteady         | c^3 + (1-c)^3  | c^3 + (1-c)^3   | c^2 + (1-c)^2  | c^3 + (1-c)^3  |
| abstention=p     | (1-p)^3/(1-p^3)| (1-p)^3/(1-p^3) | (1-p) / (1+p)  | 1              |
"""

import re

from bias_tasks.binary_qa.items import NEGATIVE, REFORMULATIONS, BinaryItem, BinaryLabel, opposite
from bias_tasks.simulated.draws import refuse
from bias_tasks.simulated.traits import Traits

_LISTED = re.compile(r"Choose one of the following answers:[ \t]{0,8}(Yes/No|No/Yes)\b")


def answer_yes_no(persona: Traits, prompt: str, item: BinaryItem, variant: str) -> str:
    """The answer to a question under a variant; of the prompt only the order of answers counts."""
    turned = _LISTED.findall(prompt)[-1:] == ["No/Yes"]
    wording = variant if variant in REFORMULATIONS else "original"
    question = ("item", item.id)
    worded = (*question, wording)
    asked = (*worded, "no_yes" if turned else "yes_no")
    if persona.draw("abstain", *asked) < persona.abstention:
        return refuse(persona.draw("refusal", *asked))
    right = persona.draw("right", *question) < persona.accuracy_of(item.answer)
    label: BinaryLabel = item.answer if right else opposite(item.answer)
    if wording in NEGATIVE:
        overlooked = persona.draw("negation", *worded) < persona.negation
        label = label if overlooked else opposite(label)
    elif wording != "original" and persona.draw("rewording", *worded) < persona.rewording:
        label = opposite(label)
    if persona.unsteady > 0:
        call = (*asked, persona.call(*asked))
        if persona.draw("unsteady", *call) < persona.unsteady:
            label = "Yes" if persona.draw("redraw", *call) < 0.5 else "No"
    lean = persona.no_lean if label == "Yes" else persona.yes_lean
    if persona.draw(f"lean from {label}", *question) < lean:
        label = opposite(label)
    if persona.draw("order", *question) < persona.order_effect:
        label = "No" if turned else "Yes"
    return label
