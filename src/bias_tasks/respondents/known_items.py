"""The items in play in this process, found again by the text of a prompt.

A simulated respondent answers from an item's key, but sees only the prompt. Tasks register their
items when they build a dataset; `find` looks the prompt's question up. Prompts of other tasks find
nothing, and the respondent then knows no key. What judges judge is found by `known_judged`.
"""

from __future__ import annotations

import itertools
import re
import threading
from collections.abc import Iterable, Iterator
from functools import cached_property
from types import UnionType
from typing import NamedTuple

from bias_tasks.items import ChoiceItem, Item, JudgingItem
from bias_tasks.items.binary_qa import REFORMULATIONS, BinaryItem
from bias_tasks.items.complex_eval import JudgedItem
from bias_tasks.items.output_format import FormatItem
from bias_tasks.respondents.asked_format import asked_format
from bias_tasks.respondents.known_judged import register_judged
from bias_tasks.respondents.seen import option_texts, shown_options

KnownItem = Item | BinaryItem | FormatItem
ORIGINAL = "original"


class Found(NamedTuple):
    """An item, where in the prompt its question begins, and which of its wordings is asked.

    `variant` is a reformulation's name or "original": a repeat and a reversed order have that
    wording too.
    """

    item: KnownItem
    start: int
    variant: str


_MARKER = re.compile(r"^[ \t]{0,8}(?:Question|Statement to Evaluate)[ \t]{0,8}:", re.MULTILINE)
_BLANK = re.compile(r"[\s*]*")
_YES_OR_NO = "Choose one of the following answers:"

_FEW = 16
"""So many items with one question are looked through one by one."""

_lock = threading.Lock()
_by_first_line: dict[str, _Namesakes] = {}
_turns: dict[KnownItem | str, int] = {}
"""When each item was registered last."""
_turn = itertools.count()
_kinds: set[type] = set()
_sample_groups: dict[str, frozenset[str]] = {}


def register(items: Iterable[KnownItem | JudgedItem], sample_ids: Iterable[str] = ()) -> None:
    """Make items known to the simulated respondents, and sample ids to the solver `replay`.

    Args:
        items: the items of a dataset; registering one again makes it the last registered.
        sample_ids: the ids of all samples of that dataset.
    """
    with _lock:
        for item in items:
            if isinstance(item, JudgedItem):
                register_judged(item)
                continue
            identity = _identity(item)
            known = identity in _turns
            _turns[identity] = next(_turn)
            if not known:
                _kinds.add(type(item))
                for wording in _wordings(item):
                    key = _first_line(wording.text)
                    _by_first_line.setdefault(key, _Namesakes()).add(wording)
        group = frozenset(sample_ids)
        _sample_groups.update(dict.fromkeys(group, group))


def known_sample_ids() -> frozenset[str]:
    """All sample ids registered in this process."""
    return frozenset(_sample_groups)


def dataset_sample_ids(sample_id: str) -> frozenset[str]:
    """The sample ids of the dataset that this sample belongs to; empty for a foreign sample."""
    return _sample_groups.get(sample_id, frozenset())


def find(prompt: str) -> KnownItem | None:
    """The item that a prompt asks about, or None when no known item is asked."""
    found = locate(prompt)
    return None if found is None else found.item


def locate(prompt: str) -> Found | None:
    """The item that a prompt asks about, where its question begins and how it is worded, or None.

    The last known question counts, since worked examples stand before the question asked. Its
    facts must stand in the prompt too. Among items that share the question, the one whose facts
    end last counts; then the options shown tell them apart; among items that still tie, the one
    registered last is taken.
    """
    page = _Page(prompt)
    # Items of several families may ask the same: the one whose family made the prompt comes first.
    for kind in (FormatItem, BinaryItem):
        found = _locate(page, kind) if kind in _kinds else None
        if found is not None and _is_made_for(found, prompt):
            return found
    return _locate(page, JudgingItem | ChoiceItem) or _locate(page, object)


def _is_made_for(found: Found, prompt: str) -> bool:
    """Whether the prompt asks for a format, or offers Yes and No, as the item's family does."""
    if isinstance(found.item, FormatItem):
        return asked_format(prompt, found.start, found.item) is not None
    return _YES_OR_NO in prompt


def _locate(page: _Page, kind: type | UnionType) -> Found | None:
    """The last known question of a kind of item in the prompt."""
    for match in reversed(list(_MARKER.finditer(page.prompt))):
        asked = _asked_at(page, match.end(), kind)
        if asked is not None:
            return Found(asked.item, match.end(), asked.variant)
    # A prompt reworded by a model may have lost the template's "Question:".
    for start in _line_starts(page.prompt):
        asked = _asked_at(page, start, kind)
        if asked is not None:
            return Found(asked.item, start, asked.variant)
    return None


