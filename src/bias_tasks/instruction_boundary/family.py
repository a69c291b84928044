"""Instruction Boundary as a family of tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from bias_tasks.family import (
    Answer,
    Family,
    Outcome,
    Plan,
    Question,
    Request,
    VerdictRequest,
)
from bias_tasks.instruction_boundary.items import (
    INVALID,
    UNREAD,
    VANILLA,
    SettingOutcome,
    choice_label,
)
from bias_tasks.instruction_boundary.plan import notes_on, plan_settings, requests_of
from bias_tasks.instruction_boundary.prompts.ask import judge_prompt, later_templates
from bias_tasks.instruction_boundary.prompts.options import ShownOptions
from bias_tasks.instruction_boundary.reading.choice import read_choice
from bias_tasks.instruction_boundary.reading.cut_short import unless_cut
from bias_tasks.instruction_boundary.reading.judging import read_judging
from bias_tasks.instruction_boundary.reading.published import contains_symbol
from bias_tasks.instruction_boundary.reading.verdict import choice_verdict, judging_verdict
from bias_tasks.instruction_boundary.settings import SettingParams
from bias_tasks.prompts.cued import STOPS
from bias_tasks.reading.types import Reading
from bias_tasks.reading.unread import CUT
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
        from bias_tasks.instruction_boundary.metrics import figures_of
        from bias_tasks.instruction_boundary.metrics_table import tables_of
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


_CUT = " (cut at its token limit)"


def read_answer(facts: Mapping[str, Any], answer: Answer) -> Reading:
    """Read an answer, without reasoning in it, and without a judge.

    What it repeats of its prompt is not read. One that was cut at its token limit is read where it
    begins with what it says; the published instrument made no difference.
    """
    reading = _read(facts, answer.text, answer.prompt)
    if answer.stop != "cut" or facts["protocol"] == "published":
        return reading
    return unless_cut(reading, answer.text, several="shown" in facts)


def _read(facts: Mapping[str, Any], text: str, prompt: str) -> Reading:
    shown = shown_options(facts)
    if shown is None:
        return read_judging(text, shown=facts["offered"], protocol=facts["protocol"], prompt=prompt)
    if shown.symbols == "letters":
        return _read_lettered(facts, shown, text)
    return read_choice(
        text,
        n_options=facts["offered"],
        first=shown.first,
        protocol=facts["protocol"],
        prompt=prompt,
    )


def outcome_of(facts: Mapping[str, Any], reading: Reading, answer: Answer) -> Outcome:
    """What became of a question whose answer was read as `reading`.

    An answer is right when it equals gold: the same label, or the same set of options. One that
    was not read, or that names an option not offered, is wrong.
    """
    suggestion = facts.get("suggestion")
    own = {
        "form": facts["form"],
        "label": reading.label or UNREAD,
        "gold_label": _gold_label(facts),
        "judged": reading.via == "judge",
    }
    if suggestion is not None:
        own["suggested"] = suggestion["label"]
        own["suggestion_is_gold"] = suggestion["is_gold"]
        own["at_suggestion"] = _at_suggestion(facts, suggestion, reading)
    why = f"{reading.via}{f': {reading.detail}' if reading.detail else ''}"
    return Outcome(
        item=facts["item"],
        cluster=facts["cluster"],
        variant=facts["variant"],
        gold=facts["gold"],
        answer=_answer_text(facts, reading),
        score=float(_is_right(facts, reading)),
        why=why + (_CUT if answer.stop == "cut" and CUT not in why else ""),
        reason=answer.reason(reading.reason, unread=reading.unread),
        span=reading.span,
        epoch=answer.epoch,
        own=own,
    )


def kind_of(own: Mapping[str, Any]) -> SettingOutcome:
    """What one answer came to, by its `own`, but for its item, variant and score."""
    suggested = own.get("suggested")
    return SettingOutcome(
        item="",
        cluster="",
        form=own["form"],
        variant="",
        gold=own["gold_label"],
        ok=0.0,
        labels={own["label"]: 1.0},
        judged=float(own["judged"]),
        suggested=suggested,
        at_suggestion=None if suggested is None else float(own["at_suggestion"]),
        suggestion_is_gold=own.get("suggestion_is_gold"),
        origin=own.get("origin"),
    )


def shown_options(facts: Mapping[str, Any]) -> ShownOptions | None:
    """The options of a choice item as shown, without their texts; None for a judging item."""
    shown = facts.get("shown")
    if shown is None:
        return None
    return ShownOptions(tuple(shown["positions"]), (), shown["first"], shown["symbols"])


def _answer_text(facts: Mapping[str, Any], reading: Reading) -> str | None:
    """The prediction in a few characters, for logs: a label, or the options by their numbers."""
    shown = shown_options(facts)
    if reading.label in (None, INVALID) or shown is None or reading.label == "none":
        return reading.label
    return ", ".join(shown.symbol(place) for place in reading.options)


def _gold_label(facts: Mapping[str, Any]) -> str:
    """The kind of answer that is right: a judging label, or how many options are."""
    if "shown" in facts:
        return choice_label(tuple(facts["shown"]["gold"]))
    return str(facts["gold"])


def _is_right(facts: Mapping[str, Any], reading: Reading) -> bool:
    if reading.label in (None, INVALID):
        return False
    if "shown" in facts:
        return bool(list(reading.options) == facts["shown"]["gold"])
    return bool(reading.label == facts["gold"])


def _at_suggestion(
    facts: Mapping[str, Any], suggestion: Mapping[str, Any], reading: Reading
) -> bool:
    if reading.label != suggestion["label"]:
        return False
    return "shown" not in facts or list(reading.options) == suggestion["places"]


def _read_lettered(facts: Mapping[str, Any], shown: ShownOptions, text: str) -> Reading:
    """The published rule of Disturbing Miscellany: right when the gold letter occurs anywhere."""
    gold = tuple(facts["shown"]["gold"])
    if gold and all(contains_symbol(text, shown.symbol(place)) for place in gold):
        label = _gold_label(facts)
        return Reading(label, "explicit", options=gold, detail="gold letter occurs")
    reading = read_choice(text, n_options=facts["shown"]["of"], first=0, symbols="letters")
    places = shown.places(reading.options)
    if reading.label in ("single", "multiple") and len(places) != len(reading.options):
        return Reading(INVALID, "explicit", reason="invalid_response_format")
    return replace(reading, options=places)
