"""One response that a judge is asked to judge, and what its answer stands for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from bias_tasks.complex_eval.attacks.layout import read_dialogue, read_steps
from bias_tasks.complex_eval.items import JudgedItem
from bias_tasks.complex_eval.metrics.outcome import ORIGINAL_2
from bias_tasks.complex_eval.prompts.judge import answer_schema, judge_prompt
from bias_tasks.data.further import noted
from bias_tasks.family import Question
from bias_tasks.hashing import content_hash

ENVIRONMENT = "Environment"
"""The role of a dialogue's turns that are no character's."""
SCORED_BY_CRITERION = ("role_playing", "creative_writing")
"""Families whose items are judged by the parts of their rubric."""


@dataclass(frozen=True, slots=True)
class JudgeQuestion:
    """One response of an item under one auxiliary condition.

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

    @property
    def id(self) -> str:
        return f"{self.item.id}/{self.aux}/{self.response}"

    @property
    def afresh(self) -> bool:
        """Whether it repeats another question's prompt, so that no cache may answer it."""
        return self.response == ORIGINAL_2

    def prompt(self) -> str:
        """What the judge is asked."""
        return judge_prompt(self.item, self.aux, self.text)

    def schema(self) -> dict[str, Any]:
        """The JSON schema of the answer."""
        return answer_schema(self.item)

    def form(self) -> dict[str, Any]:
        """How the answer is read, as plain JSON values."""
        family = self.item.family
        form: dict[str, Any] = {"family": family}
        if family == "math":
            form["steps"] = len(read_steps(self.text))
        if family in SCORED_BY_CRITERION:
            form["criteria"] = [part.name for part in self.item.criteria]
        if family == "role_playing":
            roles = [turn.role for turn in read_dialogue(self.text)]
            form["turns"] = len(roles) - roles.count(ENVIRONMENT)
        return form

    def facts(self) -> dict[str, Any]:
        """What reading the answer and the figures take, as plain JSON values."""
        return {
            "item": self.item.id,
            "cluster": self.item.cluster,
            "variant": f"{self.aux}/{self.response}",
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
            variant=f"{self.aux}/{self.response}",
            prompt=self.prompt(),
            gold="" if position is None else str(position),
            facts=self.facts(),
            schema=self.schema(),
            repeats=self.afresh,
            known=siblings,
        )

    def fact(self) -> dict[str, Any]:
        """What is known of this judgement: the fields of `Judgement` without score and epoch."""
        return {
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
