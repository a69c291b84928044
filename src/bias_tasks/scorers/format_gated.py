"""Any scorer, asked about answers that follow their format alone (FormatEval, section 3.1)."""

from __future__ import annotations

import math
from copy import copy, deepcopy
from dataclasses import replace
from string import ascii_uppercase
from typing import Any, cast

from inspect_ai.model import ChatMessageAssistant, ModelOutput
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    Value,
    metric,
    value_to_float,
)
from inspect_ai.scorer import scorer as register_scorer
from inspect_ai.solver import TaskState
from inspect_ai.util import registry_create

from bias_tasks.family import Answer
from bias_tasks.inspect_errors import ScorerError, refusing
from bias_tasks.output_format.foreign import ASKED_FORMAT, foreign_question, known_format
from bias_tasks.output_format.items import payload_text
from bias_tasks.output_format.metrics.outcome import (
    FormatOutcome,
)
from bias_tasks.output_format.outcomes import explained, outcome_of, read_format, unfollowed
from bias_tasks.output_format.questions import FormatParams, FormatQuestion, question_from_dict
from bias_tasks.record import facts_in
from bias_tasks.scorers.logged_name import known_as_logged
from bias_tasks.scorers.outcome import answer_in
from bias_tasks.statistics.estimate import flatten

FOLLOWS, SCORE = "follows", "score"
"""Names of the numbers of a score."""
_ONE = "answer"
"""Stands for the one format of the run."""
_FAMILY = "output_format"


@metric(scores="reduced")
def gated_figures(moe: float = 0.05, alpha: float = 0.05) -> Metric:
    """`fi`, `sys`, `est_true`, `reliable` and `needed_fi`, with their 95 % intervals.

    `<name>` is the value, `<name>_ci_low` and `<name>_ci_high` its interval and `<name>_n` the
    samples in its denominator. Samples of one of our clusters count together.

    Args:
        moe: margin of error within which `est_true` is reliable, a share.
        alpha: one less the confidence of that verdict.
    """

    def compute(scores: list[SampleScore]) -> Value:
        # Imported here: it loads numpy and scipy, which listing or building a task doesn't need.
        from bias_tasks.output_format.metrics.card import (
            format_scorecard,
        )

        card = format_scorecard([_outcome(score) for score in scores], moe=moe, alpha=alpha)
        suffix = f"/{_ONE}"
        own = {name: figure for name, figure in card.items() if name.endswith(suffix)}
        return cast(Value, flatten({n.removesuffix(suffix): figure for n, figure in own.items()}))

    return compute


@register_scorer(metrics=[gated_figures()])
@refusing(ScorerError)
def format_gated(scorer: str | Scorer, format: str | None = None, **options: Any) -> Scorer:
    """Have `scorer` score what an answer holds, where the answer follows its format.

    What is read out of the format takes the answer's place: as the model's output, as the last
    message and, where the sample has choices, as the choice that was made. An answer that does not
    follow scores 0, and `scorer` is not asked. What `scorer` said stands in the score's metadata;
    so does, where one of our tasks asked, the outcome that its own figures take. A sample that it
    leaves unscored stays unscored.

    Args:
        scorer: a scorer, or the name that one is registered by, such as `match`.
        format: the format's name, where no solver of ours asked for it; not `json` and `yaml`,
            whose keys the solver notes.
        options: arguments of the scorer that is given by name, such as `location="exact"`.

    Raises:
        ScorerError: the format or the scorer is unknown, or it takes no such arguments.
        ValueError: when a sample is scored: it was asked in no format, or the scorer's value is
            not one number from 0 to 1.
    """
    wrapped = _resolved(scorer, format, options)

    async def score(state: TaskState, target: Target) -> Score:
        question = _asked(state, format)
        answer = answer_in(state.output, state.epoch).without_reasoning()
        reading = read_format(question, answer.text)
        text = payload_text(reading.payload)
        if not reading.follows or text is None:
            return Score(
                value={FOLLOWS: 0.0, SCORE: 0.0},
                explanation=explained(reading, answer),
                reason=unfollowed(reading, answer) or "invalid_response_format",
                metadata=_noted(state, answer, 0.0) or None,
            )
        said = await wrapped(_answered(state, question, text), target)
        if said is None or _is_unscored(said):
            return Score.unscored(
                reason=said.reason if said else "scoring_failed",
                answer=text,
                explanation=said.explanation if said else "the scorer gave no score",
            )
        share = _share(said)
        wrapped_said = {"value": said.value, "answer": said.answer, "metadata": said.metadata}
        return Score(
            value={FOLLOWS: 1.0, SCORE: share},
            answer=text,
            explanation=said.explanation,
            reason=said.reason,
            metadata={**wrapped_said, **_noted(state, answer, share)},
        )

    return score


