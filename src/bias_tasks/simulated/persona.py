"""Simulated models of the evaluated model: their presets by name, and which code answers what."""

import runpy
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from traceback import extract_tb

from pydantic import ValidationError

from bias_tasks.binary_qa.plan import BinaryData
from bias_tasks.complex_eval.scoring_data import JudgeData
from bias_tasks.contract.questions import Question, ScoringData
from bias_tasks.data.files import read_yaml
from bias_tasks.instruction_boundary.scoring_data import SettingData
from bias_tasks.judge_bias.items import JudgeBiasData
from bias_tasks.output_format.scoring_data import FormatData
from bias_tasks.simulated.complex_eval import answer_judge
from bias_tasks.simulated.constant import constant_answer
from bias_tasks.simulated.draws import UNKNOWN, Simulated, encode_braille
from bias_tasks.simulated.formats import answer_in_format
from bias_tasks.simulated.judge_bias import answer_probed_judge
from bias_tasks.simulated.settings import answer_setting
from bias_tasks.simulated.traits import SPECIFIC_TRAITS, Traits
from bias_tasks.simulated.yes_no import answer_yes_no
from bias_tasks.user_names import did_you_mean

_ANSWERS: Mapping[type[ScoringData], Callable[[Traits, str, Question], str]] = {
    SettingData: answer_setting,
    BinaryData: answer_yes_no,
    FormatData: answer_in_format,
    JudgeData: answer_judge,
    JudgeBiasData: answer_probed_judge,
}
"""What answers the questions of each family, from their scoring data and the traits."""
_ROLES = ("grader", "polisher", "rewriter", "author")
"""Names of models for model roles; each is a class of `simulated.roles`."""


class Persona(Traits):
    """A simulated model that answers the questions of every family."""

    def respond(self, prompt: str, question: Question | None) -> str:
        """Return the answer, which depends on the item's label and the traits."""
        answer = _ANSWERS.get(type(question.scoring_data)) if question else None
        if self.always:
            text = constant_answer(self, prompt, question)
        elif question is None or answer is None:
            text = UNKNOWN
        else:
            text = answer(self, prompt, question)
        return encode_braille(text) if self.oblique else text


def make_simulated_model(name: str, traits: Mapping[str, object] | None = None) -> Simulated:
    """Build a simulated model.

    Args:
        name: A preset of `personas.yaml`, a model for a role, or a class in a user's file
            (`file.py@Class`).
        traits: Traits that replace those of the preset. `accuracy` and `follow` also replace the
            preset's traits for single labels and formats.

    Raises:
        ValueError: A name or a trait is unknown, or a value is out of range.
    """
    overrides, presets = dict(traits or {}), read_yaml(__package__, "personas")
    model_class: type[Simulated] = Persona
    specific: tuple[str, ...] = SPECIFIC_TRAITS
    if "@" in name:
        model_class, specific = _load_class(*name.rsplit("@", 1)), ()
    elif name in _ROLES:  # Imported only if needed, since it loads prompts of several families.
        roles = import_module(f"{__package__}.roles")
        model_class, specific = getattr(roles, name.capitalize()), ()
    elif name not in presets:
        valid_names = [*presets, *_ROLES]
        near = did_you_mean([name], valid_names)
        raise ValueError(
            f"unknown persona {name!r}{near}: expected one of {', '.join(valid_names)}"
        )
    _check_traits(name, overrides, tuple(model_class.model_fields), specific)
    preset = {
        trait: value
        for trait, value in presets.get(name, {}).items()
        if _find_general_trait(trait) not in overrides
    }
    try:
        return model_class(**preset | overrides)
    except ValidationError as error:
        problems = (
            f"{problem['loc'][-1]}={problem['input']!r}: {problem['msg']}"
            for problem in error.errors()
        )
        raise ValueError("; ".join(problems)) from error


def _check_traits(
    name: str, traits: Mapping[str, object], general: tuple[str, ...], specific: tuple[str, ...]
) -> None:
    """Raise a ValueError if a trait is unknown."""
    valid_names = (*general, *specific)
    unknown = [trait for trait in traits if trait not in valid_names]
    if unknown:
        near = did_you_mean(unknown, valid_names)
        patterns = ", accuracy_<label>, accuracy_<format>, follow_<format>" if specific else ""
        raise ValueError(
            f"unknown parameter {', '.join(map(repr, unknown))} of persona {name!r}{near}: valid "
            f"parameters are {', '.join(general)}{patterns}"
        )


def _find_general_trait(trait: str) -> str:
    """Return the general trait of a label's or format's trait, else the trait itself."""
    return trait.partition("_")[0] if trait in SPECIFIC_TRAITS else trait


def _load_class(path: str, name: str) -> type[Simulated]:
    """Return the class of a simulated model in a user's file; raises a ValueError without it."""
    if not Path(path).is_file():
        raise ValueError(f"there is no file {path} with a simulated model")
    try:
        # inspect-evals-lint: ignore[host_code_execution] -- a file that the user names
        model_class = runpy.run_path(path).get(name)
    except SyntaxError as error:
        raise ValueError(f"{error.filename}, line {error.lineno}: {error.msg}") from error
    except Exception as error:  # any error of the user's code
        frames = [frame for frame in extract_tb(error.__traceback__) if frame.filename == path]
        place = f"{path}, line {frames[-1].lineno}" if frames else path
        message = " ".join(str(error).split())
        raise ValueError(f"{place}: {type(error).__name__}: {message}") from error
    if not (isinstance(model_class, type) and issubclass(model_class, Simulated)):
        raise ValueError(f"there is no class {name!r} of a simulated model in {path}")
    return model_class
