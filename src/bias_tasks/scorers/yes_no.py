"""Scores the answers to yes/no questions (Khrapunova 2025, section 2.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
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

from bias_tasks.items import Protocol
from bias_tasks.metrics.binary_qa import BinaryOutcome
from bias_tasks.metrics.estimate import flatten
from bias_tasks.scoring.binary_qa import binary_outcome, read_binary


@metric(scores="unreduced")
def yes_no_figures(
    protocol: Protocol = "corrected", weights: Mapping[str, float] | None = None
) -> Metric:
    """Every figure of the run by its name, with its 95 % interval and number of questions.

    `<name>` is the value, `<name>_ci_low` and `<name>_ci_high` its interval and `<name>_n` the
    questions in its denominator. An epoch is a run of the whole design: a question's answers are
    compared within it.

    Args:
        protocol: `published` compares unread answers like any other when it looks for consistency.
        weights: weights of the core metrics in `mbs`, where not the paper's.
    """

    def compute(scores: list[SampleScore]) -> Value:
        # Imported here: it loads numpy and scipy, which listing or building a task doesn't need.
        from bias_tasks.metrics.binary_qa import binary_scorecard

        outcomes = [_outcome(score) for score in scores]
        card = binary_scorecard(outcomes, protocol=protocol, weights=weights)
        return cast(Value, flatten(card))

    return compute


@scorer(metrics=[yes_no_figures()])
def yes_no() -> Scorer:
    """Read the answer as Yes or No and compare it with the right one under the variant.

    An answer that is neither stays unread: it is wrong, and consistent with nothing.
    """

    async def score(state: TaskState, target: Target) -> Score:
        stopped = state.output.stop_reason
        cut = stopped in ("max_tokens", "model_length")
        reading = read_binary(state.output.completion, cut=cut)
        refused = stopped == "content_filter" and reading.unread
        return Score(
            value=CORRECT if reading.label == target.text else INCORRECT,
            answer=reading.label,
            explanation=f"{reading.via}{f': {reading.detail}' if reading.detail else ''}",
            reason="refusal" if refused else reading.reason,
            metadata={"via": reading.via, "span": reading.span, "epoch": state.epoch},
        )

    return score


def _outcome(score: SampleScore) -> BinaryOutcome:
    facts = (score.sample_metadata or {})["facts"]
    return binary_outcome(facts, score.score.answer, (score.score.metadata or {})["epoch"])
