"""Responses that a judge scores, and the auxiliary information that may mislead the judge.

A *basic* item has a preferred and a rejected response (section 4.2.1), any other item has one
response (section 4.2.2).
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any, Literal, get_args

from pydantic import ConfigDict, Field

from bias_tasks.contract.json_data import JsonObject
from bias_tasks.data.columns import MAX_CELL_PARTS, Id, Nested, Text, Whole
from bias_tasks.data.files import read_yaml
from bias_tasks.protocols import DesignSource

JudgedKind = Literal["basic", "math", "role_playing", "creative_writing"]
"""What is judged and how. Items, files and logs hold it under the name `family`."""
JUDGED_KINDS: tuple[JudgedKind, ...] = get_args(JudgedKind)

NONE, FULL = "none", "full"
"""No auxiliary information; all that the item has, the default for every item but a basic one."""
AUX = (NONE, "reference", "rubric")
"""Auxiliary information that a basic item can be judged with."""
SINGLE_AUX = (FULL, "no_background", NONE)
"""Auxiliary information that any other item can be judged with, the most first."""
ATTACK_SOURCES: Mapping[JudgedKind, Mapping[str, DesignSource]]
ATTACK_SOURCES = read_yaml(__package__, "tasks")["source"]
"""Whose each attack is, by kind of item and name."""
ATTACKS: Mapping[JudgedKind, tuple[str, ...]]
ATTACKS = {kind: tuple(sources) for kind, sources in ATTACK_SOURCES.items()}
"""Attacks by kind of item.

A basic item is attacked toward its reference or rubric (appendix A.3.1), any other item with a
targeted attack (section 3.2, appendix A.3.2). Math has no rubric to attack.
"""

ENTANGLEMENT = "criteria_entanglement"
"""The attack that serves one criterion only (section 5.3.2)."""
Mode = Literal["joint", "per_dimension"]
MODES: tuple[Mode, ...] = get_args(Mode)
"""All dimensions of a dialogue in one call, or one call per dimension."""

CHOSEN, REJECTED, ORIGINAL = "chosen", "rejected", "original"
"""Names of unattacked responses: the first two of a basic item, the third of any other item."""
ORIGINAL_2 = f"{ORIGINAL}_2"
"""The second judgement of `original`, with the same prompt."""
SCALES: Mapping[JudgedKind, tuple[float, float]] = {
    "basic": (1.0, 10.0),
    "role_playing": (0.0, 100.0),
    "creative_writing": (1.0, 10.0),
}
"""Lowest and highest score by kind of item; math has positions instead of scores."""


_Texts = Annotated[Mapping[str, Text], Field(max_length=MAX_CELL_PARTS), Nested]


@dataclass(frozen=True, slots=True)
class Criterion:
    """One part of a rubric, scored separately."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    name: Text
    description: Text


@dataclass(frozen=True, slots=True)
class JudgedItem:
    """A query, the responses to it, and the auxiliary information for the judge.

    The types check the cells of a user's file; see `data.files`.
    """

    id: Id
    family: JudgedKind
    domain: Text
    source: Text
    cluster: Text
    query: Text
    """The request. In role playing, the scene and its characters."""
    responses: _Texts
    """Unattacked responses by name: `chosen` and `rejected`, or `original`.

    In math, numbered steps, one per line. In role playing, the dialogue as JSON.
    """
    reference: Text | None = None
    rubric: Text | None = None
    """The rubric, if it is one text."""
    criteria: Annotated[tuple[Criterion, ...], Field(max_length=MAX_CELL_PARTS), Nested] = ()
    """The parts of the rubric, if each is scored separately."""
    attacked_criterion: Text | None = None
    """Name of the criterion that the attack `criteria_entanglement` serves; None if unknown."""
    background: Text | None = None
    attacked: _Texts = field(default_factory=dict)
    """Attacked responses by attack."""
    first_error: Annotated[Whole, Field(ge=-1)] | None = None
    """Math: position of the first wrong step from 0; -1 if no step is wrong."""
    attackers: Mapping[str, str] = field(default_factory=dict, compare=False)
    """Author of each attacked response by attack, if the data name one: `rule` or a model."""
    provenance: Annotated[Mapping[str, Any], Nested] = field(
        default_factory=dict, compare=False, repr=False
    )
    """How models wrote its texts, as plain JSON values (`written_texts.py`)."""
    columns: Mapping[str, object] = field(default_factory=dict, compare=False, repr=False)
    """Cells of a user's file that no prompt or metric uses, by column."""

    @property
    def attack_target(self) -> str:
        """Name of the response that is attacked."""
        return REJECTED if self.family == "basic" else ORIGINAL

    def to_row(self) -> JsonObject:
        """Return the row of a file that holds the item; `data.files` reads it."""
        row = asdict(self)
        del row["attackers"]  # `provenance` says more about them
        columns: JsonObject = row.pop("columns")
        return row | columns