class _Wording(NamedTuple):
    """One wording of an item's question, without spaces around it."""

    item: KnownItem
    variant: str
    text: str

    @property
    def facts(self) -> str:
        """The context; what is asked in formats has it in its text, as its last lines."""
        if isinstance(self.item, FormatItem):
            return self.text
        return (self.item.context or "").strip()


class _Namesakes:
    """Wordings with the same first line. Thousands of items may ask one question.

    Many are told apart by the last line of their facts, which ends a line in every template.
    """

    def __init__(self) -> None:
        self.all: list[_Wording] = []
        self.by_last_fact: dict[str, list[_Wording]] = {}

    def add(self, wording: _Wording) -> None:
        self.all.append(wording)
        key = wording.facts.rpartition("\n")[2].strip()
        self.by_last_fact.setdefault(key, []).append(wording)

    def among(self, lines: Iterable[str]) -> list[_Wording]:
        """Those whose facts may stand in a prompt with these lines."""
        if len(self.all) <= _FEW:
            return self.all
        return [each for line in lines for each in self.by_last_fact.get(line, ())]


class _Page:
    """A prompt. It may repeat a question many times, so what was looked for is kept."""

    def __init__(self, prompt: str) -> None:
        self.prompt = prompt
        self._has: dict[str, bool] = {}
        self._among: dict[_Namesakes, list[_Wording]] = {}

    @cached_property
    def _lines(self) -> set[str]:
        """The lines, and what follows a line's first colon: facts may stand after a heading."""
        lines = [line.strip() for line in self.prompt.split("\n")]
        return {"", *lines, *(line.partition(":")[2].strip() for line in lines)}

    def asked(self, namesakes: _Namesakes, start: int) -> list[_Wording]:
        """Those whose whole question stands at `start` and whose facts stand in the prompt."""
        if namesakes not in self._among:
            self._among[namesakes] = namesakes.among(self._lines)
        return [
            each
            for each in self._among[namesakes]
            if self.prompt.startswith(each.text, start) and self._has_facts(each.facts)
        ]

    def _has_facts(self, facts: str) -> bool:
        if facts not in self._has:
            self._has[facts] = facts in self.prompt
        return self._has[facts]


def _identity(item: KnownItem) -> KnownItem | str:
    """What tells items apart; a mapping as the answer keeps an item from being hashed."""
    return repr(item) if isinstance(item, FormatItem) else item


def _wordings(item: KnownItem) -> Iterator[_Wording]:
    if isinstance(item, FormatItem):
        yield _Wording(item, ORIGINAL, item.input.strip())
        return
    yield _Wording(item, ORIGINAL, item.question.strip())
    if isinstance(item, BinaryItem):
        for variant in REFORMULATIONS:
            text: str | None = getattr(item.reformulations, variant)
            if text is not None:
                yield _Wording(item, variant, text.strip())


def _asked_at(page: _Page, position: int, kind: type | UnionType) -> _Wording | None:
    """The known wording of such an item at `position`, after spaces and line breaks."""
    prompt = page.prompt
    question = _BLANK.match(prompt, position)
    start = question.end() if question else position
    end = prompt.find("\n", start)
    line = prompt[start:] if end < 0 else prompt[start:end]
    namesakes = _by_first_line.get(line.strip())
    found = [] if namesakes is None else page.asked(namesakes, start)
    same = [wording for wording in found if isinstance(wording.item, kind)]
    if len(same) < 2:
        return same[0] if same else None
    shown = {option.text for option in shown_options(prompt[start:])}
    return max(same, key=lambda wording: _match(wording, prompt, shown))


def _match(wording: _Wording, prompt: str, shown: set[str]) -> tuple[int, int, float, int]:
    """How well a wording fits: where its facts end, its and their length, share of options shown.

    Facts that end earlier belong to a worked example, or are a part of other facts. What still
    ties is told apart by when the item was registered.
    """
    facts, item = wording.facts, wording.item
    end = prompt.rfind(facts) + len(facts) if facts else -1
    length = len(wording.text) + len(facts)
    turn = _turns[_identity(item)]
    if not isinstance(item, ChoiceItem):
        return end, length, 0.0, turn
    texts = {text for _, text in option_texts(item)}
    return end, length, len(shown & texts) / len(item.options), turn


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
