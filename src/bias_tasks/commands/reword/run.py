"""Rewords and translates items, many at once, and checks what a model makes of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bias_tasks.binary_qa.reading.yes_no import read_yes_no
from bias_tasks.commands.model_calls.attempts import AskedOnce, UnusableReplyError, attempts
from bias_tasks.commands.model_calls.failures import Failures
from bias_tasks.commands.model_calls.model import generate
from bias_tasks.commands.model_calls.texts import asked_again, read_reply, shown
from bias_tasks.commands.model_calls.workers import work
from bias_tasks.commands.reword.output import Output
from bias_tasks.names import digest, encodable
from bias_tasks.probing.items import ProbedItem
from bias_tasks.probing.probes.reworded import by_grammar
from bias_tasks.probing.prompts.reword import (
    paraphrase_request,
    same_request,
    translation_request,
)
from bias_tasks.probing.rewordings.checks import (
    LONGEST,
    PASSED,
    check_back_translation,
    check_rewording,
    check_translation,
    first_refusal,
    unfit,
)
from bias_tasks.probing.rewordings.row import Kind, Row, item_digest
from bias_tasks.prompts.seeded import seeded

if TYPE_CHECKING:
    from inspect_ai.model import Model

ROLE = "rewriter"
_LABELS = ("text:", "reworded text:", "translation:")
_MOST = 50_000
"""Characters of a reply that are looked at; a longer one is refused by its length."""
_MOST_KEPT = 2 * LONGEST + 100
"""Characters of a refused one that are kept; of one that is taken there are no more."""
_Check = Callable[[ProbedItem, str], dict[str, str]]


@dataclass(frozen=True, slots=True)
class _Reply:
    """What a model made of a request, in one attempt or several."""

    text: str | None
    """The last, which may be refused; None where it is empty."""
    checks: dict[str, str]
    attempts: int

    @property
    def usable(self) -> bool:
        return self.text is not None and first_refusal(self.checks) is None


@dataclass(slots=True)
class Run:
    """One run over a task's items."""

    task: str
    kinds: Sequence[Kind]
    output: Output
    seed: int
    """Of the run that will ask: the grammar draws by it."""
    model: Model | None = None
    original: str = ""
    """The items' own language."""
    language: str = ""
    """Into which they are translated."""
    failures: list[str] = field(default_factory=list)
    """One message for each row during which the model failed."""
    _answers: AskedOnce[str] = field(default_factory=lambda: AskedOnce({}))
    _failures: Failures = field(default_factory=Failures)

    def reword(self, items: Sequence[ProbedItem], connections: int) -> None:
        """Rewords the items, and writes each row as it comes; what the file has is not asked."""
        wanted = [
            (item, kind)
            for item in items
            for kind in self.kinds
            if self._is_open(self.output.rows.get((item.id, kind)))
        ]

        async def one(pair: tuple[ProbedItem, Kind]) -> None:
            row = await self._row(*pair)
            if row is not None:
                self.output.write(row)

        self.failures += work("rewording", wanted, connections, one)

    def _is_open(self, row: Row | None) -> bool:
        """Whether a row lacks, or another model's was refused and nobody edited or judged it."""
        if row is None:
            return True
        untouched = row.approved is None and not row.edited and row.by == "model"
        other = self.model is not None and row.model != str(self.model)
        return untouched and other and first_refusal(row.checks) is not None

    async def _row(self, item: ProbedItem, kind: Kind) -> Row | None:
        """The item's row; None where no model is there to ask."""
        blank = self._blank(item, kind)
        reason = unfit(item)
        if reason is not None:
            return blank.model_copy(update={"by": "nobody", "checks": {"text": reason}})
        made = None
        if kind == "paraphrase":
            made = by_grammar(item, seeded(self.seed, item.id, kind))
        if made is not None:
            found = {"reworded": made, "made": digest(made), "checks": {"grammar": PASSED}}
            return blank.model_copy(update={"by": "grammar", **found})
        if self.model is None:
            return None
        make = self._paraphrased if kind == "paraphrase" else self._translated
        found = await make(self.model, item)
        return blank.model_copy(update={"by": "model", "model": str(self.model), **found})

    def _blank(self, item: ProbedItem, kind: Kind) -> Row:
        return Row(
            task=self.task,
            item=item.id,
            kind=kind,
            digest=item_digest(item),
            original=encodable(item.text),
            language=self.language if kind == "language" else None,
            original_language=self.original,
        )

    async def _paraphrased(self, model: Model, item: ProbedItem) -> dict[str, Any]:
        reply = await self._asked(model, paraphrase_request(item.text), item, check_rewording)
        found = _of(reply)
        if reply.usable and reply.text is not None:
            found["checks"] |= await self._same(model, item.text, reply.text)
        return found

    async def _translated(self, model: Model, item: ProbedItem) -> dict[str, Any]:
        request = translation_request(item.text, self.original, self.language)
        reply = await self._asked(model, request, item, check_translation)
        found = _of(reply)
        if not reply.usable or reply.text is None:
            return found
        request = translation_request(reply.text, self.language, self.original)
        back = await self._asked(model, request, item, check_back_translation, again=False)
        found["back_translation"] = back.text
        found["checks"] |= back.checks
        if back.usable and back.text is not None:
            found["checks"] |= await self._same(model, item.text, back.text)
        return found

    async def _asked(
        self, model: Model, request: str, item: ProbedItem, check: _Check, *, again: bool = True
    ) -> _Reply:
        """A reply to a request, asked for again where a check refuses it.

        A translation back is not: that would be to ask until one hides what was lost.
        """
        checks: dict[str, str] = {}
        last = ""

        def read(reply: str) -> str:
            nonlocal last
            checks.clear()
            last = shown(reply)
            try:
                text = read_reply(reply, most=_MOST, labels=_LABELS, lines="\n" in item.text)
            except UnusableReplyError as error:
                checks["form"] = str(error)
                raise
            last = text[:_MOST_KEPT]
            checks.update(check(item, text))
            refused = first_refusal(checks)
            if refused is not None and again:
                raise UnusableReplyError(refused[1])
            return text

        _, made = await attempts(
            request,
            lambda prompt, _: self._said(model, prompt),
            read,
            lambda reply, reason: asked_again(request, reply, reason),
        )
        return _Reply(last or None, checks, len(made))

    async def _same(self, model: Model, first: str, second: str) -> dict[str, str]:
        """The model's judgement whether two texts ask the same, in a call of its own."""
        reading = read_yes_no(await self._said(model, same_request(first, second)))
        if reading.label == "Yes":
            return {"same": PASSED}
        if reading.label == "No":
            return {"same": "the model says that it does not ask the same"}
        return {"same": f"the model's judgement can't be read: {reading.detail}"}

    async def _said(self, model: Model, prompt: str) -> str:
        """The model's reply to a prompt, which it gets once: items may be worded alike."""

        async def ask() -> str:
            return await self._failures.counted(model, lambda: generate(model, prompt))

        return await self._answers.answer(prompt, ask)


def _of(reply: _Reply) -> dict[str, Any]:
    """The columns of a row that a reply makes."""
    made = None if reply.text is None else digest(reply.text)
    checks = dict(reply.checks)
    return {"reworded": reply.text, "made": made, "checks": checks, "attempts": reply.attempts}
