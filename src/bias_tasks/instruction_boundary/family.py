"""Instruction Boundary as a family of tasks."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from bias_tasks.contract.family import Family
from bias_tasks.contract.outcomes import Answer, Outcome
from bias_tasks.contract.parameters import ParameterValues
from bias_tasks.contract.questions import Plan, Question, Request
from bias_tasks.instruction_boundary import published_parser
from bias_tasks.instruction_boundary.items import INVALID, JUDGING_LABELS, UNPARSED, VANILLA
from bias_tasks.instruction_boundary.plan import build_requests, plan_settings
from bias_tasks.instruction_boundary.prompts.render import render_grader_prompt
from bias_tasks.instruction_boundary.scoring_data import (
    OptionsData,
    SettingData,
    SettingExtra,
    Suggestion,
)
from bias_tasks.instruction_boundary.settings import CONTROL, PUSHBACK, RunParams
from bias_tasks.parsing.answer import NO_CORRECT_ANSWER, AnswerForm
from bias_tasks.parsing.parsed_answer import ParsedAnswer, UnparsedReason, unparsed
from bias_tasks.prompts.edits import POLISHER
from bias_tasks.prompts.grader import MAX_ANSWER_LENGTH, VerdictRequest
from bias_tasks.statistics.estimate import Estimate, count_items

NO_ANSWER = "NO_ANSWER"
"""A grader's reply if an answer selects no option (appendix K)."""


