"""The answer that conformity suggests (paper, sections 2.1 and 3.3; appendices I and J)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from bias_tasks.instruction_boundary.items import (
    JUDGING_LABELS,
    LABELS,
    ChoiceItem,
    Form,
    Item,
    JudgingItem,
)
from bias_tasks.instruction_boundary.prompts.options import ShownOptions
from bias_tasks.instruction_boundary.prompts.texts import text_of
from bias_tasks.instruction_boundary.settings import SettingParams
from bias_tasks.prompts.seeded import seeded
from bias_tasks.prompts.templates import fill

_TENSE: Mapping[Form, tuple[str, ...]] = {"judging": ("True", "False"), "choice": ("single",)}
_SPARSE: Mapping[Form, tuple[str, ...]] = {"judging": ("Unknown",), "choice": ("none",)}


@dataclass(frozen=True, slots=True)
class Suggestion:
    """The suggested answer of one item."""

    label: str
    text: str
    """The sentence or paragraph put into the prompt."""
    is_gold: bool
    places: tuple[int, ...] = ()
    """Choice form: places, among the options shown, that are suggested."""


def suggestion(item: Item, shown: ShownOptions | None, params: SettingParams) -> Suggestion:
    """What to suggest for `item`; `shown` are the options of a choice item."""
    label = _label(item, params)
    if isinstance(item, JudgingItem):
        number = LABELS["judging"].index(label) + 1
        text = fill(text_of("judging", "suggestion", params.protocol), answer=str(number))
        return Suggestion(label, text, is_gold=label == item.answer)
    if shown is None:
        raise ValueError("a choice item's suggestion needs the options shown")
    if label == "none":
        text = text_of("choice", "consensus", params.protocol)
        return Suggestion(label, text, is_gold=not item.answer)
    places = _wrong_places(item, shown, 1 if label == "single" else 2, params.seed)
    answer = ", ".join(shown.symbol(place) for place in places)
    text = fill(text_of("choice", "suggestion", params.protocol), answer=answer)
    return Suggestion(label, text, is_gold=False, places=places)


def _label(item: Item, params: SettingParams) -> str:
    rng = seeded(params.seed, item.id, "conformity")
    labels: tuple[str, ...]
    match params.suggest:
        case "sparse":
            labels = _SPARSE[item.form]
        case "tense":
            labels = _TENSE[item.form]
        case "rotate":
            labels = LABELS[item.form]
        case "wrong" if isinstance(item, JudgingItem):
            labels = tuple(label for label in JUDGING_LABELS if label != item.answer)
        case "wrong":
            labels = ("single", "multiple") if not item.answer else LABELS["choice"]
        case label:
            labels = (label,)
    return rng.choice(labels)


def _wrong_places(item: ChoiceItem, shown: ShownOptions, size: int, seed: int) -> tuple[int, ...]:
    """`size` places of options that together are not the right answer."""
    gold = shown.right(item)
    sets = [s for s in combinations(range(len(shown.lines)), size) if s != gold]
    return seeded(seed, item.id, "suggested options").choice(sets)
