"""What a run asks: every item under its setting and, beside it, under vanilla.

Both hosts build their samples from here, so a sample's id, prompt and gold are the same in either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from bias_tasks.data.further import noted
from bias_tasks.family import Question, Request
from bias_tasks.instruction_boundary.data.load import MISCELLANY_SOURCES, Forms, load_items
from bias_tasks.instruction_boundary.items import (
    VANILLA,
    ChoiceItem,
    Form,
    Item,
    item_from_dict,
    item_to_dict,
)
from bias_tasks.instruction_boundary.prompts.ask import Asked, ask, ask_again, polish_request
from bias_tasks.instruction_boundary.prompts.few_shot import few_shot_examples
from bias_tasks.instruction_boundary.prompts.options import loss_of, own_and_extra
from bias_tasks.instruction_boundary.settings import (
    ALL_SETTINGS,
    MISCELLANY,
    SETTINGS,
    Distractors,
    SettingParams,
    check_form,
    check_label,
    check_levels,
    distractor_levels,
)


@dataclass(frozen=True, slots=True)
class SettingQuestion:
    """One item under one variant."""

    item: Item
    variant: str
    """The setting applied to the prompt, or `vanilla`; with its number of distractors behind `@`
    where several numbers are asked side by side."""
    setting: str
    """The setting that the run is about; `instruction_boundary` where it is about all of them."""
    params: SettingParams

    @property
    def id(self) -> str:
        """The sample's id."""
        return f"{self.item.id}/{self.variant}"

    @property
    def under(self) -> str:
        """The setting applied to the prompt, or `vanilla`."""
        return self.variant.partition("@")[0]

    def asked(self) -> Asked:
        """The question's prompt and what is needed to read its answer."""
        examples: tuple[Item, ...] = ()
        if self.under == "few_shot":
            examples = _examples(self.item.form, self.params)
        setting = None if self.setting == ALL_SETTINGS else self.setting
        return ask(self.item, self.under, self.params, setting=setting, examples=examples)

    def to_question(self, asked: Asked | None = None) -> Question:
        """The question as hosts ask it; `asked` is what `asked()` gives, where that is at hand."""
        asked = asked or self.asked()
        return Question(
            id=self.id,
            item=self.item.id,
            cluster=self.item.cluster,
            variant=self.variant,
            prompt=asked.prompt,
            gold=_gold_text(self.item, asked),
            facts=facts_of(self, asked),
            repeats=self._is_asked_as_its_twin(),
            source=self,
            known=(self.item,),
        )

    def _is_asked_as_its_twin(self) -> bool:
        """Whether this is one distractor beside the right option, as in the vanilla twin."""
        return (
            self.setting == self.under == MISCELLANY
            and self.item.form == "choice"
            and self.params.distractors == 1
        )

    def to_dict(self) -> dict[str, Any]:
        """The question as plain JSON values; `question_from_dict` reads it back."""
        return {
            "item": item_to_dict(self.item),
            "variant": self.variant,
            "setting": self.setting,
            "params": self.params.to_dict(),
        }


def question_from_dict(row: Mapping[str, Any]) -> SettingQuestion:
    """The question that `SettingQuestion.to_dict` wrote."""
    return SettingQuestion(
        item=item_from_dict(row["item"]),
        variant=row["variant"],
        setting=row["setting"],
        params=SettingParams(**row["params"]),
    )


def facts_of(question: SettingQuestion, asked: Asked) -> dict[str, Any]:
    """What reading an answer takes, as plain JSON values.

    `offered` is how many numbered options there are; `shown` says of a choice item's options which
    of the item's stands at each place, by which numbers or letters they go, at which places the
    right ones stand, and how many the item has.
    """
    item, shown, suggestion = question.item, asked.shown, asked.suggestion
    facts: dict[str, Any] = {
        "item": item.id,
        "cluster": item.cluster,
        "variant": question.variant,
        "form": item.form,
        "origin": item.origin,
        "gold": _gold_text(item, asked),
        "protocol": question.params.protocol,
        "offered": asked.n_options,
        **noted(item.further),
    }
    if shown is not None:
        facts["shown"] = {
            "positions": list(shown.positions),
            "first": shown.first,
            "symbols": shown.symbols,
            "gold": list(_gold_places(item, asked)),
            "of": len(item.options) if isinstance(item, ChoiceItem) else 0,
        }
    if suggestion is not None:
        facts["suggestion"] = {
            "label": suggestion.label,
            "is_gold": suggestion.is_gold,
            "places": list(suggestion.places),
        }
    return facts