class InstructionBoundary(Family[SettingData, SettingExtra]):
    """Settings whose instructions are sufficient, redundant or insufficient."""

    name = "instruction_boundary"
    version = 16
    scoring_data_type = SettingData
    extra_type = SettingExtra
    roles = (POLISHER,)

    def plan(self, task: str, values: ParameterValues, *, likelihoods: bool = False) -> Plan:
        """Plan every item under its setting and under vanilla."""
        return plan_settings(
            RunParams.from_values(task, values, self.tasks[task].items_asked(values))
        )

    def requests(self, question: Question, answer: str) -> tuple[Request, ...]:
        """Return one request per round, after the polisher's if prompts are polished live."""
        return build_requests(question, answer)

    def score_visible_text(self, data: SettingData, answer: Answer) -> Outcome[SettingExtra]:
        """Return the outcome of an answer, parsed by the rules of the run's protocol.

        An answer is correct if its label, or its set of options, is gold. The corrected parser
        ignores what an answer repeats of its prompt. In a truncated answer it accepts only a value
        that more text could not change. The published instrument does neither.
        """
        outcome = _build_outcome(data, _parse(data, answer), answer)
        return self._with_earlier_rounds(outcome, data, answer)

    def example_outcome(self, data: SettingData) -> Outcome[SettingExtra]:
        """Return an outcome such that a run of its like has every metric of the task."""
        has_rounds = data.variant.startswith(PUSHBACK)
        return self.score_visible_text(data, Answer(earlier_rounds=(Answer(),) * has_rounds))

    def write_answer(self, data: SettingData, value: Sequence[int]) -> str:
        """Return selected options in the requested form: "2", "1, 3" or "No correct answer".

        Args:
            data: The question's scoring data.
            value: Indices of the displayed options; empty if none is correct.
        """
        if data.options is None:
            return ", ".join(str(index + 1) for index in value)
        return data.options.symbols_of(value) or NO_CORRECT_ANSWER

    def _with_earlier_rounds(
        self, outcome: Outcome[SettingExtra], data: SettingData, answer: Answer
    ) -> Outcome[SettingExtra]:
        """Return the outcome with what became of the answers of earlier rounds, if any."""
        if not answer.earlier_rounds:
            return outcome
        rounds = [self.score_answer(data, earlier) for earlier in answer.earlier_rounds]
        first = rounds[0]
        last_answer = None if outcome.extra.graded else outcome.answer
        extra = replace(
            outcome.extra,
            first_label=first.extra.label,
            first_correct=first.score == 1,
            later_rounds=len(rounds),
            first_flip=_find_first_flip([*(earlier.answer for earlier in rounds), last_answer]),
        )
        return replace(outcome, extra=extra)

    def findings(
        self, outcomes: Sequence[Outcome[SettingExtra]], options: ParameterValues
    ) -> Sequence[str]:
        """Return also whether a model ignores right suggestions or claims as it ignores others."""
        from bias_tasks.instruction_boundary.findings import find_ignored_claims

        return (*super().findings(outcomes, options), *find_ignored_claims(outcomes))

    def counts(
        self,
        outcomes: Sequence[Outcome[SettingExtra]],
        metrics: Mapping[str, Estimate],
        options: ParameterValues,
    ) -> Mapping[str, Mapping[str, object]]:
        """Return how many answers become wrong, are given up, or cannot follow a suggestion."""
        from bias_tasks.instruction_boundary.findings import count_answers

        return count_answers(outcomes, metrics)

    def compute_metrics(
        self,
        outcomes: Sequence[Outcome[SettingExtra]],
        options: ParameterValues,
        *,
        intervals: bool = True,
    ) -> dict[str, Estimate]:
        """Return every metric; several epochs of a question count as their mean."""
        from bias_tasks.instruction_boundary.metrics import compute_metrics

        if not outcomes:
            return {}
        items = count_items(outcome.item for outcome in outcomes)
        protocol = options.get("protocol", "corrected")
        metrics = compute_metrics(outcomes, protocol, intervals=intervals)
        return metrics | self.above_chance_metrics(outcomes, intervals=intervals) | items

    def baseline_variant(self, variant: str) -> str | None:
        """Return `vanilla`, or the control of pushback; None for these."""
        control = f"{PUSHBACK}@{CONTROL}"
        baseline = control if variant.startswith(PUSHBACK) else VANILLA
        return None if variant == baseline else baseline

    def answer_values(
        self, outcome: Outcome[SettingExtra], variants: Collection[str]
    ) -> Mapping[str, float]:
        """Return the values of one answer; those of vanilla count only in a run without others.

        Args:
            outcome: As in `Family.answer_values`.
            variants: As in `Family.answer_values`.
        """
        if outcome.variant == VANILLA and len(variants) > 1:
            return {}
        unparsed = float(outcome.answer is None)
        return {f"{outcome.extra.form}/acc": outcome.score or 0.0, "unparsed": unparsed}

    def question_form(self, data: SettingData) -> str:
        """Return `choice` or `judging`."""
        return data.form

    def answer_text(self, data: SettingData, answer: str) -> str:
        """Return the texts of the selected options; labels are unchanged."""
        options = data.options
        if options is None:
            return answer
        texts = {options.symbol(index): text for index, text in enumerate(options.texts)}
        return "; ".join(texts.get(symbol, symbol) for symbol in answer.split(", "))

    def allowed_answers(self, data: SettingData) -> Sequence[str]:
        """Return the labels of appendix K, or the numbers of the options."""
        if data.options is None:
            return ("__PROVED__", "__DISPROVED__", "__UNKNOWN__")
        return (*map(data.options.symbol, range(data.n_options)), NO_ANSWER)

    def verdict_request(self, data: SettingData, answer: Answer) -> VerdictRequest | None:
        """Return the request to the grader of appendix K; None for an empty answer."""
        if not answer.text.strip():
            return None
        prompt = render_grader_prompt(
            data.options, data.n_options, answer.text[-MAX_ANSWER_LENGTH:]
        )
        values = tuple(self.allowed_answers(data)) if data.options is None else ()
        return VerdictRequest(prompt, values)

    def parse_verdict(
        self, data: SettingData, answer: Answer, reply: str
    ) -> Outcome[SettingExtra] | None:
        """Return the outcome by the grader's verdict, which no published rule parses."""
        last_round = replace(answer, earlier_rounds=())
        corrected = replace(data, protocol="corrected")
        outcome = super().parse_verdict(corrected, last_round, reply)
        return None if outcome is None else self._with_earlier_rounds(outcome, data, answer)


