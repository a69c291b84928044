"""The settings of Instruction Boundary (section 2.1, table 2) and their parameters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from bias_tasks.contract.declarations import load_declaration
from bias_tasks.contract.parameters import ParameterValues
from bias_tasks.data.files import read_yaml
from bias_tasks.instruction_boundary.items import FORMS, LABELS, Form
from bias_tasks.protocols import DesignSource, PaperProtocol, check_paper_only
from bias_tasks.user_names import Names, parse_names

COVERAGE: Mapping[str, str] = read_yaml(__package__, "tasks")["coverage"]
"""How much the instruction of each setting says: sufficient, redundant or insufficient."""
SOURCE: Mapping[str, DesignSource] = read_yaml(__package__, "tasks")["source"]
"""Whose each setting and variant is."""
SETTINGS: tuple[str, ...] = tuple(COVERAGE)
ALL_SETTINGS = "instruction_boundary"
"""Name of the task that runs every setting on the same items."""
MISCELLANY = "disturbing_miscellany"
CONFORMITY = "conformity"
PUSHBACK = "pushback"
"""Name of the task of pushback after an answer. It is ours, so that `ALL_SETTINGS` is without."""
CONTROL = "control"
"""The kind of pushback that is none: a neutral message."""
CLAIMS: Mapping[str, str] = {"wrong": "wrong_option", "right": "right"}
"""What a kind of pushback suggests, by its name before the first underscore."""
DISTRACTOR_LEVELS = range(1, 10)
"""Possible numbers of distractors (table 6)."""
PARAMETERS = load_declaration(__package__).parameters


@dataclass(frozen=True, slots=True)
class SettingParams:
    """Values of the parameters of settings; `parameters.py` describes each.

    Settings without a parameter do not use its value. `distractors` is one number here: a run with
    several has several of these objects. So is `suggestions`: the prompt makes the last of as many
    wrong suggestions for the item.
    """

    protocol: PaperProtocol = "corrected"
    seed: int = 0
    suggest: str = "sparse"
    suggestion: str = "expert"
    suggestions: int = 1
    example_labels: str = "sparse"
    shots: int = 1
    distractors: int = 9
    rounds: int = 2
    dialogue: bool = False
    polish: str = "template"
    label_modification: bool = False
    base_model: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RunParams:
    """Values of all parameters of a run; `parameters.py` describes each."""

    task: str
    """Name of a setting, or `ALL_SETTINGS`."""
    n: int | None
    """Maximum number of items; None for all."""
    settings: tuple[SettingParams, ...]
    """One for each number of distractors, in ascending order; equal otherwise."""
    data: str
    form: str
    """A form, or `all`."""
    sources: Names
    paired: bool = True
    level: int | None = None
    """Level of generated items."""
    kinds: Names = None
    """The kinds of pushback besides the control."""

    @classmethod
    def from_values(cls, task: str, values: ParameterValues, n: int | None) -> "RunParams":
        """Return the parameters of a run.

        Args:
            task: Name of the task.
            values: The values of its parameters, checked by `TaskSpec.values`.
            n: Maximum number of items; None for all.

        Raises:
            ValueError: Values contradict each other.
        """
        setting, rest = (
            {field.name: values[field.name] for field in fields(kind) if field.name in values}
            for kind in (SettingParams, cls)
        )
        levels = parse_distractor_levels(setting.pop("distractors", SettingParams().distractors))
        settings = tuple(SettingParams(**setting, distractors=level) for level in levels)
        run = cls(**{**rest, "task": task, "n": n, "settings": settings})
        run._check_forms()
        run._check_suggestions()
        run._check_label_modification()
        variants = [PARAMETERS[name].format(value) for name, value in setting.items()]
        names = SETTINGS if task == ALL_SETTINGS else (task,)
        ours = [name for name in (*names, *variants) if SOURCE.get(name) == "ours"]
        check_paper_only(settings[0].protocol, ours)
        return run

    @property
    def asks_several_suggestions(self) -> bool:
        """Whether conformity asks each item with more than one suggestion."""
        return self.settings[0].suggest == "both" or self.settings[0].suggestions > 1

    def _check_suggestions(self) -> None:
        """Check that only wrong suggestions are several.

        Raises:
            ValueError: There are several suggestions of another kind.
        """
        suggest, suggestions = self.settings[0].suggest, self.settings[0].suggestions
        if suggestions > 1 and suggest not in ("wrong", "both"):
            raise ValueError(
                f"suggestions={suggestions} needs suggest=wrong or suggest=both, but suggest="
                f"{suggest}"
            )

    def _check_label_modification(self) -> None:
        """Check that labels are modified only where the run has choice items to modify.

        Raises:
            ValueError: There are none, or the run repeats the public code, which modifies none.
        """
        setting = self.settings[0]
        if setting.label_modification and "choice" not in select_forms(self.form):
            raise ValueError("label_modification=true changes choice items alone: set form=choice")
        if setting.label_modification and setting.protocol == "published":
            raise ValueError(
                "label_modification=true is not in the authors' public code: set protocol=corrected"
            )

    def _check_forms(self) -> None:
        """Check that every form of the run has the requested labels and numbers of distractors.

        Raises:
            ValueError: A label to suggest or of examples belongs to the other form; or there are
                several numbers of distractors and judging items, which always get the two options
                of table 2.
        """
        forms = select_forms(self.form)
        for setting, name in (("conformity", "suggest"), ("few_shot", "example_labels")):
            value = getattr(self.settings[0], name)
            for form, labels in LABELS.items():
                is_used = self.task in (setting, ALL_SETTINGS)
                if is_used and value in labels and forms != (form,):
                    raise ValueError(
                        f"{name}={value} is a label of the {form} form: run it with form={form}"
                    )
        several = len(self.settings) > 1 and self.task in (MISCELLANY, ALL_SETTINGS)
        if several and forms != ("choice",):
            raise ValueError(
                "only the choice form has several numbers of distractors: run them with form=choice"
            )


def select_forms(form: str) -> tuple[Form, ...]:
    """Return the forms that `judging`, `choice` or `all` selects."""
    return tuple(known for known in FORMS if form in (known, "all"))


def parse_distractor_levels(value: int | str | Sequence[int | str]) -> tuple[int, ...]:
    """Return the requested numbers of distractors, without duplicates and in ascending order.

    Args:
        value: One number; several as a list or separated by commas; or `all`.

    Raises:
        ValueError: There is no number, or one is not in `DISTRACTOR_LEVELS`.
    """
    if value == "all":
        return tuple(DISTRACTOR_LEVELS)
    parts = [value] if isinstance(value, int) else value
    names = parse_names(parts if isinstance(parts, str) else [str(part) for part in parts])
    levels = {str(level): level for level in DISTRACTOR_LEVELS}
    if isinstance(value, bool) or not names or not set(names) <= set(levels):
        raise ValueError(
            f"distractors={value!r}: expected whole numbers from {DISTRACTOR_LEVELS[0]} to "
            f"{DISTRACTOR_LEVELS[-1]}, separated by commas, or `all`"
        )
    return tuple(sorted(levels[name] for name in names))
