"""The task class behind the YAML of Instruction Boundary."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bias_tasks.data.load import Forms
from bias_tasks.design.instruction_boundary import (
    Plan,
    Question,
    plan,
    question_from_dict,
)
from bias_tasks.design.known import make_known
from bias_tasks.harness.figures import OutcomeScore
from bias_tasks.harness.parameters import ANY, COUNT, FLAG, NAMES, TEXT, Kind, read_parameters
from bias_tasks.harness.task import Documents, FamilyTask
from bias_tasks.metrics.estimate import Estimate
from bias_tasks.metrics.instruction_boundary import Outcome, scorecard
from bias_tasks.prompts import SettingParams
from bias_tasks.scoring.instruction_boundary import outcome, read_answer, target_text

_SETTING: Mapping[str, Kind] = {
    "protocol": ANY,
    "seed": ANY,
    "suggest": TEXT,
    "examples": ANY,
    "shots": ANY,
    "distractors": ANY,
}
"""What `SettingParams` takes and checks."""
PARAMETERS: Mapping[str, Kind] = {
    **_SETTING,
    "data": TEXT,
    "sources": NAMES,
    "paired": FLAG,
    "n": COUNT,
    "first_round": TEXT,
}
_ELSEWHERE = {
    "rounds": "each run of the harness is one round: leave `rounds` out, and give the samples of "
    "one run as `first_round` of the next",
    "polish": "the prompt is polished by the template, a live rewrite needs Inspect's model roles: "
    "leave `polish` out",
    "form": "the task's name says the form",
}

_HIGHER_IS_BETTER = frozenset({"acc", "acc_balanced", "sr", "gr", "gr_none", "gr_multiple", "rs"})
_LOWER_IS_BETTER = frozenset({"rr", "unread", "judge_usage", "adopted", "abandoned"})


@dataclass(frozen=True, slots=True)
class RunParameters:
    """What a run asks, as far as `--metadata` says it."""

    setting: SettingParams
    data: str = "paper"
    sources: str | list[str] | None = None
    paired: bool = True
    n: int | None = None
    first_round: str | None = None
    """Multi-turn: the samples of the round before, or the output folder they stand in."""


def run_parameters(metadata: Mapping[str, Any]) -> RunParameters:
    """The parameters among `metadata`.

    Raises:
        ValueError: a name looks like a misspelt parameter, or a value is not allowed.
    """
    given = read_parameters(metadata, PARAMETERS, _ELSEWHERE)
    setting = SettingParams(**{name: given.pop(name) for name in _SETTING if name in given})
    return RunParameters(setting, **given)


class InstructionBoundaryTask(FamilyTask[Outcome]):
    """One setting on one form: the paper's question and, beside it, its vanilla twin.

    A document is `{id, prompt, gold, question}`: id is `<item>/<variant>`, and `question` holds
    all that is needed to read the answer, as JSON.
    """

    def documents(self, setting: str, form: Forms) -> Documents:
        """The questions of the run under `setting`, in `form`."""
        run = run_parameters(self.config.metadata)
        planned = self.plan(run, setting, form)
        make_known(planned)
        return Documents(
            [self.doc(question) for question in planned.questions],
            {
                **planned.questions[0].params.to_dict(),
                "data": run.data,
                "paired": run.paired,
                "provenance": list(planned.provenance),
            },
        )

    def plan(self, run: RunParameters, setting: str, form: Forms) -> Plan:
        """The questions of this run."""
        return plan(
            setting,
            run.setting,
            form=form,
            data=run.data,
            sources=run.sources,
            paired=run.paired,
            n=run.n,
        )

    def doc(self, question: Question) -> dict[str, Any]:
        """The document that asks `question`."""
        asked = question.asked()
        return {
            "id": question.id,
            "prompt": asked.prompt,
            "gold": target_text(question, asked),
            "question": json.dumps(question.to_dict(), ensure_ascii=False),
        }

    def score(self, doc: Mapping[str, Any], results: Sequence[str]) -> OutcomeScore[Outcome]:
        """What became of the question, from the one answer among `results`."""
        question = question_from_dict(json.loads(doc["question"]))
        asked = question.asked()
        done = outcome(question, asked, read_answer(question, asked, results[0]))
        return OutcomeScore(done.ok, done)

    def scorecard(self, outcomes: Sequence[Outcome]) -> Mapping[str, Estimate]:
        """Every figure of the outcomes."""
        return scorecard(outcomes)

    def more_is_better(self, name: str) -> bool | None:
        """Whether a higher figure is a better one; None where that can't be said."""
        kind = name.removeprefix("vanilla/").rpartition("/")[2]
        if kind in _HIGHER_IS_BETTER or kind in _LOWER_IS_BETTER:
            return kind in _HIGHER_IS_BETTER
        return None
