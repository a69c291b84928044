"""Scores answers that were asked for in an output format (FormatEval, sections 3.1 and 4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    Value,
    metric,
    scorer,
    value_to_float,
)
from inspect_ai.solver import TaskState

from bias_tasks.design.output_format import question_from_dict
from bias_tasks.items import Protocol
from bias_tasks.metrics.estimate import flatten
from bias_tasks.scoring.output_format import format_card, format_shares, payload_text, read_format


@metric(scores="reduced")
def format_figures(
    moe: float = 0.05, alpha: float = 0.05, protocol: Protocol = "corrected"
) -> Metric:
    """Every figure of the run by its name, with its 95 % interval and number of items.

    `<name>` is the value, `<name>_ci_low` and `<name>_ci_high` its interval, `<name>_n` the items
    in its denominator and, for a difference of two formats, `<name>_p` its Holm-adjusted p-value.

    Args:
        moe: margin of error within which `est_true` is reliable, a share.
        alpha: one less the confidence of that verdict.
        protocol: `published` takes in the scores of answers that don't follow their format.
    """

    def compute(scores: list[SampleScore]) -> Value:
        answers = [((score.sample_metadata or {})["facts"], shares_of(score)) for score in scores]
        return cast(Value, flatten(format_card(answers, moe=moe, alpha=alpha, protocol=protocol)))

    return compute


@scorer(metrics=[format_figures()])
def formatted() -> Scorer:
    """Read the answer in its format, and score what it holds against gold.

    An answer that does not follow its format scores 0 (published: what could be extracted).
    """

    async def score(state: TaskState, target: Target) -> Score:
        question = question_from_dict(state.metadata["question"])
        reading = read_format(question, state.output.completion)
        return Score(
            value=format_shares(question, reading),
            answer=payload_text(reading.payload),
            explanation=explained(reading.detail, state),
            reason=None if reading.follows else unfollowed(state),
        )

    return score


def explained(detail: str, state: TaskState) -> str:
    """Why an answer does not follow, and whether it was cut."""
    cut = state.output.stop_reason in ("max_tokens", "model_length")
    return f"{detail or 'follows the format'}{' (cut at its token limit)' if cut else ''}"


def unfollowed(state: TaskState) -> str:
    """The host's word for an answer that does not follow its format."""
    if state.output.stop_reason == "content_filter":
        return "refusal"
    return "invalid_response_format" if state.output.completion.strip() else "no_response"


def shares_of(score: SampleScore) -> Mapping[str, float]:
    """The numbers of a score, or their means over epochs."""
    to_float = value_to_float()
    values = cast(dict[str, Value], score.score.as_dict())
    return {name: to_float(value) for name, value in values.items()}
