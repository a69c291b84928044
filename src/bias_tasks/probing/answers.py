"""Puts a model's answer under a probe as the probed task would have had it."""

from __future__ import annotations

from collections.abc import Sequence

from bias_tasks.probing.items import Asked, ProbedItem
from bias_tasks.probing.probes.format import unwrapped


def as_the_task_reads(asked: Asked, text: str, labels: Sequence[str]) -> str:
    """The answer without the format and the labels that the probe asked for.

    Args:
        asked: how the item was asked.
        text: what the model said.
        labels: the task's own labels of the choices shown.
    """
    if asked.format:
        text = unwrapped(asked.format, text)
    return text if asked.dress is None else asked.dress.answer(text, tuple(labels))


def content_of(item: ProbedItem, asked: Asked, said: str | None, labels: Sequence[str]) -> str:
    """What an answer says, such that two are the same where they mean the same choice.

    Args:
        item: of the task.
        asked: how it was asked.
        said: the answer as the task read it: a label, several, or a text; None where it read none.
        labels: the task's own labels of the choices shown.

    Returns:
        The places of the choices in the item, such as `#2`; a text without case, blanks and
        punctuation around it; empty where nothing was read.
    """
    if said is None:
        return ""
    told = said.strip().strip(".,;:!?()[]{}\"'*_`$ ").casefold()
    if not item.choices:
        return " ".join(told.split())
    known = {label.casefold(): place for place, label in enumerate(labels)}
    named = [part for part in told.replace(",", " ").split() if part]
    if named and all(part in known for part in named):
        order = asked.order or tuple(range(len(item.choices)))
        return " ".join(f"#{place}" for place in sorted({order[known[part]] for part in named}))
    return " ".join(told.split())
