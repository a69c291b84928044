"""What a run asks: every item under its setting and, beside it, under vanilla.

Both hosts build their samples from here, so a sample's id, prompt and gold are the same in either.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

from bias_tasks.contract.family import Plan, Question, Request
from bias_tasks.instruction_boundary.data.core import CORE, SYNTHETIC
from bias_tasks.instruction_boundary.data.load import load_items
from bias_tasks.instruction_boundary.items import VANILLA, ChoiceItem, Item
from bias_tasks.instruction_boundary.prompts.ask import (
    Asked,
    ask,
    ask_again,
    later_templates,
    polish_request,
)
from bias_tasks.instruction_boundary.prompts.few_shot import few_shot_examples
from bias_tasks.instruction_boundary.prompts.options import loss_of
from bias_tasks.instruction_boundary.prompts.polished import lost_in
from bias_tasks.instruction_boundary.settings import (
    ALL_SETTINGS,
    MISCELLANY,
    SETTINGS,
    SettingParams,
    check_forms,
    distractor_levels,
    forms_of,
)
from bias_tasks.prompts.templates import STOPS, with_cue

POLISHER = "polisher"
"""The model role that rewrites prompts."""


@dataclass(frozen=True, slots=True)
class SettingQuestion:
    """One item under one variant."""

    item: Item
    variant: str
    """The setting applied to the prompt, or `vanilla`; with its number of distractors behind `@`
    where several numbers are asked side by side."""
    setting: str
    """The setting that the run is about; `instruction_boundary` where it is about all of them."""
    params: SettingParams

    @property
    def under(self) -> str:
        """The setting applied to the prompt, or `vanilla`."""
        return self.variant.partition("@")[0]

    def asked(self) -> Asked:
        """The question's prompt and what is needed to read its answer."""
        item, params = self.item, self.params
        examples: Sequence[Item] = ()
        if self.under == "few_shot":
            core = item.source in (CORE, SYNTHETIC)
            examples = few_shot_examples(
                item.form, params.examples, params.shots, params.seed, params.protocol, core
            )
        setting = None if self.setting == ALL_SETTINGS else self.setting
        return ask(item, self.under, params, setting=setting, examples=examples)

    def to_question(self) -> Question:
        """The question as hosts ask it."""
        asked = self.asked()
        # One distractor beside the right option is what the vanilla twin shows.
        as_twin = self.setting == self.under == MISCELLANY and self.params.distractors == 1
        repeats = as_twin and self.item.form == "choice"
        facts = _facts_of(self, asked)
        return Question.about(
            self.item, self.variant, asked.prompt, facts, repeats=repeats, source=self
        )


def plan_settings(task: str, values: Mapping[str, Any], n: int | None) -> Plan:
    """The questions of a run of a setting, pairs side by side; of `instruction_boundary` vanilla
    and every setting. `values` are the parameters of `tasks.yaml` that the task has, and `n` the
    most items asked. A ValueError where a value does not fit the others; a DataError where the
    items can't be had."""
    names = {field.name for field in fields(SettingParams)} - {"distractors"}
    params = SettingParams(**{name: values[name] for name in names & values.keys()})
    levels = distractor_levels(values.get("distractors", params.distractors))
    check_forms(task, params, levels, forms_of(values["form"]))
    given = {name: values[name] for name in ("data", "form", "sources", "protocol", "seed")}
    loaded = load_items(**given, n=n, miscellany=task == MISCELLANY)
    variants = dict(_variants(task, values.get("paired", True), params, levels))
    questions = [
        SettingQuestion(item, variant, task, own)
        for item in loaded.items
        for variant, own in variants.items()
    ]
    return Plan(
        tuple(question.to_question() for question in questions),
        loaded.provenance,
        values["data"],
        notes=(*_on_sources(values, loaded.items), *_on_options(questions)),
        later=later_templates(sorted({item.form for item in loaded.items}), variants, params),
        stops=STOPS if params.base else (),
    )