def _resolved(scorer: str | Scorer, format: str | None, options: dict[str, Any]) -> Scorer:
    try:
        if format is not None:
            known_format(format)
        if isinstance(scorer, str):
            return registry_create("scorer", scorer, **options)
    except (LookupError, TypeError, ValueError) as error:
        raise ScorerError(f"format_gated: {error.args[0]}") from error
    if options:
        raise ScorerError(
            f"format_gated takes no {', '.join(options)} beside a scorer that is made"
        )
    return scorer


def _asked(state: TaskState, format: str | None) -> FormatQuestion:
    """What was asked of the sample: by one of our tasks, by one of our solvers, or as given."""
    noted = state.metadata.get(ASKED_FORMAT) or facts_in(state.metadata).get("question") or {}
    if "format" in noted and format in (None, noted["format"]):
        return question_from_dict(noted)
    if format is None:
        raise ValueError(
            f"sample {state.sample_id} was asked in no format: ask with the solver "
            "format_instruction, or name the format with format="
        )
    options = [choice.value for choice in state.choices]
    return foreign_question(
        str(state.sample_id), state.input_text, format, FormatParams(), options=options
    )


def _noted(state: TaskState, answer: Answer, score: float) -> dict[str, Any]:
    """What the metrics of our own tasks take, with `score` in place of the task's own.

    Nothing for a sample of another task.
    """
    facts = facts_in(state.metadata)
    if "format" not in (facts.get("question") or {}):
        return {}
    found = replace(outcome_of(facts, answer), score=score)
    return {"family": _FAMILY, "outcome": found.to_dict()}


def _answered(state: TaskState, question: FormatQuestion, text: str) -> TaskState:
    """The state as if the model had answered with `text` alone; the state itself stays as it is."""
    held = copy(state)
    held.output = ModelOutput.from_content(state.output.model, text)
    if state.messages and state.messages[-1].role == "assistant":
        held.messages = [*state.messages[:-1], ChatMessageAssistant(content=text)]
    if question.item.options:
        held.choices = deepcopy(state.choices)
        for place in range(len(held.choices)):
            held.choices.mark_choice(place, ascii_uppercase[place] == text)
    return held


def _is_unscored(score: Score) -> bool:
    return isinstance(score.value, float) and math.isnan(score.value)


def _share(score: Score) -> float:
    value = value_to_float()(score.value) if isinstance(score.value, str | int | float) else None
    if value is None or not 0 <= value <= 1:
        raise ValueError(f"the scorer gave {score.value!r}: expected one number from 0 to 1")
    return value


def _outcome(score: SampleScore) -> FormatOutcome:
    item = str(score.sample_id)
    facts = score.sample_metadata or {}
    shares = _shares_of(score)
    return FormatOutcome(
        item, facts.get("cluster", item), _ONE, follows=shares[FOLLOWS], score=shares[SCORE]
    )


def _shares_of(score: SampleScore) -> dict[str, float]:
    """The numbers of a score, or their means over epochs."""
    to_float = value_to_float()
    values = cast(dict[str, Value], score.score.as_dict())
    return {name: to_float(value) for name, value in values.items()}


known_as_logged(format_gated)
