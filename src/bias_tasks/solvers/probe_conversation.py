"""A probe put into the conversation that a task's own solver has made, and taken out of its answer.

It stands between that solver and the model: whatever the solver does with a prompt is done before,
and whatever it reads from an answer is read behind.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, Unpack

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfigArgs,
)
from inspect_ai.solver import Generate, TaskState

from bias_tasks.probing.answers import as_the_task_reads
from bias_tasks.probing.formats import FINAL_FORMATS, lead_in
from bias_tasks.probing.items import is_repeat
from bias_tasks.probing.options import LETTERS, Options, find_options
from bias_tasks.probing.plan import ProbedQuestion
from bias_tasks.probing.polished import lost_in_polishing
from bias_tasks.solvers.probed_items import edited, text_of

_MARKS = (") ", ". ", ": ")
NO_OPTIONS = "the task's prompt does not print the choices behind labels on lines of their own"
OTHER_ORDER = "the task's prompt does not print the choices in the order of the sample's"
OTHER_LABELS = "the task's prompt prints the choices behind labels that are no letters"
NO_QUESTION = "the task's prompt does not hold the sample's question as it stands"
ALREADY = "the task's own prompt looks so already"
NO_PROMPT = "the conversation has no message of the user"


class NotPlacedError(Exception):
    """A probe can't be put into a task's prompt; the message says why."""


@dataclass(slots=True)
class Conversation:
    """One sample's: a `generate()` that puts the probe in place first."""

    question: ProbedQuestion
    generate: Generate
    rewrite: Callable[[str], Awaitable[str]]
    """Asks a model to polish a prompt, and gives what it wrote."""
    text: str = ""
    """The sample's own, as it is asked."""
    calls: int = 0
    """How often the task's solver asked through it."""
    prompt: str = ""
    """What the model was asked first, dressed."""
    said: str | None = None
    """The last answer as the model gave it, where the task was handed another."""
    refused: str | None = None
    """Why the probe could not be put in place."""
    labels: tuple[str, ...] = ()
    """The task's own labels of the choices shown."""
    _lead: str = ""
    """What the task's prompt has an answer begin with."""
    _dressed: set[str] = field(default_factory=set)
    """Prompts that are dressed already."""

    async def __call__(
        self,
        state: TaskState,
        tool_calls: Literal["loop", "single", "none"] = "loop",
        **options: Unpack[GenerateConfigArgs],
    ) -> TaskState:
        """Ask the model under the probe.

        Raises:
            NotPlacedError: the probe can't be put into the prompt; nothing was asked.
        """
        self.calls += 1
        if is_repeat(self.question.variant):
            options["cache"] = False  # it would be answered with the plain question's answer
        try:
            await self._put(state)
        except NotPlacedError as error:
            self.refused = str(error)
            raise
        state = await self.generate(state, tool_calls, **options)
        again = self.question.asked.again
        if again and not state.completed:
            state.messages.append(ChatMessageUser(content=again))
            self._dressed.add(again)
            state = await self.generate(state, tool_calls, **options)
        self._read(state)
        return state

    async def _put(self, state: TaskState) -> None:
        """Dress the last message of the user, unless the conversation goes on behind one."""
        asked = self.question.asked
        users = [p for p, each in enumerate(state.messages) if isinstance(each, ChatMessageUser)]
        if not users:
            raise NotPlacedError(NO_PROMPT)
        if not any(text_of(state.messages[place]) in self._dressed for place in users):
            message = state.messages[users[-1]]
            assert isinstance(message, ChatMessageUser)
            self._check(text_of(message), state.messages)
            self._lead = lead_in(text_of(message))
            if asked.polish:
                polished = await self._polished(text_of(message))
                message = edited(message, lambda _: polished)
            dressed = edited(message, self._dress)
            state.messages[users[-1]] = dressed
            self._dressed.add(text_of(dressed))
            self.prompt = self.prompt or text_of(dressed)
        systems = [each.text for each in state.messages if isinstance(each, ChatMessageSystem)]
        if asked.system and asked.system not in systems:
            state.messages.insert(0, ChatMessageSystem(content=asked.system))

    async def _polished(self, prompt: str) -> str:
        """The prompt as a model has rewritten it."""
        shown = self.question.asked.shown(self.question.item)
        printed = shown if self.labels or _lists(prompt, shown) else ()
        polished = await self.rewrite(prompt)
        lost = lost_in_polishing(prompt, polished, _question_in(self.text), printed, self.labels)
        if lost is not None:
            raise NotPlacedError(lost)
        return polished

    def _dress(self, prompt: str) -> str:
        asked = self.question.asked
        if asked.dress is not None:
            try:
                dressed = asked.dress.prompt(prompt, len(self.question.item.choices))
            except ValueError as error:
                raise NotPlacedError(NO_OPTIONS) from error
            if dressed == prompt:
                raise NotPlacedError(ALREADY)
            prompt = dressed
        parts = (asked.beginning, prompt, asked.ending)
        return "\n\n".join(part for part in parts if part)

    def _check(self, prompt: str, messages: list[ChatMessage]) -> None:
        """Raise where the task's solver has not put into the prompt what the probe changes."""
        asked, item = self.question.asked, self.question.item
        shown = asked.shown(item)
        printed = _options_of(prompt, shown)
        self.labels = _long_labels(prompt, shown) if printed is None else printed.labels
        if asked.text is not None and not _holds(" ".join(map(text_of, messages)), [asked.text]):
            raise NotPlacedError(NO_QUESTION)
        if asked.format and FINAL_FORMATS[asked.format].choices and not self.labels:
            raise NotPlacedError(NO_OPTIONS)
        if asked.dress is not None and printed is None:
            raise NotPlacedError(NO_OPTIONS)
        if asked.order and not self.labels and not _lists(prompt, shown):
            raise NotPlacedError(OTHER_ORDER)
        if self.question.variant == "suggest" and self.labels != LETTERS[: len(shown)]:
            raise NotPlacedError(OTHER_ORDER if printed is None else OTHER_LABELS)

    def _read(self, state: TaskState) -> None:
        """Hand the task the answer as it reads it, in the output and in the conversation."""
        asked, item = self.question.asked, self.question.item
        labels = self.labels or LETTERS[: len(item.choices)]
        said = state.output.completion
        read = as_the_task_reads(asked, said, labels, item, self._lead)
        if read == said:
            return
        self.said = said
        answers = [choice.message for choice in state.output.choices]
        last = state.messages[-1] if state.messages else None
        if isinstance(last, ChatMessageAssistant) and all(last is not each for each in answers):
            answers.append(last)
        for answer in answers:
            answer.text = as_the_task_reads(asked, answer.text, labels, item, self._lead)
        state.output.completion = read


