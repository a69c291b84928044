"""Output formats as a family of tasks."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bias_tasks.contract.family import Answer, Family, Outcome, Plan
from bias_tasks.output_format.formats import FormatReading
from bias_tasks.output_format.items import payload_text
from bias_tasks.output_format.plan import plan_formats, question_from_dict
from bias_tasks.output_format.scores import task_score
from bias_tasks.statistics.estimate import Estimate, items_counted


class OutputFormats(Family):
    """The same questions, with their answers asked for in several formats."""

    name = "output_format"
    version = 3
    measures_form = True
    mitigations = frozenset({"repeat", "demos", "demos_from"})

    def plan(self, task: str, values: Mapping[str, Any], *, likelihoods: bool = False) -> Plan:
        """Every item in each format of the task that can hold its answer."""
        return plan_formats(task, values, self.tasks[task].items_asked(values))

    def read(self, facts: Mapping[str, Any], answer: Answer) -> Outcome:
        """Whether the answer follows its format, and the task score of what it holds."""
        question = question_from_dict(facts["question"])
        reading, params = question.read(answer.text), question.params
        held, score = reading.payload, 0.0
        if held is not None and (reading.follows or params.protocol == "published"):
            score = task_score(held, question.item, params.protocol, params.score)
        return Outcome.of(
            facts,
            answer,
            answer=payload_text(reading.payload),
            score=score,
            why=explained(reading, answer),
            reason=unfollowed(reading, answer),
            own={
                "follows": reading.follows,
                **{name: facts[name] for name in ("category", "dataset")},
                "format": question.format,
                "prompting": params.prompting,
                # Answers of items with as many options could be each other's.
                "form": len(question.item.options),
            },
        )

    def scorecard(
        self, outcomes: Sequence[Outcome], options: Mapping[str, Any]
    ) -> dict[str, Estimate]:
        """Every figure; several epochs of a question count as their mean."""
        if not outcomes:
            return {}
        # Imported here: it loads numpy and scipy, which listing or building a task doesn't need.
        from bias_tasks.output_format.metrics_groups import run_card

        card = run_card(outcomes, options) | self.beyond_chance(outcomes)
        return card | items_counted(each.item for each in outcomes)

    def outcome_with_all_figures(self, facts: Mapping[str, Any]) -> Outcome:
        """An answer that follows its format: only formats that some answer follows are compared."""
        outcome = self.read(facts, Answer())
        return replace(outcome, score=1.0, own={**outcome.own, "follows": True})


FAMILY = OutputFormats()


def explained(reading: FormatReading, answer: Answer) -> str:
    """Why an answer does not follow, and whether it was cut."""
    cut = " (cut at its token limit)" if answer.stop == "truncated" else ""
    return f"{reading.detail or 'follows the format'}{cut}"


def unfollowed(reading: FormatReading, answer: Answer) -> str | None:
    """The host's word for an answer that does not follow its format; None for one that does."""
    if reading.follows:
        return None
    found = "invalid_response_format" if answer.text.strip() else "no_response"
    return answer.reason(found, unread=True)
