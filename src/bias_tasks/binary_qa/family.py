"""Binary question answering as a family of tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bias_tasks.binary_qa.items import BINARY_LABELS, BinaryLabel, BinaryOutcome
from bias_tasks.binary_qa.plan import plan_binary
from bias_tasks.binary_qa.reading.yes_no import read_yes_no
from bias_tasks.family import Answer, Family, Outcome, Plan
from bias_tasks.reading.types import Reading
from bias_tasks.statistics.estimate import Estimate, items_figure

_FOR_FIGURES = ("protocol", "weights")
ORIGINAL = "original"
"""The variant that is the question as it stands."""


class BinaryQuestionAnswering(Family):
    """Yes/no questions in several wordings, orders and repeats."""

    name = "binary_qa"
    title = (
        "Unified Benchmark for Evaluating Performance, Bias, and Consistency in LLM Binary "
        "Question Answering"
    )
    version = 2

    def plan(self, task: str, values: Mapping[str, Any], *, likelihoods: bool = False) -> Plan:
        """Every question under each variant of the task."""
        if values.get("weights") is not None:
            from bias_tasks.binary_qa.metrics_score import check_weights

            check_weights(values["weights"])
        asking = {name: value for name, value in values.items() if name not in _FOR_FIGURES}
        asking["n"] = self.tasks[task].items_asked(values)
        return plan_binary(task, likelihoods=likelihoods, **asking)

    def read(self, facts: Mapping[str, Any], answer: Answer) -> Outcome:
        """Yes or No, by the text or by the likelihoods of both; otherwise the answer is unread."""
        return outcome_of(facts, read_answer(answer, facts["question"]), answer)

    def scorecard(
        self, outcomes: Sequence[Outcome], options: Mapping[str, Any]
    ) -> dict[str, Estimate]:
        """Every figure, overall and by domain; answers are compared within an epoch."""
        from bias_tasks.binary_qa.metrics import figures_of
        from bias_tasks.binary_qa.metrics_table import table_of
        from bias_tasks.statistics.outcomes import OutcomeColumns

        run = table_of(OutcomeColumns(outcomes), kind_of) if outcomes else None
        card = figures_of(run, options.get("protocol", "corrected"), options.get("weights"))
        return card | items_figure(0 if run is None else run.gold.size)

    def compared_with(self, variant: str) -> str | None:
        """The original question."""
        return None if variant == ORIGINAL else ORIGINAL


FAMILY = BinaryQuestionAnswering()


_LABELS: Mapping[str | None, BinaryLabel | None] = {None: None} | {
    label: label for label in BINARY_LABELS
}


def read_answer(answer: Answer, question: str | None = None) -> Reading:
    """Yes, No, or None where neither was read; of likelihoods, the likelier answer.

    An answer that was cut at a token limit is read only where it stands at the very beginning:
    what such a text says on its way is not its final answer. Two likelihoods alike are neither.
    """
    if answer.likelihoods:
        yes, no = answer.likelihoods
        # Where a likelihood is no number (nan), neither is the likelier.
        likelier = BINARY_LABELS[yes < no] if yes < no or no < yes else None
        return Reading(likelier, "unread" if likelier is None else "explicit")
    return read_yes_no(answer.text, question, cut=answer.stop == "cut")


def outcome_of(facts: Mapping[str, Any], reading: Reading, answer: Answer) -> Outcome:
    """What became of a question; an answer that could not be read is wrong."""
    return Outcome(
        item=facts["item"],
        cluster=facts["cluster"],
        variant=facts["variant"],
        gold=facts["gold"],
        answer=reading.label,
        score=float(reading.label == facts["gold"]),
        why=f"{reading.via}{f': {reading.detail}' if reading.detail else ''}",
        reason=answer.reason(reading.reason, unread=reading.unread),
        span=reading.span,
        epoch=answer.epoch,
        own={"domain": facts["domain"], "answer_to_original": facts["answer_to_original"]},
    )


def kind_of(answer: str | None, own: Mapping[str, Any]) -> BinaryOutcome:
    """What an answer came to, Yes, No or None, by its `own`, but for its item and variant."""
    return BinaryOutcome(
        item="",
        cluster="",
        domain=own["domain"],
        variant="",
        gold=own["answer_to_original"],
        answer=_LABELS[answer],
    )
