"""Puts a model's answer under a probe as the probed task would have had it."""

from __future__ import annotations

from collections.abc import Sequence

from bias_tasks.names import content_hash
from bias_tasks.probing.formats import FINAL_FORMATS, Said
from bias_tasks.probing.items import Asked, ProbedItem, places_told
from bias_tasks.probing.label_extraction import named_labels

_AROUND = ".,;:!?()[]{}\"'*_`$ "
"""What may stand around an answer and says nothing."""
_LONGEST = 1_000
"""Characters of a free answer that are kept as they are."""


def as_the_task_reads(
    asked: Asked,
    text: str,
    labels: Sequence[str],
    item: ProbedItem | None = None,
    lead: str = "",
) -> str:
    """The answer without the format and the labels that the probe asked for.

    Args:
        asked: how the item was asked.
        text: what the model said.
        labels: the task's own labels of the choices shown.
        item: that was asked; None where its choices need not be known.
        lead: what the task's prompt has an answer begin with (see `lead_in`).

    Returns:
        The text as it is where it does not follow the format: how it then fares is the task's to
        say.
    """
    if asked.format:
        said = Said(text, lead)
        if item is not None and item.choices:
            shown = asked.shown(item)
            words = _plain(item.target) in map(_plain, item.choices)
            said = Said(text, lead, shown if words else tuple(labels), shown, tuple(labels))
        taken_out = FINAL_FORMATS[asked.format].taken_out(said)
        text = text if taken_out is None else taken_out
    if asked.dress is None:
        return text
    return asked.dress.answer(text, tuple(labels), () if item is None else asked.shown(item))


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
    told = said.strip().strip(_AROUND).casefold()
    if not item.choices:
        return _short(_plain(told))
    order = asked.order or tuple(range(len(item.choices)))
    places = _meant(asked.shown(item), told, said, labels)
    if places:
        return places_told(order[place] for place in places)
    same = [p for p, each in enumerate(item.choices) if _plain(each) == _plain(told)]
    return places_told(same) if len(same) == 1 else _short(_plain(told))


def _meant(shown: Sequence[str], told: str, said: str, labels: Sequence[str]) -> list[int]:
    """The places, as they are shown, of the choices that an answer names by their labels.

    A scorer may hand on the whole answer: of that the last labels that it calls the
    answer count, or else the last that it names.
    """
    known = {label.casefold(): place for place, label in enumerate(labels)}
    parts = told.replace(",", " ").split()
    if parts and all(part in known for part in parts):
        return [known[part] for part in parts]
    every = named_labels(said, labels[: len(shown)], shown)
    named = [each for each in every if each.final] or every
    return [each.place for each in named if each.group == named[-1].group]


def _short(text: str) -> str:
    """A text that is the same where the whole is, of which a log keeps no megabytes."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}... ({content_hash(text)})"


def _plain(text: str) -> str:
    return " ".join(text.strip().strip(_AROUND).casefold().split())
