"""Plans the questions of a run over modes of asking: each item in each mode that can express it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from bias_tasks.contract.parameters import ParameterValues, select_names
from bias_tasks.contract.questions import Plan, Question
from bias_tasks.output_format.answer_models import order_labels
from bias_tasks.output_format.data.load import load_formats
from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.items import FormatParams
from bias_tasks.output_format.modes import FREE, MODES
from bias_tasks.output_format.plan import FormatQuestion, alternate, select_datasets
from bias_tasks.output_format.prompts import render_mode_prompt
from bias_tasks.output_format.scoring_data import FormatData
from bias_tasks.user_names import parse_names

TASK = "format_structured"


@dataclass(frozen=True, slots=True)
class ModeQuestion(FormatQuestion):
    """One item in one mode, whose name is its format."""

    labels: tuple[str, ...] = ()
    """The labels or keys in the order of the schema."""

    def prompt(self) -> str:
        """Return the prompt."""
        return render_mode_prompt(self.item, MODES[self.format])

    def scoring_data(self) -> FormatData:
        """Return what parsing and scoring the answer need."""
        return replace(FormatQuestion.scoring_data(self), schema_order=self.labels)


def plan_modes(task: str, values: ParameterValues, n: int | None = None) -> Plan:
    """Return the questions of a run.

    Args:
        task: Name of the task.
        values: The value of every parameter.
        n: Maximum number of items per data set; None for all.

    Raises:
        ValueError: A value is unknown.
        DataError: Items are not available.
    """
    selected = select_names("modes", values["modes"] or None, tuple(MODES))
    modes = tuple(name for name in MODES if name == FREE or name in selected)
    names, notes = select_datasets(parse_names(values["data"]), tuple(FORMATS), "corrected")
    by_dataset: list[list[list[Question]]] = []
    provenance: list[Mapping[str, object]] = []
    for name in names:
        loaded = load_formats(name, "corrected", values["seed"], n, None)
        provenance += loaded.provenance
        by_dataset.append([])
        for item in loaded.items:
            labels = order_labels(item, values["order"], values["seed"])
            questions = (
                ModeQuestion(item, mode, FormatParams(), labels=labels)
                for mode in modes
                if MODES[mode].supports(item)
            )
            by_dataset[-1].append([question.to_question() for question in questions])
    plan = Plan(alternate(by_dataset), tuple(provenance), ", ".join(names), notes)
    return replace(plan, notes=(*notes, *_describe_excluded(plan, modes)))


def _describe_excluded(plan: Plan, modes: tuple[str, ...]) -> list[str]:
    """Return which modes cannot express the answers of how many items."""
    items = {question.item for question in plan.questions}
    notes = []
    for mode in modes:
        asked = sum(question.variant == mode for question in plan.questions)
        if asked < len(items):
            notes.append(
                f"mode {mode} is not asked about {len(items) - asked:,} of {len(items):,} items, "
                "whose answers it cannot express"
            )
    return notes
