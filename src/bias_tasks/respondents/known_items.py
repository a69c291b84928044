"""Items that a simulated respondent knows, found again by the text of a prompt.

A simulated respondent answers from an item's key, but reads the question from the prompt alone. The
items come with each sample or document, or are loaded by the command that serves a respondent.
Prompts of other tasks find nothing, and the respondent then knows no key.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from types import UnionType
from typing import NamedTuple

from bias_tasks.binary_qa.items import REFORMULATIONS, BinaryItem
from bias_tasks.complex_eval.items import JudgedItem
from bias_tasks.instruction_boundary.items import ChoiceItem, Item, JudgingItem
from bias_tasks.judging.items import JudgedItem as ProbedPair
from bias_tasks.output_format.items import FormatItem
from bias_tasks.respondents.asked_format import asked_format
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
_EXAMPLES_BELOW = "Here is the example, you can learn from this:"
"""Worked examples may stand behind the question, too (Instruction Boundary, appendix J)."""
_YES_OR_NO = "Choose one of the following answers:"
_MOST_PLACES = 100_000
"""Lines of a prompt that are looked at, from its end: no question is asked in a longer one."""
_FEW = 16
"""So many items with one question are looked through one by one."""


class KnownItems:
    """The items that a respondent knows; a question is found again by the text of a prompt."""

    def __init__(self, items: Iterable[object] = ()) -> None:
        self._by_first_line: dict[str, list[_Wording]] = {}
        self._by_last_fact: dict[tuple[str, str], list[_Wording]] = {}
        """By the first line and the last line of the facts, which ends a line in every template:
        thousands of items may ask one question."""
        self._turns: dict[KnownItem | str, int] = {}
        """When each item was made known last."""
        self._turn = itertools.count()
        self._judged: dict[str, tuple[JudgedItem, ...]] = {}
        """What judges judge, by its query."""
        self._pairs: dict[str, tuple[ProbedPair, ...]] = {}
        """What judges under probes judge, by its prompt."""
        self._kinds: set[type] = set()
        self.add(items)

    def add(self, items: Iterable[object]) -> None:
        """Make items known; one that is known already becomes the last that was made known.

        Items of a type that is not known here, such as another package's, stay unknown: respondents
        answer questions about them as any whose key they do not have.
        """
        for item in items:
            if isinstance(item, JudgedItem):
                known = self.judged(item.query)
                self._judged[item.query] = known if item in known else (*known, item)
                continue
            if isinstance(item, ProbedPair):
                pairs = self.responses_to(item.prompt)
                self._pairs[item.prompt] = pairs if item in pairs else (*pairs, item)
                continue
            if not isinstance(item, KnownItem):
                continue
            identity = _identity(item)
            if identity not in self._turns:
                self._kinds.add(type(item))
                for wording in _wordings(item):
                    first = wording.text.partition("\n")[0].strip()
                    last = wording.facts.rpartition("\n")[2].strip()
                    self._by_first_line.setdefault(first, []).append(wording)
                    self._by_last_fact.setdefault((first, last), []).append(wording)
            self._turns[identity] = next(self._turn)

    def judged(self, query: str) -> tuple[JudgedItem, ...]:
        """The known items of a query that judges judge."""
        return self._judged.get(query, ())

    def responses_to(self, prompt: str) -> tuple[ProbedPair, ...]:
        """The known items that judges under probes judge, of a prompt."""
        return self._pairs.get(prompt, ())

    def find(self, prompt: str) -> KnownItem | None:
        """The item that a prompt asks about, or None when no known item is asked."""
        found = self.locate(prompt)
        return None if found is None else found.item

    def locate(self, prompt: str) -> Found | None:
        """The item that a prompt asks about, where its question begins and how it is worded.

        The last known question counts, since worked examples stand before the question asked. Its
        facts must stand in the prompt too. Among items that share the question, the one whose facts
        end last counts; then the options shown tell them apart; among items that still tie, the one
        made known last is taken. None where no known item is asked.
        """
        page = _Page(prompt.partition(_EXAMPLES_BELOW)[0])
        places = list(self._places(prompt))
        # Items of several families may ask the same: first the one whose family made the prompt.
        for kind in (FormatItem, BinaryItem):
            found = self._locate(page, places, kind) if kind in self._kinds else None
            if found is not None and _is_made_for(found, prompt):
                return found
        own = self._locate(page, places, JudgingItem | ChoiceItem)
        return own or self._locate(page, places, object)

    def _places(self, prompt: str) -> Iterator[_Place]:
        """Where the first line of a known question stands, the last one first."""
        marked = [match.end() for match in _MARKER.finditer(prompt)]
        # A prompt reworded by a model may have lost the template's "Question:".
        starts = itertools.chain(reversed(marked), _line_starts(prompt))
        for start in itertools.islice(starts, _MOST_PLACES):
            blank = _BLANK.match(prompt, start)
            begin = blank.end() if blank else start
            end = prompt.find("\n", begin)
            first = (prompt[begin:] if end < 0 else prompt[begin:end]).strip()
            if first in self._by_first_line:
                yield _Place(start, begin, first)

    def _locate(
        self, page: _Page, places: Iterable[_Place], kind: type | UnionType
    ) -> Found | None:
        """The last known question of a kind of item in the prompt."""
        for place in places:
            asked = self._asked_at(page, place, kind)
            if asked is not None:
                return Found(asked.item, place.start, asked.variant)
        return None

    def _asked_at(self, page: _Page, place: _Place, kind: type | UnionType) -> _Wording | None:
        """The known wording of such an item at a place."""
        prompt = page.prompt
        same = [
            wording
            for wording in self._there(page, place.first)
            if isinstance(wording.item, kind) and prompt.startswith(wording.text, place.begin)
        ]
        if len(same) < 2:
            return same[0] if same else None
        shown = {option.text for option in shown_options(prompt[place.begin :])}
        return max(same, key=lambda wording: self._match(wording, prompt, shown))

    def _there(self, page: _Page, first: str) -> list[_Wording]:
        """The wordings with this first line whose facts stand in the prompt."""
        namesakes = self._by_first_line.get(first, [])
        if namesakes and first not in page.there:
            if len(namesakes) > _FEW:
                ends = (self._by_last_fact.get((first, line), ()) for line in page.lines)
                namesakes = list(itertools.chain.from_iterable(ends))
            page.there[first] = [each for each in namesakes if each.facts in page.prompt]
        return page.there.get(first, [])

    def _match(
        self, wording: _Wording, prompt: str, shown: set[str]
    ) -> tuple[int, int, float, int]:
        """How well a wording fits: where its facts end, both lengths, share of options shown.

        Facts that end earlier belong to a worked example, or are a part of other facts. What still
        ties is told apart by when the item was made known.
        """
        facts, item = wording.facts, wording.item
        end = prompt.rfind(facts) + len(facts) if facts else -1
        length = len(wording.text) + len(facts)
        turn = self._turns[_identity(item)]
        if not isinstance(item, ChoiceItem):
            return end, length, 0.0, turn
        texts = {text for _, text in option_texts(item)}
        return end, length, len(shown & texts) / len(item.options), turn


def _is_made_for(found: Found, prompt: str) -> bool:
    """Whether the prompt asks for a format, or offers Yes and No, as the item's family does."""
    if isinstance(found.item, FormatItem):
        return asked_format(prompt, found.start, found.item) is not None
    return _YES_OR_NO in prompt


