"""Converts samples of any task to probed items, and to samples with a perturbed prompt."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage, ChatMessageUser

from bias_tasks.contract.logged_outcomes import PROBED
from bias_tasks.contract.questions import Question
from bias_tasks.digests import digest
from bias_tasks.probing.displayed_options import (
    LETTERS,
    Options,
    find_options,
    find_target_indices,
)
from bias_tasks.probing.items import Perturbation, ProbeData, ProbedItem
from bias_tasks.probing.placement import change_question, change_targets
from bias_tasks.solvers.sample_state import QuestionSample, SampleState

_PARAGRAPH_BREAK = re.compile(r"\n[ \t]{0,20}\n\s{0,20}")

SampleInput = str | list[ChatMessage]


@dataclass(frozen=True, slots=True)
class ProbedSample:
    """A sample of another task, and the item that it is about."""

    sample: Sample
    item: ProbedItem
    options: Options | None
    """The choices in its own text; None if its solver displays them, or it has none."""
    question_start: int = 0
    """Where in its own text the question begins, after examples."""

    @classmethod
    def from_sample(cls, sample: Sample) -> "ProbedSample":
        """Return a sample with its item. The id of a sample without one is a digest of its content.

        Raises:
            ValueError: The sample has no message of the user.
        """
        text, targets = _input_text(sample.input), _list_targets(sample)
        options = None if sample.choices else _find_own_options(text, targets)
        if options is None:
            start, question, choices = 0, text, tuple(sample.choices or ())
        else:
            start = _find_question_start(text[: options.start])
            question, choices = text[start : options.start].rstrip(), options.texts
        item_id = sample.id
        if item_id is None:
            item_id = digest(text, sample.choices, sample.target)
        item = ProbedItem(
            id=str(item_id),
            text=question,
            choices=choices,
            correct=find_target_indices(targets, choices, LETTERS) or (),
            target=", ".join(targets),
            worked_example=_format_example(question, choices, sample),
        )
        return cls(sample, item, options, start)

    def perturb(
        self, perturbation: Perturbation
    ) -> tuple[SampleInput, list[str] | None, list[str]]:
        """Return the input, the choices and the targets of the sample under a perturbation."""
        sample, item, text = self.sample, self.item, _input_text(self.sample.input)
        choices, targets = sample.choices, _list_targets(sample)
        span = self.question_start, self.question_start + len(item.text)
        text = change_question(perturbation, text, span, self.options)
        targets = change_targets(perturbation, targets, item.choices, LETTERS)
        if perturbation.order and self.options is None:
            choices = [item.choices[index] for index in perturbation.order]
        return _replace_input_text(sample.input, text), choices, targets

    def describe(self, perturbation: Perturbation) -> tuple[str, str]:
        """Return the question with its choices, and the target, as the record of a run has them."""
        sample_input, choices, targets = self.perturb(perturbation)
        lines = [_input_text(sample_input), *_label_choices(choices or ())]
        return "\n".join(lines), ", ".join(targets)


def make_sample(
    probed: ProbedSample, question: Question, position: Mapping[str, int]
) -> QuestionSample:
    """Return a sample of another task under a variant, with all of its other fields."""
    sample = probed.sample
    sample_input, choices, targets = probed.perturb(question.data_as(ProbeData).perturbation)
    metadata = {PROBED: question.scoring_data.to_dict(), **position}
    fields = {name: getattr(sample, name) for name in Sample.model_fields} | {
        "id": question.id,
        "input": sample_input,
        "choices": choices,
        "target": targets if isinstance(sample.target, list) else targets[0],
        "metadata": {**(sample.metadata or {}), **metadata},
    }
    return QuestionSample(SampleState(question), **fields)


def replace_text(message: ChatMessageUser, text: str) -> ChatMessageUser:
    """Return the message with another text; the same object if it has that text."""
    if message.text == text:
        return message
    copy = message.model_copy()
    copy.text = text
    return copy


def _find_question_start(text: str) -> int:
    """Return where the question before its choices begins.

    It is after the paragraph in which the last example's choices end, or 0 without examples.
    """
    example = find_options(text)
    gap = None if example is None else _PARAGRAPH_BREAK.search(text, example.end)
    return gap.end() if gap is not None and text[gap.end() :].strip() else 0


def _format_example(text: str, choices: tuple[str, ...], sample: Sample) -> str:
    """Return a sample with its answer as an example, in the words of Inspect's own prompts.

    Empty if it has no correct answer, or other content than one text and system messages.
    """
    if not isinstance(sample.input, str):
        messages = [message for message in sample.input if message.role != "system"]
        if [(m.role, type(m.content)) for m in messages] != [("user", str)]:
            return ""
    targets = _list_targets(sample) if choices else _list_targets(sample)[:1]
    if not "".join(targets).strip() or not text.strip() or len(choices) > len(LETTERS):
        return ""
    answer = f"ANSWER: {', '.join(targets)}"
    parts = (text.strip(), "\n".join(_label_choices(choices)), answer)
    return "\n\n".join(part for part in parts if part)


def _label_choices(choices: Sequence[str]) -> list[str]:
    return [f"{letter}) {text}" for letter, text in zip(LETTERS, choices, strict=False)]


def _find_own_options(text: str, targets: Sequence[str]) -> Options | None:
    """Return the options in a sample's text, if they have letters and include its target."""
    options = find_options(text)
    if options is None or options.labels[0] != LETTERS[0]:
        return None
    return None if find_target_indices(targets, options.texts, LETTERS) is None else options


def _list_targets(sample: Sample) -> list[str]:
    return list(sample.target) if isinstance(sample.target, list) else [sample.target]


def _last_user_index(messages: Sequence[ChatMessage]) -> int:
    indices = [i for i, message in enumerate(messages) if isinstance(message, ChatMessageUser)]
    if not indices:
        raise ValueError("a sample has no message of the user, and so no question")
    return indices[-1]


def _input_text(sample_input: SampleInput) -> str:
    """Return the text of an input: that of the user's last message."""
    if isinstance(sample_input, str):
        return sample_input
    return sample_input[_last_user_index(sample_input)].text


def _replace_input_text(sample_input: SampleInput, text: str) -> SampleInput:
    """Return the input with another text; the other messages stay."""
    if isinstance(sample_input, str):
        return text
    last = _last_user_index(sample_input)
    message: Any = sample_input[last]
    return [*sample_input[:last], replace_text(message, text), *sample_input[last + 1 :]]
