"""Binary question answering as a family of tasks."""

from collections.abc import Mapping, Sequence
from typing import Any

from bias_tasks.binary_qa.items import BINARY_LABELS
from bias_tasks.binary_qa.plan import REFORMULATOR, plan_binary
from bias_tasks.contract.family import Answer, Family, Outcome, Plan, Question, Request, judge_usage
from bias_tasks.parsing.answer import AnswerForm
from bias_tasks.parsing.parsed_answer import ParsedAnswer, UnparsedReason, unparsed
from bias_tasks.statistics.estimate import Estimate, items_counted

ORIGINAL = "original"
"""The variant that is the question as it stands."""


ANSWER_FORM = AnswerForm("yes_no")
"""What the prompts ask for."""


class BinaryQuestionAnswering(Family):
    """Yes/no questions in several wordings, orders and repeats."""

    name = "binary_qa"
    version = 9
    roles = (REFORMULATOR,)

    def plan(self, task: str, values: Mapping[str, Any], *, likelihoods: bool = False) -> Plan:
        """Every question under each variant of the task."""
        if values.get("weights") is not None:
            from bias_tasks.binary_qa.metrics_mbs import check_weights

            check_weights(values["weights"])
        n = self.tasks[task].items_asked(values)
        return plan_binary(task, values, n, likelihoods=likelihoods)

    def requests(self, question: Question, answer: str) -> tuple[Request, ...]:
        """The question, and before it the request for a rewording that it lacks."""
        rewording = () if question.source is None else (question.source,)
        return (*rewording, Request(question.prompt))

    def read(self, facts: Mapping[str, Any], answer: Answer) -> Outcome:
        """Yes or No, by the text or as the likelier answer; an unparsed answer is wrong.

        Of a truncated answer only a value that more text could not change counts. Two equal
        likelihoods, or likelihoods that are not numbers (nan), are neither.
        """
        if answer.likelihoods:
            parsed = _likelier(*answer.likelihoods)
        else:
            truncated = answer.stop == "truncated"
            parsed = ANSWER_FORM.parse(answer.text, prompt=answer.prompt, truncated=truncated)
        return Outcome.of(
            facts,
            answer,
            answer=parsed.label,
            score=float(parsed.label == facts["gold"]),
            parsed=parsed,
            own={"domain": facts["domain"], "answer_to_original": facts["answer_to_original"]},
        )

    def scorecard(
        self, outcomes: Sequence[Outcome], options: Mapping[str, Any]
    ) -> dict[str, Estimate]:
        """Every figure, overall and by domain; answers are compared within an epoch."""
        from bias_tasks.binary_qa.metrics import scorecard
        from bias_tasks.binary_qa.metrics_table import table

        protocol, weights = options.get("protocol", "corrected"), options.get("weights")
        card = scorecard(table(outcomes), protocol, weights) if outcomes else {}
        return (
            card
            | self.beyond_chance(outcomes)
            | items_counted(outcome.item for outcome in outcomes)
            | judge_usage(outcomes)
        )

    def sayable(self, facts: Mapping[str, Any]) -> Sequence[str]:
        """Yes and No."""
        return BINARY_LABELS

    def compared_with(self, variant: str) -> str | None:
        """The original question."""
        return None if variant == ORIGINAL else ORIGINAL


def _likelier(yes: float, no: float) -> ParsedAnswer:
    """Return the likelier of two answers; unparsed if both are as likely, or not a number."""
    label = BINARY_LABELS[yes < no]
    if yes < no or no < yes:
        return ParsedAnswer(label, label, detail="the likelier answer")
    return unparsed(UnparsedReason.NO_VALUE, "both answers are as likely")


FAMILY = BinaryQuestionAnswering()
