"""Flaws that are reported without the object asked for: in a list, a table, on lines, or none."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
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
    r"(?m)^[ \t>*+\-•#_\d.)]{0,16}(?P<key>[A-Za-z]{5,9})[ \t*_`]{0,9}[:=：](?P<value>[^\n]+)$"
)
_SEVERITY = re.compile(
    r"(?i)\bseverity\b[^\w\n]{0,4}(?:of |is )?[*_`(]{0,3}(\d{1,3})(?![\w.%-]|,\d| ?(?:-|to|or|and)"
    r" ?\d)"
)
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
_NONE = re.compile(
    rf"(?:\b(?:there (?:are|is|were)|{_I_FIND}|{_DIALOGUE} (?:has|contains|shows))? ?no"
    rf" {_FLAWS}(?: (?:was|were|are|is|to report|can be))?|\b{_I_DID_NOT}"
    rf" (?:find|see|detect|identify|spot) any {_FLAWS}|\b{_DIALOGUE} is"
    rf" (?:flawless|free of {_FLAWS})|\bno {_FLAWS}\b|\b{_FLAWS} ?[:=] ?none\b"
    r"|\bnone of (?:the |these |those )?(?:them|these|those|turns|lines)?(?: \w{1,10})? ?(?:is|are"
    r"|has|shows)"
    rf" (?:an? |really |actually ){{0,3}}{_FLAWS})"
    rf"(?: (?:{_FOUND}|{_OF_ALL})){{0,4}}(?P<end>[ ]{{0,3}}(?:[.!\n]|\Z))"
)
"""`No flaws found.`"""
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
    for way in (_listed, _tabled, _by_fields, _by_lines):
        found = way(tail, dimensions)
        if found is not None:
            entries, start, end = found
            return Said(
                *reported_flaws(list(entries), dimensions, scale), offset + start, offset + end
            )
    return _none(tail, offset)


def no_flaws_in_words(text: str) -> bool:
    """Whether words say that there are no flaws."""
    return _none(text, 0) is not None


def names_a_flaw(text: str, dimensions: Sequence[str]) -> bool:
    """Whether words name a flaw: a dimension, with a severity or as a reserve."""
    low = Window.of(text).low
    names = [" ".join(Window.of(name).low.split()) for name in dimensions]
    return _RESERVE.search(low) is not None and any(name in low for name in names)


Entries = tuple[Sequence[Mapping[str, Any]], int, int]
"""What may be flaws, and where they stand."""


def _listed(text: str, _: Sequence[str]) -> Entries | None:
    """Objects that are flaws, one after the other; an empty list."""
    if _EMPTY.fullmatch(text):
        return [], 0, len(text)
    objects = json_objects(text)
    found = [each for each in objects.found if listed_flaw(each.value)] if objects else []
    if not found:
        return None
    entries: list[Mapping[str, Any]] = [
        each.value for each in found if isinstance(each.value, dict)
    ]
    first, last = found[0], found[-1]
    whole = _CLOSES.match(text, last.end) or not text[: first.start].rstrip().endswith("[")
    joined = all(
        _SEPARATOR.fullmatch(text, before.end, after.start) for before, after in pairwise(found)
    )
    return (entries if whole and joined else [{}]), first.start, last.end


def _tabled(text: str, _: Sequence[str]) -> Entries | None:
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
        return rows, table.start, table.end
    return None


def _by_fields(text: str, _: Sequence[str]) -> Entries | None:
    """Lines "Dimension: ...", "Severity: ...", "Quote: ...", in any order, flaw by flaw."""
    lines = [found for found in _LINE.finditer(text) if bare(found["key"]) in _FIELDS]
    if not lines:
        return None
    entries: list[dict[str, Any]] = [{}]
    for found in lines:
        key = bare(found["key"])
        if key in entries[-1] or len(entries[-1]) == len(_FIELDS):
            entries.append({})
        entries[-1][key] = _unquoted(found["value"].strip(" \t*_`,;"))
    return entries, lines[0].start(), lines[-1].end()


def _by_lines(text: str, dimensions: Sequence[str]) -> Entries | None:
    """Lines that name one dimension, one severity and one quote each."""
    entries: list[dict[str, Any]] = []
    places: list[int] = []
    place = 0
    for line in text.splitlines(keepends=True):
        severities = _SEVERITY.findall(line)
        if severities:
            entries.append(_of_line(line, severities, dimensions))
            places += [place, place + len(line)]
        place += len(line)
    return (entries, places[0], places[-1]) if entries else None


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


def _none(text: str, offset: int) -> Said[tuple[ReportedFlaw, ...]] | None:
    """No flaws, where that is said without any reserve."""
    window = Window.of(text)
    if _RESERVE.search(window.low) or _QUOTED.search(window.low):
        return None
    for match in _NONE.finditer(window.low):
        before = window.low[max(0, match.start() - 200) : match.start()]
        if own(before) is True and not within_quotes(window.low, match.start()):
            start, end = window.span(match.start(), match.end())
            return Said((), "flaws: 0, in words", offset + start, offset + end)
    return None


def _unquoted(text: str) -> str:
    """A text without the quotation marks around it."""
    if len(text) > 1 and _QUOTES.get(text[0]) == text[-1]:
        return text[1:-1]
    return text
