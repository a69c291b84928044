"""Flaws that are reported without the object asked for: in a list, a table, on lines, or none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from bias_tasks.complex_eval.reading.asserted import own, within_quotes
from bias_tasks.complex_eval.reading.fields import bare, named
from bias_tasks.complex_eval.reading.phrases import one_of
from bias_tasks.complex_eval.reading.said import Said
from bias_tasks.complex_eval.reading.score_objects import listed_flaw
from bias_tasks.complex_eval.reading.score_values import ReportedFlaw, Scale, reported_flaws
from bias_tasks.complex_eval.reading.tables import tables
from bias_tasks.reading.bounds import Window
from bias_tasks.reading.json_objects import json_objects

_FIELDS = ("dimension", "severity", "quote")
LONGEST = 100_000
"""Characters at the end of a text that are looked through."""
_EMPTY = re.compile(r"\s*(?:```+\s*(?:json)?\s*)?\[\s*\]\s*(?:```+\s*)?")
_CLOSES = re.compile(r"[\s,]*\]")
_SEPARATOR = re.compile(r"[\s,;\[\]`>*-]*(?:json\s*)?(?:\d{1,3}[.)]\s*)?")
_LINE = re.compile(
    r"(?m)^[ \t>*+\-•#_\d.)]{0,16}(?:(?P<key>[A-Za-z]{5,9})[ \t*_`]{0,9}[:=：])?(?P<value>[^\n]+)$"
)
_SEVERITY = re.compile(
    r"(?i)\bseverity\b[^\w\n]{0,4}(?:of |is )?[*_`(]{0,3}(\d{1,3}(?: ?/ ?\d{1,3})?)(?![\w%]|[.,]\d"
    r"| ?(?:-|to|or|and) ?\d)"
)
_OF_FIVE = re.compile(r"[(\[](\d{1,2} ?/ ?\d{1,2})[)\]]")
_NUMBERED = re.compile(r"(?i)^(?:flaw|issue|problem|error) ?#?\d{0,3} ?[:.)-] ?")
_OTHERS = re.compile(r"\b(?:other|further|additional|more|else)\b")
_QUOTED = re.compile(r"\"([^\"\n]{1,4000})\"|“([^”\n]{1,4000})”")
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "「": "」"}
_FLAWS = r"(?:flaws?|issues|problems|errors)(?: or (?:flaws|issues|problems|errors))?"
_DIALOGUE = r"(?:the|this) (?:dialogue|conversation|response|scene)"
_I_FIND = r"i (?:find|found|see|saw|detect(?:ed)?|have found|could find|report)"
_I_DID_NOT = r"i (?:(?:did|do|could|can) not|cannot|(?:did|do|could|ca)n't)"
_OF_ALL = (
    r"(?:in|of|by|with|under|according to|for|with respect to|against|across)"
    r" (?:any|the|this|its|all|each|every|either|my)(?: of the)?(?: (?:given|whole|entire|four"
    r"|other))?"
    r"(?: (?:dialogue|conversation|response|scene|rubric(?:'s dimensions)?|text|dimensions?"
    r"|criteria|criterion|turns?|analysis|list))?"
)
_FOUND = one_of("found detected identified present reported observed noted here whatsoever at_all")
_NO_FLAWS = (
    rf"\b(?:(?:there (?:are|is|were)|{_I_FIND}|{_DIALOGUE} (?:has|contains|shows)) )?"
    rf"(?:no|0|zero) {_FLAWS}(?: (?:was|were|are|is|to report|can be))?",
    rf"\b{_I_DID_NOT} (?:find|see|detect|identify|spot) any {_FLAWS}",
    rf"\b{_DIALOGUE} is (?:flawless|free of {_FLAWS})",
    rf"\b{_FLAWS} ?[:=] ?(?:none\b|0\b|\[ ?\])",
    r"\bthere (?:(?:are|is|were) not|(?:are|is|were)n't) (?:any|a single)"
    rf" (?:flaw|{_FLAWS})",
    rf"\b{_I_FIND} none\b",
    rf"\bnone (?:(?:was|were) )?{_FOUND}",
    r"\bnone of (?:the |these |those )?(?:them|these|those|turns|lines)?(?: \w{1,10})?"
    rf" ?(?:is|are|has|shows) (?:an? |really |actually ){{0,3}}{_FLAWS}",
)
_NONE = re.compile(
    rf"(?:{'|'.join(_NO_FLAWS)})(?: (?:{_FOUND}|{_OF_ALL})){{0,4}}[ ✓]{{0,3}}(?:[.!\n]|\Z)"
)
"""`No flaws found.`"""
_SENTENCES = re.compile(r"[.!?\n]")
_RESERVE = re.compile(
    r"\b"
    + one_of(
        "but however except although though apart_from severity yet other_than besides still"
        " nevertheless that_said minor slight(?:ly)? well(?=,) only just one(?=:) unless"
    )
    + r"\b"
)
"""What makes less of it."""


def flaws_in_words(
    text: str, dimensions: Sequence[str], scale: Scale
) -> Said[tuple[ReportedFlaw, ...]] | None:
    """The flaws; None where nothing is said of any, a value of None where one is incomplete."""
    offset = max(0, len(text) - LONGEST)
    tail = text[offset:]
    said = [
        Said(*reported_flaws(list(entries), dimensions, scale), offset + start, offset + end)
        for way in (_listed, _tabled, _by_fields, _by_lines)
        for entries, start, end in way(tail, dimensions)
    ]
    complete = [each for each in said if each.value is not None]
    return complete[0] if complete else said[0] if said else _none(tail, offset, dimensions)


def no_flaws_in_words(text: str, dimensions: Sequence[str]) -> bool:
    """Whether words say that there are no flaws, in whatever dimension."""
    return _none(text, 0, dimensions) is not None


def names_a_flaw(text: str, dimensions: Sequence[str]) -> bool:
    """Whether words name a flaw: a dimension, with a severity, a quote or a reserve."""
    low = Window.of(text).low
    names = _spelled(dimensions)
    told = _RESERVE.search(low) or _QUOTED.search(low)
    return told is not None and any(name in low for name in names)


Entries = tuple[Sequence[Mapping[str, Any]], int, int]
"""What may be flaws, and where they stand."""


def _listed(text: str, _: Sequence[str]) -> Iterator[Entries]:
    """Objects that are flaws, one after the other; an empty list."""
    if _EMPTY.fullmatch(text):
        yield [], 0, len(text)
    objects = json_objects(text)
    found = [each for each in objects.found if listed_flaw(each.value)] if objects else []
    if not found:
        return
    entries: list[Mapping[str, Any]] = [
        each.value for each in found if isinstance(each.value, dict)
    ]
    first, last = found[0], found[-1]
    whole = _CLOSES.match(text, last.end) or not text[: first.start].rstrip().endswith("[")
    joined = all(
        _SEPARATOR.fullmatch(text, before.end, after.start) for before, after in pairwise(found)
    )
    yield (entries if whole and joined else [{}]), first.start, last.end


def _tabled(text: str, _: Sequence[str]) -> Iterator[Entries]:
    for table in tables(text):
        columns = [table.column(name, f"{name}s") for name in _FIELDS]
        if None in columns:
            continue
        rows = [
            {
                name: _unquoted(row[place]) if place is not None and place < len(row) else None
                for name, place in zip(_FIELDS, columns, strict=True)
            }
            for row in table.rows
        ]
        yield rows, table.start, table.end


def _by_fields(text: str, dimensions: Sequence[str]) -> Iterator[Entries]:
    """Lines "Dimension: ...", "Severity: ...", "Quote: ...", in any order, flaw by flaw.

    A heading that is a dimension's name stands for the first of them.
    """
    entries: list[dict[str, Any]] = [{}]
    places: list[int] = []
    for line in _LINE.finditer(text):
        key, value = bare(line["key"] or "dimension"), line["value"].strip(" \t*_`,;:")
        value = value if line["key"] else _NUMBERED.sub("", value)
        if key not in _FIELDS or (not line["key"] and named(value, dimensions) is None):
            continue
        if key in entries[-1] or len(entries[-1]) == len(_FIELDS):
            entries.append({})
        entries[-1][key] = _unquoted(value)
        places += line.span()
    if len(places) > 2:
        yield entries, places[0], places[-1]


def _by_lines(text: str, dimensions: Sequence[str]) -> Iterator[Entries]:
    """Lines that name one dimension, one severity and one quote each.

    The dimension may stand above them, as a heading.
    """
    entries: list[dict[str, Any]] = []
    places: list[int] = []
    place = 0
    above: str | None = None
    for line in text.splitlines(keepends=True):
        severities = _SEVERITY.findall(line) or _OF_FIVE.findall(line)
        heading = line.strip(" \t\n*_`#:-")
        above = above if not heading or severities else named(heading, dimensions)
        if severities:
            entry = _of_line(line, severities, dimensions)
            if above is not None and "dimension" not in entry:
                entry["dimension"] = above
            entries.append(entry)
            places += [place, place + len(line)]
        place += len(line)
    if entries:
        yield entries, places[0], places[-1]


def _of_line(line: str, severities: list[str], dimensions: Sequence[str]) -> dict[str, Any]:
    """The fields of a line; without one of which there is not exactly one."""
    quotes = _QUOTED.findall(line)
    unquoted = " ".join(Window.of(_QUOTED.sub(" ", line)).low.split())
    spelled = {name: " ".join(Window.of(name).low.split()) for name in dimensions}
    names = [name for name, low in spelled.items() if low in unquoted]
    whole = [a for a in names if not any(spelled[a] in spelled[b] for b in names if b != a)]
    entry: dict[str, Any] = {}
    if len(whole) == 1:
        entry["dimension"] = named(whole[0], dimensions)
    if len(severities) == 1:
        entry["severity"] = severities[0]
    if len(quotes) == 1:
        entry["quote"] = "".join(quotes[0])
    return entry


def _spelled(dimensions: Sequence[str]) -> list[str]:
    return [" ".join(Window.of(name).low.split()) for name in dimensions]


def _none(
    text: str, offset: int, dimensions: Sequence[str]
) -> Said[tuple[ReportedFlaw, ...]] | None:
    """No flaws, where that is said without any reserve."""
    window = Window.of(text)
    if _RESERVE.search(window.low) or _QUOTED.search(window.low):
        return None
    names, cleared = _spelled(dimensions), set[str]()
    for match in _NONE.finditer(window.low):
        before = window.low[max(0, match.start() - 200) : match.start()]
        quoted = within_quotes(window.low, match.start()) or before.endswith(("'", '"'))
        of_one = [name for name in names if name in _SENTENCES.split(before)[-1]]
        if own(before) is not True or quoted or _OTHERS.search(match[0]):
            continue
        cleared.update(of_one)
        if not of_one or cleared.issuperset(names):
            start, end = window.span(match.start(), match.end())
            return Said((), "flaws: 0, in words", offset + start, offset + end)
    return None


def _unquoted(text: str) -> str:
    """A text without the quotation marks around it."""
    if len(text) > 1 and _QUOTES.get(text[0]) == text[-1]:
        return text[1:-1]
    return text
