"""Multi-turn reflection, which lm-eval asks in one run a round.

The harness asks each document once, so the first run (`ib_multi_turn_<form>_round1`) logs its
answers, and the second (`ib_multi_turn_<form>`) shows them to the model again. Further rounds
repeat the second run with its own samples as `first_round`.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from bias_tasks.data.load import Forms
from bias_tasks.design.instruction_boundary import Plan, Question
from bias_tasks.harness.instruction_boundary import (
    PARAMETERS,
    InstructionBoundaryTask,
    RunParameters,
)
from bias_tasks.harness.previous_round import check_same_questions, read_previous_round
from bias_tasks.prompts import ask_again

_MISSING = """{task} shows the model its own first answers, so ask for those first:

  lm_eval --tasks {task}_round1 --metadata '{metadata}' --log_samples --output_path {folder}

with the same --model, --model_args and other options as this run. Then run this again with

  --metadata '{next_metadata}'"""


class FirstRound(InstructionBoundaryTask):
    """The first answers, scored as such. Their vanilla twins are asked with the next round."""

    def plan(self, run: RunParameters, setting: str, form: Forms) -> Plan:
        """The setting's own questions."""
        return super().plan(replace(run, paired=False), setting, form)

    def doc(self, question: Question) -> dict[str, Any]:
        """The document that asks `question`, with the number of its round."""
        return {**super().doc(question), "round": 1}


class NextRound(InstructionBoundaryTask):
    """The answers after reflection on those of the round before.

    Raises:
        ValueError: `first_round` is missing, or it is not a complete round of these questions.
    """

    def plan(self, run: RunParameters, setting: str, form: Forms) -> Plan:
        """The questions, after a look at the round before."""
        if run.first_round is None:
            raise ValueError(self._first_command())
        self._previous = read_previous_round(run.first_round, f"{self.config.task}_round1")
        params = replace(run.setting, rounds=self._previous.round + 1)
        planned = super().plan(replace(run, setting=params), setting, form)
        check_same_questions(self._previous, planned.questions)
        return planned

    def doc(self, question: Question) -> dict[str, Any]:
        """The document that asks `question` again, or its vanilla twin once."""
        doc = {**super().doc(question), "round": question.params.rounds}
        if question.id in self._previous.answers:
            previous = self._previous.answers[question.id]
            doc["prompt"] = ask_again(question.item, question.params, previous)
        return doc

    def _first_command(self) -> str:
        given = {name: value for name, value in self.config.metadata.items() if name in PARAMETERS}
        folder = f"{self.config.task}_round1"
        return _MISSING.format(
            task=self.config.task,
            folder=folder,
            metadata=json.dumps(given),
            next_metadata=json.dumps({**given, "first_round": folder}),
        )
