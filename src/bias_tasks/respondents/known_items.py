"""The items in play in this process, found again by the text of a prompt.

A simulated respondent answers from an item's key, but sees only the prompt. Tasks register their
items when they build a dataset; `find` looks the prompt's question up. Prompts of other tasks find
nothing, and the respondent then knows no key.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import NamedTuple

from bias_tasks.items import ChoiceItem, Item
from bias_tasks.respondents.seen import option_texts, shown_options


class Found(NamedTuple):
    """An item and where in the prompt its question begins."""

    item: Item
    start: int


_MARKER = re.compile(r"^[ \t]{0,8}(?:Question|Statement to Evaluate)[ \t]{0,8}:", re.MULTILINE)
_BLANK = re.compile(r"[\s*]*")

_lock = threading.Lock()
_by_first_line: dict[str, tuple[Item, ...]] = {}
_items: set[Item] = set()
_sample_groups: dict[str, frozenset[str]] = {}


def register(items: Iterable[Item], sample_ids: Iterable[str] = ()) -> None:
    """Make items known to the simulated respondents, and sample ids to the solver `replay`.

    Args:
        items: the items of a dataset; registering one again changes nothing.
        sample_ids: the ids of all samples of that dataset.
    """
    with _lock:
        for item in items:
            if item not in _items:
                _items.add(item)
                key = _first_line(item.question)
                _by_first_line[key] = (*_by_first_line.get(key, ()), item)
        group = frozenset(sample_ids)
        _sample_groups.update(dict.fromkeys(group, group))


def known_sample_ids() -> frozenset[str]:
    """All sample ids registered in this process."""
    return frozenset(_sample_groups)


def dataset_sample_ids(sample_id: str) -> frozenset[str]:
    """The sample ids of the dataset that this sample belongs to; empty for a foreign sample."""
    return _sample_groups.get(sample_id, frozenset())


def find(prompt: str) -> Item | None:
    """The item that a prompt asks about, or None when no known item is asked."""
    found = locate(prompt)
    return None if found is None else found.item


def locate(prompt: str) -> Found | None:
    """The item that a prompt asks about and where its question begins, or None.

    The last known question counts, since worked examples stand before the question asked. Its
    facts must stand in the prompt too. Items that share question and facts are told apart by the
    options shown; among items that still tie, the one registered last is taken.
    """
    stands_in = cache(lambda facts: facts.strip() in prompt)  # a prompt may repeat a question
    for match in reversed(list(_MARKER.finditer(prompt))):
        item = _asked_at(prompt, match.end(), stands_in)
        if item is not None:
            return Found(item, match.end())
    # A prompt reworded by a model may have lost the template's "Question:".
    for start in _line_starts(prompt):
        item = _asked_at(prompt, start, stands_in)
        if item is not None:
            return Found(item, start)
    return None


def _asked_at(prompt: str, position: int, stands_in: Callable[[str], bool]) -> Item | None:
    """The known item whose question stands at `position`, after spaces and line breaks."""
    question = _BLANK.match(prompt, position)
    start = question.end() if question else position
    end = prompt.find("\n", start)
    line = prompt[start:] if end < 0 else prompt[start:end]
    same = [
        item
        for item in _by_first_line.get(line.strip(), ())
        if prompt.startswith(item.question.strip(), start)
        and (item.context is None or stands_in(item.context))
    ]
    if len(same) < 2:
        return same[0] if same else None
    shown = {option.text for option in shown_options(prompt[start:])}
    return max(reversed(same), key=lambda item: _match(item, shown))


def _match(item: Item, shown: set[str]) -> tuple[int, float]:
    """How well an item fits a prompt: length of its question and facts, share of options shown."""
    length = len(item.question) + len(item.context or "")
    if not isinstance(item, ChoiceItem):
        return length, 0.0
    texts = {text for _, text in option_texts(item)}
    return length, len(shown & texts) / len(item.options)


def _line_starts(prompt: str) -> Iterator[int]:
    """Where a question may begin without a marker: at each line and after its first colon.

    Last line first; blank lines are left out.
    """
    end = len(prompt)
    while end >= 0:
        start = prompt.rfind("\n", 0, end) + 1
        if not prompt[start:end].isspace() and start < end:
            yield start
            colon = prompt.find(":", start, end)
            if colon >= 0:
                yield colon + 1
        end = start - 1


def _first_line(question: str) -> str:
    first, _, _ = question.strip().partition("\n")
    return first.strip()