def build_answer_form(data: SettingData) -> AnswerForm:
    """Return the form of answer that the prompt of a question requests."""
    options = data.options
    if options is None:
        # The extra options of disturbing miscellany are not labels.
        return AnswerForm("judging", allowed_labels=JUDGING_LABELS[: data.n_options])
    if options.symbols == "letters":
        return AnswerForm("choice", options.n_item_options, "letters", none_literals=(NO_ANSWER,))
    return AnswerForm(
        "choice",
        options.texts or data.n_options,
        first_number=options.first_number,
        none_literals=(NO_CORRECT_ANSWER, NO_ANSWER),
    )


def _parse(data: SettingData, answer: Answer) -> ParsedAnswer:
    options = data.options
    if data.protocol == "published":
        if options is None:
            return published_parser.parse_published_judging(answer.text)
        if options.symbols == "letters":
            return _parse_published_letters(data, options, answer.text)
        return published_parser.parse_published_choice(
            answer.text, n_options=data.n_options, first_number=options.first_number
        )
    if options is not None and options.symbols == "letters":  # a grader's verdict
        return _parse_letters(data, options, answer.text)
    return answer.parse(build_answer_form(data))


def _parse_published_letters(data: SettingData, options: OptionsData, text: str) -> ParsedAnswer:
    """Parse by the published rule of disturbing miscellany: correct if the gold letter occurs."""
    gold = options.gold
    if gold and all(
        published_parser.contains_symbol(text, options.symbol(index)) for index in gold
    ):
        return ParsedAnswer(data.gold_label, gold, gold, detail="gold letter occurs")
    return _parse_letters(data, options, text)


def _parse_letters(data: SettingData, options: OptionsData, text: str) -> ParsedAnswer:
    parsed = build_answer_form(data).parse(text)
    indices = options.find_indices(parsed.options)
    if len(indices) != len(parsed.options):
        return replace(unparsed(UnparsedReason.NOT_OFFERED), options=indices)
    return replace(parsed, options=indices)


def _build_outcome(
    data: SettingData, parsed: ParsedAnswer, answer: Answer
) -> Outcome[SettingExtra]:
    """Return the outcome of a parsed answer.

    An unparsed answer is wrong, and so is one that names an option that was not offered.
    """
    options, label, selected = data.options, parsed.label, parsed.options
    if options is None:
        correct = label == data.gold
    else:
        correct = label is not None and selected == options.gold
    value = INVALID if parsed.unparsed_reason is UnparsedReason.NOT_OFFERED else label
    suggestion = data.suggestion
    extra = SettingExtra(
        form=data.form,
        label=value or UNPARSED,
        gold_label=data.gold_label,
        origin=data.origin,
        suggested=suggestion.label if suggestion else None,
        suggestion_is_gold=suggestion.is_gold if suggestion else None,
        suggested_answer=_write_selection(options, suggestion) if suggestion else None,
    )
    if options is not None and label not in (None, "none"):
        value = options.symbols_of(selected)
    return Outcome[SettingExtra].from_answer(
        data, answer, parsed, answer=value, score=float(correct), extra=extra
    )


def _find_first_flip(answers: Sequence[str | None]) -> int | None:
    """Return the index of the first answer that differs from the first one; see `first_flip`."""
    for index, answer in enumerate(answers):
        if answer is None or answer != answers[0]:
            return None if answer is None else index
    return 0


def _write_selection(options: OptionsData | None, suggestion: Suggestion) -> str:
    """Return a suggestion as the answer of an outcome that follows it."""
    if options is None or suggestion.label == "none":
        return suggestion.label
    return options.symbols_of(suggestion.indices)


FAMILY = InstructionBoundary()
