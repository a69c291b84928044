"""Reads answers to judging questions: True (proved), False (disproved) or Unknown."""

from __future__ import annotations

import re
from typing import cast

from bias_tasks.instruction_boundary.items import JUDGING_LABELS, JudgingLabel
from bias_tasks.instruction_boundary.reading.explicit import find_explicit
from bias_tasks.instruction_boundary.reading.forms import Form
from bias_tasks.instruction_boundary.reading.keywords import Keyword
from bias_tasks.instruction_boundary.reading.keywords_judging import judging_label
from bias_tasks.instruction_boundary.reading.mentioned import mentions
from bias_tasks.instruction_boundary.reading.own_words import parts, without_echo
from bias_tasks.instruction_boundary.reading.paraphrases import paraphrased
from bias_tasks.instruction_boundary.reading.published import published_judging
from bias_tasks.instruction_boundary.reading.statement import Region, Statement
from bias_tasks.names import PaperProtocol
from bias_tasks.reading.bounds import CROSS, TICK, Window
from bias_tasks.reading.types import Reading
from bias_tasks.reading.unread import declined_reading, nothing_in, unread

# The name of an option, right behind its number.
_NAMED = re.compile(
    r"[ .:;)(,\"'=\]-]{1,8}(?:the (?:statement|question|conclusion) (?:is|can be) )?"
    r"(?:there is clear evidence (?:that )?(?:(?:the )?(?:statement|question) )?)?"
    r"(?:(?P<one>proved|proven|true|can be (?:proved|proven))"
    r"|(?P<two>disproved|disproven|false|can be (?:disproved|disproven))"
    r"|(?P<three>unknown|uncertain|undetermined|cannot be determined))\b"
)
# An option as the prompts print it.
_OPTION_TEXT = re.compile(
    r"(?:option ?)?\b(?P<number>\d) ?[.):][ \"']{0,3}"
    r"(?:there is clear evidence|proven|proved|disproved|unknown|undetermined|uncertain|true|false"
    r"|all above are)\b"
    r"[^\n.;?✓✗]{0,60}?(?: ?\([^()\n]{0,120}\))?(?=[ \"']*(?:\n|[.;,]|$|\d|option|(?:or|and)\b))"
)
_TICKED = re.compile(rf"\[x\]|[{TICK}{CROSS}]|\| ?(?:yes|no)\b")
_BETWEEN = 12
"""Characters between two options that are repeated from the prompt."""


class _JudgingWords:
    """Judging answers in words."""

    def label(self, low: str, start: int, end: int) -> str | None:
        read = judging_label(low, start, end)
        return read.label if isinstance(read, Keyword) else None

    def number(self, label: str) -> int:
        return JUDGING_LABELS.index(cast(JudgingLabel, label)) + 1

    def number_named(self, low: str, pos: int, end: int) -> int | None:
        match = _NAMED.match(low, pos, end)
        names = {"one": 1, "two": 2, "three": 3}
        return None if match is None else names[match.lastgroup or ""]


_WORDS = _JudgingWords()


def read_judging(
    text: str, *, shown: int = 3, protocol: PaperProtocol = "corrected", prompt: str = ""
) -> Reading:
    """Read the answer to a judging question.

    An explicit answer counts first, then the keywords of appendix N; what neither tells is unread.
    What repeats the prompt is nobody's answer.

    Args:
        text: the model's answer, any string.
        shown: how many numbered options the prompt offered: 3, 2 where Unknown was left out, 5
            with two distractors. A number beyond the labels offered is `invalid`; words still
            read as Unknown.
        protocol: `corrected`, or `published` for the published instrument's reading
            (see `bias_tasks.instruction_boundary.reading.published`).
        prompt: what the model was asked; empty where that is not known.

    Returns:
        The reading; its label is True, False, Unknown, invalid, or None when unread.
    """
    if protocol == "published":
        return published_judging(text)
    window = Window.of(text, unstruck=True)
    if (nothing := nothing_in(window)) is not None:
        return nothing
    form = Form(tuple(range(1, shown + 1)), lambda _: [], several=False)
    own = _without_options(without_echo(window, prompt, apart=True))
    reading = None
    for part in parts(Region.whole(own, "numbers", _WORDS), prompt):
        reading = _read(window, part, form)
        if not reading.unread:
            return reading
    return reading or unread(window, "an echo of the prompt")


def _read(window: Window, region: Region, form: Form) -> Reading:
    found = find_explicit(region, form)
    shown = len(form.offered)
    if found.statement is not None:
        return _explicit(window, found.statement, shown)
    if found.problem is not None:
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
    label = _label(answer[0], shown)
    if label is None:
        detail = window.note(f"{statement.rule}: {answer[0]} is no label that was offered")
        return Reading("invalid", "explicit", (), span, "invalid_response_format", detail)
    return Reading(label, "explicit", span=span, detail=detail)


def _label(number: int, shown: int) -> str | None:
    """The label of an option number, None for a number that was not offered as a label."""
    offered = JUDGING_LABELS[:shown]
    return offered[number - 1] if 1 <= number <= len(offered) else None


def _by_keyword(window: Window, region: Region, shown: int) -> Reading:
    """The reading by keywords, or by the only option mentioned; the two must agree."""
    if (declined := declined_reading(window, region.start, region.end)) is not None:
        return declined
    mentioned = {options.numbers: options for options, chosen in mentions(region) if chosen}
    read = judging_label(region.low, region.start, region.end)
    if isinstance(read, Keyword):
        if mentioned.keys() - {(_WORDS.number(read.label),)}:
            return unread(window, "a keyword and a mentioned option disagree")
        span = window.span(read.start, read.end)
        return Reading(read.label, "keyword", span=span, detail=window.note(read.rule))
    if read.silent and not mentioned:
        said = paraphrased(region.low, region.start, region.end)
        if isinstance(said, Keyword):
            span = window.span(said.start, said.end)
            return Reading(said.label, "keyword", span=span, detail=window.note(said.rule))
    if not read.silent or len(mentioned) != 1:
        return unread(window, read.why)
    ((numbers, options),) = mentioned.items()
    label = _label(numbers[0], shown) if len(numbers) == 1 else None
    if label is None:
        return unread(window, "the option mentioned is no label that was offered")
    span = window.span(options.start, options.end)
    return Reading(label, "keyword", span=span, detail=window.note("the only option mentioned"))


def _without_options(window: Window) -> Window:
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
        if not _TICKED.search(window.low, max(0, run[0].start() - 8), run[-1].end() + 8)
        and len({match["number"] for match in run}) > 1
    ]
    return window.blanked(echoes)