def _question_in(text: str) -> str:
    """What stands before the choices that a sample's own text prints, if it prints any."""
    options = find_options(text)
    return text if options is None else text[: options.begin]


def recorded_prompt(question: ProbedQuestion, messages: Sequence[ChatMessage]) -> dict[str, object]:
    """What is noted of a conversation that is at hand: its prompt, and the labels in it."""
    asked = [text_of(each) for each in messages if isinstance(each, ChatMessageUser)]
    prompt = asked[-1] if asked else ""
    shown = question.item.choices
    printed = _options_of(prompt, shown)
    labels = _long_labels(prompt, shown) if printed is None else printed.labels
    return {"prompt": prompt, "labels": list(labels), "said": None, "refused": None}


def _options_of(prompt: str, shown: tuple[str, ...]) -> Options | None:
    """The options of a prompt, if they are the choices in their order."""
    found = find_options(prompt, len(shown)) if shown else None
    return found if found is not None and _alike(found.texts, shown) else None


def _long_labels(prompt: str, shown: tuple[str, ...]) -> tuple[str, ...]:
    """The letters behind which a prompt prints choices of several lines in their order, if so."""
    if not shown:
        return ()
    lettered = LETTERS[: len(shown)]
    for mark in _MARKS:
        if _holds(
            prompt, [f"{each}{mark}{text}" for each, text in zip(lettered, shown, strict=False)]
        ):
            return lettered
    return ()


def _alike(texts: tuple[str, ...], shown: tuple[str, ...]) -> bool:
    return [" ".join(text.split()) for text in texts] == [" ".join(text.split()) for text in shown]


def _lists(prompt: str, shown: tuple[str, ...]) -> bool:
    """Whether a prompt has the choices in their order, each at the end of a line."""
    place = 0
    for line in prompt.splitlines():
        if place < len(shown) and line.strip().endswith(shown[place].strip()):
            place += 1
    return place == len(shown)


def _holds(text: str, parts: list[str] | tuple[str, ...]) -> bool:
    """Whether parts stand in a text in their order, whatever the blanks between words are."""
    told, place = " ".join(text.split()), 0
    for part in parts:
        wanted = " ".join(part.split())
        place = told.find(wanted, place)
        if place < 0:
            return False
        place += len(wanted)
    return True
