"""What `format_gated` does with a sample; loaded once it is used, with all formats and readers."""

from collections.abc import Sequence
from copy import copy, deepcopy
from dataclasses import replace
from string import ascii_uppercase
from typing import Any

from inspect_ai.model import ModelOutput
from inspect_ai.scorer import SampleScore, Score, Scorer, Target, value_to_float
from inspect_ai.solver import TaskState

from bias_tasks.contract.family import Answer
from bias_tasks.contract.record import Scored, facts_in
from bias_tasks.output_format.family import FAMILY, explained, unfollowed
from bias_tasks.output_format.foreign import ASKED_FORMAT, foreign_question, known_format
from bias_tasks.output_format.items import FormatParams, payload_text
from bias_tasks.output_format.metrics import FormatOutcome, format_scorecard
from bias_tasks.output_format.plan import FormatQuestion, question_from_dict
from bias_tasks.scorers.outcome import answer_in, share_of
from bias_tasks.statistics.estimate import flatten

_ONE = "answer"
"""Stands for the one format of the run."""


def gated_card(scores: Sequence[SampleScore], moe: float, alpha: float) -> dict[str, float]:
    """The figures of gated scores, as hosts log them; arguments as `gated_figures` has them."""
    card = format_scorecard([_outcome(score) for score in scores], moe=moe, alpha=alpha)
    parts = ((*name.rpartition("/"), figure) for name, figure in card.items())
    return flatten({name: figure for name, _, of, figure in parts if of == _ONE})


def gated(wrapped: Scorer, format: str | None) -> Scorer:
    """The scorer that `format_gated` makes of another one; a ValueError for an unknown format."""
    if format is not None:
        known_format(format)

    async def score(state: TaskState, target: Target) -> Score:
        question = _asked(state, format)
        answer = answer_in(state.output, state.epoch).without_reasoning()
        reading = question.read(answer.text)
        text = payload_text(reading.payload)
        if not reading.follows or text is None:
            return Score(
                value={"follows": 0.0, "score": 0.0},
                explanation=explained(reading, answer),
                reason=unfollowed(reading, answer) or "invalid_response_format",
                metadata=_noted(state, answer, 0.0) or None,
            )
        said = await wrapped(_answered(state, question, text), target) or Score.unscored(
            reason="scoring_failed", explanation="the scorer gave no score"
        )
        share = share_of(said.value)
        if share is None:
            return Score.unscored(reason=said.reason, answer=text, explanation=said.explanation)
        wrapped_said = {"value": said.value, "answer": said.answer, "metadata": said.metadata}
        return Score(
            value={"follows": 1.0, "score": share},
            answer=text,
            explanation=said.explanation,
            reason=said.reason,
            metadata={**wrapped_said, **_noted(state, answer, share)},
        )

    return score


def _asked(state: TaskState, format: str | None) -> FormatQuestion:
    """What was asked of the sample: by one of our tasks, by one of our solvers, or as given."""
    noted = state.metadata.get(ASKED_FORMAT) or facts_in(state.metadata).get("question") or {}
    if "format" in noted and format in (None, noted["format"]):
        return question_from_dict(noted)
    name = str(state.sample_id)
    if format is None:
        how = "ask with the solver format_instruction, or name the format with format="
        raise ValueError(f"sample {name} was asked in no format: {how}")
    options = [choice.value for choice in state.choices]
    return foreign_question(name, state.input_text, format, FormatParams(), options=options)


def _noted(state: TaskState, answer: Answer, score: float) -> dict[str, Any]:
    """What the metrics of our own tasks take, with that score; nothing for another's sample."""
    facts = facts_in(state.metadata)
    if "format" not in (facts.get("question") or {}):
        return {}
    return Scored(FAMILY.name, replace(FAMILY.read(facts, answer), score=score)).metadata()


def _answered(state: TaskState, question: FormatQuestion, text: str) -> TaskState:
    """The state as if the model had answered with `text` alone; the state itself stays as it is."""
    held = copy(state)
    held.output = ModelOutput.from_content(state.output.model, text)
    if state.messages and state.messages[-1].role == "assistant":
        held.messages = [*state.messages[:-1], held.output.message]
    if question.item.options:
        held.choices = deepcopy(state.choices)
        for place in range(len(held.choices)):
            held.choices.mark_choice(place, ascii_uppercase[place] == text)
    return held


def _outcome(score: SampleScore) -> FormatOutcome:
    """What a sample came to, of several epochs on average."""
    item = str(score.sample_id)
    cluster = (score.sample_metadata or {}).get("cluster", item)
    values: dict[str, Any] = score.score.as_dict()
    shares = {name: value_to_float()(value) for name, value in values.items()}
    return FormatOutcome(item, cluster, _ONE, **shares)
