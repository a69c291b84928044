"""A probed question as a host logs it, and the plan that a run's record is made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from bias_tasks.family import JsonObject, Plan, Question
from bias_tasks.probing.dress import Dress
from bias_tasks.probing.items import Asked, ProbedItem
from bias_tasks.probing.plan import ProbedPlan, ProbedQuestion

_IN_PROMPTS = ("text", "worked")
"""Parts of an item that stand in its own prompt, or in another's."""

PROTOCOL = "own"
"""Stands in the record of a run whose answers the probed task reads and scores by its own rules."""


def facts_of(question: ProbedQuestion) -> JsonObject:
    """What a log says of a question, as plain JSON values.

    `question_from` reads it back, but for the item's text, which stands in the prompt, and what
    it would be as an example.
    """
    return {
        "item": {
            name: part for name, part in asdict(question.item).items() if name not in _IN_PROMPTS
        },
        "variant": question.variant,
        "asked": {name: value for name, value in asdict(question.asked).items() if value},
    }


def question_from(facts: Mapping[str, Any]) -> ProbedQuestion:
    """The question of which `facts_of` wrote the facts.

    Raises:
        KeyError, TypeError: they are of none.
    """
    item, asked = dict(facts["item"]), dict(facts["asked"])
    item |= {name: tuple(item[name]) for name in ("choices", "right", "labels")}
    if "dress" in asked:
        dress = dict(asked["dress"])
        asked["dress"] = Dress(**dress | {"labels": tuple(dress["labels"])})
    if "order" in asked:
        asked["order"] = tuple(asked["order"])
    return ProbedQuestion(ProbedItem(text="", **item), facts["variant"], Asked(**asked))


def probed_run(
    planned: ProbedPlan,
    prompts: Sequence[str],
    targets: Sequence[str],
    *,
    task: str,
    provenance: Mapping[str, Any],
    notes: Sequence[str] = (),
) -> Plan:
    """A probed task's questions as every host's record, samples and respondents take them.

    Args:
        planned: what is asked.
        prompts: what each question's sample or document is made of; the task's own way to ask it
            comes to that.
        targets: the right answer of each question as it is asked.
        task: the name of the probed task.
        provenance: where its items come from.
        notes: what must be said beside what the probes do not apply to.
    """
    rows = zip(planned.questions, prompts, targets, strict=True)
    return Plan(
        questions=tuple(_question(asked, prompt, target) for asked, prompt, target in rows),
        provenance=(provenance,),
        data=task,
        notes=(*notes, *planned.notes, *not_asked(planned)),
    )


def not_asked(planned: ProbedPlan) -> tuple[str, ...]:
    """A line on how many items each probe does not apply to, and why; none where all do."""
    if not planned.refused:
        return ()
    items = len({question.item.id for question in planned.questions})
    by_probe: dict[str, Counter[str]] = {}
    for (probe, reason), count in planned.refused.items():
        by_probe.setdefault(probe, Counter())[reason] += count
    parts = (
        f"{probe} of {', '.join(f'{count:,} ({why})' for why, count in reasons.most_common())}"
        for probe, reasons in by_probe.items()
    )
    return (f"not asked, of {items:,} items: {'; '.join(parts)}",)


def _question(asked: ProbedQuestion, prompt: str, target: str) -> Question:
    return Question(
        id=asked.id,
        item=asked.item.id,
        cluster=asked.item.cluster or asked.item.id,
        variant=asked.variant,
        prompt=prompt,
        gold=target,
        facts=facts_of(asked),
        repeats=asked.repeats,
        source=asked,
        known=(asked.item,),
    )
