"""The settings of Instruction Boundary (section 2.1, table 2) and their parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from bias_tasks.data.files import read_yaml
from bias_tasks.instruction_boundary.items import FORMS, LABELS, Form
from bias_tasks.names import PaperProtocol
from bias_tasks.parameters import declared, names_in

COVERAGE: Mapping[str, str] = read_yaml(__package__, "tasks")["coverage"]
"""How much the instruction of each setting says: sufficient, redundant or insufficient."""
SETTINGS: tuple[str, ...] = tuple(COVERAGE)
MISCELLANY = "disturbing_miscellany"
LEVELS = range(1, 10)
"""Numbers of distractors that there can be (table 6)."""
Distractors = int | str | Sequence[int | str]
"""One number of distractors, several as a list or separated by commas, or `all`."""


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
    """Few-shot: labels of the worked examples, `sparse`, `tense`, `balanced`, or one label."""
    shots: int = 1
    """Few-shot: worked examples a label."""
    distractors: int = 9
    """Disturbing miscellany: wrong options shown beside the right one, one of `LEVELS`."""
    rounds: int = 2
    """Multi-turn: rounds in all, at least 2."""
    polish: str = "template"
    """Prompt polishing: the paper's polished `template`, or `live`: the vanilla prompt rewritten
    by the model in the role `polisher`."""
    base: bool = False
    """For base models: every prompt ends in a line on which the answer is to follow."""

    def __post_init__(self) -> None:
        for field in fields(self):
            PARAMETERS[field.name].check(getattr(self, field.name))
        if distractor_levels(self.distractors) != (self.distractors,):
            raise ValueError(f"distractors={self.distractors!r}: one prompt shows one number")

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


def check_label(parameter: str, value: str, forms: tuple[Form, ...]) -> None:
    """Refuse a label that one of the forms run does not have, as the value of a parameter.

    Raises:
        ValueError: the label belongs to the other form.
    """
    for form, labels in LABELS.items():
        if value in labels and set(forms) != {form}:
            raise ValueError(
                f"{parameter}={value} is a label of the {form} form: run it with form={form}"
            )


def distractor_levels(given: Distractors) -> tuple[int, ...]:
    """The numbers of distractors given, each once and in ascending order.

    Raises:
        ValueError: there is none, or one is not among `LEVELS`.
    """
    if given == "all":
        return tuple(LEVELS)
    several = [given] if isinstance(given, int) else given
    names = names_in(several if isinstance(several, str) else [str(each) for each in several])
    known = {str(level): level for level in LEVELS}
    if isinstance(given, bool) or not names or not set(names) <= set(known):
        raise ValueError(
            f"distractors={given!r}: expected whole numbers from {LEVELS[0]} to {LEVELS[-1]}, "
            "separated by commas, or `all`"
        )
    return tuple(sorted(known[name] for name in names))


def check_levels(levels: Sequence[int], forms: tuple[Form, ...]) -> None:
    """Refuse several numbers of distractors where judging items are run.

    Raises:
        ValueError: a judging item has no number of distractors, since it always gets table 2's two
            options.
    """
    if len(levels) > 1 and forms != ("choice",):
        raise ValueError(
            "several numbers of distractors are of the choice form: run them with form=choice"
        )


PARAMETERS = declared(__package__).parameters
ALL_SETTINGS = "instruction_boundary"
"""Name of the run that asks every setting of the same items."""
