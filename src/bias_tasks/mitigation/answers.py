"""The answers of one finished run of a format task, whichever host made it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bias_tasks.design.output_format import FormatQuestion
from bias_tasks.items import Protocol
from bias_tasks.metrics.output_format import FormatOutcome
from bias_tasks.scoring.output_format import format_outcome

Group = tuple[str, str]
"""Data set and category: formats are compared within one of each."""


class UnusableRunError(Exception):
    """A run that the command can't work with; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer to an item in a format."""

    question: FormatQuestion
    shares: Mapping[str, float]
    """As `format_shares` says of it."""


@dataclass(frozen=True, slots=True)
class Answers:
    """A run, its answers in the order in which they were asked."""

    path: Path
    host: str
    task: str
    model: str
    answers: tuple[Answer, ...]
    """At least one; those of several epochs to one item and format are all there."""
    unscored: int
    """Samples without a score, such as those whose request failed."""
    repeat: int
    """How often the format's instruction stood in the prompts."""
    provenance: tuple[Mapping[str, Any], ...]
    """Where the items came from, as the run noted it."""

    @property
    def protocol(self) -> Protocol:
        return self.answers[0].question.params.protocol

    def outcomes(self) -> dict[Group, list[FormatOutcome]]:
        """The outcome of each item and format, its mean over epochs, by group."""
        gathered: dict[tuple[str, str, str], list[Answer]] = {}
        for answer in self.answers:
            item = answer.question.item
            gathered.setdefault((item.dataset, item.id, answer.question.format), []).append(answer)
        groups: dict[Group, list[FormatOutcome]] = {}
        for same in gathered.values():
            facts = same[0].question.facts()
            outcome = format_outcome(facts, _means(answer.shares for answer in same))
            groups.setdefault((facts["dataset"], facts["category"]), []).append(outcome)
        return groups


def _means(shares: Iterable[Mapping[str, float]]) -> dict[str, float]:
    rows = list(shares)
    return {name: sum(row[name] for row in rows) / len(rows) for name in rows[0]}
