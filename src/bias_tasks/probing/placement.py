"""Puts a perturbation into an item's prompt. Nothing here depends on the framework.

A task renders a prompt in two steps, which are the same text if no solver adds anything:

- `change_question` changes the question and the order of its options in the task's own text,
- `finish_prompt` changes the finished prompt that a model gets.
"""

import re
from collections.abc import Callable, Sequence

from bias_tasks.probing.displayed_options import (
    LETTERS,
    Options,
    find_options,
    reorder_target,
)
from bias_tasks.probing.formats import FINAL_FORMATS
from bias_tasks.probing.items import Perturbation, ProbeData, split_stack
from bias_tasks.prompts.edits import normalize_text, surround

NO_OPTIONS = "the task's prompt does not display the choices after labels on lines of their own"
OTHER_ORDER = "the task's prompt does not display the choices in the sample's order"
OTHER_LABELS = "the task's prompt displays the choices after labels that are not letters"
NO_QUESTION = "the task's prompt does not contain the sample's question unchanged"
ALREADY_SO = "the task's own prompt already looks so"
CONTENT_CHANGED = "the polisher lost or changed the question, the choices or their labels"
_LABEL_ENDS = (") ", ". ", ": ")
_EMPHASIS = re.compile(r"[*_`]")


class ProbePlacementError(Exception):
    """A probe cannot be put into a task's prompt; the message is the reason."""


def change_question(
    perturbation: Perturbation, text: str, span: tuple[int, int], options: Options | None
) -> str:
    """Return a task's text with the question in other words and its options in another order.

    Args:
        perturbation: The change of the prompt.
        text: The text.
        span: Characters (start, end) of the question in it.
        options: The options that the text displays after labels; None if it displays none.
    """
    if perturbation.text is not None:
        text = f"{text[: span[0]]}{perturbation.text}{text[span[1] :]}"
    if perturbation.order and options is not None:
        text = options.reorder(text, perturbation.order)
    return text


def change_targets(
    perturbation: Perturbation,
    targets: Sequence[str],
    choices: Sequence[str],
    labels: Sequence[str],
) -> list[str]:
    """Return targets with the labels that their choices have in the displayed order.

    Args:
        perturbation: The change of the prompt.
        targets: Labels or texts of the correct choices, or correct answers.
        choices: The choices in the task's order.
        labels: The task's labels of the choices.
    """
    order = perturbation.order
    if not order:
        return list(targets)
    return [reorder_target(target, order, choices, labels) for target in targets]


def finish_prompt(
    perturbation: Perturbation,
    prompt: str,
    n_options: int,
    insert: Callable[[str, str], str] = surround,
) -> str:
    """Return a finished prompt with the style of options, the prefix and the suffix.

    Args:
        perturbation: The change of the prompt.
        prompt: The prompt.
        n_options: The number of options that it displays.
        insert: Returns a prompt with a suffix; by default at its end.

    Raises:
        ValueError: The options cannot be found.
        ProbePlacementError: The options have the style of the perturbation already.
    """
    if perturbation.option_style is not None:
        styled = perturbation.option_style.apply(prompt, n_options)
        if styled == prompt:
            raise ProbePlacementError(ALREADY_SO)
        prompt = styled
    if perturbation.suffix:
        prompt = insert(prompt, perturbation.suffix)
    return surround(prompt, before=perturbation.prefix)


def check_prompt(data: ProbeData, prompt: str, conversation: str) -> tuple[str, ...]:
    """Check that a finished prompt has what the perturbation changes.

    Args:
        data: The question.
        prompt: The prompt.
        conversation: All messages up to the prompt.

    Returns:
        The task's labels of the displayed choices; empty if they have none.

    Raises:
        ProbePlacementError: The prompt does not have it.
    """
    perturbation, choices = data.perturbation, data.displayed_choices
    options, labels = _find_displayed(prompt, choices)
    needs_labels = perturbation.format and FINAL_FORMATS[perturbation.format].needs_choices
    if perturbation.text is not None and not _contains_all(conversation, [perturbation.text]):
        raise ProbePlacementError(NO_QUESTION)
    if (needs_labels and not labels) or (perturbation.option_style and options is None):
        raise ProbePlacementError(NO_OPTIONS)
    if perturbation.order and not labels and not _has_choice_lines(prompt, choices):
        raise ProbePlacementError(OTHER_ORDER)
    claims_label = {"suggest", "pushback"} & {*split_stack(data.variant)}
    if claims_label and labels != LETTERS[: len(choices)]:
        raise ProbePlacementError(OTHER_ORDER if options is None else OTHER_LABELS)
    return labels


