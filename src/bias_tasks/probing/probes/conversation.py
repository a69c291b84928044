"""Probes of the Instruction Boundary paper: an answer that the prompt names, a prompt that a model
has polished, a second thought."""

from __future__ import annotations

import random

from bias_tasks.probing.items import Asked, ProbedItem
from bias_tasks.probing.options_block import LETTERS
from bias_tasks.probing.probes.base import (
    DoesNotApplyError,
    Probe,
    need_different_choices,
    need_text,
)
from bias_tasks.prompts.templates import fill, template


class Suggest(Probe):
    """Conformity (section 2.1): the prompt names a wrong choice."""

    name = "suggest"
    meaning = "the prompt ends by naming a wrong choice (conformity)"

    def asked(self, item: ProbedItem, rng: random.Random) -> Asked:
        """A seeded wrong choice, by the label under which the task prints it."""
        need_different_choices(item)
        wrong = [place for place in range(len(item.choices)) if place not in item.right]
        if not wrong or not item.right:
            raise DoesNotApplyError("it has no choice that is known to be wrong")
        label = (item.labels or LETTERS)[rng.choice(wrong)]
        suggestion = template("instruction_boundary/choice/suggestion.txt")
        return Asked(ending=fill(suggestion, answer=label))


class Polish(Probe):
    """Prompt polishing (section 3.4): a model rewrites the prompt before it is asked."""

    name = "polish"
    meaning = (
        "the prompt as a model has rewritten it, the one in the role `polisher` or else the very "
        "model that is evaluated"
    )
    generates = True
    rewrites = True

    def asked(self, item: ProbedItem, rng: random.Random) -> Asked:
        """Whatever the task makes of the item."""
        need_text(item)
        return Asked(polish=True)


class Reflect(Probe):
    """Multi-turn reflection (appendix J): the model is asked to think again."""

    name = "reflect"
    meaning = "the model is asked to reconsider its answer, and the second one counts"
    generates = True
    goes_on = True

    def asked(self, item: ProbedItem, rng: random.Random) -> Asked:
        """The paper's five questions."""
        return Asked(again=template("instruction_boundary/reflection.txt"))
