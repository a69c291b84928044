"""Samples of any task as probed items, and back: the same sample asked otherwise."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage, ChatMessageSystem, ChatMessageUser, ContentText

from bias_tasks.family import Question
from bias_tasks.names import digest
from bias_tasks.probing.items import Asked, ProbedItem
from bias_tasks.probing.options import LETTERS, Options, find_options
from bias_tasks.solvers.sample_state import AskedSample, SampleState

PROBED = "bias_tasks_probe"
"""Name in a sample's metadata of what it asks: `bias_tasks.probing.plan.facts_of`."""
_GAP = re.compile(r"\n[ \t]{0,20}\n\s{0,20}")
"""What stands between two paragraphs."""
_AROUND = "()[]{}.:*\"' \t\n"
"""What may stand around a label in a target: `(B)`."""


@dataclass(frozen=True, slots=True)
class ProbedSample:
    """A sample with what is known of it."""

    sample: Sample
    item: ProbedItem
    options: Options | None
    """Where its own text prints its choices; None where the task's solver does, or nobody."""
    begin: int = 0
    """Where in its own text the question begins: behind examples, if it has any."""

    def asked(self, asked: Asked) -> tuple[str | list[ChatMessage], list[str] | None, list[str]]:
        """The input, the choices and the target of the sample as it is asked."""
        sample, target = self.sample, _targets(self.sample)
        given = sample.input if asked.text is None else self._reworded(asked.text)
        if not asked.order:
            return given, sample.choices, target
        moved = [_moved(each, asked.order, self.item.choices) for each in target]
        if self.options is None:
            return given, [(sample.choices or [])[place] for place in asked.order], moved
        options, texts = self.options, asked.shown(self.item)
        text = self._text
        block = options.printed(texts=texts)
        given = _with_text(sample.input, f"{text[: options.begin]}{block}{text[options.end :]}")
        return given, sample.choices, moved

    @property
    def _text(self) -> str:
        return _question_text(self.sample.input)

    def _reworded(self, text: str) -> str | list[ChatMessage]:
        """The input with another question between its examples and its choices, if it has any."""
        own, end = self._text, self.begin + len(self.item.text)
        return _with_text(self.sample.input, f"{own[: self.begin]}{text}{own[end:]}")


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
        kept = {name: getattr(own.sample, name) for name in Sample.model_fields}
        Sample.__init__(
            self,
            **kept
            | {
                "id": question.id,
                "input": given,
                "choices": choices,
                "target": target if isinstance(own.sample.target, list) else target[0],
                "metadata": {
                    **(own.sample.metadata or {}),
                    PROBED: dict(question.facts),
                    **place,
                },
            },
        )
        self._state = SampleState(question, sample_ids)


def probed_samples(samples: Iterable[Sample]) -> list[ProbedSample]:
    """The samples of a task.

    An id that a sample lacks is made of what it asks, so that it stays the same in any order.

    Raises:
        ValueError: a sample asks nothing in words.
    """
    return [_probed(sample) for sample in samples]


def recorded(own: ProbedSample, asked: Asked) -> tuple[str, str]:
    """What a sample is asked, its question and its choices, and the right answer to that, as a
    record keeps them."""
    given, choices, target = own.asked(asked)
    shown = [f"{label}) {text}" for label, text in zip(LETTERS, choices or (), strict=False)]
    return "\n".join([_question_text(given), *shown]), ", ".join(target)


def edited(message: ChatMessageUser, edit: Callable[[str], str]) -> ChatMessageUser:
    """A copy of a message with its text edited: of several parts the last that is text."""
    if isinstance(message.content, str):
        return message.model_copy(update={"content": edit(message.content)})
    parts = list(message.content)
    places = [place for place, part in enumerate(parts) if isinstance(part, ContentText)]
    if not places:
        return message.model_copy(update={"content": [*parts, ContentText(text=edit(""))]})
    last = parts[places[-1]]
    assert isinstance(last, ContentText)
    parts[places[-1]] = last.model_copy(update={"text": edit(last.text)})
    return message.model_copy(update={"content": parts})


def text_of(message: ChatMessage) -> str:
    """The text of a message that `edited` would edit."""
    if isinstance(message.content, str):
        return message.content
    texts = [part.text for part in message.content if isinstance(part, ContentText)]
    return texts[-1] if texts else ""


def _probed(sample: Sample) -> ProbedSample:
    text = _question_text(sample.input)
    name = digest(text, sample.choices, sample.target) if sample.id is None else str(sample.id)
    if sample.choices:
        choices = tuple(sample.choices)
        right = _places(_targets(sample), choices) or ()
        return ProbedSample(sample, _item(name, text, choices, right, sample), None)
    options = _own_options(text, _targets(sample))
    if options is None:
        return ProbedSample(sample, _item(name, text, (), (), sample), None)
    right = _places(_targets(sample), options.texts) or ()
    begin = _behind_examples(text[: options.begin])
    question = text[begin : options.begin].rstrip()
    item = _item(name, question, options.texts, right, sample)
    return ProbedSample(sample, item, options, begin)


