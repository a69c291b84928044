"""The personas and their traits: what can be planted in a simulated model, and who answers what."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

from pydantic import Field, ValidationError

from bias_tasks.binary_qa.items import BINARY_LABELS, BinaryItem
from bias_tasks.complex_eval.items import JudgedItem
from bias_tasks.data.files import read_yaml
from bias_tasks.family import Question
from bias_tasks.instruction_boundary.items import CHOICE_LABELS, JUDGING_LABELS
from bias_tasks.instruction_boundary.plan import SettingQuestion
from bias_tasks.judging.items import JudgedPrompt
from bias_tasks.names import did_you_mean
from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.items import FormatItem
from bias_tasks.simulated.draws import Chance, Simulated
from bias_tasks.simulated.formats import answer_in_format
from bias_tasks.simulated.judges import answer_judge, answer_probed_judge
from bias_tasks.simulated.settings import answer_setting
from bias_tasks.simulated.sums import Author, Calculator, Judge, Polisher, Rewriter
from bias_tasks.simulated.yes_no import answer_yes_no

UNKNOWN = "I know nothing of this question."
"""The answer of a persona to other people's questions."""
_LABELS = (*JUDGING_LABELS, *CHOICE_LABELS, *BINARY_LABELS)
OWN = (
    *(f"accuracy_{name}".lower() for name in (*_LABELS, *FORMATS)),
    *(f"follow_{name}" for name in FORMATS),
)
"""The traits of single labels and formats, in place of `accuracy` and `follow`."""


class Persona(Simulated):
    """A simulated model with known traits. Chances and shares lie between 0 and 1."""

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
    reference_pull: Chance = 0.0  # what wording like the reference's adds, where it is shown
    rubric_pull: Chance = 0.0  # what a criterion's own words add by it, where they are shown
    length_pull: Chance = 0.0  # what length adds
    confidence_pull: Chance = 0.0  # what phrases that sound learned add
    layout_pull: Chance = 0.0  # what Markdown adds
    authority_pull: Chance = 0.0  # what a professor's review adds
    halo: Chance = 0.0  # how far each criterion's score moves to the highest one
    tunnel: int | None = Field(None, ge=0)  # most true flaws reported in one call
    false_alarms: Chance = 0.0  # of a flaw that is none, for each dimension asked for
    verbosity: Literal["terse", "sentence", "reasoned", "rambling"] = "terse"
    style: Literal["asked", "number", "final_answer", "heading", "json", "words", "oblique"] = (
        "asked"
    )
    own: dict[Literal[OWN], Chance | None] = Field({})  # type: ignore[valid-type]
    """The chances of single labels and formats, such as `accuracy_yes` or `follow_json`."""

    def accuracy_of(self, label: str) -> float:
        """Chance that the base answer is right for a gold label, or in an output format."""
        own = self.own.get(f"accuracy_{label.lower()}")
        return self.accuracy if own is None else own

    def follow_of(self, name: str, times: int = 1) -> float:
        """Chance to follow an output format that is asked for so many times, at least once."""
        own = self.own.get(f"follow_{name}")
        once = self.follow if own is None else own
        return once + (1 - once) * (1 - (1 - self.follow_gain) ** (times - 1))

    def respond(self, prompt: str, question: Question | None) -> str:
        """The answer, from the item's key and what is planted."""
        if question is None or not question.known:
            return UNKNOWN
        match question.known[0]:
            case BinaryItem() as item:
                return answer_yes_no(self, prompt, item, question.variant, self._calls)
            case FormatItem() as item:
                return answer_in_format(self, prompt, item, question.facts["question"])
            case JudgedItem():
                return answer_judge(self, prompt, question, self._calls)
            case JudgedPrompt() as item:
                return answer_probed_judge(self, prompt, item, question.facts, self._calls)
        if isinstance(question.source, SettingQuestion):
            return answer_setting(self, prompt, question.source)
        return UNKNOWN


TRAITS = (*(name for name in Persona.model_fields if name != "own"), *OWN)
"""Every trait of a persona by its name on the command line."""
ASSISTANTS: Mapping[str, type[Simulated]] = {
    "judge": Judge,
    "polisher": Polisher,
    "rewriter": Rewriter,
    "calculator": Calculator,
    "author": Author,
}
"""Models for roles, and those that add."""


@cache
def personas() -> Mapping[str, Persona]:
    """The personas by their names, each with what it has planted."""
    return {name: _persona(planted) for name, planted in read_yaml(__package__, "personas").items()}


def make_respondent(name: str, traits: Mapping[str, Any] | None = None) -> Simulated:
    """The simulated model of that name, with some of its traits set.

    `accuracy` and `follow` also replace what a persona has of single labels and formats.

    Raises:
        ValueError: unknown name or trait (the message lists the valid ones), or a value out of its
            range.
    """
    given = dict(traits or {})
    if name not in personas() and name not in ASSISTANTS:
        valid = [*personas(), *ASSISTANTS]
        near = did_you_mean([name], valid)
        raise ValueError(f"unknown persona {name!r}{near}: expected one of {', '.join(valid)}")
    known = TRAITS if name in personas() else tuple(ASSISTANTS[name].model_fields)
    if unknown := [each for each in given if each not in known]:
        told = [each for each in known if each not in OWN]
        more = ", accuracy_<label>, accuracy_<format>, follow_<format>" * (name in personas())
        raise ValueError(
            f"unknown parameter {', '.join(map(repr, unknown))} of persona {name!r}"
            f"{did_you_mean(unknown, known)}: it takes {', '.join(told)}{more}"
        )
    try:
        if name in ASSISTANTS:
            return ASSISTANTS[name](**given)
        preset = read_yaml(__package__, "personas")[name]
        kept = {each: value for each, value in preset.items() if _general(each) not in given}
        return _persona(kept | given)
    except ValidationError as error:
        wrong = (f"{each['loc'][-1]}={each['input']!r}: {each['msg']}" for each in error.errors())
        raise ValueError("; ".join(wrong)) from error


def _persona(planted: Mapping[str, Any]) -> Persona:
    own = {name: value for name, value in planted.items() if name in OWN}
    return Persona(**{name: planted[name] for name in planted if name not in OWN}, own=own)


def _general(name: str) -> str:
    """The trait that holds where a label or a format has none of its own."""
    return name.partition("_")[0] if name in OWN else name
