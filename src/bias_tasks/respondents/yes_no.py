"""How a respondent with planted parameters answers a yes/no question.

In this order, and drawn from (seed and):

1. *abstention* (question, wording, order of the answers): no readable answer.
2. *accuracy* (question): the answer to the original wording, right or wrong. A question without a
   known item gets a fair coin's.
3. *negation*, *rewording* (question, wording): the answer to a positive rewording is the same, to
   a negative one the opposite, unless the parameter turns it around.
4. *unsteady* (question, wording, order, number of the call): the answer is a fair coin's. Nothing
   else differs between calls of one prompt.
5. *no_lean*, *yes_lean* (question): a Yes is said as No, a No as Yes.
6. *order_effect* (question): the answer listed first is given.

What comes out, each parameter alone, with c = 1 - unsteady / 2:

| parameter        | prc            | nrc             | arc            | sc             |
| ---------------- | -------------- | --------------- | -------------- | -------------- |
| accuracy         | 1              | 1               | 1              | 1              |
| no_lean=p        | 1              | 1 - p           | 1              | 1              |
| yes_lean=p       | 1              | 1 - p           | 1              | 1              |
| negation=p       | 1              | (1 - p)^2       | 1              | 1              |
| rewording=p      | (1 - p)^2      | 1               | 1              | 1              |
| order_effect=p   | 1              | 1 - p           | 1 - p          | 1              |
| unsteady         | c^3 + (1-c)^3  | c^3 + (1-c)^3   | c^2 + (1-c)^2  | c^3 + (1-c)^3  |
| abstention=p     | (1 - p)^3      | (1 - p)^3       | (1 - p)^2      | 1 - p          |

On originals a question is answered Yes with chance

    has = right * (1 - unsteady) + unsteady / 2        right: accuracy_yes, or 1 - accuracy_no
    says = has * (1 - no_lean) + (1 - has) * yes_lean
    (1 - abstention) * (says * (1 - order_effect) + order_effect * (1 if Yes is listed first))

where `right` is the chance that the base answer is Yes; `f1`, the deltas and `yes_rate` follow
from it, and `unread` is the abstention. So `unsteady=1` alone is the paper's random baseline:
prc, nrc and sc 0.25, arc 0.5.
"""

from __future__ import annotations

from dataclasses import dataclass

from bias_tasks.binary_qa.items import NEGATIVE, BinaryItem, BinaryLabel, Order, opposite
from bias_tasks.respondents.draws import Calls, draw
from bias_tasks.respondents.known_items import ORIGINAL
from bias_tasks.respondents.traits import Traits


@dataclass(frozen=True, slots=True)
class Asked:
    """A yes/no question as a prompt asks it.

    The prompt tells questions apart only when no item is known; a known item's draws depend on the
    item, so that a cue or worked examples in the prompt turn none of them.
    """

    item: BinaryItem | None
    prompt: str
    variant: str = ORIGINAL
    order: Order = "yes_no"

    @property
    def question(self) -> tuple[str, ...]:
        """What draws that are the same for all wordings depend on."""
        if self.item is None:
            return ("prompt", self.prompt)
        return ("item", self.item.question, self.item.context or "")

    @property
    def wording(self) -> tuple[str, ...]:
        """What draws that differ between wordings depend on."""
        return (*self.question, self.variant)

    @property
    def key(self) -> tuple[str, ...]:
        """What draws that differ between prompts depend on."""
        return (*self.wording, self.order)


def answer_yes_no(traits: Traits, asked: Asked, calls: Calls) -> BinaryLabel | None:
    """The answer to a question; None when it is one that cannot be read.

    Args:
        traits: the respondent's parameters.
        asked: the question.
        calls: how often each prompt was answered; counts this call where calls can differ.
    """
    if _happens(traits, "abstain", traits.abstention, asked.key):
        return None
    label = _reworded(traits, asked, _base(traits, asked))
    if traits.unsteady > 0:
        call = (*asked.key, str(calls.next(asked.key)))
        if _happens(traits, "unsteady", traits.unsteady, call):
            label = _coin(traits, "redraw", call)
    lean = traits.no_lean if label == "Yes" else traits.yes_lean
    if _happens(traits, f"lean from {label}", lean, asked.question):
        label = opposite(label)
    if _happens(traits, "order", traits.order_effect, asked.question):
        return "Yes" if asked.order == "yes_no" else "No"
    return label


def _base(traits: Traits, asked: Asked) -> BinaryLabel:
    """The answer to the original wording."""
    if asked.item is None:
        return _coin(traits, "base", asked.question)
    gold = asked.item.answer
    right = _happens(traits, "right", traits.accuracy_of(gold), asked.question)
    return gold if right else opposite(gold)


def _reworded(traits: Traits, asked: Asked, base: BinaryLabel) -> BinaryLabel:
    """The answer to the wording asked, given the one to the original wording."""
    if asked.variant == ORIGINAL:
        return base
    if asked.variant in NEGATIVE:
        overlooked = _happens(traits, "negation", traits.negation, asked.wording)
        return base if overlooked else opposite(base)
    moved = _happens(traits, "rewording", traits.rewording, asked.wording)
    return opposite(base) if moved else base


def _happens(traits: Traits, what: str, chance: float, key: tuple[str, ...]) -> bool:
    return chance > 0 and draw(traits.seed, what, *key) < chance


def _coin(traits: Traits, what: str, key: tuple[str, ...]) -> BinaryLabel:
    return "Yes" if draw(traits.seed, what, *key) < 0.5 else "No"