def _behind_examples(text: str) -> int:
    """Where the question begins in what stands before its choices.

    Examples print choices of their own; behind the last of these, and the rest of its paragraph,
    comes the question. Where no paragraph follows, nobody can tell it from the examples: all of it
    counts as the question then.
    """
    shown = find_options(text)
    if shown is None:
        return 0
    gap = _GAP.search(text, shown.end)
    return gap.end() if gap is not None and text[gap.end() :].strip() else 0


def _item(
    name: str, text: str, choices: tuple[str, ...], right: tuple[int, ...], sample: Sample
) -> ProbedItem:
    return ProbedItem(
        name,
        text,
        choices,
        right,
        target=", ".join(_targets(sample)),
        worked=_worked(text, choices, sample),
    )


def _worked(text: str, choices: tuple[str, ...], sample: Sample) -> str:
    """The sample and its answer as an example, in the words in which tasks of Inspect ask for one;
    empty where it has no right answer, or more than one message and its text."""
    given = sample.input
    alone = isinstance(given, str) or [
        isinstance(each, ChatMessageUser) and isinstance(each.content, str)
        for each in given
        if not isinstance(each, ChatMessageSystem)
    ] == [True]
    targets = _targets(sample) if choices else _targets(sample)[:1]
    said = any(each.strip() for each in targets)
    if not (alone and said and text.strip()) or len(choices) > len(LETTERS):
        return ""
    shown = "\n".join(f"{label}) {each}" for label, each in zip(LETTERS, choices, strict=False))
    parts = (text.strip(), shown, f"ANSWER: {', '.join(targets)}")
    return "\n\n".join(part for part in parts if part)


def _own_options(text: str, targets: Sequence[str]) -> Options | None:
    """The options that a sample's own text prints behind letters, where its target is of them.

    A list that merely looks like options, as in a task's instructions, has no such target.
    """
    found = find_options(text)
    if found is None or found.labels[0] != LETTERS[0]:
        return None
    return None if _places(targets, found.texts) is None else found


def _targets(sample: Sample) -> list[str]:
    return list(sample.target) if isinstance(sample.target, list) else [sample.target]


def _places(targets: Sequence[str], choices: Sequence[str]) -> tuple[int, ...] | None:
    """The places of the choices that targets name; None where one names none."""
    found = [_named(target, choices) for target in targets]
    if not found or not all(found):
        return None
    return tuple(dict.fromkeys(place for places in found for place in places))


def _named(target: str, choices: Sequence[str]) -> tuple[int, ...]:
    """The places that a target names by its letter, the choice's text, or several letters.

    `AC`, `A,C` and `A C` are taken apart as Inspect's own scorer of choices does.
    """
    letters = LETTERS[: len(choices)]
    label = target.strip(_AROUND)
    if label in letters:
        return (letters.index(label),)
    same = _same_text(target, choices)
    if same:
        return same
    parts = target.replace(",", " ").split()
    if not all(set(part) <= set(letters) for part in parts):
        return ()
    return tuple(letters.index(letter) for part in parts for letter in part)


def _same_text(target: str, choices: Sequence[str]) -> tuple[int, ...]:
    """The place of the one choice whose text the target is; none where it is not one's."""
    told = " ".join(target.split()).casefold()
    found = [p for p, each in enumerate(choices) if " ".join(each.split()).casefold() == told]
    return tuple(found) if len(found) == 1 else ()


def _moved(target: str, order: Sequence[int], choices: Sequence[str]) -> str:
    """A target with the letters that its choices have in another order; a text stays."""
    new = {LETTERS[place]: LETTERS[shown] for shown, place in enumerate(order)}
    if target.strip(_AROUND) not in new and _same_text(target, choices):
        return target
    return "".join(new.get(each, each) for each in target)


def _question_text(given: str | list[ChatMessage]) -> str:
    if isinstance(given, str):
        return given
    asked = [message for message in given if isinstance(message, ChatMessageUser)]
    if not asked:
        raise ValueError("a sample has no message of the user, so there is nothing to ask")
    return text_of(asked[-1])


def _with_text(given: str | list[ChatMessage], text: str) -> str | list[ChatMessage]:
    """The input with its question replaced; the other messages stay."""
    if isinstance(given, str):
        return text
    last = max(place for place, each in enumerate(given) if isinstance(each, ChatMessageUser))
    message: Any = given[last]
    return [*given[:last], edited(message, lambda _: text), *given[last + 1 :]]
