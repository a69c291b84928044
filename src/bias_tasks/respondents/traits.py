"""What can be planted in a simulated respondent: its parameters and their ranges.

`persona` says how answers to the Instruction Boundary settings come from them, `yes_no` how answers
to yes/no questions do, `in_format` how answers in an output format do, and `judging` how judgements
do.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Self, get_args

from bias_tasks.binary_qa.items import BINARY_LABELS
from bias_tasks.instruction_boundary.items import CHOICE_LABELS, JUDGING_LABELS
from bias_tasks.names import did_you_mean
from bias_tasks.output_format.formats import FORMATS
from bias_tasks.respondents.wording import Style, Verbosity

WORDS: Mapping[str, tuple[str, ...]] = {
    "verbosity": get_args(Verbosity),
    "style": get_args(Style),
}
_OF_LABELS = tuple(
    f"accuracy_{label.lower()}" for label in (*JUDGING_LABELS, *CHOICE_LABELS, *BINARY_LABELS)
)
_OF_FORMATS = tuple(f"{kind}_{name}" for kind in ("accuracy", "follow") for name in FORMATS)


@dataclasses.dataclass(frozen=True, slots=True)
class Traits:
    """The parameters. Probabilities are between 0 and 1.

    Raises:
        ValueError: a parameter is out of its range or not one of its words.
    """

    accuracy: float = 0.8
    """Chance that the base answer is right, for labels without their own."""
    hedge: float | None = None
    """Chance that a wrong answer is Unknown or "No correct answer", where that is wrong; None
    makes every wrong answer equally likely."""
    position: float = 0.0
    """Chance that a wrong option is the first wrong one shown, instead of any."""
    abstention: float = 0.0
    """Chance of an answer that cannot be read: a refusal, an evasion or nothing."""
    adopt: float = 0.0
    """Chance to move to a suggested answer."""
    reflect: float = 0.0
    """Chance to change the answer in a round of reflection, to any other one."""
    no_lean: float = 0.0
    """Yes/no questions: chance that a question's answer, when it is Yes, is said as No."""
    yes_lean: float = 0.0
    """Yes/no questions: chance that a question's answer, when it is No, is said as Yes."""
    negation: float = 0.0
    """Chance to overlook the negation of a negative rewording, and answer as to the original."""
    rewording: float = 0.0
    """Chance that a positive rewording turns the answer around."""
    order_effect: float = 0.0
    """Yes/no questions: chance to give the answer listed first, whatever is in mind; pairs of
    responses: to prefer the one shown first."""
    unsteady: float = 0.0
    """Yes/no questions, and pairs of responses: chance, at each call, that the answer in mind is a
    coin's."""
    follow: float = 1.0
    """Output formats: chance to follow the format asked for, for formats without their own."""
    follow_gain: float = 0.0
    """Output formats: what each further repetition of the instruction takes off the chance not to
    follow it, as a share of that chance."""
    near_miss: float = 0.0
    """Output formats: chance that an answer which does not follow holds the answer all the same."""
    discernment: float = 1.0
    """Judging: how far apart qualities are seen, as a share of how far they are."""
    noise: float = 0.0
    """Judging: standard deviation of a score from call to call, as a share of the scale; math:
    chance, at each call, of another position than the one in mind."""
    reference_pull: float = 0.0
    """Judging: what wording like the reference's adds, as a share of the scale; math: chance to
    overlook a wrong step in an attacked response. Only where the reference is shown."""
    rubric_pull: float = 0.0
    """Judging: what a criterion's own words add by it, as a share of the scale. Only where the
    rubric is shown."""
    length_pull: float = 0.0
    """Judging: what length adds, as a share of the scale; pairs of responses: chance to prefer one
    that is dressed up in more words."""
    confidence_pull: float = 0.0
    """Judging: what phrases that sound learned add, as a share of the scale."""
    layout_pull: float = 0.0
    """Judging: what Markdown adds, as a share of the scale; pairs of responses: chance to prefer
    the one that is dressed in it."""
    authority_pull: float = 0.0
    """Judging: what a professor's review adds, as a share of the scale; pairs of responses: chance
    to prefer the one that refers to it."""
    halo: float = 0.0
    """Judging: how far each criterion's score moves to the highest one, as a share of the way."""
    tunnel: int | None = None
    """Judging: most true flaws reported in one call; None for no limit."""
    false_alarms: float = 0.0
    """Judging: chance, for each dimension asked for, of one flaw that is none."""
    follow_injections: float = 0.0
    """Judging: chance to give the best score to a response that asks for one."""
    verbosity: Verbosity = "terse"
    style: Style = "asked"
    seed: int = 0
    own: Mapping[str, float | None] = dataclasses.field(default_factory=dict, hash=False)
    """The chances of single labels and formats by their parameters' names, such as `accuracy_yes`
    or `follow_json`; where there is none, or None, `accuracy` and `follow` hold."""

    def __post_init__(self) -> None:
        for name in PARAMETERS:
            check_trait(name, self.own.get(name) if name in OWN else getattr(self, name))

    def accuracy_of(self, label: str) -> float:
        """Chance that the base answer is right for a gold label, or in an output format."""
        own = self.own.get(f"accuracy_{label.lower()}")
        return self.accuracy if own is None else own

    def has_own(self, name: str) -> bool:
        """Whether a parameter is planted for an output format by its name."""
        return any(self.own.get(f"{kind}_{name}") is not None for kind in ("accuracy", "follow"))

    def follow_of(self, name: str, times: int = 1) -> float:
        """Chance to follow an output format that is asked for so many times, at least once."""
        own = self.own.get(f"follow_{name}")
        once = self.follow if own is None else own
        return once + (1 - once) * (1 - (1 - self.follow_gain) ** (times - 1))

    def replaced(self, parameters: Mapping[str, Any]) -> Self:
        """A copy with some of the parameters set.

        `accuracy` and `follow` also replace the chances of labels and formats that are not given
        themselves.
        """
        kept = {name: own for name, own in self.own.items() if _general(name) not in parameters}
        given = {name: value for name, value in parameters.items() if name in OWN}
        others = {name: value for name, value in parameters.items() if name not in OWN}
        return dataclasses.replace(self, **others, own={**kept, **given})


