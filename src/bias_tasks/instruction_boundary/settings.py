"""The settings of Instruction Boundary (section 2.1, table 2) and their parameters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bias_tasks.contract.parameters import declared
from bias_tasks.data.files import read_yaml
from bias_tasks.instruction_boundary.items import FORMS, LABELS, Form
from bias_tasks.names import PaperProtocol, names_in

COVERAGE: Mapping[str, str] = read_yaml(__package__, "tasks")["coverage"]
"""How much the instruction of each setting says: sufficient, redundant or insufficient."""
SETTINGS: tuple[str, ...] = tuple(COVERAGE)
ALL_SETTINGS = "instruction_boundary"
"""Name of the run that asks every setting of the same items."""
MISCELLANY = "disturbing_miscellany"
LEVELS = range(1, 10)
"""Numbers of distractors that there can be (table 6)."""
PARAMETERS = declared(__package__).parameters


@dataclass(frozen=True, slots=True)
class SettingParams:
    """How the settings are carried out; the same for every item of a run.

    What each means, and may be, stands in `tasks.yaml`; here `distractors` is a single number.
    """

    protocol: PaperProtocol = "corrected"
    seed: int = 0
    suggest: str = "sparse"
    examples: str = "sparse"
    shots: int = 1
    distractors: int = 9
    rounds: int = 2
    polish: str = "template"
    base: bool = False


def forms_of(form: str) -> tuple[Form, ...]:
    """The forms that `judging`, `choice` or `all` stands for."""
    return tuple(known for known in FORMS if form in (known, "all"))


def distractor_levels(given: int | str | Sequence[int | str]) -> tuple[int, ...]:
    """The numbers of distractors given (one, several as a list or separated by commas, or `all`),
    each once and in ascending order. A ValueError where there is none, or one is not among
    `LEVELS`."""
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


def check_forms(
    task: str, params: SettingParams, levels: Sequence[int], forms: tuple[Form, ...]
) -> None:
    """Refuse what a form that is run does not have. A ValueError where a label to suggest, or of
    examples, is of the other form; or there are several numbers of distractors and judging items,
    which always get table 2's two options."""
    for setting, name in (("conformity", "suggest"), ("few_shot", "examples")):
        value = getattr(params, name)
        for form, labels in LABELS.items():
            if task in (setting, ALL_SETTINGS) and value in labels and forms != (form,):
                raise ValueError(
                    f"{name}={value} is a label of the {form} form: run it with form={form}"
                )
    if task in (MISCELLANY, ALL_SETTINGS) and len(levels) > 1 and forms != ("choice",):
        raise ValueError(
            "several numbers of distractors are of the choice form: run them with form=choice"
        )
