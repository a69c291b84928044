"""What the roles are asked: one request, its record, and references and rubrics (A.2).

A model that fails raises `ModelFailedError`, and a reply that can't be kept `DataError`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from bias_tasks.commands.attack.reading import read_text
from bias_tasks.commands.attack.replies import Source, reply_key
from bias_tasks.commands.model_calls.attempts import attempts
from bias_tasks.complex_eval.data.converters import rubric
from bias_tasks.complex_eval.items import JudgedItem
from bias_tasks.complex_eval.prompts.attacks import again_request, reference_request, rubric_request

if TYPE_CHECKING:
    from inspect_ai.model import Model

Role = Literal["attacker", "reference_writer", "rubric_writer", "checker"]

_SHOWN_CHARACTERS = 20_000


@dataclass(frozen=True, slots=True)
class Step:
    """What a role was asked for, and what it replied."""

    role: Role
    model: str
    prompt: str
    """The first attempt's; the later ones show the last reply and why it was refused."""
    replies: tuple[dict[str, str | None], ...]
    """Each with `output` and `refused`, the reason or None."""
    text: str | None
    """What was read; None where every reply was refused."""

    @property
    def refused(self) -> str:
        """Why the last reply was refused."""
        return str(self.replies[-1]["refused"])

    def record(self) -> dict[str, Any]:
        """The step as plain JSON values, for the provenance."""
        return {
            "role": self.role,
            "model": self.model,
            "prompt": self.prompt,
            "replies": list(self.replies),
        }


async def take(
    role: Role, model: Model, replies: Source, request: str, read: Callable[[str], str]
) -> Step:
    """Asks a role, up to three times.

    `read` says what a reply holds, and raises UnusableReplyError where that can't be used.
    """
    text, made = await attempts(
        request,
        lambda prompt, attempt: replies.ask(model, prompt, attempt),
        read,
        lambda reply, reason: _again(request, reply, reason),
    )
    kept = tuple({"output": attempt.reply, "refused": attempt.refused} for attempt in made)
    return Step(role=role, model=str(model), prompt=request, replies=kept, text=text)


def replies_told(step: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The replies of a step by `reply_key`, from its record.

    Raises:
        KeyError, TypeError: it is no such record.
    """
    prompt = step["prompt"]
    for attempt, reply in enumerate(step["replies"], start=1):
        yield reply_key(step["model"], prompt, attempt), reply["output"]
        prompt = _again(step["prompt"], reply["output"], str(reply["refused"]))


def _again(request: str, reply: str, reason: str) -> str:
    return again_request(request, reply[:_SHOWN_CHARACTERS], reason)


_EXAMPLES = ("Open QA", "Summarization")
"""Domains whose rubrics are shown; the first is the paper's own example."""
_QUERIES = 3
_QUERY_CHARACTERS = 500


class Writers:
    """The roles `reference_writer` and `rubric_writer`, where there are models in them."""

    def __init__(
        self, models: Mapping[Role, Model], replies: Source, items: Iterable[JudgedItem]
    ) -> None:
        """The items are those of the run: a rubric's request shows some of its domain."""
        self._models = models
        self._replies = replies
        self._queries: defaultdict[str, list[str]] = defaultdict(list)
        for item in items:
            self._queries[item.domain].append(item.query[:_QUERY_CHARACTERS])

    async def complete(self, item: JudgedItem) -> tuple[JudgedItem, dict[str, Step]]:
        """The item with what was written for it in place of its own, and the steps of that.

        A reference is written for each item, a rubric for each domain. Where every reply was
        refused the item has none.
        """
        steps: dict[str, Step] = {}
        if "reference_writer" in self._models:
            steps["reference"] = await self._written("reference_writer", reference_request(item))
            item = replace(item, reference=steps["reference"].text)
        if "rubric_writer" in self._models:
            steps["rubric"] = await self._written("rubric_writer", self._rubric_request(item))
            item = replace(item, rubric=steps["rubric"].text)
        return item, steps

    def _rubric_request(self, item: JudgedItem) -> str:
        shown = [name for name in _EXAMPLES if name.casefold() != item.domain.casefold()]
        queries = self._queries[item.domain][:_QUERIES]
        return rubric_request(item.domain, map(rubric, shown), queries)

    async def _written(self, role: Role, request: str) -> Step:
        return await take(role, self._models[role], self._replies, request, read_text)
