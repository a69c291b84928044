"""Scores by criterion that are said in words or in a table.

"Plot: 7/10" on lines or in one sentence, a heading with its score below, a row of a table, "7 for
Plot". Every criterion needs exactly one score; what has another name is not asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bias_tasks.complex_eval.reading.asserted import own, replaced
from bias_tasks.complex_eval.reading.fields import named
from bias_tasks.complex_eval.reading.numbers_said import END, VALUE, claim, on_another_scale
from bias_tasks.complex_eval.reading.plain_scores import score_claims
from bias_tasks.complex_eval.reading.said import Said
from bias_tasks.complex_eval.reading.score_values import Scale, by_criterion, names_criterion
from bias_tasks.complex_eval.reading.tables import Table, tables
from bias_tasks.reading.bounds import Window, blanked
from bias_tasks.reading.json_objects import json_objects

_SCORES = re.compile(r"score|rating|grade|points|marks?\b|[分点점]", re.IGNORECASE)
_OTHER_SCORES = re.compile(r"weight|max|min|reference|other|human|draft|previous", re.IGNORECASE)
_GLOSS = r"(?: ?\((?! ?\d)[^()\n]{0,60}\)| ?\([^()\n]{0,60}\)(?= {0,3}[:=-] {0,3}\d))?"
_BEHIND = re.compile(
    rf"[ \"')\]]{{0,4}}{_GLOSS}(?: (?:score|rating|grade))?"
    rf"(?P<sign> {{0,3}}(?:[:=;>|(\[]|[.·…]{{2,30}}"
    rf"|-(?= )|->|→))?"
    r"(?:,? ?(?:is|gets|scores|earns|deserves|receives|at|score|rating|an?|of|as|with"
    r"|i(?:'d| would)? (?:give|rate|score|award|say)(?: it)?)\b:?){0,3}"
    rf"[ \"'(\[]{{0,4}}{VALUE}"
)
_BEFORE = rf"{VALUE} (?:for|on|in) (?:the )?[\"']?"
_HEAD = re.compile(
    r"[ >\-•·+]{0,12}(?:(?:criterion|dimension|aspect) ?: {0,3})?"
    r"(?:(?:criterion )?\(?\d{1,2}[.):]? |[a-z][.)] )?[\"'(\[]{0,2}"
)
_NO_CRITERION = re.compile(
    r"\n[ >-]{0,8}(?:overall|total|average|mean|final|summary|conclusion|in (?:summary|total))\b"
)
Found = dict[str, list[tuple[float | None, int, int]]]
"""For each criterion the numbers said to be its score, None where one can't be read, and where."""


def criteria_in_words(
    text: str, criteria: Sequence[str], scale: Scale
) -> Said[dict[str, float]] | None:
    """The scores; None where no criterion has any, a value of None where they are not complete."""
    window = Window.of(text)
    if on_another_scale(window.low):
        return None
    listed = _listed(text, criteria)
    if listed is not None:
        return Said(*by_criterion(listed.value, criteria, scale), listed.start, listed.end)
    for table in (found := tables(text)):
        scores = _of_rows(table, criteria) or _of_columns(table, criteria)
        if scores:
            return Said(*by_criterion(scores, criteria, scale), table.start, table.end)
    window = Window.of(blanked(text, [(table.start, table.end) for table in found]))
    for way in (_behind, _below, _before):
        said = way(window, criteria)
        if said and len(said) == len(criteria):
            return _agreed(window, said, criteria, scale)
    return None


def _listed(text: str, criteria: Sequence[str]) -> Said[list[Any]] | None:
    """Objects that name a criterion each, one after the other: a list that has no key."""
    objects = json_objects(text)
    found = [
        each
        for each in (objects.found if objects else ())
        if isinstance(each.value, dict) and names_criterion(each.value, criteria)
    ]
    if not found:
        return None
    return Said([each.value for each in found], "", found[0].start, found[-1].end)


def _agreed(
    window: Window, found: Found, criteria: Sequence[str], scale: Scale
) -> Said[dict[str, float]]:
    places = [place for said in found.values() for place in said]
    start, end = window.span(min(each[1] for each in places), max(each[2] for each in places))
    if any(len({value for value, _, _ in said}) > 1 for said in found.values()):
        return Said(None, "a criterion has different scores", start, end)
    values = {name: said[0][0] for name, said in found.items()}
    scores, why = by_criterion(values, criteria, scale)
    return Said(scores, f"{why}, in words" if scores else why, start, end)


