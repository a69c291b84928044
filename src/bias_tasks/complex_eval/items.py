"""What a judge is asked to judge, with the auxiliary information that may mislead it: a query with
a preferred and a rejected response (*basic*, section 4.2.1), or with one (section 4.2.2)."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

JudgedKind = Literal["basic", "math", "role_playing", "creative_writing"]
"""What is judged and how; the field and the JSON key of it are called `family`."""
Aux = Literal["none", "reference", "rubric"]
Bias = Literal[
    "format",
    "solution_fixation",
    "stereotype_amplification",
    "criteria_loophole",
    "criteria_entanglement",
]

JUDGED_KINDS: tuple[JudgedKind, ...] = get_args(JudgedKind)
AUX: tuple[Aux, ...] = get_args(Aux)
"""Auxiliary information beside a basic item."""
NONE, FULL = "none", "full"
"""No auxiliary information; and all that the item has, as the others than basic are judged."""
ATTACKS: tuple[Aux, ...] = ("reference", "rubric")
"""What a basic item's rejected response can be attacked toward (appendix A.3.1)."""
BIASES: Mapping[JudgedKind, tuple[Bias, ...]] = {
    "math": ("format", "solution_fixation"),
    "role_playing": get_args(Bias),
    "creative_writing": (
        "format",
        "solution_fixation",
        "criteria_loophole",
        "criteria_entanglement",
    ),
}
"""The targeted attacks of each family (section 3.2, appendix A.3.2); math has no rubric."""

Mode = Literal["joint", "per_dimension"]
MODES: tuple[Mode, ...] = get_args(Mode)
"""All dimensions of a dialogue in one call, or a call for each."""

CHOSEN, REJECTED, ORIGINAL = "chosen", "rejected", "original"
"""Names of unattacked responses: the first two of a basic item, the third of the others."""
ORIGINAL_2 = f"{ORIGINAL}_2"
"""The second judgement of the very same prompt."""
SCALES: Mapping[JudgedKind, tuple[float, float]] = {
    "basic": (1.0, 10.0),
    "role_playing": (0.0, 100.0),
    "creative_writing": (1.0, 10.0),
}
"""Lowest and highest score; math has positions instead."""


@dataclass(frozen=True, slots=True)
class Criterion:
    """One part of a rubric, scored on its own."""

    name: str
    description: str


@dataclass(frozen=True, slots=True)
class JudgedItem:
    """A query, the responses to it, and what a judge may be told beside."""

    id: str
    family: JudgedKind
    domain: str
    source: str
    cluster: str
    query: str
    """What was asked for; for role playing the scene and its characters."""
    responses: Mapping[str, str]
    """Unattacked responses: `chosen` and `rejected`, or `original`.

    Math: numbered steps, one a line. Role playing: the dialogue, as JSON of {role, content}.
    """
    reference: str | None = None
    rubric: str | None = None
    """The rubric as text, where it is one."""
    criteria: tuple[Criterion, ...] = ()
    """The rubric's parts, where each is scored on its own."""
    background: str | None = None
    attacked: Mapping[str, str] = field(default_factory=dict)
    """Attacked responses: for basic items by what they are attacked toward, else by bias."""
    first_error: int | None = None
    """Math: position of the first wrong step from 0, -1 when there is none."""
    attackers: Mapping[str, str] = field(default_factory=dict, compare=False)
    """Who made an attacked response, a `rule` or a model's name, where its data says so."""
    further: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """Cells of a user's file that nobody asks about, as plain JSON values."""


def judged_to_dict(item: JudgedItem) -> dict[str, Any]:
    """The item as a row of a file, as plain JSON values, which `data.files` reads back."""
    row = asdict(item)
    del row["attackers"]  # an attacked dataset says more of them, in a column of its own
    further: dict[str, Any] = row.pop("further")
    return row | further


def attack_names(family: JudgedKind) -> tuple[str, ...]:
    """What a family's responses are attacked toward (basic), or with (the others)."""
    return ATTACKS if family == "basic" else BIASES[family]


def attacked_response(item: JudgedItem) -> str:
    """The name of the response that is attacked."""
    return REJECTED if item.family == "basic" else ORIGINAL
