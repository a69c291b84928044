"""What a run asks: every item under its setting and, beside it, under vanilla.

Both hosts build their samples from here, so a sample's id, prompt and gold are the same in either.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from bias_tasks.data import load_items
from bias_tasks.data.few_shot import few_shot_examples
from bias_tasks.data.load import Forms
from bias_tasks.items import Form, Item, item_from_dict, item_to_dict
from bias_tasks.prompts import (
    SETTINGS,
    VANILLA,
    Asked,
    SettingParams,
    ask,
    check_form,
    check_suggestion,
)

ALL_SETTINGS = "instruction_boundary"
"""Name of the run that asks every setting of the same items."""

_MISCELLANY = "disturbing_miscellany"
_MISCELLANY_SOURCES: Mapping[Form, Sequence[str]] = {
    "judging": ("folio",),
    "choice": ("mmlu_pro",),
}
"""Ten-option questions, so that there are nine distractors."""


@dataclass(frozen=True, slots=True)
class Question:
    """One item under one variant."""

    item: Item
    variant: str
    """The setting applied to the prompt, or `vanilla`."""
    setting: str
    """The setting that the run is about; `instruction_boundary` where it is about all of them."""
    params: SettingParams

    @property
    def id(self) -> str:
        return f"{self.item.id}/{self.variant}"

    def asked(self) -> Asked:
        """The question's prompt and what is needed to read its answer."""
        examples: tuple[Item, ...] = ()
        if self.variant == "few_shot":
            examples = _examples(self.item.form, self.params)
        setting = None if self.setting == ALL_SETTINGS else self.setting
        return ask(self.item, self.variant, self.params, setting=setting, examples=examples)

    def to_dict(self) -> dict[str, Any]:
        """The question as plain JSON values; `question_from_dict` reads it back."""
        return {
            "item": item_to_dict(self.item),
            "variant": self.variant,
            "setting": self.setting,
            "params": self.params.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Plan:
    """The questions of a run, pairs side by side, and where their items come from."""

    questions: tuple[Question, ...]
    provenance: tuple[Mapping[str, Any], ...]


def question_from_dict(row: dict[str, Any]) -> Question:
    """The question that `Question.to_dict` wrote."""
    return Question(
        item=item_from_dict(row["item"]),
        variant=row["variant"],
        setting=row["setting"],
        params=SettingParams(**row["params"]),
    )


def plan(
    setting: str,
    params: SettingParams,
    *,
    form: Forms = "all",
    data: str = "paper",
    sources: str | Sequence[str] | None = None,
    paired: bool = True,
    n: int | None = None,
) -> Plan:
    """The questions of a run of `setting`.

    Args:
        setting: a setting, or `instruction_boundary` for vanilla once and every setting.
        params: parameters of the settings.
        form: `judging`, `choice` or `all`.
        data: `paper`, `synthetic` or the path of the user's own items.
        sources: names of the paper's sources, where not the default ones.
        paired: ask the vanilla question beside the setting's.
        n: at most so many items, balanced over forms and labels.

    Raises:
        ValueError: a parameter's value is unknown or does not fit the others.
        DataError: the items can't be had.
    """
    if setting not in (*SETTINGS, ALL_SETTINGS):
        raise ValueError(f"unknown setting {setting!r}: expected one of {', '.join(SETTINGS)}")
    forms = check_form(form)
    if setting in ("conformity", ALL_SETTINGS):
        check_suggestion(params.suggest, forms)
    loaded = load_items(
        data,
        form=form,
        sources=sources,
        protocol=params.protocol,
        seed=params.seed,
        n=n,
        default_sources=_MISCELLANY_SOURCES if setting == _MISCELLANY else None,
        ten_options=setting == _MISCELLANY,
    )
    variants = _variants(setting, paired)
    questions = tuple(
        Question(item, variant, setting, params) for item in loaded.items for variant in variants
    )
    return Plan(questions, loaded.provenance)


def _variants(setting: str, paired: bool) -> tuple[str, ...]:
    if setting == ALL_SETTINGS:
        return SETTINGS
    if setting == VANILLA or not paired:
        return (setting,)
    return (setting, VANILLA)


@cache
def _examples(form: Form, params: SettingParams) -> tuple[Item, ...]:
    return few_shot_examples(form, params.examples, params.shots, params.seed)
