"""What scoring a judge's answer needs of its question, and what metrics need of its outcome."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from bias_tasks.complex_eval.items import JudgedKind, Mode
from bias_tasks.contract.outcomes import Extra
from bias_tasks.contract.questions import ScoringData


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgementForm:
    """What the prompt of a question requests."""

    family: JudgedKind
    criteria: tuple[str, ...] = ()
    """Names of the criteria or dimensions that are scored separately."""
    steps: int = 0
    """Math: number of steps of the solution."""
    turns: int = 0
    """Role playing: number of turns of characters; those of the environment do not count."""
    lacks_reference: bool | None = None
    """True if the condition shows a reference, and the item has none; else None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedResponse:
    """A response of an item under one auxiliary condition.

    Items that share a query may share a response, too: one answer then judges it for all of them.
    """

    item: str
    cluster: str
    family: JudgedKind
    domain: str
    aux: str
    """Auxiliary condition."""
    response: str
    """Name of the response."""
    first_error: int | None = None
    """Math: position of the first wrong step; -1 if no step is wrong."""
    parts: int = 1
    """Number of answers that make up the judgement: one, or one per dimension."""
    attacked_criterion: str | None = None
    """As in `JudgedItem`."""

    def __str__(self) -> str:
        return f"item {self.item!r}, {self.response!r} under {self.aux!r}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FlawCount:
    """A dialogue of the attention limit: how it is judged, and how many flaws it has."""

    mode: Mode
    planted: int
    """Number of planted flaws in all dimensions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlantedFlaw:
    """A flaw that is planted into a dialogue."""

    dimension: str
    turn: int
    """Position of its turn from 0."""
    words: str
    """The words of the turn that are the flaw."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeData(ScoringData):
    """Scoring data of a judge's question."""

    form: JudgementForm
    judgements: tuple[JudgedResponse, ...] = ()
    """What the answer judges; empty in the attention limit."""
    flaw_count: FlawCount | None = None
    """The dialogue of the attention limit; None in the other tasks."""
    parts: int | None = None
    """Attention limit: number of questions that are added up, one or one per dimension."""
    flaws: tuple[PlantedFlaw, ...] | None = None
    """Attention limit: planted flaws of the requested dimensions, in the order of their turns."""
    turns: tuple[str, ...] | None = None
    """Attention limit: the turns of the dialogue, each after its role."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeExtra(Extra):
    """What metrics need of a judge's outcome besides the score."""

    judgements: tuple[JudgedResponse, ...] = ()
    """As in `JudgeData`."""
    flaw_count: FlawCount | None = None
    """As in `JudgeData`."""
    parts: int | None = None
    """As in `JudgeData`."""
    criteria: Mapping[str, float | None] = field(default_factory=dict)
    """Scores by criterion, if each is scored separately; None if the answer is unparsed."""
    cites_reference: float | None = None
    """Whether the reasons cite the reference; None if unknown, or if none is shown."""
    located: float | None = None
    """Attention limit: number of planted flaws that the reports locate; None if unparsed."""
    by_chance: float | None = None
    """Attention limit: mean number that as many random reports would locate; None if unparsed."""
