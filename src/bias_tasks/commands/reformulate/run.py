"""Rewords questions: the grammar first, then a model, many questions at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from bias_tasks.binary_qa.data.converters import PendingNumberQuestion
from bias_tasks.binary_qa.data.load import QuestionRecord, by_grammar, lacking
from bias_tasks.binary_qa.items import BinaryItem, Reformulation
from bias_tasks.binary_qa.prompts.ask import number_question_request, reformulation_request
from bias_tasks.binary_qa.reformulation import checks, numeric
from bias_tasks.commands.model_calls.attempts import AskedOnce
from bias_tasks.commands.model_calls.failures import Failures
from bias_tasks.commands.model_calls.workers import work
from bias_tasks.commands.reformulate.ask import ask
from bias_tasks.commands.reformulate.output import Output

if TYPE_CHECKING:
    from inspect_ai.model import Model


@dataclass(slots=True)
class Run:
    """One run over the questions."""

    kinds: Sequence[Reformulation]
    """The rewordings to make."""
    output: Output
    model: Model | None = None
    """Asked where the grammar knows no way."""
    failures: list[str] = field(default_factory=list)
    """One message for each question during which the model failed."""
    _answers: AskedOnce[Mapping[str, Any]] = field(default_factory=lambda: AskedOnce({}))
    _failures: Failures = field(default_factory=Failures)

    def reword(self, questions: Sequence[QuestionRecord], connections: int) -> None:
        """Rewords the questions, and writes each rewording as it comes.

        A question during which the model failed keeps what it has, and the others go on.

        So many questions as there are `connections` are under way at once.
        """
        for question in questions:
            self._remember(self._known(question))

        async def one(question: QuestionRecord) -> None:
            await self._reword(self._known(question))

        self.failures += work("rewording", questions, connections, one)

    def _known(self, question: QuestionRecord) -> QuestionRecord:
        return self.output.stored(question.item.id) or question

    async def _reword(self, record: QuestionRecord) -> None:
        if isinstance(record.item, PendingNumberQuestion):
            turned = await self._turned(record.item)
            if turned is None:
                return
            record = turned
        record = by_grammar(record, self.kinds)
        self.output.write(record)
        for kind in lacking(record, self.kinds):
            record = await self._by_model(record, kind)
            self.output.write(record)

    async def _by_model(self, record: QuestionRecord, kind: Reformulation) -> QuestionRecord:
        question = record.item.question
        origin = await self._ask(
            reformulation_request(question, kind),
            lambda text: checks.check(question, kind, text),
        )
        if origin is None:
            return record
        if origin["by"] == "refused":
            return record.refused(kind, origin)
        return record.reworded(kind, origin["output"], origin)

    async def _turned(self, item: PendingNumberQuestion) -> QuestionRecord | None:
        """The question that asks for a number, turned yes/no; None where nobody could."""
        origin = await self._ask(
            number_question_request(item.question, str(item.value), item.style, item.answer),
            lambda text: numeric.check_number_question(
                item.question, item.value, item.style, item.answer, text
            ),
        )
        if origin is None or origin["by"] == "refused":
            return None
        plain = {part.name: getattr(item, part.name) for part in fields(BinaryItem)}
        turned = replace(BinaryItem(**plain), question=origin["output"])
        return QuestionRecord(turned, {"question": {**origin, "turned_from": item.question}})

    async def _ask(
        self, request: str, refusal: Callable[[str], str | None]
    ) -> Mapping[str, Any] | None:
        """The model's origin for a request, which it gets once: many questions are worded alike."""
        model = self.model
        if model is None:
            return None

        async def asked() -> Mapping[str, Any]:
            return await self._failures.counted(model, lambda: ask(model, request, refusal))

        return await self._answers.answer(request, asked)

    def _remember(self, record: QuestionRecord) -> None:
        """Note what this model answered in an earlier run; asked again it would say the same."""
        for origin in record.provenance.values():
            if {"prompt", "output"} <= origin.keys() and origin.get("model") == str(self.model):
                self._answers.known[origin["prompt"]] = origin
