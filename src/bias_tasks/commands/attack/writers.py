"""References and rubrics, written by models before the responses are attacked (A.2)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from bias_tasks.commands.attack.reading import read_text
from bias_tasks.commands.attack.replies import Replies
from bias_tasks.commands.attack.steps import Role, Step, take
from bias_tasks.complex_eval.data.criteria import rubric
from bias_tasks.complex_eval.items import JudgedItem
from bias_tasks.complex_eval.prompts.attacks import reference_request, rubric_request

if TYPE_CHECKING:
    from inspect_ai.model import Model

_EXAMPLES = ("Open QA", "Summarization")
"""Domains whose rubrics are shown; the first is the paper's own example."""
_QUERIES = 3
_QUERY_CHARACTERS = 500


class Writers:
    """The roles `reference_writer` and `rubric_writer`, where there are models in them."""

    def __init__(
        self, models: Mapping[Role, Model], replies: Replies, items: Iterable[JudgedItem]
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

        Raises:
            ModelFailedError: a model failed.
            DataError: a reply can't be written.
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
