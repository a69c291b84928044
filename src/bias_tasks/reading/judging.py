"""Reads answers to judging questions: True (proved), False (disproved) or Unknown."""

from __future__ import annotations

import re
from typing import cast

from bias_tasks.items import JUDGING_LABELS, JudgingLabel, Protocol
from bias_tasks.reading.bounds import Window
from bias_tasks.reading.explicit import find_explicit, mentions
from bias_tasks.reading.keywords import Keyword, Undecided, judging_label
from bias_tasks.reading.published import published_judging
from bias_tasks.reading.statement import Region, Statement
from bias_tasks.reading.types import Reading
from bias_tasks.reading.unread import declined_reading, nothing_in, unread

_NAMED = re.compile(
    r"[ .:;)(,\"'=\]-]{1,8}(?:the (?:statement|question|conclusion) (?:is|can be) )?"
    r"(?:there is clear evidence (?:that )?(?:(?:the )?(?:statement|question) )?)?"
    r"(?:(?P<one>proved|proven|true|can be (?:proved|proven))"
    r"|(?P<two>disproved|disproven|false|can be (?:disproved|disproven))"
    r"|(?P<three>unknown|uncertain|undetermined|cannot be determined))\b"
)
_OPTION_TEXT = re.compile(
    r"(?:option ?)?\b(?P<number>\d) ?[.):][ \"']{0,3}"
    r"(?:there is clear evidence|proven|proved|disproved|unknown|true|false|all above are)\b"
    r"[^\n.;?]{0,60}?(?: ?\([^()\n]{0,120}\))?(?=[ \"']*(?:\n|[.;,]|$|\d|option))"
)
_BETWEEN = 12
"""Characters between two options that are repeated from the prompt."""


class _JudgingWords:
    """Judging answers in words."""

    def label(self, low: str, start: int, end: int) -> str | None:
        read = judging_label(low, start, end)
        return read.label if isinstance(read, Keyword) else None

    def number(self, label: str) -> int | None:
        return JUDGING_LABELS.index(cast(JudgingLabel, label)) + 1

    def number_named(self, low: str, pos: int, end: int) -> int | None:
        match = _NAMED.match(low, pos, end)
        names = {"one": 1, "two": 2, "three": 3}
        return None if match is None else names[match.lastgroup or ""]


def read_judging(text: str, *, shown: int = 3, protocol: Protocol = "corrected") -> Reading:
    """Read the answer to a judging question.

    An explicit answer counts first, then the keywords of appendix N; what neither tells is unread.

    Args:
        text: the model's answer, any string.
        shown: how many numbered options the prompt offered: 3, 2 where Unknown was left out, 5
            with two distractors. A number beyond the labels offered is `invalid`; words still
            read as Unknown.
        protocol: `corrected`, or `published` for the published instrument's reading
            (see `bias_tasks.reading.published`).

    Returns:
        The reading; its label is True, False, Unknown, invalid, or None when unread.
    """
    if protocol == "published":
        return published_judging(text, shown=shown)
    window = Window.of(text)
    if (nothing := nothing_in(window)) is not None:
        return nothing
    region = Region.whole(_without_echo(window), "numbers", _JudgingWords())
    found = find_explicit(region)
    if found.statement is not None:
        return _explicit(window, found.statement, shown)
    if found.problem is not None and found.rest is None:
        return unread(window, found.problem)
    return _by_keyword(window, region if found.rest is None else found.rest, shown)


def _explicit(window: Window, statement: Statement, shown: int) -> Reading:
    """The reading of an explicit answer."""
    span = window.span(statement.start, statement.end)
    detail = window.note(statement.rule)
    answer = statement.answer
    if isinstance(answer, str):
        return Reading(answer, "explicit", span=span, detail=detail)
    if answer is None or len(answer) != 1:
        return unread(window, "several labels are named")
    if not 1 <= answer[0] <= min(shown, len(JUDGING_LABELS)):
        return Reading(
            "invalid",
            "explicit",
            span=span,
            reason="invalid_response_format",
            detail=window.note(f"{statement.rule}: {answer[0]} is no label that was offered"),
        )
    return Reading(JUDGING_LABELS[answer[0] - 1], "explicit", span=span, detail=detail)


def _by_keyword(window: Window, region: Region, shown: int) -> Reading:
    """The reading by keywords and by the only option mentioned, which must agree."""
    low = region.low
    if (declined := declined_reading(window, region)) is not None:
        return declined
    mentioned = {options.numbers: options for options, chosen in mentions(region) if chosen}
    read = judging_label(low, region.start, region.end)
    if isinstance(read, Undecided) and (not read.silent or len(mentioned) != 1):
        return unread(window, read.why)
    if isinstance(read, Undecided):
        ((numbers, options),) = mentioned.items()
        if len(numbers) > 1 or not 1 <= numbers[0] <= min(shown, len(JUDGING_LABELS)):
            return unread(window, "the option mentioned is no label that was offered")
        label, start, end, rule = (
            JUDGING_LABELS[numbers[0] - 1],
            options.start,
            options.end,
            "the only option mentioned",
        )
    else:
        label, start, end, rule = cast(JudgingLabel, read.label), read.start, read.end, read.rule
        if set(mentioned) - {(JUDGING_LABELS.index(label) + 1,)}:
            return unread(window, "a keyword and a mentioned option disagree")
    return Reading(label, "keyword", span=window.span(start, end), detail=window.note(rule))


def _without_echo(window: Window) -> Window:
    """The window with options blanked that are repeated from the prompt one after the other."""
    runs: list[list[re.Match[str]]] = []
    for match in _OPTION_TEXT.finditer(window.low):
        if runs and match.start() - runs[-1][-1].end() <= _BETWEEN:
            runs[-1].append(match)
        else:
            runs.append([match])
    echoes = [
        (run[0].start(), run[-1].end())
        for run in runs
        if len({match["number"] for match in run}) > 1
    ]
    return window.blanked(echoes)
