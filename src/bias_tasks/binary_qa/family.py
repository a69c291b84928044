"""Binary question answering as a family of tasks."""

import math
from collections.abc import Mapping, Sequence

from bias_tasks.binary_qa.items import BINARY_LABELS, BinaryExtra, BinaryLabel
from bias_tasks.binary_qa.plan import REFORMULATOR, BinaryData, BinaryParameters, build_plan
from bias_tasks.contract.family import Family
from bias_tasks.contract.outcomes import Answer, Outcome, judge_usage
from bias_tasks.contract.parameters import ParameterValues
from bias_tasks.contract.questions import Plan, Question, Request
from bias_tasks.parsing.answer import AnswerForm
from bias_tasks.parsing.parsed_answer import ParsedAnswer, UnparsedReason, unparsed
from bias_tasks.statistics.estimate import Estimate, count_items

ANSWER_FORM = AnswerForm("yes_no")
"""The answer form that the prompts request."""


class BinaryQuestionAnswering(Family[BinaryData, BinaryExtra]):
    """Yes/no questions in several wordings, answer orders and repeats."""

    name = "binary_qa"
    version = 12
    scoring_data_type = BinaryData
    extra_type = BinaryExtra
    roles = (REFORMULATOR,)
    mitigations = frozenset({"affirmative_first"})

    def plan(self, task: str, values: ParameterValues, *, likelihoods: bool = False) -> Plan:
        """Return every question under each variant of the task."""
        parameters = BinaryParameters.from_dict(values)
        if parameters.weights is not None:
            from bias_tasks.binary_qa.metrics_mbs import normalize_weights

            normalize_weights(parameters.weights)
        n = self.tasks[task].items_asked(values)
        return build_plan(task, parameters, n, likelihoods=likelihoods)

    def requests(self, question: Question, answer: str) -> tuple[Request, ...]:
        """Return the question's request, after the one for its missing rewording if it has one."""
        rewording = () if question.source is None else (question.source,)
        return (*rewording, Request(question.prompt))

    def score_visible_text(self, data: BinaryData, answer: Answer) -> Outcome[BinaryExtra]:
        """Return the outcome of Yes or No, parsed from the text or the likelier of the two.

        An unparsed answer is wrong. A truncated answer counts only if more text could not change
        its value. Two equal likelihoods, or likelihoods that are nan, are unparsed.
        """
        yes_probability = None
        if answer.likelihoods:
            difference = answer.likelihoods[0] - answer.likelihoods[1]
            parsed = _parse_likelihoods(difference)
            if not math.isnan(difference):
                yes_probability = 0.5 + 0.5 * math.tanh(difference / 2)  # the logistic function
        else:
            parsed = answer.parse(ANSWER_FORM)
        return Outcome[BinaryExtra].from_answer(
            data,
            answer,
            answer=parsed.label,
            score=float(parsed.label == data.gold),
            parsed=parsed,
            extra=BinaryExtra(
                domain=data.domain,
                answer_to_original=data.answer_to_original,
                yes_probability=yes_probability,
            ),
        )

    def write_answer(self, data: BinaryData, value: BinaryLabel) -> str:
        """Return Yes or No."""
        return value

    def compute_metrics(
        self,
        outcomes: Sequence[Outcome[BinaryExtra]],
        options: ParameterValues,
        *,
        intervals: bool = True,
    ) -> dict[str, Estimate]:
        """Return every metric, overall and by domain. Answers are compared within an epoch."""
        from bias_tasks.binary_qa.metrics import compute_table_metrics
        from bias_tasks.binary_qa.metrics_table import build_table

        metrics: dict[str, Estimate] = {}
        if outcomes:
            protocol, weights = options.get("protocol", "corrected"), options.get("weights")
            metrics = compute_table_metrics(build_table(outcomes, intervals), protocol, weights)
        return (
            metrics
            | self.above_chance_metrics(outcomes, intervals=intervals)
            | count_items(outcome.item for outcome in outcomes)
            | judge_usage(outcomes)
        )

    def counts(
        self,
        outcomes: Sequence[Outcome[BinaryExtra]],
        metrics: Mapping[str, Estimate],
        options: ParameterValues,
    ) -> Mapping[str, Mapping[str, object]]:
        """Return the percentage of right answers, and the least consistency in words."""
        if "acc/original" not in metrics:
            return {}
        right = {"right": 100 * metrics["acc/original"].value}
        counted = [
            (metrics[spec.name].value, count, metrics[spec.name].n, spec.sentences["rest"])
            for spec in self.metrics
            if spec.counted and spec.name in metrics
            if (count := metrics[spec.name].count) is not None
        ]
        if not counted:
            return {"f1": right}
        _, consistent, n, sentence = min(counted)
        inconsistent = sentence.format(f"{n - consistent:,} of {n:,}")
        return {"f1": right, "mbs": right | {"inconsistent": inconsistent}}

    def allowed_answers(self, data: BinaryData) -> Sequence[str]:
        """Return Yes and No."""
        return BINARY_LABELS

    def baseline_variant(self, variant: str) -> str | None:
        """Return the original question's variant."""
        return None if variant == "original" else "original"


def _parse_likelihoods(difference: float) -> ParsedAnswer:
    """Return the likelier answer, from the log-likelihood of Yes minus that of No.

    Unparsed if both are equally likely, or one is nan.
    """
    if difference == 0 or math.isnan(difference):
        return unparsed(UnparsedReason.NO_VALUE, "both answers are equally likely")
    label = "Yes" if difference > 0 else "No"
    return ParsedAnswer(label, label, detail="the likelier answer")


FAMILY = BinaryQuestionAnswering()
