"""Samples of any task as probed items, and back: the same sample asked otherwise."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage, ChatMessageUser

from bias_tasks.contract.family import Question
from bias_tasks.contract.record import PROBED
from bias_tasks.names import digest
from bias_tasks.probing.items import Asked, ProbedItem
from bias_tasks.probing.options import LETTERS, Options, find_options, moved_target, places_named
from bias_tasks.solvers.sample_state import AskedSample, SampleState

_GAP = re.compile(r"\n[ \t]{0,20}\n\s{0,20}")
"""What stands between two paragraphs."""


@dataclass(frozen=True, slots=True)
class ProbedSample:
    """A sample with what is known of it."""

    sample: Sample
    item: ProbedItem
    options: Options | None
    """Where its own text prints its choices; None where the task's solver does, or nobody."""
    begin: int = 0
    """Where in its own text the question begins: behind examples, if it has any."""

    @classmethod
    def of(cls, sample: Sample) -> "ProbedSample":
        """What is known of a sample, whose id is made of what it asks where it has none; a
        ValueError where it asks nothing in words."""
        text, targets = _text_in(sample.input), _targets(sample)
        options = None if sample.choices else _own_options(text, targets)
        begin = 0 if options is None else _behind_examples(text[: options.begin])
        question = text if options is None else text[begin : options.begin].rstrip()
        choices = tuple(sample.choices or (() if options is None else options.texts))
        item = ProbedItem(
            id=digest(text, sample.choices, sample.target) if sample.id is None else str(sample.id),
            text=question,
            choices=choices,
            right=places_named(targets, choices, LETTERS) or (),
            target=", ".join(targets),
            worked=_worked(question, choices, sample),
        )
        return cls(sample, item, options, begin)

    def asked(self, asked: Asked) -> tuple[str | list[ChatMessage], list[str] | None, list[str]]:
        """The input, the choices and the target of the sample as it is asked."""
        sample, item, text = self.sample, self.item, _text_in(self.sample.input)
        choices, target = sample.choices, _targets(sample)
        if asked.text is not None:
            text = f"{text[: self.begin]}{asked.text}{text[self.begin + len(item.text) :]}"
        if asked.order:
            target = [moved_target(each, asked.order, item.choices, LETTERS) for each in target]
            if self.options is not None:
                text = self.options.reordered(text, asked.order)
            else:
                choices = list(asked.shown(item))
        return _with_text(sample.input, text), choices, target

    def recorded(self, asked: Asked) -> tuple[str, str]:
        """What it asks, its question and its choices, and the right answer to that, as a record
        keeps them."""
        given, choices, target = self.asked(asked)
        return "\n".join([_text_in(given), *_lettered(choices or ())]), ", ".join(target)


class ProbingSample(AskedSample):
    """A sample of another task as it is asked under a variant, with all else that it has."""

    def __init__(
        self,
        own: ProbedSample,
        question: Question,
        sample_ids: frozenset[str],
        place: Mapping[str, int],
    ) -> None:
        given, choices, target = own.asked(question.source.asked)
        facts = {PROBED: dict(question.facts), **place}
        changed = {
            "id": question.id,
            "input": given,
            "choices": choices,
            "target": target if isinstance(own.sample.target, list) else target[0],
            "metadata": {**(own.sample.metadata or {}), **facts},
        }
        kept = {name: getattr(own.sample, name) for name in Sample.model_fields}
        Sample.__init__(self, **kept | changed)
        self._state = SampleState(question, sample_ids)


def edited(message: ChatMessageUser, text: str) -> ChatMessageUser:
    """The message with another text; the very same where it has that."""
    if message.text == text:
        return message
    made = message.model_copy()
    made.text = text
    return made


def _behind_examples(text: str) -> int:
    """Where the question begins before its choices: behind the paragraph in which the last
    example's choices end, or at the beginning where none follows."""
    shown = find_options(text)
    gap = None if shown is None else _GAP.search(text, shown.end)
    return gap.end() if gap is not None and text[gap.end() :].strip() else 0


def _worked(text: str, choices: tuple[str, ...], sample: Sample) -> str:
    """The sample and its answer as an example, in the words in which tasks of Inspect ask for one;
    empty where it has no right answer, or more than one message and its text."""
    messages = [] if isinstance(sample.input, str) else sample.input
    asked = [(m.role, type(m.content)) for m in messages if m.role != "system"]
    alone = isinstance(sample.input, str) or asked == [("user", str)]
    targets = _targets(sample) if choices else _targets(sample)[:1]
    if not (alone and "".join(targets).strip() and text.strip()) or len(choices) > len(LETTERS):
        return ""
    parts = (text.strip(), "\n".join(_lettered(choices)), f"ANSWER: {', '.join(targets)}")
    return "\n\n".join(part for part in parts if part)


def _lettered(choices: Sequence[str]) -> list[str]:
    return [f"{letter}) {text}" for letter, text in zip(LETTERS, choices, strict=False)]


def _own_options(text: str, targets: Sequence[str]) -> Options | None:
    """The options that a sample's own text prints behind letters, where its target is of them."""
    found = find_options(text)
    if found is None or found.labels[0] != LETTERS[0]:
        return None
    return None if places_named(targets, found.texts, LETTERS) is None else found


def _targets(sample: Sample) -> list[str]:
    return list(sample.target) if isinstance(sample.target, list) else [sample.target]


def _last_of_user(messages: Sequence[ChatMessage]) -> int:
    places = [place for place, each in enumerate(messages) if isinstance(each, ChatMessageUser)]
    if not places:
        raise ValueError("a sample has no message of the user, so there is nothing to ask")
    return places[-1]


def _text_in(given: str | list[ChatMessage]) -> str:
    """The text of an input: that of the last message of the user."""
    return given if isinstance(given, str) else given[_last_of_user(given)].text


def _with_text(given: str | list[ChatMessage], text: str) -> str | list[ChatMessage]:
    """The input with its text replaced; the other messages stay."""
    if isinstance(given, str):
        return text
    last = _last_of_user(given)
    message: Any = given[last]
    return [*given[:last], edited(message, text), *given[last + 1 :]]
