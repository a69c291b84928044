"""Items of another task, and the perturbations under which they are presented to a model.

The other task runs in Inspect or in lm-eval; nothing here depends on the framework.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import TypeVar

from bias_tasks.contract.questions import ScoringData
from bias_tasks.probing.displayed_options import OptionStyle
from bias_tasks.prompts.edits import surround

BASELINE = "baseline"
"""The variant with the unchanged prompt."""
_BASELINE_IN_IDS = "plain"


def variant_in_id(variant: str) -> str:
    """Return how a sample id names a variant.

    Ids keep the baseline's earlier name: recorded outputs and caches are found by them.
    """
    first, slash, rest = variant.partition("/")
    return f"{_BASELINE_IN_IDS if first == BASELINE else first}{slash}{rest}"


REPEAT = "repeat"
"""Prefix of the variants that repeat the baseline prompt: `repeat1`, `repeat2`, ..."""


def split_stack(variant: str) -> list[str]:
    """Return the probes of a variant; several if it is a stack, such as `typo+persona`."""
    return variant.split("+")


def format_choice_indices(indices: Iterable[int]) -> str:
    """Return choices by their index in the item: `#2` is its third, whatever its label."""
    return " ".join(f"#{index}" for index in sorted(set(indices)))


def is_repeat(variant: str) -> bool:
    """Return whether a variant repeats the baseline prompt."""
    return variant.startswith(REPEAT) and variant.removeprefix(REPEAT).isdigit()


@dataclass(frozen=True, slots=True)
class ProbedItem:
    """An item of another task."""

    id: str
    text: str
    """The question in the task's data, without its choices and its instructions."""
    choices: tuple[str, ...] = ()
    """The choices that the prompt displays, in their order; empty if it displays none."""
    correct: tuple[int, ...] = ()
    """Indices of the correct choices."""
    target: str = ""
    """The correct answer in the task's data."""
    labels: tuple[str, ...] = ()
    """The task's labels of the choices; empty for A, B, ..."""
    cluster: str = ""
    """Items of one cluster share something; empty if the item shares nothing."""
    worked_example: str = ""
    """The item with its correct answer, as a few-shot example; empty if it cannot be one."""

    def to_data(self, variant: str, perturbation: "Perturbation | None" = None) -> "ProbeData":
        """Return the scoring data of the item under a variant."""
        gold = format_choice_indices(self.correct) if self.choices and self.correct else self.target
        return ProbeData(
            item=self.id,
            cluster=self.cluster or self.id,
            variant=variant,
            gold=gold,
            choices=self.choices,
            correct=self.correct,
            target=self.target,
            labels=self.labels,
            perturbation=perturbation or Perturbation(),
        )

    def under(self, perturbation: "Perturbation") -> "ProbedItem":
        """Return the item as a perturbed prompt displays it, for the next probe of a stack."""
        item, order, style = self, perturbation.order, perturbation.option_style
        if order is not None:
            choices = tuple(self.choices[index] for index in order)
            correct = tuple(order.index(index) for index in self.correct)
            item = replace(self, choices=choices, correct=correct)
        text = self.text if perturbation.text is None else perturbation.text
        return replace(item, text=text, labels=(style and style.labels) or self.labels)


@dataclass(frozen=True, slots=True)
class Perturbation:
    """A change of an item's prompt. Whatever is None is not changed."""

    text: str | None = None
    """The question in other words."""
    order: tuple[int, ...] | None = None
    """Indices of the item's choices in the displayed order."""
    system: str | None = None
    """A system message before the conversation."""
    prefix: str | None = None
    """A paragraph before the finished prompt."""
    suffix: str | None = None
    """A paragraph after the finished prompt."""
    polish: bool = False
    """Whether a model rewrites the finished prompt first."""
    follow_up: str | None = None
    """The user's message after the answer, which makes the model answer a second time."""
    format: str | None = None
    """Name of the requested output format of the final answer."""
    option_style: OptionStyle | None = None
    """The style of the options in the finished prompt."""

    def then(self, later: "Perturbation") -> "Perturbation":
        """Return the perturbation that is this one and then a later one."""
        first, second = self.option_style, later.option_style
        return replace(
            _update(self, later),
            system=surround(self.system or "", after=later.system) or None,
            prefix=surround(self.prefix or "", before=later.prefix) or None,
            suffix=surround(self.suffix or "", after=later.suffix) or None,
            option_style=_update(first, second) if first and second else first or second,
        )


ChangeT = TypeVar("ChangeT", Perturbation, OptionStyle)


def _update(first: ChangeT, second: ChangeT) -> ChangeT:
    """Return the first change with whatever the second one changes."""
    names = [field.name for field in fields(second) if getattr(second, field.name) != field.default]
    return replace(first, **{name: getattr(second, name) for name in names})


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeData(ScoringData):
    """Scoring data of a question: the item without its texts, and how its prompt is perturbed."""

    choices: tuple[str, ...] = ()
    correct: tuple[int, ...] = ()
    target: str = ""
    labels: tuple[str, ...] = ()
    perturbation: Perturbation
    compared_choices: tuple[str, ...] | None = None
    """The perturbed task's `doc_to_choice` in lm-eval; None in Inspect."""
    deterministic: bool | None = None
    """Whether a repeat of the request gives the same answer, so that repeats are not sent."""

    @property
    def question_id(self) -> str:
        """`<item>/<variant>`, unique within a run and the same in both frameworks."""
        return f"{self.item}/{variant_in_id(self.variant)}"

    @property
    def displayed_choices(self) -> tuple[str, ...]:
        """The item's choices in the displayed order."""
        order = self.perturbation.order
        return self.choices if order is None else tuple(self.choices[index] for index in order)