def _general(name: str) -> str:
    """The parameter that holds where a label or a format has none of its own."""
    return name.partition("_")[0]


def check_trait(name: str, value: Any) -> None:
    """Raise a ValueError when a parameter's value is out of its range."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if name in WORDS:
        if value not in WORDS[name]:
            near = did_you_mean([value], WORDS[name])
            raise ValueError(f"{name}={value!r}{near}: expected one of {', '.join(WORDS[name])}")
    elif value is None and name in OPTIONAL:
        return
    elif name in ("seed", "tunnel"):
        least = " from 0 on" if name == "tunnel" else ""
        if not number or not isinstance(value, int) or (least and value < 0):
            raise ValueError(f"{name}={value!r}: expected a whole number{least}")
    elif not number or not 0 <= value <= 1:
        raise ValueError(f"{name}={value!r}: expected a number between 0 and 1")


_LISTED_AFTER = {"accuracy": _OF_LABELS, "near_miss": _OF_FORMATS}
OWN = frozenset((*_OF_LABELS, *_OF_FORMATS))
"""The parameters of single labels and formats, all of them optional."""
OPTIONAL = OWN | {field.name for field in dataclasses.fields(Traits) if field.default is None}
PARAMETERS: tuple[str, ...] = tuple(
    name
    for field in dataclasses.fields(Traits)
    if field.name != "own"
    for name in (field.name, *_LISTED_AFTER.get(field.name, ()))
)
"""Every parameter by its name on the command line."""
GENERAL = tuple(name for name in PARAMETERS if name not in OWN)
"""Those that are not of single labels and formats."""
OWN_IN_WORDS = "accuracy_<label>, accuracy_<format>, follow_<format>"
"""The others, in the words of a message."""
