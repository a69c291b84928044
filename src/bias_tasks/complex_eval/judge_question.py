"""One response that a judge is asked to judge, and what its answer stands for."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from bias_tasks.complex_eval.attacks.layout import read_dialogue, read_steps
from bias_tasks.complex_eval.items import Criterion, JudgedItem
from bias_tasks.complex_eval.metrics.outcome import ORIGINAL_2
from bias_tasks.complex_eval.prompts.answer_form import answer_schema
from bias_tasks.complex_eval.prompts.judge import AUXILIARY, Caution, judge_prompt
from bias_tasks.data.further import noted
from bias_tasks.family import Question
from bias_tasks.names import content_hash

ENVIRONMENT = "Environment"
"""The role of a dialogue's turns that are no character's."""
SCORED_BY_CRITERION = ("role_playing", "creative_writing")
"""Families whose items are judged by the parts of their rubric."""
_WORDS = re.compile(r"\W+")


@dataclass(frozen=True, slots=True)
class JudgeQuestion:
    """One response of an item under one auxiliary condition, or one dimension of it.

    Items that share a query may share a response too. Then one question stands for all of them,
    so that nothing is asked twice.
    """

    item: JudgedItem
    aux: str
    response: str
    """Its name: chosen, rejected, original, original_2, or an attacked response's."""
    text: str
    also: tuple[JudgeQuestion, ...] = ()
    """Other judgements that the answer stands for, since their prompt is the very same."""
    caution: Caution = "none"
    """What the judge is warned of."""
    dimension: Criterion | None = None
    """The one of the item's criteria that is asked for, where each has a question of its own."""

    @property
    def id(self) -> str:
        return f"{self.item.id}/{self.variant}"

    @property
    def variant(self) -> str:
        """The condition and the response; and the dimension where that is asked for alone."""
        asked = f"{self.aux}/{self.response}"
        return asked if self.dimension is None else f"{asked}~{_slug(self.dimension, self.item)}"

    @property
    def asked(self) -> JudgedItem:
        """The item with the criteria that this question asks for."""
        return (
            self.item if self.dimension is None else replace(self.item, criteria=(self.dimension,))
        )

    @property
    def afresh(self) -> bool:
        """Whether it repeats another question's prompt, so that no cache may answer it."""
        return self.response == ORIGINAL_2

    @property
    def shows_reference(self) -> bool:
        """Whether the judge is shown a reference."""
        return self.item.reference is not None and "reference" in AUXILIARY[self.aux]

    def prompt(self) -> str:
        """What the judge is asked."""
        return judge_prompt(self.asked, self.aux, self.text, self.caution)

    def schema(self) -> dict[str, Any]:
        """The JSON schema of the answer."""
        return answer_schema(self.asked)

    def form(self) -> dict[str, Any]:
        """How the answer is read, as plain JSON values."""
        family = self.item.family
        form: dict[str, Any] = {"family": family}
        if family == "math":
            form["steps"] = len(read_steps(self.text))
        if family in SCORED_BY_CRITERION:
            form["criteria"] = [part.name for part in self.asked.criteria]
        if family == "role_playing":
            roles = [turn.role for turn in read_dialogue(self.text)]
            form["turns"] = len(roles) - roles.count(ENVIRONMENT)
        return form

    def facts(self) -> dict[str, Any]:
        """What reading the answer and the figures take, as plain JSON values."""
        return {
            "item": self.item.id,
            "cluster": self.item.cluster,
            "variant": self.variant,
            "gold": self.item.first_error,
            "form": self.form(),
            "judgements": [question.fact() for question in (self, *self.also)],
            **noted(self.item.further),
        }

    def to_question(self, siblings: tuple[JudgedItem, ...]) -> Question:
        """The question as hosts ask it; `siblings` are the run's items of the same query."""
        position = self.item.first_error
        return Question(
            id=self.id,
            item=self.item.id,
            cluster=self.item.cluster,
            variant=self.variant,
            prompt=self.prompt(),
            gold="" if position is None else str(position),
            facts=self.facts(),
            schema=self.schema(),
            repeats=self.afresh,
            known=siblings,
        )

    def fact(self) -> dict[str, Any]:
        """What is known of this judgement: the fields of `Judgement` without score and epoch.

        Beside them `parts`: how many answers make it up.
        """
        return {
            "parts": 1 if self.dimension is None else len(self.item.criteria),
            "item": self.item.id,
            "cluster": self.item.cluster,
            "family": self.item.family,
            "domain": self.item.domain,
            "aux": self.aux,
            "response": self.response,
            "gold": self.item.first_error,
        }


def asked_once(questions: Iterable[JudgeQuestion]) -> tuple[JudgeQuestion, ...]:
    """The questions with those of the same prompt made one; only repeats stay by themselves."""
    by_prompt: dict[tuple[str, bool], list[JudgeQuestion]] = {}
    for question in questions:
        key = (content_hash(question.prompt()), question.afresh)
        by_prompt.setdefault(key, []).append(question)
    return tuple(replace(first, also=tuple(others)) for first, *others in by_prompt.values())


def by_dimension(question: JudgeQuestion) -> tuple[JudgeQuestion, ...]:
    """The question once for each of the item's criteria, which is then asked for alone."""
    return tuple(replace(question, dimension=part) for part in question.item.criteria)


def check_judgeable(item: JudgedItem) -> None:
    """Refuses an item that can't be judged.

    Raises:
        ValueError: it has no criteria where each is scored, or two of one name.
    """
    if item.family not in SCORED_BY_CRITERION:
        return
    names = [" ".join(part.name.split()).casefold() for part in item.criteria]
    if not names or len(set(names)) < len(names):
        what = "no criteria" if not names else "two criteria of one name"
        raise ValueError(f"item {item.id} has {what}: {item.family} is judged by each of them")


def _slug(dimension: Criterion, item: JudgedItem) -> str:
    """The dimension's name in an id; with its place where another's reads the same there."""
    slugs = [_WORDS.sub("_", part.name.casefold()).strip("_") for part in item.criteria]
    place = item.criteria.index(dimension)
    alone = slugs[place] and slugs.count(slugs[place]) == 1
    return slugs[place] if alone else f"{slugs[place]}_{place}"