def _behind(window: Window, criteria: Sequence[str]) -> Found:
    """The number right behind a criterion's name."""
    found: Found = {}
    for name, start, end in _mentions(window, criteria):
        match = _BEHIND.match(window.low, end)
        if match is None or not _is_score(match, window.low, start):
            continue
        said = claim(match, window.low)
        places = found.setdefault(name, [])
        if places and replaced(window.low[places[-1][2] : start]):
            places.clear()
        places.append((said.value, start, said.end))
    return found


def _is_score(match: re.Match[str], low: str, start: int) -> bool:
    whose = own(low[max(0, start - 200) : start])
    out_of_ten = match["sign"] is not None and match.end("number") < match.end()
    counts_nothing = out_of_ten or END.match(low, match.end()) is not None
    return whose is True and counts_nothing


def _below(window: Window, criteria: Sequence[str]) -> Found:
    """The one score between a heading that is a criterion's name and the next heading."""
    low = window.low
    heads = [each for each in _mentions(window, criteria) if _heads_line(low, each[1])]
    found: Found = {}
    ends = [start for _, start, _ in heads[1:]] + [len(low)]
    for (name, _, start), end in zip(heads, ends, strict=False):
        other = _NO_CRITERION.search(low, start, end)
        start += len(low[start:end]) - len(low[start:end].lstrip(" :;|>\n-"))
        section = low[start : end if other is None else max(start, other.start())]
        claims = score_claims(Window.of(section))
        if claims:
            values = {each.value for each in claims}
            value = values.pop() if len(values) == 1 else None
            last = claims[-1]
            found.setdefault(name, []).append((value, start + last.start, start + last.end))
    return found


def _before(window: Window, criteria: Sequence[str]) -> Found:
    """The number right before a criterion's name: "7 for Plot"."""
    found: Found = {}
    pattern = re.compile(_BEFORE + _names(criteria))
    for match in pattern.finditer(window.low):
        if own(window.low[max(0, match.start() - 200) : match.start()]) is True:
            said = claim(match, window.low)
            name = _which(match["name"], criteria)
            if name is not None:
                found.setdefault(name, []).append((said.value, said.start, match.end()))
    return found


def _heads_line(low: str, start: int) -> bool:
    line = low.rfind("\n", 0, start) + 1
    return _HEAD.fullmatch(low, line, start) is not None


def _mentions(window: Window, criteria: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """Each mention of a criterion by its whole name, longer names first."""
    for match in re.compile(_names(criteria)).finditer(window.low):
        name = _which(match["name"], criteria)
        if name is not None:
            yield name, match.start(), match.end()


def _names(criteria: Sequence[str]) -> str:
    """A pattern of all names as they may stand in the plain spelling."""
    spelled = sorted({" ".join(Window.of(name).low.split()) for name in criteria}, key=len)
    parts = (r"[\s-]{1,3}".join(map(re.escape, name.split())) for name in reversed(spelled) if name)
    return rf"(?<![a-z0-9])(?P<name>{'|'.join(parts) or '(?!)'})(?![a-z0-9])"


def _which(mention: str, criteria: Sequence[str]) -> str | None:
    plain = {name: " ".join(Window.of(name).low.split()) for name in criteria}
    spelled = named(mention, plain.values())
    found = [name for name, low in plain.items() if low == spelled]
    return found[0] if len(found) == 1 else None


def _of_rows(table: Table, criteria: Sequence[str]) -> Mapping[str, Any] | None:
    """Scores in the rows that begin with a criterion's name; the head says in which column."""
    rows = [
        (name, row)
        for row in table.rows
        if (name := named(_first_in_words(row), criteria)) is not None
    ]
    if {name for name, _ in rows} != set(criteria) or len(rows) != len(criteria):
        return None
    columns = [
        place
        for place, head in enumerate(table.heads)
        if _SCORES.search(head) and not _OTHER_SCORES.search(head)
    ]
    if len(columns) != 1 or any(len(row) <= columns[0] for _, row in rows):
        return None
    return {name: row[columns[0]] for name, row in rows}


def _first_in_words(row: Sequence[str]) -> str:
    """The first cell of a row, or the second where the first only numbers it."""
    return row[1] if row[0].strip(" .)#").isdecimal() and len(row) > 1 else row[0]


def _of_columns(table: Table, criteria: Sequence[str]) -> Mapping[str, Any] | None:
    """Scores in the one row under heads that are the criteria's names."""
    places = {named(head, criteria): place for place, head in enumerate(table.heads)}
    if not set(criteria) <= places.keys() or len(table.rows) != 1:
        return None
    row = table.rows[0]
    return {name: row[places[name]] for name in criteria if places[name] < len(row)}