class _Place(NamedTuple):
    """A place in a prompt at which a question may begin."""

    start: int
    """Behind a marker or a colon, or at the beginning of a line."""
    begin: int
    """Behind the blanks and line breaks that follow."""
    first: str
    """The line there."""


class _Wording(NamedTuple):
    """One wording of an item's question, without spaces around it."""

    item: KnownItem
    variant: str
    text: str
    facts: str
    """The context; what is asked in formats has it in its text, as its last lines."""


class _Page:
    """A prompt. It may repeat a question many times, so what was looked for is kept."""

    def __init__(self, prompt: str) -> None:
        self.prompt = prompt
        self.there: dict[str, list[_Wording]] = {}
        """The wordings whose facts stand in the prompt, by their first line."""

    @cached_property
    def lines(self) -> set[str]:
        """The lines, and what follows a line's first colon: facts may stand after a heading."""
        lines = [line.strip() for line in self.prompt.split("\n")]
        return {"", *lines, *(line.partition(":")[2].strip() for line in lines)}


def _identity(item: KnownItem) -> KnownItem | str:
    """What tells items apart; a mapping as the answer keeps an item from being hashed."""
    return repr(item) if isinstance(item, FormatItem) else item


def _wordings(item: KnownItem) -> Iterator[_Wording]:
    if isinstance(item, FormatItem):
        text = item.input.strip()
        yield _Wording(item, ORIGINAL, text, text)
        return
    facts = (item.context or "").strip()
    yield _Wording(item, ORIGINAL, item.question.strip(), facts)
    if isinstance(item, BinaryItem):
        for variant in REFORMULATIONS:
            reworded: str | None = getattr(item.reformulations, variant)
            if reworded is not None:
                yield _Wording(item, variant, reworded.strip(), facts)


def _line_starts(prompt: str) -> Iterator[int]:
    """Where a question may begin without a marker: at each line and after its first colon.

    Last line first; lines of blanks and asterisks are left out.
    """
    end = len(prompt)
    while end >= 0:
        start = prompt.rfind("\n", 0, end) + 1
        if prompt[start:end].replace("*", " ").strip():
            yield start
            colon = prompt.find(":", start, end)
            if colon >= 0:
                yield colon + 1
        end = start - 1
