"""Instruction Boundary as a family of tasks."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bias_tasks.contract.family import (
    JUDGED,
    Answer,
    Family,
    Outcome,
    Plan,
    Question,
    Request,
)
from bias_tasks.instruction_boundary.items import (
    INVALID,
    JUDGING_LABELS,
    UNREAD,
    VANILLA,
    choice_label,
)
from bias_tasks.instruction_boundary.plan import POLISHER, plan_settings, requests_of
from bias_tasks.instruction_boundary.prompts.ask import judge_prompt
from bias_tasks.instruction_boundary.prompts.options import ShownOptions
from bias_tasks.instruction_boundary.published_parser import (
    contains_symbol,
    published_choice,
    published_judging,
)
from bias_tasks.parsing.answer import NO_CORRECT_ANSWER, AnswerForm
from bias_tasks.parsing.parsed_answer import ParsedAnswer, UnparsedReason, unparsed
from bias_tasks.prompts.grader import SHOWN, VerdictRequest
from bias_tasks.statistics.estimate import Estimate, items_counted

NO_ANSWER = "NO_ANSWER"
"""What a grader replies if an answer selects no option (appendix K)."""


class InstructionBoundary(Family):
    """Settings whose instructions say enough, too much or too little."""

    name = "instruction_boundary"
    version = 11
    roles = (POLISHER,)

    def plan(self, task: str, values: Mapping[str, Any], *, likelihoods: bool = False) -> Plan:
        """Every item under its setting and, beside it, under vanilla."""
        return plan_settings(task, values, self.tasks[task].items_asked(values))

    def requests(self, question: Question, answer: str) -> tuple[Request, ...]:
        """A request a round, and before it the polisher's where prompts are polished live."""
        return requests_of(question, answer)

    def read(self, facts: Mapping[str, Any], answer: Answer) -> Outcome:
        """By the rules of the run's protocol; right is the label or set of options that is gold.

        What an answer repeats of its prompt is not parsed. Of a truncated answer only a value that
        more text could not change counts; the published instrument makes no difference.
        """
        return _outcome(facts, _parse(facts, answer), answer)

    def scorecard(
        self, outcomes: Sequence[Outcome], options: Mapping[str, Any]
    ) -> dict[str, Estimate]:
        """Every figure; several epochs of a question count as their mean."""
        from bias_tasks.instruction_boundary.metrics import scorecard

        if not outcomes:
            return {}
        items = items_counted(outcome.item for outcome in outcomes)
        return scorecard(outcomes) | self.beyond_chance(outcomes) | items

    def compared_with(self, variant: str) -> str | None:
        """The vanilla twin."""
        return None if variant == VANILLA else VANILLA

    def answer_text(self, facts: Mapping[str, Any], answer: str) -> str:
        """The texts of the options that are named; labels as they are."""
        shown, texts = _shown_options(facts), facts.get("shown", {}).get("texts", ())
        named = {} if shown is None else {shown.symbol(n): text for n, text in enumerate(texts)}
        return "; ".join(named.get(each, each) for each in answer.split(", "))

    def sayable(self, facts: Mapping[str, Any]) -> Sequence[str]:
        """The labels of appendix K, or the numbers of options."""
        shown = _shown_options(facts)
        if shown is None:
            return ("__PROVED__", "__DISPROVED__", "__UNKNOWN__")
        return (*map(shown.symbol, range(facts["offered"])), NO_ANSWER)

    def verdict_request(self, facts: Mapping[str, Any], answer: Answer) -> VerdictRequest | None:
        """The judge of appendix K, where there is an answer to judge."""
        if not answer.text.strip():
            return None
        shown = _shown_options(facts)
        prompt = judge_prompt(shown, facts["offered"], answer.text[-SHOWN:])
        return VerdictRequest(prompt, tuple(self.sayable(facts)) if shown is None else ())

    def read_verdict(self, facts: Mapping[str, Any], answer: Answer, reply: str) -> Outcome | None:
        """The outcome by the judge's verdict, which no published rule reads."""
        return super().read_verdict({**facts, "protocol": "corrected"}, answer, reply)


