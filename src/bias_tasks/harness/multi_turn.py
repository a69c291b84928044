"""Multi-turn reflection, which lm-eval asks in one run a round.

The harness asks each document once, so the first run (`ib_multi_turn_<form>_round1`) logs its
answers, and the second (`ib_multi_turn_<form>`) shows them to the model again. Further rounds
repeat the second run with its own samples as `first_round`.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from bias_tasks.family import Plan, Question
from bias_tasks.harness.previous_round import check_same_questions, read_previous_round
from bias_tasks.harness.task import FamilyTask
from bias_tasks.instruction_boundary.prompts.ask import ask_again

_MISSING = """{task} shows the model its own first answers, so ask for those first:

  lm_eval --tasks {task}_round1 --metadata '{metadata}' --log_samples --output_path {folder}

with the same --model, --model_args and other options as this run. Then run this again with

  --metadata '{next_metadata}'"""


class FirstRound(FamilyTask):
    """The first answers, scored as such. Their vanilla twins are asked with the next round."""

    def plan(self, task: str, values: dict[str, Any]) -> Plan:
        """The setting's own questions."""
        values["paired"] = False
        return super().plan(task, values)

    def doc(self, question: Question) -> dict[str, Any]:
        """The document that asks `question`, with the number of its round."""
        return {**super().doc(question), **_noted(question, 1)}


class NextRound(FamilyTask):
    """The answers after reflection on those of the round before.

    Raises:
        ValueError: `first_round` is missing, or it is not a complete round of these questions.
    """

    TAKES = frozenset({"first_round"})

    def plan(self, task: str, values: dict[str, Any]) -> Plan:
        """The questions, after a look at the round before."""
        if values["first_round"] is None:
            raise ValueError(self._first_command())
        previous = read_previous_round(values["first_round"], f"{self.config.task}_round1")
        values["rounds"] = self._round = previous.round + 1
        planned = super().plan(task, values)
        check_same_questions(previous, [question.source for question in planned.questions])
        asked = (
            replace(question, prompt=_again(question, previous.answers[question.id]))
            if question.id in previous.answers
            else question
            for question in planned.questions
        )
        before = {"source": "first_round", "path": str(previous.path), "round": previous.round}
        return replace(planned, questions=tuple(asked), provenance=(*planned.provenance, before))

    def doc(self, question: Question) -> dict[str, Any]:
        """The document that asks `question` again, or its vanilla twin once."""
        return {**super().doc(question), **_noted(question, self._round)}

    def _first_command(self) -> str:
        known = self._spec("multi_turn").parameters
        names = {parameter.name for parameter in known}
        given = {name: value for name, value in self.config.metadata.items() if name in names}
        folder = f"{self.config.task}_round1"
        return _MISSING.format(
            task=self.config.task,
            folder=folder,
            metadata=json.dumps(given),
            next_metadata=json.dumps({**given, "first_round": folder}),
        )


def _again(question: Question, previous: str) -> str:
    """The prompt that shows the previous answer and asks to reflect on it."""
    return ask_again(question.source.item, question.source.params, previous)


def _noted(question: Question, number: int) -> dict[str, Any]:
    """What the next round takes of this one: the number of the round, and the whole question."""
    asked = json.dumps(question.source.to_dict(), ensure_ascii=False)
    return {"round": number, "question": asked}
