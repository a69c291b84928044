"""Scores a probed sample by its own task's scorer, and says what the answer came to."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, cast

from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
    NOANSWER,
    PARTIAL,
    Score,
    Scorer,
    Target,
    Value,
    scorer,
    value_to_float,
)
from inspect_ai.solver import TaskState

from bias_tasks.families import PROBING
from bias_tasks.family import Outcome
from bias_tasks.probing.answers import content_of
from bias_tasks.probing.family import own_of
from bias_tasks.probing.options import LETTERS
from bias_tasks.probing.plan import question_from
from bias_tasks.scorers.outcome import figures, score_of
from bias_tasks.solvers.inspect_host import known_as_logged
from bias_tasks.solvers.probed import NOTED

NOT_PLACED = "probe_not_placed"
"""The reason of a sample that is unscored since its probe could not be put in place."""
_WORDS = (CORRECT, INCORRECT, PARTIAL, NOANSWER)


@scorer(metrics=[figures()])
def probed_outcome(
    own: Scorer,
    asked: str | None = None,
    part: str | None = None,
    probes: Sequence[str] = (),
) -> Scorer:
    """Score by the probed task's own scorer, and note what the answer came to.

    A sample whose probe could not be put in place is unscored, and so is one that the task's own
    scorer leaves so. What that scorer said stands in the score's metadata.

    Args:
        own: the probed task's scorer.
        asked: digest of what the run asks, noted beside each outcome.
        part: which of the values counts where `own` gives several under names.
        probes: that the run tries on each item.
    """

    async def score(state: TaskState, target: Target) -> Score:
        noted = state.store.get(NOTED)
        if noted is None:
            raise ValueError(
                f"sample {state.sample_id} was asked by another solver than its task's, without "
                "its probe: run bias_tasks/probe without --solver"
            )
        if noted["refused"] is not None:
            return Score.unscored(reason=NOT_PLACED, explanation=noted["refused"])
        if "recorded" in noted:
            said: Score | None = Score.model_validate(noted["recorded"])
        else:
            _mark(state, noted)
            said = await own(state, target)
        value = None if said is None else share_of(said.value, part)
        if said is None or value is None:
            return Score.unscored(
                reason="scoring_failed" if said is None else said.reason or "scoring_failed",
                answer=None if said is None else said.answer,
                explanation="the scorer gave no score" if said is None else said.explanation,
            )
        found = _outcome(state, said, value, noted, probes)
        made = score_of(found, PROBING, asked)
        own_said = {"value": said.value, "answer": said.answer, "metadata": said.metadata}
        more = {"facts": noted["facts"], "prompt": noted["prompt"], "scored": own_said}
        return made.model_copy(
            update={
                "metadata": {**(made.metadata or {}), **more},
                "answer": said.answer,
                "explanation": said.explanation,
            }
        )

    return score


def _mark(state: TaskState, noted: Mapping[str, Any]) -> None:
    """Mark the choices as the task's solver did, where a log is scored later."""
    for place, correct in enumerate(noted.get("marked", ())):
        if correct is not None:
            state.choices.mark_choice(place, correct)


def share_of(value: Value, part: str | None = None) -> float | None:
    """A score's value as a number from 0 to 1; None where the sample was left unscored.

    Args:
        value: `C`, `I`, `P`, `N`, true or false, or a number.
        part: which of several values under names.

    Raises:
        ValueError: it is several values, a number out of the range, or another word.
    """
    if isinstance(value, Mapping):
        if part is None or part not in value:
            raise ValueError(
                f"the task's scorer gives several values ({', '.join(value)}): probes take one "
                "number from 0 to 1, or a task whose headline metric names one of them"
            )
        return None if value[part] is None else share_of(cast(Value, value[part]))
    if isinstance(value, str) and value in _WORDS:
        return value_to_float()(value)
    if isinstance(value, bool | int | float):
        number = float(value)
        if math.isnan(number):
            return None
        if 0 <= number <= 1:
            return number
    raise ValueError(
        f"the task's scorer gave {value!r}: probes take C, I, P, N, true, false or a number from "
        "0 to 1"
    )


def _outcome(
    state: TaskState, said: Score, value: float, noted: Mapping[str, Any], probes: Sequence[str]
) -> Outcome:
    question = question_from(noted["facts"])
    item = question.item
    answer = content_of(item, question.asked, said.answer, _labels(item.choices, noted))
    return Outcome(
        item=item.id,
        cluster=item.cluster or item.id,
        variant=question.variant,
        gold=item.gold,
        answer=answer or None,
        score=value,
        why="the task's own scorer" if answer else "the task's own scorer read no answer",
        reason=said.reason,
        epoch=state.epoch,
        own=own_of(question.variant, probes),
    )


def _labels(choices: tuple[str, ...], noted: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(noted["labels"]) or LETTERS[: len(choices)]


known_as_logged(probed_outcome)