def answer_form(facts: Mapping[str, Any]) -> AnswerForm:
    """Return what the prompt of a question asks for: its labels, numbers and literals."""
    shown, offered = _shown_options(facts), facts["offered"]
    if shown is None:
        # What is offered besides the three labels is not a label.
        return AnswerForm("judging", allowed_labels=JUDGING_LABELS[:offered])
    if shown.symbols == "letters":
        return AnswerForm("choice", facts["shown"]["of"], "letters", none_literals=(NO_ANSWER,))
    texts = tuple(facts["shown"].get("texts", ())) or offered
    literals = (NO_CORRECT_ANSWER, NO_ANSWER)
    return AnswerForm("choice", texts, first_number=shown.first, none_literals=literals)


def _parse(facts: Mapping[str, Any], answer: Answer) -> ParsedAnswer:
    shown, offered = _shown_options(facts), facts["offered"]
    if facts["protocol"] == "published":
        if shown is None:
            return published_judging(answer.text)
        if shown.symbols == "letters":
            return _lettered(facts, shown, answer.text)
        return published_choice(answer.text, n_options=offered, first=shown.first)
    if shown is not None and shown.symbols == "letters":  # a grader's verdict
        return _stated_letter(facts, shown, answer.text)
    truncated = answer.stop == "truncated"
    return answer_form(facts).parse(answer.text, prompt=answer.prompt, truncated=truncated)


def _outcome(facts: Mapping[str, Any], parsed: ParsedAnswer, answer: Answer) -> Outcome:
    """Return the outcome of an answer.

    An unparsed answer is wrong, and so is one that names an option not offered.
    """
    shown, suggestion = _shown_options(facts), facts.get("suggestion")
    label, places = parsed.label, list(parsed.options)
    said = INVALID if parsed.unparsed_reason is UnparsedReason.NOT_OFFERED else label
    own = {
        "form": facts["form"],
        "label": said or UNREAD,
        "gold_label": _gold_label(facts),
        JUDGED: False,
    }
    if suggestion is not None:
        alike = shown is None or places == suggestion["places"]
        own["suggested"] = suggestion["label"]
        own["suggestion_is_gold"] = suggestion["is_gold"]
        own["at_suggestion"] = label == suggestion["label"] and alike
    if shown is not None and label not in (None, "none"):
        said = ", ".join(map(shown.symbol, places))
    right = label == facts["gold"] if shown is None else places == facts["shown"]["gold"]
    return Outcome.of(
        facts,
        answer,
        answer=said,
        score=float(label is not None and right),
        parsed=parsed,
        own={**own, "origin": facts.get("origin")},
    )


def _shown_options(facts: Mapping[str, Any]) -> ShownOptions | None:
    """The options of a choice item as shown, without their texts; None for a judging item."""
    shown = facts.get("shown")
    if shown is None:
        return None
    return ShownOptions(tuple(shown["positions"]), (), shown["first"], shown["symbols"])


def _gold_label(facts: Mapping[str, Any]) -> str:
    """The kind of answer that is right: a judging label, or how many options are."""
    if "shown" in facts:
        return choice_label(tuple(facts["shown"]["gold"]))
    return str(facts["gold"])


def _lettered(facts: Mapping[str, Any], shown: ShownOptions, text: str) -> ParsedAnswer:
    """The published rule of Disturbing Miscellany: right when the gold letter occurs anywhere."""
    gold = tuple(facts["shown"]["gold"])
    if gold and all(contains_symbol(text, shown.symbol(place)) for place in gold):
        label = _gold_label(facts)
        return ParsedAnswer(label, gold, gold, detail="gold letter occurs")
    return _stated_letter(facts, shown, text)


def _stated_letter(facts: Mapping[str, Any], shown: ShownOptions, text: str) -> ParsedAnswer:
    parsed = answer_form(facts).parse(text)
    places = shown.places(parsed.options)
    if len(places) != len(parsed.options):
        return replace(unparsed(UnparsedReason.NOT_OFFERED), options=places)
    return replace(parsed, options=places)


FAMILY = InstructionBoundary()
