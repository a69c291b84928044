"""Binary question answering as a family of tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bias_tasks.binary_qa.metrics.score import check_weights
from bias_tasks.binary_qa.outcomes import kind_of, outcome_of, read_answer
from bias_tasks.binary_qa.questions import plan_binary
from bias_tasks.family import Answer, Family, Outcome, Plan
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
        from bias_tasks.binary_qa.metrics.card import figures_of
        from bias_tasks.binary_qa.metrics.table import table_of
        from bias_tasks.statistics.outcomes import OutcomeColumns

        run = table_of(OutcomeColumns(outcomes), kind_of) if outcomes else None
        card = figures_of(run, options.get("protocol", "corrected"), options.get("weights"))
        return card | items_figure(0 if run is None else run.gold.size)

    def compared_with(self, variant: str) -> str | None:
        """The original question."""
        return None if variant == ORIGINAL else ORIGINAL


FAMILY = BinaryQuestionAnswering()
