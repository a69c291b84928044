"""Reads answers to choice questions: which of the options shown an answer names."""

from __future__ import annotations

import re

from bias_tasks.instruction_boundary.items import choice_label
from bias_tasks.instruction_boundary.reading.denials import denials, denied_at, not_meant
from bias_tasks.instruction_boundary.reading.explicit import find_explicit
from bias_tasks.instruction_boundary.reading.forms import Form
from bias_tasks.instruction_boundary.reading.keywords import Keyword
from bias_tasks.instruction_boundary.reading.keywords_choice import choice_none
from bias_tasks.instruction_boundary.reading.mentioned import mentions
from bias_tasks.instruction_boundary.reading.options import Symbols
from bias_tasks.instruction_boundary.reading.own_words import parts, without_echo
from bias_tasks.instruction_boundary.reading.published import published_choice
from bias_tasks.instruction_boundary.reading.statement import Region
from bias_tasks.names import PaperProtocol
from bias_tasks.reading.bounds import Window
from bias_tasks.reading.types import Reading, Via
from bias_tasks.reading.unread import declined_reading, nothing_in, unread


class _ChoiceWords:
    """Choice answers in words: none of the options."""

    def label(self, low: str, start: int, end: int) -> str | None:
        if denied_at(low, start, end):
            return "none"
        return "none" if isinstance(choice_none(low, start, end), Keyword) else None

    def number(self, label: str) -> int | None:
        return None

    def number_named(self, low: str, pos: int, end: int) -> int | None:
        return None


_WORDS = _ChoiceWords()
# A number that is all that follows a colon.
_PERHAPS = re.compile(r"(?:^|[ (])\d{1,2}(?=\?)")
_NUMBERED = re.compile(r": ?\(?\d{1,2}\)?(?:, \d{1,2})*(?=[.;\n]|$)")


def read_choice(
    text: str,
    *,
    n_options: int,
    first: int = 1,
    symbols: Symbols = "numbers",
    protocol: PaperProtocol = "corrected",
    prompt: str = "",
) -> Reading:
    """Read the answer to a choice question.

    An explicit answer counts first, "no correct answer" among them, then the keywords of appendix
    N (uncertainty is `none`, as in appendices K and M); what neither tells is unread. What repeats
    the prompt is nobody's answer.

    Args:
        text: the model's answer, any string.
        n_options: how many options the prompt offered.
        first: the number of the first option, 1 corrected and 0 published; letters begin at A.
        symbols: whether the options carry numbers or letters.
        protocol: `corrected`, or `published` for the published instrument's reading
            (see `bias_tasks.instruction_boundary.reading.published`).
        prompt: what the model was asked; empty where that is not known.

    Returns:
        The reading: single, multiple or none; invalid when an option is named that was not
        offered (`options` then holds those that were); None when unread.
    """
    if protocol == "published":
        return published_choice(text, n_options=n_options, first=first, symbols=symbols)
    if symbols == "letters":
        first = 0
    window = Window.of(text, unstruck=True)
    if (nothing := nothing_in(window)) is not None:
        return nothing
    form = Form(tuple(range(first, first + n_options)), denials, several=True)
    own = without_echo(window, prompt, apart=False)
    reading = None
    for part in parts(Region.whole(own, symbols, _WORDS), prompt):
        reading = _read(window, part, form)
        if not reading.unread:
            return reading
    return reading or unread(window, "an echo of the prompt")


def _read(window: Window, region: Region, form: Form) -> Reading:
    found = find_explicit(region, form)
    if found.statement is not None and found.statement.answer is not None:
        statement, answer = found.statement, found.statement.answer
        span = window.span(statement.start, statement.end)
        detail = window.note(statement.rule)
        if isinstance(answer, str):
            return Reading(answer, "explicit", span=span, detail=detail)
        return _named(answer, form, "explicit", span, detail)
    if found.problem is not None:
        return unread(window, found.problem)
    return _by_keyword(window, region if found.rest is None else found.rest, form)


def _named(
    numbers: tuple[int, ...], form: Form, via: Via, span: tuple[int, int], detail: str
) -> Reading:
    """The reading of options named by their numbers."""
    options = tuple(form.offered.index(number) for number in numbers if number in form.offered)
    if len(options) < len(numbers):
        detail = f"{detail}: an option is named that was not offered"
        return Reading("invalid", via, options, span, "invalid_response_format", detail)
    return Reading(choice_label(options), via, options, span, detail=detail)


def _by_keyword(window: Window, region: Region, form: Form) -> Reading:
    """The reading by keywords, or by the only options mentioned; not by both."""
    if (declined := declined_reading(window, region.start, region.end)) is not None:
        return declined
    mentioned = {options.numbers: (options, chosen) for options, chosen in mentions(region)}
    read = choice_none(region.low, region.start, region.end, not_meant(region))
    if isinstance(read, Keyword):
        hedged = read.label == "none" and _PERHAPS.search(region.low, region.start, region.end)
        if mentioned or hedged or _NUMBERED.search(region.low, region.start, region.end):
            return unread(window, "a keyword for no option, and options are mentioned")
        span = window.span(read.start, read.end)
        return Reading("none", "keyword", span=span, detail=window.note(read.rule))
    if not read.silent:
        return unread(window, read.why)
    if len(mentioned) != 1:
        why = "several options are mentioned, none chosen" if mentioned else read.why
        return unread(window, why)
    ((numbers, (options, chosen)),) = mentioned.items()
    if not chosen:
        return unread(window, "an option is mentioned, none chosen")
    span = window.span(options.start, options.end)
    return _named(numbers, form, "keyword", span, window.note("the only options mentioned"))
