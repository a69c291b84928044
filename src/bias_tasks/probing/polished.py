"""Checks whether a prompt that a model has rewritten still asks the same."""

import re
from collections.abc import Sequence

from bias_tasks.instruction_boundary.prompts.polished import normalize_text
from bias_tasks.probing.displayed_options import find_options

TRUNCATED = "the polisher's answer was truncated"
CONTENT_CHANGED = "the polisher lost or changed the question, the choices or their labels"
_MARKUP = re.compile(r"[*_`]")


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
    options = find_options(_MARKUP.sub("", polished)) if choices else None
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
