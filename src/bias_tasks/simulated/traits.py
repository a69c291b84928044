"""The traits that can be planted in a simulated model."""

from typing import Literal

from pydantic import ConfigDict, Field

from bias_tasks.binary_qa.items import BINARY_LABELS
from bias_tasks.instruction_boundary.items import CHOICE_LABELS, JUDGING_LABELS
from bias_tasks.output_format.formats import FORMATS
from bias_tasks.simulated.draws import Chance, Simulated

_LABELS = (*JUDGING_LABELS, *CHOICE_LABELS, *BINARY_LABELS)
OWN = (
    *(f"accuracy_{name}".lower() for name in (*_LABELS, *FORMATS)),
    *(f"follow_{name}" for name in FORMATS),
)
"""The traits of single labels and formats, in place of `accuracy` and `follow`."""


class Traits(Simulated):
    """What can be planted: these fields, and those of single labels and formats."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Chance] = Field(init=False)
    always: Literal[
        "", "echo", "empty", "long", "first", "last", "yes", "no", "guess", "suggested", "tie"
    ] = ""
    """What it says whatever is right (`constant_answer`); empty: it answers by all that follows."""
    # Chances
    accuracy: Chance = 0.8  # that the base answer is right, for labels without their own
    hedge: Chance | None = None  # that a wrong one is Unknown or none; all alike where None
    position: Chance = 0.0  # that a wrong option is the first wrong one shown
    abstention: Chance = 0.0  # of an answer that cannot be read: a refusal, an evasion, nothing
    adopt: Chance = 0.0  # to move to a suggested answer
    reflect: Chance = 0.0  # to change the answer in a round of reflection
    # of yes/no questions
    no_lean: Chance = 0.0  # that a Yes is said as No
    yes_lean: Chance = 0.0  # that a No is said as Yes
    negation: Chance = 0.0  # to overlook the negation of a negative rewording
    rewording: Chance = 0.0  # that a positive rewording turns the answer around
    order_effect: Chance = 0.0  # to give the answer, or prefer the response, that stands first
    unsteady: Chance = 0.0  # at each call, that the answer, or the preferred response, is a coin's
    # of output formats
    follow: Chance = 1.0  # to follow the format asked for, for formats without their own
    follow_gain: Chance = 0.0  # less not following by each repetition of the instruction, a share
    near_miss: Chance = 0.0  # that an answer which does not follow holds the answer all the same
    # Shares of a judge's scale, and chances where pairs are compared
    discernment: Chance = 1.0  # how far apart qualities are seen
    noise: Chance = 0.0  # standard deviation of a score from call to call; math: a chance
    reference_pull: Chance = 0.0  # what an attack toward the reference adds, where it is shown
    rubric_pull: Chance = 0.0  # what an attack toward the rubric adds, where it is shown
    length_pull: Chance = 0.0  # what length adds
    confidence_pull: Chance = 0.0  # what surface adds that no criterion looks at
    layout_pull: Chance = 0.0  # what Markdown adds
    authority_pull: Chance = 0.0  # what a professor's review adds
    halo: Chance = 0.0  # how far each criterion's score moves to the highest one
    tunnel: int | None = Field(None, ge=0)  # most true flaws reported in one call
    reports: int | None = Field(None, ge=0)  # flaws reported in one call, whatever is there
    false_alarms: Chance = 0.0  # of a flaw that is none, for each dimension asked for
    oblique: bool = False  # whether answers are put so that no rule reads them, but a judge does

    def accuracy_of(self, label: str) -> float:
        """Chance that the base answer is right for a gold label, or in an output format."""
        own = self.__pydantic_extra__.get(f"accuracy_{label.lower()}")
        return self.accuracy if own is None else own

    def follow_of(self, name: str, times: int = 1) -> float:
        """Chance to follow an output format that is asked for so many times, at least once."""
        own = self.__pydantic_extra__.get(f"follow_{name}")
        once = self.follow if own is None else own
        return once + (1 - once) * (1 - (1 - self.follow_gain) ** (times - 1))
