"""The questions of a run: each prompt once, since its answers and their judges belong together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bias_tasks.data.further import noted
from bias_tasks.family import Plan, Question, Request
from bias_tasks.judging.data.prompts import AuthoredItem, load_prompts
from bias_tasks.judging.prompts.ask import PAIR, Template, house_template, own_template
from bias_tasks.judging.self_preference.comparisons import ORDERS, OWN, Author
from bias_tasks.names import content_hash
from bias_tasks.parameters import ALL
from bias_tasks.prompts.marks import unused_mark

SELF_PREFERENCE = "self_preference"
"""The task's name, and its questions' variant."""
OTHER_ROLE, JURY_ROLE = "other", "jury"
"""The model roles of the other author, and of the other judges."""
COMPARED = "compared"
"""In a question's facts: marks it as one of this task, and holds a hash of each recorded answer."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A prompt, and how its answers are to be compared."""

    item: AuthoredItem
    template: Template

    def comparison(self, own: str, other: str, first: Author) -> str:
        """What a judge is asked; nothing in it says whose either answer is."""
        shown = (own, other) if first == OWN else (other, own)
        texts = {"prompt": self.item.prompt, "response_a": shown[0], "response_b": shown[1]}
        # One mark for both orders, so that nothing but the order differs between them.
        return self.template.filled(texts, unused_mark((self.item.prompt, own, other)))


def plan_self_preference(values: Mapping[str, Any]) -> Plan:
    """A question for each prompt.

    Raises:
        ValueError: n is less than 1.
        DataError: the prompts or the template can't be had.
    """
    own = values["template"]
    template = house_template(PAIR) if own is None else own_template(own, PAIR)
    n = None if values["n"] == ALL else values["n"]
    loaded = load_prompts(values["data"], values["seed"], n)
    origin = () if template.origin is None else ({"source": "template", **template.origin},)
    return Plan(
        questions=tuple(_question(Asked(item, template)) for item in loaded.items),
        provenance=(*loaded.provenance, *origin),
        data=values["data"],
        later=(template.text,),
    )


def _question(asked: Asked) -> Question:
    item = asked.item
    cluster = item.cluster or item.id
    recorded = {"own": item.own, "other": item.other}
    return Question(
        id=f"{item.id}/{SELF_PREFERENCE}",
        item=item.id,
        cluster=cluster,
        variant=SELF_PREFERENCE,
        prompt=item.prompt,
        gold="",
        facts={
            "item": item.id,
            "cluster": cluster,
            "variant": SELF_PREFERENCE,
            "gold": "",
            COMPARED: {n: content_hash(text) for n, text in recorded.items() if text is not None},
            **noted(item.further),
        },
        source=asked,
        known=(item,),
    )


def requests_of(question: Question, answer: str) -> tuple[Request, ...]:
    """The calls of one prompt, with a jury of one; `answer` stands for either answer."""
    asked = question.source
    assert isinstance(asked, Asked)
    own = asked.item.own if asked.item.own is not None else answer
    other = asked.item.other if asked.item.other is not None else answer
    calls = []
    if asked.item.own is None:
        calls.append(Request(asked.item.prompt))
    if asked.item.other is None:
        calls.append(Request(asked.item.prompt, OTHER_ROLE))
    for role in (None, JURY_ROLE):
        calls += [Request(asked.comparison(own, other, first), role) for first in ORDERS]
    return tuple(calls)
