"""Instruction Boundary as a family of tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from bias_tasks.family import Answer, Family, Outcome, Plan, Question, Request, VerdictRequest
from bias_tasks.instruction_boundary.items import VANILLA
from bias_tasks.instruction_boundary.notes import notes_on
from bias_tasks.instruction_boundary.outcomes import (
    kind_of,
    outcome_of,
    read_answer,
    shown_options,
)
from bias_tasks.instruction_boundary.prompts.ask import judge_prompt, later_templates
from bias_tasks.instruction_boundary.questions import plan_settings
from bias_tasks.instruction_boundary.reading.verdict import choice_verdict, judging_verdict
from bias_tasks.instruction_boundary.requests import requests_of
from bias_tasks.instruction_boundary.settings import SettingParams
from bias_tasks.prompts.cued import STOPS
from bias_tasks.statistics.estimate import Estimate, items_figure

_SETTING = tuple(
    field.name for field in fields(SettingParams) if field.name != "distractors"
)  # of which a run may have several
_JUDGED_CHARACTERS = 20_000
"""A judge is shown the end of a longer answer, where the final answer stands."""


class InstructionBoundary(Family):
    """Settings whose instructions say enough, too much or too little."""

    name = "instruction_boundary"
    title = "Instruction Boundary: Quantifying Biases in LLM Reasoning under Various Coverage"
    version = 3

    def plan(self, task: str, values: Mapping[str, Any], *, likelihoods: bool = False) -> Plan:
        """Every item under its setting and, beside it, under vanilla."""
        params = SettingParams(**{name: values[name] for name in _SETTING if name in values})
        questions, provenance = plan_settings(
            task,
            params,
            distractors=values.get("distractors"),
            form=values["form"],
            data=values["data"],
            sources=values["sources"],
            paired=values.get("paired", True),
            n=self.tasks[task].items_asked(values),
        )
        later = later_templates(
            sorted({question.item.form for question in questions}),
            {question.variant for question in questions},
            params,
        )
        asked = tuple(question.to_question() for question in questions)
        stops = STOPS if params.base else ()
        return Plan(asked, provenance, values["data"], notes_on(questions), later, stops)

    def requests(self, question: Question, answer: str) -> tuple[Request, ...]:
        """A request a round, and before it the polisher's where prompts are polished live."""
        return requests_of(question, answer)

    def read(self, facts: Mapping[str, Any], answer: Answer) -> Outcome:
        """First what is stated outright, then keywords; otherwise the answer is unread."""
        reading = read_answer(facts, answer)
        return _with_origin(facts, outcome_of(facts, reading, answer))

    def scorecard(
        self, outcomes: Sequence[Outcome], options: Mapping[str, Any]
    ) -> dict[str, Estimate]:
        """Every figure; several epochs of a question count as their mean."""
        from bias_tasks.instruction_boundary.metrics.card import figures_of
        from bias_tasks.instruction_boundary.metrics.table import tables_of
        from bias_tasks.statistics.outcomes import OutcomeColumns

        if not outcomes:
            return {}
        columns = OutcomeColumns(outcomes)
        card = figures_of(tables_of(columns, kind_of))
        return card | items_figure(len(columns.coded("item").values))

    def compared_with(self, variant: str) -> str | None:
        """The vanilla twin."""
        return None if variant == VANILLA else VANILLA

    def verdict_request(self, facts: Mapping[str, Any], answer: Answer) -> VerdictRequest | None:
        """The judge of appendix K, where there is an answer to judge."""
        if not answer.text.strip():
            return None
        shown = shown_options(facts)
        verdict: dict[str, Any] = {"type": "string"}
        if shown is None:
            verdict["enum"] = ["__PROVED__", "__DISPROVED__", "__UNKNOWN__"]
        prompt = judge_prompt(shown, facts["offered"], answer.text[-_JUDGED_CHARACTERS:])
        schema = {
            "type": "object",
            "properties": {"verdict": verdict},
            "required": ["verdict"],
            "additionalProperties": False,
        }
        return VerdictRequest(prompt, schema)

    def read_verdict(self, facts: Mapping[str, Any], answer: Answer, reply: str) -> Outcome | None:
        """The outcome by the judge's verdict."""
        shown = shown_options(facts)
        if shown is None:
            reading = judging_verdict(reply)
        else:
            reading = choice_verdict(reply, facts["offered"], shown.first)
        return None if reading is None else _with_origin(facts, outcome_of(facts, reading, answer))


def _with_origin(facts: Mapping[str, Any], outcome: Outcome) -> Outcome:
    """The outcome, with the data set that its item was taken from."""
    return replace(outcome, own={**outcome.own, "origin": facts.get("origin")})


FAMILY = InstructionBoundary()
