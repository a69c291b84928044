"""What a sample carries for solvers and simulated models: its question.

It is in a private attribute that Inspect neither logs nor copies.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from inspect_ai.dataset import Sample
from pydantic import PrivateAttr

from bias_tasks.contract.family import AnyFamily
from bias_tasks.contract.json_data import JsonObject
from bias_tasks.contract.planned_calls import PLANNED_CALLS
from bias_tasks.contract.questions import Question, ScoringData
from bias_tasks.contract.shards import POSITION
from bias_tasks.solvers.inspect_api import sample_active


@dataclass(frozen=True, slots=True)
class SampleState:
    """What one sample carries without logging it."""

    question: Question
    family: AnyFamily | None = None
    """The question's family; None for a question about another task's sample."""
    answer_limit: int = 0
    """The token limit that leaves room for each answer of the run; 0 if none is known."""

    def __deepcopy__(self, memo: dict[int, Any]) -> "SampleState":
        """Return the object itself: it never changes, and Inspect copies samples for epochs."""
        return self


class QuestionSample(Sample):
    """A sample made from a question of a family."""

    _state: SampleState = PrivateAttr()

    def __init__(self, state: SampleState, **fields: Any) -> None:
        super().__init__(**fields)
        self._state = state

    @property
    def state(self) -> SampleState:
        """What the sample carries without logging it."""
        return self._state


def question_samples(
    questions: Iterable[Question],
    positions: Mapping[str, int] | None = None,
    family: AnyFamily | None = None,
    answer_limit: int = 0,
) -> list[Sample]:
    """Return a sample for each question of a run.

    Args:
        questions: The questions.
        positions: For a shard, the index of each question in the whole run by its id.
        family: The family of the questions.
        answer_limit: As in `SampleState`.
    """
    return [
        QuestionSample(
            SampleState(question, family, answer_limit),
            input=question.prompt,
            choices=list(question.choices) or None,
            target=question.gold,
            id=question.id,
            metadata={
                **_list_fields(question.scoring_data),
                **_planned_calls(question, family),
                **position_metadata(question.id, positions),
            },
        )
        for question in questions
    ]


def _list_fields(data: ScoringData) -> JsonObject:
    """Return the fields of a question's scoring data, without `columns` if it has none."""
    return {name: value for name, value in data.to_dict().items() if name != "columns" or value}


def _planned_calls(question: Question, family: AnyFamily | None) -> dict[str, int]:
    """Return the metadata of a sample whose question plans several calls; empty for another."""
    planned = 1 if family is None else len(family.requests(question, ""))
    return {PLANNED_CALLS: planned} if planned > 1 else {}


def position_metadata(question_id: str, positions: Mapping[str, int] | None) -> dict[str, int]:
    """Return the metadata of a shard's sample: its index in the whole run.

    Args:
        question_id: The sample's question.
        positions: As in `question_samples`. A whole run has none, and its samples no such metadata.
    """
    return {POSITION: positions[question_id]} if positions else {}


def running_sample() -> SampleState | None:
    """Return what the running sample carries; None for another task's, or if none is running."""
    active = sample_active()
    sample = None if active is None else active.sample
    return sample.state if isinstance(sample, QuestionSample) else None
