"""Output formats as a family of tasks."""

from collections.abc import Sequence
from dataclasses import replace

from bias_tasks.contract.family import Family
from bias_tasks.contract.outcomes import Answer, Outcome
from bias_tasks.contract.parameters import ParameterValues
from bias_tasks.contract.questions import Plan
from bias_tasks.output_format.formats import FORMATS, ParsedFormat
from bias_tasks.output_format.items import format_payload
from bias_tasks.output_format.plan import FormatQuestion, plan_formats
from bias_tasks.output_format.scoring_data import FormatData, FormatExtra
from bias_tasks.statistics.estimate import Estimate, count_items


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
        return plan_formats(task, values, self.tasks[task].items_asked(values))

    def score_visible_text(self, data: FormatData, answer: Answer) -> Outcome[FormatExtra]:
        """Return whether the answer follows its format, and the task score of its value."""
        question = FormatQuestion.from_scoring_data(data)
        parsed = question.parse(answer.text)
        return Outcome[FormatExtra].from_answer(
            data,
            answer,
            answer=format_payload(parsed.payload),
            score=question.score(parsed),
            explanation=explain(parsed, answer),
            reason=abnormal_reason(parsed, answer),
            extra=FormatExtra(
                follows=parsed.follows,
                format=data.format,
                category=FORMATS[data.format].category,
                dataset=data.dataset,
                prompting=data.prompting,
                form=len(data.options),
            ),
        )

    def compute_metrics(
        self, outcomes: Sequence[Outcome[FormatExtra]], options: ParameterValues
    ) -> dict[str, Estimate]:
        """Return every metric; several epochs of a question count as their mean."""
        if not outcomes:
            return {}
        # Imported here: it loads numpy and scipy, which listing or building a task does not need.
        from bias_tasks.output_format.metrics import MetricOptions
        from bias_tasks.output_format.metrics_groups import compute_run_metrics

        only_format = options.get("metrics_of")  # of a task of lm-eval with one format
        if options.get("protocol") == "paper_text":  # differs from published in prompts alone
            options = {**options, "protocol": "published"}
        metrics = compute_run_metrics(outcomes, MetricOptions.from_values(options), only_format)
        metrics |= self.above_chance_metrics(outcomes)
        return metrics | count_items(outcome.item for outcome in outcomes)

    def example_outcome(self, data: FormatData) -> Outcome[FormatExtra]:
        """Return a correct answer that follows its format: metrics compare only such formats."""
        outcome = self.score_visible_text(data, Answer())
        return replace(outcome, score=1.0, extra=replace(outcome.extra, follows=True))


FAMILY = OutputFormats()


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
