"""The questions of a probed task: each item plain, again, and under every probe that it allows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from pydantic import TypeAdapter

from bias_tasks.contract.family import JsonObject, Plan, Question
from bias_tasks.contract.parameters import chosen_names
from bias_tasks.probing.formats import FINAL_FORMATS
from bias_tasks.probing.items import PLAIN, REPEAT, Asked, ProbedItem, is_repeat
from bias_tasks.probing.probes import chosen_probes
from bias_tasks.probing.probes.base import DoesNotApplyError, ProbeInput
from bias_tasks.probing.probes.prompt import NO_REWORDINGS
from bias_tasks.probing.rewordings import KINDS, read_rewordings
from bias_tasks.prompts.templates import seeded

PROTOCOL = "own"
"""The protocol in the record of a run whose answers the probed task reads by its own rules."""
_ITEM, _ASKED = TypeAdapter(ProbedItem), TypeAdapter(Asked)
_IN_PROMPTS = ("text", "worked")
"""Parts of an item that stand in its own prompt, or in another's."""


@dataclass(frozen=True, slots=True)
class ProbedQuestion:
    """An item under one variant."""

    item: ProbedItem
    variant: str
    """`plain`, `repeat1`, `repeat2`, ... or a probe's name."""
    asked: Asked
    plain: Any = field(default=None, compare=False, repr=False)
    """The host's own record of plain answers that are not asked for again; None without any."""

    @property
    def taken(self) -> bool:
        """Whether its answer is one of those, so that nothing is asked."""
        return self.plain is not None and self.variant == PLAIN and self.item.id in self.plain

    @property
    def id(self) -> str:
        """`<item>/<variant>`, unique in a run and the same in both hosts."""
        return f"{self.item.id}/{self.variant}"


@dataclass(frozen=True, slots=True)
class ProbedPlan:
    """What a run asks, an item's questions side by side."""

    questions: tuple[ProbedQuestion, ...]
    refused: Counter[tuple[str, str]]
    """How many items each probe does not apply to, by its name and the reason."""
    probes: tuple[str, ...]
    notes: tuple[str, ...] = ()
    """What must be said of the rewordings that are asked."""


def plan_probes(
    values: Mapping[str, Any],
    items: Sequence[ProbedItem],
    others: Sequence[ProbedItem] = (),
    *,
    task: str = "",
    ids: Collection[str] = (),
    likelihoods: bool = False,
    once: bool = False,
) -> ProbedPlan:
    """Every item plain, `repeats` times again, and under each probe that applies to it.

    Args:
        values: of `probe`'s parameters.
        items: those to ask.
        others: further items of the same task, which are not asked and may serve as examples.
        task: its name.
        ids: of all its items.
        likelihoods: whether choices are compared by their likelihood, which is the same again.
        once: whether the host asks each question once, and nothing before or behind it.

    Raises:
        ValueError: a probe is not possible, none applies to any item, or the file of rewordings is
            another task's.
        DataError: that file can't be read.
    """
    rewordings, names = read_rewordings(values["rewordings"]), values["formats"]
    able = {"likelihoods": likelihoods, "once": once}
    probes = chosen_probes(values["probes"], formats=names, rewordings=rewordings, **able)
    if rewordings is not None:
        rewordings.check_items(ids, items, task)
    formats = chosen_names("formats", names, tuple(FINAL_FORMATS))
    given = ProbeInput(items, others, rewordings, formats)
    repeats = 0 if likelihoods else values["repeats"]
    same = [PLAIN, *(f"{REPEAT}{number}" for number in range(1, repeats + 1))]
    questions: list[ProbedQuestion] = []
    refused: Counter[tuple[str, str]] = Counter()
    for item in items:
        questions += [ProbedQuestion(item, variant, Asked()) for variant in same]
        for probe in probes:
            try:
                asked = probe.ask(item, seeded(values["seed"], item.id, probe.name), given)
            except DoesNotApplyError as error:
                refused[probe.name, str(error)] += 1
            else:
                questions.append(ProbedQuestion(item, probe.name, asked))
    if refused.total() == len(items) * len(probes):
        reasons = "; ".join(f"{probe}: {reason}" for probe, reason in refused)
        raise ValueError(f"none of the probes applies to any of the items ({reasons})")
    # A probe without anything to ask by is no probe of this run; another is, if on no item.
    tried = tuple(each.name for each in probes if refused[each.name, NO_REWORDINGS] < len(items))
    notes: list[str] = []
    if rewordings is not None:
        for kind in KINDS:
            notes += rewordings.notes(kind, [q.item for q in questions if q.variant == kind])
    return ProbedPlan(tuple(questions), refused, tried, tuple(notes))


def chosen_items(items: Sequence[ProbedItem], n: int | None, seed: int) -> list[ProbedItem]:
    """At most n of the items, drawn by the seed, in their order.

    Raises:
        ValueError: two items have one id.
    """
    ids = sorted({item.id for item in items})
    if len(ids) < len(items):
        [(twice, _)] = Counter(item.id for item in items).most_common(1)
        raise ValueError(f"several items have one id, such as {twice!r}")
    if n is None or n >= len(items):
        return list(items)
    drawn = set(seeded(seed, "items").sample(ids, n))
    return [item for item in items if item.id in drawn]


def probed_run(
    planned: ProbedPlan,
    prompts: Sequence[str],
    targets: Sequence[str],
    *,
    task: str,
    provenance: Mapping[str, Any],
    notes: Sequence[str] = (),
) -> Plan:
    """A probed task's questions as records, samples and simulated models of every host take them.

    Args:
        planned: what is asked.
        prompts, targets: of each question, as the probed task asks it.
        task: the name of the probed task.
        provenance: where its items come from.
        notes: what must be said beside what the probes do not apply to.
    """
    questions = tuple(
        Question(
            id=asked.id,
            item=asked.item.id,
            cluster=asked.item.own_cluster,
            variant=asked.variant,
            prompt=prompt,
            gold=target,
            facts=facts_of(asked),
            repeats=is_repeat(asked.variant),
            source=asked,
            known=(asked.item,),
        )
        for asked, prompt, target in zip(planned.questions, prompts, targets, strict=True)
    )
    told = (*notes, *planned.notes, *_not_asked(planned))
    return Plan(questions=questions, provenance=(provenance,), data=task, notes=told)


def _not_asked(planned: ProbedPlan) -> tuple[str, ...]:
    """A line on how many items each probe does not apply to, and why; none where all do."""
    if not planned.refused:
        return ()
    items = len({question.item.id for question in planned.questions})
    by_probe: dict[str, list[str]] = {}
    for (probe, reason), count in planned.refused.items():
        by_probe.setdefault(probe, []).append(f"{count:,} ({reason})")
    parts = "; ".join(f"{probe} of {', '.join(told)}" for probe, told in by_probe.items())
    return (f"not asked, of {items:,} items: {parts}",)


def facts_of(question: ProbedQuestion) -> JsonObject:
    """What a log says of a question, as plain JSON values; the item's texts stand in the prompt."""
    item = {name: part for name, part in asdict(question.item).items() if name not in _IN_PROMPTS}
    asked = {name: value for name, value in asdict(question.asked).items() if value}
    return {"item": item, "variant": question.variant, "asked": asked}


def question_from(facts: Mapping[str, Any]) -> ProbedQuestion:
    """The question of which `facts_of` wrote the facts, its item without texts."""
    item = _ITEM.validate_python({**facts["item"], "text": ""})
    return ProbedQuestion(item, facts["variant"], _ASKED.validate_python(facts["asked"]))
