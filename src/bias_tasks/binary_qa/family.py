"""Binary question answering as a family of tasks."""

from collections.abc import Mapping, Sequence
from typing import Any

from bias_tasks.binary_qa.items import BINARY_LABELS
from bias_tasks.binary_qa.plan import REFORMULATOR, plan_binary
from bias_tasks.contract.family import Answer, Family, Outcome, Plan, Question, Request, judge_usage
from bias_tasks.reading.answer import read_answer
from bias_tasks.reading.types import Reading, not_read
from bias_tasks.statistics.estimate import Estimate, items_counted

ORIGINAL = "original"
"""The variant that is the question as it stands."""


class BinaryQuestionAnswering(Family):
    """Yes/no questions in several wordings, orders and repeats."""

    name = "binary_qa"
    version = 8
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
        """Yes or No, by the text or as the likelier answer; an unread answer is wrong.

        One that was cut at a token limit is read only where it stands at the very beginning: what
        such a text says on its way is not its final answer. Two likelihoods alike, or that are no
        numbers (nan), are neither.
        """
        if answer.likelihoods:
            yes, no = answer.likelihoods
            label = BINARY_LABELS[yes < no]
            told = Reading(label, label, why="the likelier answer")
            reading = told if yes < no or no < yes else not_read("both answers are as likely")
        else:
            cut = answer.stop == "cut"
            reading = read_answer(answer.text, form="yes_no", prompt=answer.prompt, cut=cut)
        return Outcome.of(
            facts,
            answer,
            answer=reading.label,
            score=float(reading.label == facts["gold"]),
            why=reading.why,
            reason=answer.reason(reading.reason, unread=reading.unread),
            span=reading.span,
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


FAMILY = BinaryQuestionAnswering()