def requests_of(question: Question, answer: str) -> tuple[Request, ...]:
    """The calls of one question; `answer` stands for what the model says in each round.

    A polisher that loses a part of the prompt is asked again, which nobody knows beforehand.
    """
    first = Request(question.prompt)
    asked = question.source
    if not isinstance(asked, SettingQuestion):
        return (first,)
    if asked.under == "multi_turn":
        again = Request(ask_again(asked.item, asked.params, answer))
        return (first, *[again] * (asked.params.rounds - 1))
    if asked.under == "prompt_polishing" and asked.params.polish == "live":
        request = polish_request(question.prompt)
        return (Request(request, POLISHER, question.prompt, partial(_polished, asked)), first)
    return (first,)


def _polished(question: SettingQuestion, text: str) -> str:
    """The prompt that a polisher wrote, with what ends every prompt of a base model. A ValueError
    where it lost the question, a fact, or an option with its number."""
    lost = lost_in(text, question.asked(), question.item)
    if lost:
        raise ValueError("; ".join(lost))
    return with_cue(text) if question.params.base else text


def _facts_of(question: SettingQuestion, asked: Asked) -> dict[str, Any]:
    """What reading an answer takes, as plain JSON values.

    `offered` is how many numbered options there are; `shown` says of a choice item's options which
    of the item's stands at each place, by which numbers or letters they go, at which places the
    right ones stand, how many the item has, and, where they are numbered, their texts.
    """
    item, shown = question.item, asked.shown
    gold: str = item.label
    if shown is not None and isinstance(item, ChoiceItem):
        gold = ", ".join(map(shown.symbol, shown.right(item))) or "none"
    facts: dict[str, Any] = {
        "form": item.form,
        "origin": item.origin,
        "gold": gold,
        "protocol": question.params.protocol,
        "offered": asked.n_options,
    }
    if shown is not None and isinstance(item, ChoiceItem):
        facts["shown"] = {
            "positions": list(shown.positions),
            "first": shown.first,
            "symbols": shown.symbols,
            "gold": list(shown.right(item)),
            "of": len(item.options),
        }
        if question.params.protocol == "corrected":
            facts["shown"]["texts"] = [line.partition(". ")[2] for line in shown.lines]
    if (said := asked.suggestion) is not None:
        places = list(said.places)
        facts["suggestion"] = {"label": said.label, "is_gold": said.is_gold, "places": places}
    return facts


def _variants(
    task: str, paired: bool, params: SettingParams, levels: Sequence[int]
) -> Iterator[tuple[str, SettingParams]]:
    """The ways in which a run asks each item, with their parameters."""
    twin = [VANILLA] if paired and task != VANILLA else []
    for name in SETTINGS if task == ALL_SETTINGS else (task, *twin):
        if name == MISCELLANY and len(levels) > 1:
            for level in levels:
                yield f"{name}@{level}", replace(params, distractors=level)
        else:
            yield name, replace(params, distractors=levels[-1])


def _on_sources(values: Mapping[str, Any], items: Sequence[Item]) -> Iterator[str]:
    """The note that judging items are FOLIO's alone where no sources are named."""
    judging = any(item.form == "judging" for item in items)
    if values["data"] == "paper" and values["sources"] is None and judging:
        yield (
            "judging items are FOLIO's alone: FLD has no pinned revision, and is asked where it is "
            "named (sources=folio,fld)"
        )


def _on_options(questions: Sequence[SettingQuestion]) -> Iterator[str]:
    """How many items have fewer wrong options than were asked for, or none to leave out."""
    short: dict[int, list[bool]] = {}
    kept = []
    for question in questions:
        item, params = question.item, question.params
        if question.under == MISCELLANY and isinstance(item, ChoiceItem):
            few = len(item.options) - len(item.answer) < params.distractors
            short.setdefault(params.distractors, []).append(few)
        if question.under == "missing_choices" and isinstance(item, ChoiceItem):
            kept.append(loss_of(item, params.seed) == "nothing")
    for level, lack in short.items():
        if any(lack):
            yield (
                f"distractors={level}: {sum(lack)} of {len(lack)} choice items have fewer wrong "
                "options of their own"
            )
    judging = sum(q.under == MISCELLANY and q.item.form == "judging" for q in questions)
    if judging:
        yield (
            f"distractors: {judging} judging items show table 2's two extra options, whatever the "
            "number"
        )
    if any(kept) and questions[0].params.protocol == "corrected":
        yield (
            f"missing_choices: {sum(kept)} of {len(kept)} choice items have no option that could "
            "be left out, and are asked with all of theirs"
        )
