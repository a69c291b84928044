"""Tells the simulated respondents and `replay` what a run asks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from bias_tasks.items.complex_eval import JudgedItem
from bias_tasks.respondents.known_items import KnownItem, register


class Asked(Protocol):
    """A question of any family."""

    @property
    def id(self) -> str:
        """The sample's id."""
        ...

    @property
    def item(self) -> KnownItem | JudgedItem:
        """What is asked about."""
        ...


class Planned(Protocol):
    """The plan of a run of any family."""

    @property
    def questions(self) -> Iterable[Asked]:
        """Its questions, of which several may be about one item."""
        ...


def make_known(planned: Planned) -> None:
    """Make the items and the sample ids of a run known."""
    register(
        {question.item.id: question.item for question in planned.questions}.values(),
        [question.id for question in planned.questions],
    )
