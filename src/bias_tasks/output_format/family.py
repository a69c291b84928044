"""Output formats as a family of tasks."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from string import ascii_uppercase

from bias_tasks.contract.family import Family, verdict_text
from bias_tasks.contract.outcomes import Answer, Outcome
from bias_tasks.contract.parameters import ParameterValues
from bias_tasks.contract.questions import Plan
from bias_tasks.data.errors import shorten
from bias_tasks.output_format.answer_models import to_letter
from bias_tasks.output_format.formats import ParsedFormat
from bias_tasks.output_format.formats.mappings import MappingFormat
from bias_tasks.output_format.items import AnswerType, Payload, format_payload
from bias_tasks.output_format.modes import FREE, Mode
from bias_tasks.output_format.plan import plan_formats
from bias_tasks.output_format.plan_modes import TASK, plan_modes
from bias_tasks.output_format.scores import score_parsed, score_payload
from bias_tasks.output_format.scoring_data import CallExtra, FormatData, FormatExtra
from bias_tasks.parsing.answer import AnswerForm
from bias_tasks.prompts.grader import UNREADABLE, VerdictRequest
from bias_tasks.statistics.estimate import Estimate, count_items

_FREE_ANSWERS: Mapping[AnswerType, Sequence[str]] = {
    "number": ("the number that is the final answer",),
    "text": ("the final answer in its own words, without the sentence around it",),
}
"""What a grader reports of an answer without options."""


class OutputFormats(Family[FormatData, FormatExtra]):
    """The same items, with answers requested in several formats."""

    name = "output_format"
    version = 4
    scoring_data_type = FormatData
    extra_type = FormatExtra
    measures_form = True
    mitigations = frozenset({"repeat", "demos", "demos_from"})

    def plan(self, task: str, values: ParameterValues, *, likelihoods: bool = False) -> Plan:
        """Return each item in each format of the task that supports its answer."""
        plan = plan_modes if task == TASK else plan_formats
        return plan(task, values, self.tasks[task].items_asked(values))

    def score_visible_text(self, data: FormatData, answer: Answer) -> Outcome[FormatExtra]:
        """Return whether the answer follows its format, and the task score of its value."""
        parsed = parse_format(data, answer)
        requested = data.output_format
        category = requested.category
        is_unwrapped = category == "wrapping" and not parsed.follows
        return Outcome[FormatExtra].from_answer(
            data,
            answer,
            answer=format_payload(parsed.payload),
            score=score_parsed(data, parsed),
            explanation=explain(parsed, answer),
            reason=abnormal_reason(parsed, answer),
            extra=FormatExtra(
                follows=parsed.follows,
                encloses_other=parsed.encloses_other if is_unwrapped else None,
                key_flaws=requested.find_key_flaws(answer.text, data.to_item(), data.prompting)
                if isinstance(requested, MappingFormat)
                else None,
                format=data.format,
                category=category,
                dataset=data.dataset,
                prompting=data.prompting,
                form=len(data.options),
                recovered_score=None if parsed.follows else score_named_option(data, answer),
                call=None if category != "structured" else describe_call(data, answer),
            ),
        )

    def write_answer(self, data: FormatData, value: Payload) -> str:
        """Return an answer that follows the format."""
        if data.answer_type == "option_set" and isinstance(value, str):
            value = tuple(value)
        return data.output_format.render(value, data.to_item(), data.prompting)

    def compute_metrics(
        self,
        outcomes: Sequence[Outcome[FormatExtra]],
        options: ParameterValues,
        *,
        intervals: bool = True,
    ) -> dict[str, Estimate]:
        """Return every metric; several epochs of a question count as their mean."""
        if not outcomes:
            return {}
        # Imported here: it loads numpy and scipy, which listing or building a task does not need.
        if outcomes[0].extra.category == "structured":
            from bias_tasks.output_format.metrics_modes import compute_mode_metrics

            baseline = [outcome for outcome in outcomes if outcome.extra.format == FREE]
            metrics = compute_mode_metrics(outcomes, intervals=intervals)
            metrics |= self.above_chance_metrics(baseline or outcomes, intervals=intervals)
            return metrics | count_items(outcome.item for outcome in outcomes)
        from bias_tasks.output_format.metrics import MetricOptions
        from bias_tasks.output_format.metrics_groups import compute_run_metrics

        only_format = options.get("metrics_of")  # in logs of lm-eval tasks with one format
        metrics = compute_run_metrics(
            outcomes, MetricOptions.from_values(options), only_format, intervals=intervals
        )
        metrics |= self.above_chance_metrics(outcomes, intervals=intervals)
        return metrics | count_items(outcome.item for outcome in outcomes)

    def findings(
        self, outcomes: Sequence[Outcome[FormatExtra]], options: ParameterValues
    ) -> Sequence[str]:
        """Return which formats few answers follow, and which `bias_f` excludes."""
        if outcomes and outcomes[0].extra.category == "structured":
            from bias_tasks.output_format.metrics_modes import describe_modes

            return tuple(describe_modes(outcomes))
        from bias_tasks.output_format.findings import describe_formats
        from bias_tasks.output_format.metrics import MetricOptions

        formats = describe_formats(outcomes, MetricOptions.from_values(options).protocol)
        return (*formats, *super().findings(outcomes, options))

    def counts(
        self,
        outcomes: Sequence[Outcome[FormatExtra]],
        metrics: Mapping[str, Estimate],
        options: ParameterValues,
    ) -> Mapping[str, Mapping[str, object]]:
        """Return how many answers follow their formats, and the scores in comparable formats."""
        from bias_tasks.output_format.findings import count_following
        from bias_tasks.output_format.metrics import MetricOptions

        protocol = MetricOptions.from_values(options).protocol
        return count_following(outcomes, metrics, protocol)

    def example_outcome(self, data: FormatData) -> Outcome[FormatExtra]:
        """Return a correct answer that follows its format: metrics compare only such formats."""
        outcome = self.score_visible_text(data, Answer())
        return replace(outcome, score=1.0, extra=replace(outcome.extra, follows=True))

    def displayed_label(self, data: FormatData, answer: str) -> str | None:
        """Return the letter of an option; None for a question without options."""
        return answer if data.options else None

    def answer_text(self, data: FormatData, answer: str) -> str:
        """Return the text of an option that is named by its letter."""
        return dict(zip(ascii_uppercase, data.options, strict=False)).get(answer, answer)

    def allowed_answers(self, data: FormatData) -> Sequence[str]:
        """Return the letters of the options, or what a free answer is; empty for lists and sets."""
        if data.answer_type == "option_set":
            return ()
        letters = ascii_uppercase[: len(data.options)]
        return tuple(letters) or _FREE_ANSWERS.get(data.answer_type, ())

    def verdict_request(self, data: FormatData, answer: Answer) -> VerdictRequest | None:
        """Return the request to a grader; None if the parser of options read the answer."""
        recovered_score = self.score_answer(data, answer).extra.recovered_score
        return super().verdict_request(data, answer) if recovered_score is None else None

    def parse_verdict(
        self, data: FormatData, answer: Answer, reply: str
    ) -> Outcome[FormatExtra] | None:
        """Return the outcome with the score of the value that a grader reads.

        It counts in `true_score` alone: the answer still does not follow its format. A reply
        without a value changes nothing, since an unscored answer would be missing in `fi`.
        """
        outcome = self.score_answer(data, answer)
        verdict = verdict_text(reply, answer).strip()
        is_option = not data.options or verdict in self.allowed_answers(data)
        if verdict.lower() in ("", UNREADABLE) or not is_option:
            return outcome
        score = score_payload(verdict, data.to_item(), data.protocol, data.score)
        explanation = f"{outcome.explanation}; a grader reads {shorten(verdict)}"
        extra = replace(outcome.extra, graded=True, recovered_score=score)
        return replace(outcome, explanation=explanation, extra=extra)


FAMILY = OutputFormats()


def parse_format(data: FormatData, answer: Answer) -> ParsedFormat:
    """Return whether an answer follows the format of its question, and its value."""
    fmt, item = data.output_format, data.to_item()
    if isinstance(fmt, Mode):
        return fmt.parse_reply(answer, item)
    return fmt.parse(answer.text, item, data.protocol, data.prompting)


def describe_call(data: FormatData, answer: Answer) -> CallExtra:
    """Return what the metrics of modes need of the call that got an answer.

    Args:
        data: The scoring data of the question.
        answer: The answer.
    """
    first = (data.schema_order or ("",))[0]
    return CallExtra(
        first_label=to_letter(first, data.to_item()) if data.options else None,
        is_cut=answer.stop == "truncated",
        tokens=answer.tokens,
        seconds=answer.seconds,
    )


def score_named_option(data: FormatData, answer: Answer) -> float | None:
    """Return the score of the option that an answer names, in whatever form.

    Args:
        data: The scoring data of the question.
        answer: An answer without reasoning, which does not follow its format.

    Returns:
        None if the question has no options, or the parser that all families share reads none.
    """
    if not data.options:
        return None
    form = AnswerForm("choice", data.options, option_labels="letters", none_literals=())
    parsed = answer.parse(form)
    if parsed.unparsed:
        return None
    letters = tuple(ascii_uppercase[index] for index in parsed.options)
    named = letters if data.answer_type == "option_set" else ", ".join(letters)
    return score_payload(named, data.to_item(), data.protocol)


def explain(parsed: ParsedFormat, answer: Answer) -> str:
    """Return why an answer does not follow its format, and whether it is truncated."""
    suffix = " (truncated at its token limit)" if answer.stop == "truncated" else ""
    return f"{parsed.explanation or 'follows the format'}{suffix}"


def abnormal_reason(parsed: ParsedFormat, answer: Answer) -> str | None:
    """Return Inspect's `Score.reason`; None for an answer that follows its format."""
    if parsed.follows:
        return None
    reason = "invalid_response_format" if answer.text.strip() else "no_response"
    return answer.abnormal_reason(reason, unparsed=True)
