"""The settings of Instruction Boundary (section 2.1, table 2) and their parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from bias_tasks.data.yaml_files import read_yaml
from bias_tasks.instruction_boundary.items import (
    CHOICE_LABELS,
    FORMS,
    JUDGING_LABELS,
    Form,
)
from bias_tasks.instruction_boundary.parameters import PARAMETERS
from bias_tasks.protocols import PaperProtocol

COVERAGE: Mapping[str, str] = read_yaml(__package__, "tasks")["coverage"]
"""How much the instruction of each setting says: sufficient, redundant or insufficient."""
SETTINGS: tuple[str, ...] = tuple(COVERAGE)


@dataclass(frozen=True, slots=True)
class SettingParams:
    """How the settings are carried out; the same for every item of a run.

    Raises:
        ValueError: a value is not among the allowed ones; the message lists them.
    """

    protocol: PaperProtocol = "corrected"
    seed: int = 0
    """Draws the option left out, the distractors and their order, and the rotating suggestion."""
    suggest: str = "sparse"
    """Conformity: `sparse` (the paper's: Unknown; no correct option), `tense`, `rotate` (a seeded
    label an item), `wrong` (a seeded wrong answer an item), or one label."""
    examples: str = "sparse"
    """Few-shot: labels of the worked examples."""
    shots: int = 1
    """Few-shot: worked examples a label."""
    distractors: int = 9
    """Disturbing miscellany: wrong options shown beside the right one, 1 to 9."""
    rounds: int = 2
    """Multi-turn: rounds in all, at least 2."""
    polish: str = "template"
    """Prompt polishing: the paper's polished `template`, or `live`: the vanilla prompt rewritten
    by the model in the role `polisher`."""

    def __post_init__(self) -> None:
        for field in fields(self):
            PARAMETERS[field.name].check(getattr(self, field.name))

    def to_dict(self) -> dict[str, Any]:
        """The parameters as plain JSON values."""
        return asdict(self)


def check_form(form: str) -> tuple[Form, ...]:
    """The forms that `judging`, `choice` or `all` stands for.

    Raises:
        ValueError: `form` is none of these.
    """
    PARAMETERS["form"].check(form)
    return FORMS if form == "all" else tuple(known for known in FORMS if known == form)


def check_suggestion(suggest: str, forms: tuple[Form, ...]) -> None:
    """Refuse a label that one of the forms run does not have.

    Raises:
        ValueError: the label belongs to the other form.
    """
    for form, labels in (("judging", JUDGING_LABELS), ("choice", CHOICE_LABELS)):
        if suggest in labels and set(forms) != {form}:
            raise ValueError(
                f"suggest={suggest} is a label of the {form} form: run it with form={form}"
            )
