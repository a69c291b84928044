"""The eight settings of Instruction Boundary (section 2.1, table 2) and their parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from bias_tasks.items import (
    CHOICE_LABELS,
    FORMS,
    JUDGING_LABELS,
    PROTOCOLS,
    VANILLA,
    Form,
    Protocol,
)

Coverage = Literal["sufficient", "redundant", "insufficient"]

COVERAGE: Mapping[str, Coverage] = {
    VANILLA: "sufficient",
    "multi_turn": "sufficient",
    "conformity": "redundant",
    "disturbing_miscellany": "redundant",
    "few_shot": "redundant",
    "missing_choices": "insufficient",
    "vagueness": "insufficient",
    "prompt_polishing": "insufficient",
}
SETTINGS: tuple[str, ...] = tuple(COVERAGE)

SUGGESTIONS: tuple[str, ...] = (
    "sparse",
    "tense",
    "rotate",
    "wrong",
    *JUDGING_LABELS,
    *CHOICE_LABELS,
)
EXAMPLE_LABELS: tuple[str, ...] = ("sparse", "tense", "balanced")

POLISH: tuple[str, ...] = ("template", "live")


@dataclass(frozen=True, slots=True)
class SettingParams:
    """How the settings are carried out; the same for every item of a run.

    Raises:
        ValueError: a value is not among the allowed ones; the message lists them.
    """

    protocol: Protocol = "corrected"
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
        _check("protocol", self.protocol, PROTOCOLS)
        _check("suggest", self.suggest, SUGGESTIONS)
        _check("examples", self.examples, EXAMPLE_LABELS)
        _check("polish", self.polish, POLISH)
        _check_range("shots", self.shots, 1, 20)
        _check_range("distractors", self.distractors, 1, 9)
        _check_range("rounds", self.rounds, 2, 10)
        _check_range("seed", self.seed, 0, 2**63 - 1)

    def to_dict(self) -> dict[str, Any]:
        """The parameters as plain JSON values."""
        return asdict(self)


def check_form(form: str) -> tuple[Form, ...]:
    """The forms that `judging`, `choice` or `all` stands for.

    Raises:
        ValueError: `form` is none of these.
    """
    _check("form", form, (*FORMS, "all"))
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


def _check(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise ValueError(f"{name}={value!r} is unknown: expected one of {', '.join(allowed)}")


def _check_range(name: str, value: int, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{name}={value!r}: expected a whole number from {low} to {high}")
