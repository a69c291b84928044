"""The personas, by their names, and who answers what."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from pydantic import ValidationError

from bias_tasks.binary_qa.items import BinaryItem
from bias_tasks.complex_eval.items import JudgedItem
from bias_tasks.contract.family import Question
from bias_tasks.data.files import read_yaml
from bias_tasks.instruction_boundary.plan import SettingQuestion
from bias_tasks.judging.items import JudgedPrompt
from bias_tasks.names import did_you_mean
from bias_tasks.output_format.items import FormatItem
from bias_tasks.simulated.constant import constant_answer
from bias_tasks.simulated.draws import Simulated, in_signs
from bias_tasks.simulated.formats import answer_in_format
from bias_tasks.simulated.judges import answer_judge, answer_probed_judge
from bias_tasks.simulated.settings import answer_setting
from bias_tasks.simulated.traits import OWN, Traits
from bias_tasks.simulated.yes_no import answer_yes_no

UNKNOWN = "I know nothing of this question."
"""The answer of a persona to other people's questions."""


class Persona(Traits):
    """A simulated model with known traits, and how it answers every family's questions."""

    def respond(self, prompt: str, question: Question | None) -> str:
        """The answer, from the item's key and what is planted."""
        said = self._answer(prompt, question)
        return in_signs(said) if self.oblique else said

    def _answer(self, prompt: str, question: Question | None) -> str:
        if self.always:
            return constant_answer(self, prompt, question)
        if question is None or not question.known:
            return UNKNOWN
        match question.known[0]:
            case BinaryItem() as item:
                return answer_yes_no(self, prompt, item, question.variant)
            case FormatItem() as item:
                return answer_in_format(self, prompt, item, question.facts["question"])
            case JudgedItem():
                return answer_judge(self, prompt, question)
            case JudgedPrompt() as item if item.responses:
                return answer_probed_judge(self, prompt, item, question.facts)
        if isinstance(question.source, SettingQuestion):
            return answer_setting(self, prompt, question.source)
        return UNKNOWN


_ASSISTANTS = ("judge", "polisher", "rewriter", "calculator", "author")
"""Models for roles, and those that add, each a class of `simulated.sums`."""


def make_respondent(name: str, traits: Mapping[str, Any] | None = None) -> Simulated:
    """The simulated model of that name, with some of its traits set.

    `accuracy` and `follow` also replace what a persona has of single labels and formats. A
    ValueError for an unknown name or trait (the message lists the valid ones), or a value out of
    its range."""
    given, presets = dict(traits or {}), read_yaml(__package__, "personas")
    valid = [*presets, *_ASSISTANTS]
    if name not in valid:
        near = did_you_mean([name], valid)
        raise ValueError(f"unknown persona {name!r}{near}: expected one of {', '.join(valid)}")
    kind: type[Simulated] = Persona
    own, preset = OWN, presets.get(name, {})
    if name in _ASSISTANTS:  # loaded where it is asked for, with probes and the prompts of judges
        kind, own = getattr(import_module(f"{__package__}.sums"), name.capitalize()), ()
    if unknown := [each for each in given if each not in {*kind.model_fields, *own}]:
        near = did_you_mean(unknown, (*kind.model_fields, *own))
        more = ", accuracy_<label>, accuracy_<format>, follow_<format>" if own else ""
        raise ValueError(
            f"unknown parameter {', '.join(map(repr, unknown))} of persona {name!r}{near}: it "
            f"takes {', '.join(kind.model_fields)}{more}"
        )
    # the general trait of a label's or a format's own one stands before the underscore
    general = {each: each.partition("_")[0] if each in OWN else each for each in preset}
    kept = {each: value for each, value in preset.items() if general[each] not in given}
    try:
        return kind(**kept | given)
    except ValidationError as error:
        wrong = (f"{each['loc'][-1]}={each['input']!r}: {each['msg']}" for each in error.errors())
        raise ValueError("; ".join(wrong)) from error