def plan_settings(
    setting: str,
    params: SettingParams,
    *,
    distractors: Distractors | None = None,
    form: Forms = "all",
    data: str = "paper",
    sources: str | Sequence[str] | None = None,
    paired: bool = True,
    n: int | None = None,
) -> tuple[list[SettingQuestion], tuple[Mapping[str, Any], ...]]:
    """The questions of a run of `setting`, pairs side by side, and where their items come from.

    `setting` may be `instruction_boundary`: vanilla once and every setting. The other parameters
    are those of `tasks.yaml`; `paired` asks the vanilla question beside the setting's, and
    `distractors` are one number or several, where not that of `params`.

    Raises:
        ValueError: a parameter's value is unknown or does not fit the others.
        DataError: the items can't be had.
    """
    if setting not in (*SETTINGS, ALL_SETTINGS):
        raise ValueError(f"unknown setting {setting!r}: expected one of {', '.join(SETTINGS)}")
    forms = check_form(form)
    levels = distractor_levels(params.distractors if distractors is None else distractors)
    if setting in ("conformity", ALL_SETTINGS):
        check_label("suggest", params.suggest, forms)
    if setting in ("few_shot", ALL_SETTINGS):
        check_label("examples", params.examples, forms)
    if setting in (MISCELLANY, ALL_SETTINGS):
        check_levels(levels, forms)
    loaded = load_items(
        data,
        form=form,
        sources=sources,
        protocol=params.protocol,
        seed=params.seed,
        n=n,
        default_sources=MISCELLANY_SOURCES[params.protocol] if setting == MISCELLANY else None,
        ten_options=setting == MISCELLANY,
    )
    variants = _variants(setting, paired, replace(params, distractors=levels[-1]), levels)
    questions = [
        SettingQuestion(item, variant, setting, own)
        for item in loaded.items
        for variant, own in variants.items()
    ]
    return questions, loaded.provenance


def _gold_places(item: Item, asked: Asked) -> tuple[int, ...]:
    """Places, among the options shown, of a choice item's right ones; () for a judging item."""
    if asked.shown is None or not isinstance(item, ChoiceItem):
        return ()
    return asked.shown.right(item)


def _gold_text(item: Item, asked: Asked) -> str:
    """Gold in a few characters: a label, the numbers of the right options, or `none`."""
    if asked.shown is None:
        return item.label
    places = _gold_places(item, asked)
    return ", ".join(asked.shown.symbol(place) for place in places) or "none"


def _variants(
    setting: str, paired: bool, params: SettingParams, levels: Sequence[int]
) -> dict[str, SettingParams]:
    """The ways in which a run asks each item, with their parameters."""
    if setting == ALL_SETTINGS:
        names = SETTINGS
    else:
        names = (setting, VANILLA) if paired and setting != VANILLA else (setting,)
    several = len(levels) > 1
    variants: dict[str, SettingParams] = {}
    for name in names:
        if name == MISCELLANY and several:
            for level in levels:
                variants[f"{name}@{level}"] = replace(params, distractors=level)
        else:
            variants[name] = params
    return variants


@cache
def _examples(form: Form, params: SettingParams) -> tuple[Item, ...]:
    return few_shot_examples(form, params.examples, params.shots, params.seed, params.protocol)


def notes_on(questions: Sequence[SettingQuestion]) -> tuple[str, ...]:
    """Notes on questions that could not be asked as the setting has it."""
    return (*_on_distractors(questions), *_on_missing_choices(questions))


def _on_distractors(questions: Sequence[SettingQuestion]) -> Iterator[str]:
    """How many items have fewer wrong options than were asked for, and what they show instead."""
    asked: dict[int, list[tuple[int, int]]] = {}
    for question in questions:
        item, params = question.item, question.params
        if question.under == MISCELLANY and isinstance(item, ChoiceItem):
            shown = own_and_extra(item, params.distractors, params.protocol)
            asked.setdefault(params.distractors, []).append(shown)
    for level, pairs in asked.items():
        short = Counter(pair for pair in pairs if pair[0] < level)
        if short:
            yield (
                f"distractors={level}: {_of(short.total(), len(pairs))} have fewer wrong options "
                f"of their own ({_kinds(short)})"
            )
    judging = sum(q.under == MISCELLANY and q.item.form == "judging" for q in questions)
    if judging:
        yield (
            f"distractors: {judging} judging items show table 2's two extra options, whatever the "
            "number"
        )


def _kinds(short: Counter[tuple[int, int]]) -> str:
    """How many items show how many wrong options of their own, and of table 2's beside them."""
    return ", ".join(
        f"{count} show {own}{f' and {extra} of table 2' if extra else ''}"
        for (own, extra), count in sorted(short.items())
    )


def _on_missing_choices(questions: Sequence[SettingQuestion]) -> Iterator[str]:
    """How many items have no option that could be left out."""
    losses = [
        loss_of(question.item, question.params.seed)
        for question in questions
        if question.under == "missing_choices"
        and isinstance(question.item, ChoiceItem)
        and question.params.protocol == "corrected"
    ]
    if "nothing" in losses:
        yield (
            f"missing_choices: {_of(losses.count('nothing'), len(losses))} have no option that "
            "could be left out, and are asked with all of theirs"
        )


def _of(count: int, total: int) -> str:
    return f"{count} of {total} choice items"


POLISHER = "polisher"
"""The model role that rewrites prompts."""


def requests_of(question: Question, answer: str) -> tuple[Request, ...]:
    """The calls of one question; `answer` stands for what the model says in each round.

    A polisher that loses a part of the prompt is asked again, which nobody knows beforehand.
    """
    first = Request(question.prompt)
    asked = question.source
    if not isinstance(asked, SettingQuestion):
        return (first,)
    if asked.under == "multi_turn":
        again = Request(ask_again(asked.item, asked.params, answer))
        return (first, *[again] * (asked.params.rounds - 1))
    if asked.under == "prompt_polishing" and asked.params.polish == "live":
        return (Request(polish_request(question.prompt), POLISHER, question.prompt), first)
    return (first,)
