"""Scores the answers of Instruction Boundary's settings (paper, section 2.2 and appendix D)."""

from __future__ import annotations

from typing import cast

from inspect_ai.model import GenerateConfig, Model, ResponseSchema, get_model, model_roles
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
from inspect_ai.util import JSONSchema

from bias_tasks.design.instruction_boundary import Question, question_from_dict
from bias_tasks.metrics.estimate import flatten
from bias_tasks.metrics.instruction_boundary import Outcome
from bias_tasks.prompts import Asked, judge_prompt
from bias_tasks.reading import Reading
from bias_tasks.scoring.instruction_boundary import (
    answer_text,
    outcome,
    outcome_from_shares,
    outcome_shares,
    read_answer,
    read_verdict,
)

GRADER = "grader"
_ATTEMPTS = 3
_JUDGED_CHARACTERS = 20_000
"""The judge is shown the end of a longer answer, where the final answer stands."""


@metric(scores="reduced")
def figures() -> Metric:
    """Every figure of the run by its name, with its 95 % interval and number of items.

    `<name>` is the value, `<name>_ci_low` and `<name>_ci_high` its interval, `<name>_n` the items
    (or pairs) in its denominator and, where several settings are compared with vanilla,
    `<name>_p` its Holm-adjusted p-value. Items of one cluster count together, and a setting is
    compared with vanilla pair by pair.
    """

    def compute(scores: list[SampleScore]) -> Value:
        # Imported here: it loads numpy and scipy, which listing or building a task doesn't need.
        from bias_tasks.metrics.instruction_boundary import scorecard

        return cast(Value, flatten(scorecard([_outcome(score) for score in scores])))

    return compute


@scorer(metrics=[figures()])
def boundary() -> Scorer:
    """Read the answer and compare it with gold.

    The answer is read as stated outright, then by keywords, then, where a model is bound to the
    role `grader`, by that judge; otherwise it stays unread. A judge that gives no verdict in three
    attempts leaves the sample unscored.
    """

    async def score(state: TaskState, target: Target) -> Score:
        question = question_from_dict(state.metadata["question"])
        asked = question.asked()
        text = state.output.completion
        reading = read_answer(question, asked, text)
        if reading.unread and text.strip() and GRADER in model_roles():
            judge = get_model(role=GRADER, required=True)
            verdict = await _judge(judge, question, asked, text)
            if verdict is None:
                return Score.unscored(
                    reason="grader_failed",
                    explanation=f"The judge gave no verdict in {_ATTEMPTS} attempts.",
                )
            reading = verdict
        return _score(question, asked, reading, state.output.stop_reason)

    return score


def _score(question: Question, asked: Asked, reading: Reading, stop_reason: str) -> Score:
    cut = " (cut at its token limit)" if stop_reason in ("max_tokens", "model_length") else ""
    refused = stop_reason == "content_filter" and reading.unread
    return Score(
        value=outcome_shares(outcome(question, asked, reading)),
        answer=answer_text(asked, reading),
        explanation=f"{reading.via}{f': {reading.detail}' if reading.detail else ''}{cut}",
        reason="refusal" if refused else reading.reason,
        metadata={"via": reading.via, "span": reading.span, "label": reading.label},
    )


async def _judge(judge: Model, question: Question, asked: Asked, text: str) -> Reading | None:
    """The judge's verdict, or None where it gave none in `_ATTEMPTS` attempts."""
    prompt = judge_prompt(question.item, asked, text[-_JUDGED_CHARACTERS:])
    config = GenerateConfig(response_schema=_verdict_schema(asked))
    for _ in range(_ATTEMPTS):
        reply = await judge.generate(prompt, config=config)
        verdict = read_verdict(asked, reply.completion)
        if verdict is not None:
            return verdict
    return None


def _verdict_schema(asked: Asked) -> ResponseSchema:
    """The form of a verdict, for providers that can force it."""
    verdict = JSONSchema(type="string")
    if asked.shown is None:
        verdict.enum = ["__PROVED__", "__DISPROVED__", "__UNKNOWN__"]
    schema = JSONSchema(
        type="object",
        properties={"verdict": verdict},
        required=["verdict"],
        additionalProperties=False,
    )
    return ResponseSchema(name="verdict", json_schema=schema)


def _outcome(score: SampleScore) -> Outcome:
    to_float = value_to_float()
    values = cast(dict[str, Value], score.score.as_dict())
    shares = {name: to_float(value) for name, value in values.items()}
    return outcome_from_shares((score.sample_metadata or {})["facts"], shares)
