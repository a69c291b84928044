"""Scores one sample for `format_gated`. Imported on first use, with all formats and parsers."""

from collections.abc import Sequence
from copy import copy, deepcopy
from dataclasses import replace
from string import ascii_uppercase

from inspect_ai.model import ModelOutput
from inspect_ai.scorer import SampleScore, Score, Scorer, Target, value_to_float
from inspect_ai.solver import TaskState

from bias_tasks.contract.json_data import JsonObject
from bias_tasks.contract.logged_outcomes import LoggedOutcome
from bias_tasks.contract.outcomes import Answer
from bias_tasks.output_format.any_task import (
    find_format,
    find_format_data,
    find_task_data,
    question_for_any_task,
)
from bias_tasks.output_format.family import FAMILY, abnormal_reason, explain, parse_format
from bias_tasks.output_format.items import FormatParams, format_payload
from bias_tasks.output_format.metrics import FormatOutcome, MetricOptions, compute_format_metrics
from bias_tasks.output_format.scoring_data import FormatData
from bias_tasks.scorers.outcome import convert_output, score_as_share
from bias_tasks.statistics.estimate import flatten

_FORMAT = "answer"
"""Name of the run's only format in the metrics' names, from which it is removed."""


def compute_gated_metrics(
    scores: Sequence[SampleScore], moe: float, alpha: float
) -> dict[str, float]:
    """Compute the metrics of gated scores, by the names in logs.

    Args:
        scores: The samples' scores, as means over epochs.
        moe: As in `gated_metrics`.
        alpha: As in `gated_metrics`.
    """
    outcomes = [_build_outcome(score) for score in scores]
    metrics = compute_format_metrics(outcomes, MetricOptions(moe=moe, alpha=alpha))
    suffix = f"/{_FORMAT}"
    return flatten(
        {
            name.removesuffix(suffix): metric
            for name, metric in metrics.items()
            if name.endswith(suffix)
        }
    )


def create_gated_scorer(wrapped: Scorer, format: str | None) -> Scorer:
    """Return the scorer of `format_gated`.

    Args:
        wrapped: The scorer of values.
        format: As in `format_gated`.

    Raises:
        ValueError: The format is unknown.
    """
    if format is not None:
        find_format(format)

    async def score(state: TaskState, target: Target) -> Score:
        data = _find_data(state, format)
        answer = convert_output(state.output, state.epoch).without_reasoning()
        parsed = parse_format(data, answer)
        text = format_payload(parsed.payload)
        if not parsed.follows or text is None:
            return Score(
                value={"follows": 0.0, "score": 0.0},
                explanation=explain(parsed, answer),
                reason=abnormal_reason(parsed, answer) or "invalid_response_format",
                metadata=_outcome_metadata(state, answer, 0.0) or None,
            )
        wrapped_score = await wrapped(_replace_answer(state, text), target)
        if wrapped_score is None:
            return Score.unscored(
                reason="scoring_failed", answer=text, explanation="the scorer returned no score"
            )
        share = score_as_share(wrapped_score.value)
        if share is None:
            return Score.unscored(
                reason=wrapped_score.reason, answer=text, explanation=wrapped_score.explanation
            )
        return Score(
            value={"follows": 1.0, "score": share},
            answer=text,
            explanation=wrapped_score.explanation,
            reason=wrapped_score.reason,
            metadata={
                "value": wrapped_score.value,
                "answer": wrapped_score.answer,
                "metadata": wrapped_score.metadata,
                **_outcome_metadata(state, answer, share),
            },
        )

    return score


def _find_data(state: TaskState, format: str | None) -> FormatData:
    """Return the data of a task's or solver's question of this package, or in the given format."""
    data = find_format_data(state.metadata)
    if data is not None and format in (None, data.format):
        return data
    sample_id = str(state.sample_id)
    if format is None:
        raise ValueError(
            f"sample {sample_id} has no requested format: use the solver format_instruction, or "
            "name the format with format="
        )
    options = [choice.value for choice in state.choices]
    question = question_for_any_task(
        sample_id, state.input_text, format, FormatParams(), options=options
    )
    return question.scoring_data()


def _outcome_metadata(state: TaskState, answer: Answer, score: float) -> JsonObject:
    """Return the outcome that the metrics of our task need; empty for another task's sample."""
    data = find_task_data(state.metadata)
    if data is None:
        return {}
    outcome = replace(FAMILY.score_visible_text(data, answer), score=score)
    return LoggedOutcome(FAMILY.name, outcome).to_metadata()


def _replace_answer(state: TaskState, text: str) -> TaskState:
    """Return a copy of the state in which the model's answer is only `text`."""
    replaced = copy(state)
    replaced.output = ModelOutput.from_content(state.output.model, text)
    if state.messages and state.messages[-1].role == "assistant":
        replaced.messages = [*state.messages[:-1], replaced.output.message]
    if len(state.choices) > 0:
        replaced.choices = deepcopy(state.choices)
        for index in range(len(replaced.choices)):
            replaced.choices.mark_choice(index, ascii_uppercase[index] == text)
    return replaced


def _build_outcome(score: SampleScore) -> FormatOutcome:
    """Return the outcome of a sample, as the mean over epochs."""
    item = str(score.sample_id)
    cluster = (score.sample_metadata or {}).get("cluster", item)
    values: JsonObject = score.score.as_dict()
    shares = {name: value_to_float()(value) for name, value in values.items()}
    return FormatOutcome(item, cluster, _FORMAT, **shares)
