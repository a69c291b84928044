"""Reads the scores that a judge gives (ComplexEval, section 4.3)."""

from __future__ import annotations

from typing import Any, TypeVar, cast

from inspect_ai.model import ModelOutput
from inspect_ai.scorer import (
    NOANSWER,
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    Value,
    metric,
    scorer,
)
from inspect_ai.solver import TaskState

from bias_tasks.metrics.complex_eval import Judgement
from bias_tasks.metrics.estimate import flatten
from bias_tasks.reading.scores import ScoreReading
from bias_tasks.scoring.complex_eval import judgements, read_judgement

T = TypeVar("T")


@metric(scores="unreduced")
def judgement_figures(theta: float = 0.5, beta: float | None = None) -> Metric:
    """Every figure of the run by its name, with its 95 % interval and number of items.

    `<name>` is the value, `<name>_ci_low` and `<name>_ci_high` its interval and `<name>_n` the
    items (pairs, for basic items) in its denominator. An epoch is a run of the whole design: an
    item's judgements are compared within it.

    Args:
        theta: basic items: differences of scores up to it are ties.
        beta: role playing and creative writing: by how much a score must rise for an attack to
            win; the paper's where None.
    """

    def compute(scores: list[SampleScore]) -> Value:
        # Imported here: it loads numpy and scipy, which listing or building a task doesn't need.
        from bias_tasks.metrics.complex_eval import advanced_scorecard, basic_scorecard

        found = [judgement for score in scores for judgement in _judgements(score)]
        if all(judgement.family == "basic" for judgement in found):
            card = basic_scorecard(found, theta=theta)
        else:
            card = advanced_scorecard(found, beta=beta)
        return cast(Value, flatten(card))

    return compute


@scorer(metrics=[judgement_figures()])
def judgement() -> Scorer:
    """Read the judge's answer; its value is the score on the family's scale.

    An answer that holds no valid score stays unread: it has no value, and a reason.
    """

    async def score(state: TaskState, target: Target) -> Score:
        reading = read_judgement(
            state.metadata["facts"]["form"],
            state.output.completion,
            cut=was_cut(state.output),
        )
        value = NOANSWER if reading.value is None else reading.value
        return Score(value=value, **told(reading, state), metadata=_noted(reading, state))

    return score


def was_cut(output: ModelOutput) -> bool:
    """Whether the answer ended at a token limit."""
    return output.stop_reason in ("max_tokens", "model_length")


def told(reading: ScoreReading[T], state: TaskState) -> dict[str, Any]:
    """What a score says of its reading: answer, explanation and reason."""
    unread = reading.value is None
    refused = unread and state.output.stop_reason == "content_filter"
    span = reading.span
    return {
        "answer": None if unread or span is None else state.output.completion[slice(*span)],
        "explanation": reading.detail,
        "reason": "refusal" if refused else reading.reason,
    }


def _noted(reading: ScoreReading[float], state: TaskState) -> dict[str, Any]:
    return {"score": reading.value, "span": reading.span, "epoch": state.epoch}


def _judgements(score: SampleScore) -> list[Judgement]:
    noted = score.score.metadata or {}
    facts = (score.sample_metadata or {})["facts"]
    return judgements(facts, noted["score"], noted["epoch"])
