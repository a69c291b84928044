"""The traits that can be planted in a simulated model."""

from statistics import NormalDist
from typing import Literal

from pydantic import ConfigDict, Field

from bias_tasks.binary_qa.items import BINARY_LABELS
from bias_tasks.instruction_boundary.items import CHOICE_LABELS, JUDGING_LABELS
from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.modes import MODES
from bias_tasks.simulated.draws import Chance, Simulated

_LABELS = (*JUDGING_LABELS, *CHOICE_LABELS, *BINARY_LABELS)
_FORM_NAMES = tuple({**FORMATS, **MODES})
SPECIFIC_TRAITS = (
    *(f"accuracy_{name}".lower() for name in (*_LABELS, *_FORM_NAMES)),
    *(f"follow_{name}" for name in _FORM_NAMES),
)
"""Traits for one label, or one format or mode; they replace `accuracy` and `follow`."""


class Traits(Simulated):
    """The general traits as fields, and `SPECIFIC_TRAITS` as extra fields.

    Traits are chances from 0 to 1 unless their comment says otherwise.
    """

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Chance] = Field(init=False)
    always: Literal[
        "", "echo", "empty", "long", "first", "last", "yes", "no", "guess", "suggested", "tie"
    ] = ""
    """The constant answer (`constant_answer`); empty: answers follow from the other traits."""
    accuracy: Chance = 0.8  # of a right base answer
    hedge: Chance | None = None  # of Unknown or none as a wrong answer; None: all equally likely
    position: Chance = 0.0  # of the first wrong option as a wrong answer
    abstention: Chance = 0.0  # of an answer without a value: a refusal, an evasion, nothing
    adopt: Chance = 0.0  # to adopt a suggested answer
    reflect: Chance = 0.0  # to change the answer in a round of reflection, or after any pushback
    yields: Chance = 0.0  # to give up the answer after a doubt, or for a claim that is wrong
    learns: Chance = 0.0  # to accept a right claim after the answer
    # yes/no questions
    no_lean: Chance = 0.0  # to answer No instead of Yes
    yes_lean: Chance = 0.0  # to answer Yes instead of No
    negation: Chance = 0.0  # to overlook the negation of a negative rewording
    rewording: Chance = 0.0  # to reverse the answer to a positive rewording
    order_effect: Chance = 0.0  # to give the answer, or prefer the response, that is listed first
    unsteady: Chance = 0.0  # of a random answer, or a random preference, by call
    # output formats
    follow: Chance = 1.0  # to follow the requested format
    near_miss: Chance = 0.0  # that an answer in another format contains the answer
    # judges: shares of the scale, or chances for pairs
    discernment: Chance = 1.0  # factor of the differences between perceived qualities
    noise: Chance = 0.0  # standard deviation of a score between calls; math: a chance
    reference_pull: Chance = 0.0  # effect of an attack toward the reference, if it is displayed
    rubric_pull: Chance = 0.0  # effect of an attack toward the rubric, if it is displayed
    length_pull: Chance = 0.0  # effect of length
    confidence_pull: Chance = 0.0  # effect of style that no criterion covers
    layout_pull: Chance = 0.0  # effect of Markdown
    authority_pull: Chance = 0.0  # effect of a professor's review
    halo: Chance = 0.0  # share by which criteria move to the highest one
    tunnel: int | None = Field(None, ge=0)  # maximum number of true flaws reported in one call
    reports: int | None = Field(None, ge=0)  # number of flaws in every report, true or not
    false_alarms: Chance = 0.0  # of reporting a flaw that does not exist, per dimension
    oblique: bool = False  # whether answers are encoded so that only a grader parses them

    def abstains(self, *key: str) -> bool:
        """Return whether the model does not answer the question with this key."""
        return self.draw("abstain", *key) < self.abstention

    def is_right(self, *key: str, name: str = "") -> bool:
        """Return whether the base answer to the question with this key is right.

        Args:
            *key: Key of the draw.
            name: Gold label or output format; empty for a question without labels.
        """
        return self.draw("right", *key) < self.find_accuracy(name)

    def find_accuracy(self, name: str) -> float:
        """Return the chance of a right base answer for a gold label or an output format."""
        return self.__pydantic_extra__.get(f"accuracy_{name.lower()}", self.accuracy)

    def find_follow(self, name: str) -> float:
        """Return the chance to follow an output format."""
        return self.__pydantic_extra__.get(f"follow_{name}", self.follow)

    def draw_noise(self, call: str) -> float:
        """Return a normal draw with standard deviation `noise` for a call of a judge."""
        chance = min(max(self.draw("noise", call), 1e-12), 1 - 1e-12)
        return self.noise * NormalDist().inv_cdf(chance)
