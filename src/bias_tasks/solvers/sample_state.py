"""What a sample brings along for solvers and simulated models: its question, and the ids of its
dataset, in a private attribute, which the host neither logs nor copies."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from inspect_ai.dataset import Sample
from pydantic import PrivateAttr

from bias_tasks.contract.family import Family, Question
from bias_tasks.contract.record import noted_facts
from bias_tasks.contract.shards import PLACE
from bias_tasks.solvers.inspect_host import sample_active


@dataclass(frozen=True, slots=True)
class SampleState:
    """What one sample brings along without logging it."""

    question: Question
    sample_ids: frozenset[str]
    """Ids of all samples of its dataset, whatever part of it is run."""
    family: Family | None = None
    """Whose question it is; None for a question about another task's sample."""

    def __deepcopy__(self, memo: dict[int, Any]) -> "SampleState":
        """Itself: nothing in it changes, and the host copies a sample for each of its epochs."""
        return self


class AskedSample(Sample):
    """A sample made from a question of a family."""

    _state: SampleState = PrivateAttr()

    def __init__(self, state: SampleState, **fields: Any) -> None:
        super().__init__(**fields)
        self._state = state

    @property
    def state(self) -> SampleState:
        """What it brings along."""
        return self._state


def asked_samples(
    questions: Iterable[Question],
    places: Mapping[str, int] | None = None,
    family: Family | None = None,
) -> list[Sample]:
    """A sample for each question of a family's run; `places` as `asked_in_part` has them."""
    asked = list(questions)
    ids = frozenset(question.id for question in asked)
    return [
        AskedSample(
            SampleState(each, ids, family),
            input=each.prompt,
            target=each.gold,
            id=each.id,
            metadata={**noted_facts(each), **noted_place(each.id, places)},
        )
        for each in asked
    ]


def noted_place(question_id: str, places: Mapping[str, int] | None) -> dict[str, int]:
    """What a sample's metadata says of its place in the whole run; nothing in a whole run."""
    return {PLACE: places[question_id]} if places else {}


def sample_state() -> SampleState | None:
    """What the running sample brings along; None for another task's, or outside of any."""
    active = sample_active()
    sample = None if active is None else active.sample
    return sample.state if isinstance(sample, AskedSample) else None
