"""The questions of a probed task: each item plain, again, and under every probe that it allows."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from pydantic import TypeAdapter

from bias_tasks.contract.family import JsonObject, Plan, Question
from bias_tasks.contract.parameters import chosen_names
from bias_tasks.probing.formats import FINAL_FORMATS
from bias_tasks.probing.items import PLAIN, REPEAT, Asked, ProbedItem, is_repeat
from bias_tasks.probing.probes import PROBES, chosen_probes
from bias_tasks.probing.probes.base import DoesNotApplyError, ProbeInput
from bias_tasks.probing.probes.prompt import NO_REWORDINGS
from bias_tasks.probing.rewordings import KINDS, read_rewordings, reworded_by
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
    probes: tuple[str, ...]
    notes: tuple[str, ...] = ()
    """What must be said of rewordings, and of items to which probes do not apply."""


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
    """Every item plain, `repeats` times again, and under each probe that applies to it; `others`
    may serve as examples. A ValueError where a probe is not possible, none applies to any item, or
    the file of rewordings is another task's (`ids` are all of its items'); a DataError where that
    file can't be read.

    With `likelihoods`, which are the same again, choices are compared by these; with `once` the
    host asks each question once, and nothing before or behind it."""
    path = values["rewordings"]
    rewordings = read_rewordings(path, ids, items, task)
    probes = chosen_probes(values["probes"], rewordings, likelihoods=likelihoods, once=once)
    for option, takers in (("rewordings", KINDS), ("formats", ("format",))):
        if values[option] is not None and not {*probes} & {*takers}:
            add = f"leave it out, or add {' or '.join(takers)} to the probes"
            raise ValueError(f"{option}: none of the probes takes it; {add}")
    formats = chosen_names("formats", values["formats"], tuple(FINAL_FORMATS))
    given = ProbeInput(items, others, rewordings, formats)
    repeats = 0 if likelihoods else values["repeats"]
    same = [PLAIN, *(f"{REPEAT}{number}" for number in range(1, repeats + 1))]
    questions: list[ProbedQuestion] = []
    refused: dict[str, Counter[str]] = defaultdict(Counter)
    for item in items:
        questions += [ProbedQuestion(item, variant, Asked()) for variant in same]
        for probe in probes:
            try:
                asked = PROBES[probe](item, seeded(values["seed"], item.id, probe), given)
            except DoesNotApplyError as error:
                refused[probe][str(error)] += 1
            else:
                questions.append(ProbedQuestion(item, probe, asked))
    told = [
        f"{name} of {', '.join(f'{count:,} ({reason})' for reason, count in reasons.items())}"
        for name, reasons in refused.items()
    ]
    if len(questions) == len(items) * len(same):
        raise ValueError(f"none of the probes applies to any of the items: {'; '.join(told)}")
    by_kind = (
        [rewordings[q.item.id, k] for q in questions if q.variant == k and rewordings]
        for k in KINDS
    )
    notes = [reworded_by(rows, path) for rows in by_kind if rows]
    notes += [f"not asked, of {len(items):,} items: {'; '.join(told)}"] * bool(told)
    # A probe without anything to ask by is no probe of this run; another is, if on no item.
    tried = tuple(name for name in probes if refused[name][NO_REWORDINGS] < len(items))
    return ProbedPlan(tuple(questions), tried, tuple(notes))


def chosen_items(items: Sequence[ProbedItem], n: int | None, seed: int) -> list[ProbedItem]:
    """At most n of the items, drawn by the seed, in order; a ValueError where two have one id."""
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
    told: Iterable[tuple[str, str]],
    *,
    task: str,
    provenance: Mapping[str, Any],
    notes: Sequence[str] = (),
) -> Plan:
    """A probed task's questions as records, samples and simulated models of every host take them;
    `told` are the prompt and the target of each, as that task has them."""
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
        for asked, (prompt, target) in zip(planned.questions, told, strict=True)
    )
    notes = (*notes, *planned.notes)
    return Plan(questions=questions, provenance=(provenance,), data=task, notes=notes)


def facts_of(question: ProbedQuestion) -> JsonObject:
    """What a log says of a question, as plain JSON values; the item's texts stand in the prompt."""
    item = {name: part for name, part in asdict(question.item).items() if name not in _IN_PROMPTS}
    asked = {name: value for name, value in asdict(question.asked).items() if value}
    return {"item": item, "variant": question.variant, "asked": asked}


def question_from(facts: Mapping[str, Any]) -> ProbedQuestion:
    """The question of which `facts_of` wrote the facts, its item without texts."""
    item = _ITEM.validate_python({**facts["item"], "text": ""})
    return ProbedQuestion(item, facts["variant"], _ASKED.validate_python(facts["asked"]))
