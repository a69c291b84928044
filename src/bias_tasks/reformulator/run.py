"""Rewords questions: the grammar first, then a model, many questions at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING

from bias_tasks import reformulation
from bias_tasks.data.binary_qa.candidates import PendingNumberQuestion
from bias_tasks.data.binary_qa.record import Record
from bias_tasks.data.binary_qa.rewording import by_grammar, lacking
from bias_tasks.items.binary_qa import BinaryItem, Reformulation
from bias_tasks.prompts.binary_qa import number_question_request, reformulation_request
from bias_tasks.reformulator.ask import ModelFailedError, ask
from bias_tasks.reformulator.output import Output

if TYPE_CHECKING:
    from inspect_ai.model import Model

MOST_FAILURES = 5
"""After so many failures of the model in a row, no further question is taken up."""


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
    _failed_in_a_row: int = 0

    async def reword(
        self, questions: Iterable[Record], connections: int, done: Callable[[], None]
    ) -> None:
        """Rewords the questions, and writes each rewording as it comes.

        A question during which the model failed keeps what it has, and the others go on.

        Args:
            questions: those to reword.
            connections: how many to have under way at once.
            done: called after each question.

        Raises:
            DataError: the output can't be written.
        """
        waiting = iter(questions)
        await asyncio.gather(*(self._work(waiting, done) for _ in range(connections)))

    async def _work(self, waiting: Iterator[Record], done: Callable[[], None]) -> None:
        for question in waiting:
            if self._failed_in_a_row >= MOST_FAILURES:
                return
            try:
                await self._reword(self.output.stored(question.item.id) or question)
                self._failed_in_a_row = 0
            except ModelFailedError as error:
                self.failures.append(str(error))
                self._failed_in_a_row += 1
            done()

    async def _reword(self, record: Record) -> None:
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

    async def _by_model(self, record: Record, kind: Reformulation) -> Record:
        origin = record.provenance.get(kind, {})
        if self.model is None:
            return record
        if origin.get("by") == "refused" and origin.get("model") == str(self.model):
            return record  # asked again at temperature 0, it would be refused again
        question = record.item.question
        answer = await ask(
            self.model,
            reformulation_request(question, kind),
            lambda text: reformulation.check(question, kind, text),
        )
        if answer.question is None:
            return record.refused(kind, answer.origin)
        return record.reworded(kind, answer.question, answer.origin)

    async def _turned(self, item: PendingNumberQuestion) -> Record | None:
        """The question that asks for a number, turned yes/no; None where nobody could."""
        if self.model is None:
            return None
        answer = await ask(
            self.model,
            number_question_request(item.question, str(item.value), item.style, item.answer),
            lambda text: reformulation.check_number_question(
                item.question, item.value, item.style, item.answer, text
            ),
        )
        if answer.question is None:
            return None
        plain = {part.name: getattr(item, part.name) for part in fields(BinaryItem)}
        origin = {"by": "model", "output": answer.question, **answer.origin}
        origin["turned_from"] = item.question
        return Record(replace(BinaryItem(**plain), question=answer.question), {"question": origin})