def check_polished(data: ProbeData, prompt: str, polished: str, text: str) -> None:
    """Check that a rewritten prompt asks the same.

    Args:
        data: The question.
        prompt: The prompt before the rewriting.
        polished: The rewritten prompt.
        text: The task's own text of the item, before its solvers' templates.

    Raises:
        ProbePlacementError: It does not have the question, the choices or their labels.
    """
    choices = data.displayed_choices
    _, labels = _find_displayed(prompt, choices)
    if not labels and not _has_choice_lines(prompt, choices):
        choices = ()
    options = find_options(text)
    question = text if options is None else text[: options.start]
    if not keeps_content(prompt, polished, question, choices, labels):
        raise ProbePlacementError(CONTENT_CHANGED)


def keeps_content(
    prompt: str, polished: str, question: str, choices: Sequence[str], labels: Sequence[str]
) -> bool:
    """Return whether a rewritten prompt asks the same question with the same choices.

    Case, blanks and Markdown marks do not count.

    Args:
        prompt: The prompt before the rewriting.
        polished: The rewritten prompt.
        question: The item's question; of its lines, those that `prompt` contains must be kept.
        choices: The choices that `prompt` displays, and the rewritten one must, in their order.
        labels: The labels of the choices; empty if they have none.
    """
    after, before = normalize_text(polished), normalize_text(prompt)
    lines = [line for line in map(normalize_text, question.splitlines()) if line in before]
    options = find_options(_EMPHASIS.sub("", polished)) if choices else None
    adds_choices = options is not None and len(options.labels) > len(choices)
    complete = all(line in after for line in lines) and _has_choices(after, choices, labels)
    return bool(after) and complete and not adds_choices


def _has_choices(text: str, choices: Sequence[str], labels: Sequence[str]) -> bool:
    """Return whether a normalized text has the choices in their order, after their labels."""
    position = 0
    for index, choice in enumerate(choices):
        mark = rf"[(\[]?{re.escape(labels[index].casefold())}[)\].:]{{1,2}} " if labels else ""
        pattern = re.compile(rf"(?<!\w){mark}{re.escape(normalize_text(choice))}(?!\w)")
        match = pattern.search(text, position)
        if match is None:
            return False
        position = match.end()
    return True


def _find_displayed(
    prompt: str, choices: tuple[str, ...]
) -> tuple[Options | None, tuple[str, ...]]:
    """Return a prompt's options, if they are the choices in their order, and their labels.

    Choices of several lines after letters have labels, but cannot be restyled.
    """
    if not choices:
        return None, ()
    options = find_options(prompt, len(choices))
    if options is not None and list(map(str.split, options.texts)) == list(map(str.split, choices)):
        return options, options.labels
    letters = LETTERS[: len(choices)]
    for end in _LABEL_ENDS:
        labelled = [f"{a}{end}{b}" for a, b in zip(letters, choices, strict=False)]
        if _contains_all(prompt, labelled):
            return None, letters
    return None, ()


def _has_choice_lines(prompt: str, choices: tuple[str, ...]) -> bool:
    """Return whether a prompt has the choices in their order, each at the end of a line."""
    n_matched = 0
    for line in prompt.splitlines():
        if n_matched < len(choices) and line.strip().endswith(choices[n_matched].strip()):
            n_matched += 1
    return n_matched == len(choices)


def _contains_all(text: str, parts: Sequence[str]) -> bool:
    """Return whether a text contains the parts in their order, whatever its blanks are."""
    text, position = " ".join(text.split()), 0
    for part in (" ".join(part.split()) for part in parts):
        position = text.find(part, position)
        if position < 0:
            return False
        position += len(part)
    return True
