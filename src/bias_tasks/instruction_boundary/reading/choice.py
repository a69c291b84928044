"""Reads answers to choice questions: which of the options shown an answer names."""

from __future__ import annotations

from bias_tasks.instruction_boundary.items import choice_label
from bias_tasks.instruction_boundary.reading.explicit import find_explicit, mentions
from bias_tasks.instruction_boundary.reading.keywords import Keyword, choice_none
from bias_tasks.instruction_boundary.reading.published import published_choice
from bias_tasks.protocols import PaperProtocol
from bias_tasks.reading.bounds import Window
from bias_tasks.reading.options import Symbols
from bias_tasks.reading.statement import Region
from bias_tasks.reading.types import Reading, Via
from bias_tasks.reading.unread import declined_reading, nothing_in, unread


class _ChoiceWords:
    """Choice answers in words: none of the options."""

    def label(self, low: str, start: int, end: int) -> str | None:
        return "none" if isinstance(choice_none(low, start, end), Keyword) else None

    def number(self, label: str) -> int | None:
        return None

    def number_named(self, low: str, pos: int, end: int) -> int | None:
        return None


_WORDS = _ChoiceWords()


def read_choice(
    text: str,
    *,
    n_options: int,
    first: int = 1,
    symbols: Symbols = "numbers",
    protocol: PaperProtocol = "corrected",
) -> Reading:
    """Read the answer to a choice question.

    An explicit answer counts first, then the keywords of appendix N ("no correct answer" and
    uncertainty alike are `none`, as in appendices K and M); what neither tells is unread.

    Args:
        text: the model's answer, any string.
        n_options: how many options the prompt offered.
        first: the number of the first option, 1 corrected and 0 published; letters begin at A.
        symbols: whether the options carry numbers or letters.
        protocol: `corrected`, or `published` for the published instrument's reading
            (see `bias_tasks.instruction_boundary.reading.published`).

    Returns:
        The reading: single, multiple or none; invalid when an option is named that was not
        offered (`options` then holds those that were); None when unread.
    """
    if protocol == "published":
        return published_choice(text, n_options=n_options, first=first, symbols=symbols)
    if symbols == "letters":
        first = 0
    window = Window.of(text)
    if (nothing := nothing_in(window)) is not None:
        return nothing
    region = Region.whole(window, symbols, _WORDS)
    found = find_explicit(region)
    if found.statement is not None and found.statement.answer is not None:
        statement, answer = found.statement, found.statement.answer
        span = window.span(statement.start, statement.end)
        detail = window.note(statement.rule)
        if isinstance(answer, str):
            return Reading(answer, "explicit", span=span, detail=detail)
        return _named(answer, n_options, first, "explicit", span, detail)
    if found.problem is not None:
        return unread(window, found.problem)
    return _by_keyword(window, region if found.rest is None else found.rest, n_options, first)


def _named(
    numbers: tuple[int, ...],
    n_options: int,
    first: int,
    via: Via,
    span: tuple[int, int],
    detail: str,
) -> Reading:
    """The reading of options named by their numbers."""
    options = tuple(number - first for number in numbers if 0 <= number - first < n_options)
    if len(options) < len(numbers):
        detail = f"{detail}: an option is named that was not offered"
        return Reading("invalid", via, options, span, "invalid_response_format", detail)
    return Reading(choice_label(options), via, options, span, detail=detail)


def _by_keyword(window: Window, region: Region, n_options: int, first: int) -> Reading:
    """The reading by keywords, or by the only options mentioned; not by both."""
    if (declined := declined_reading(window, region)) is not None:
        return declined
    mentioned = {options.numbers: (options, chosen) for options, chosen in mentions(region)}
    read = choice_none(region.low, region.start, region.end)
    if isinstance(read, Keyword):
        if mentioned:
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
    return _named(
        numbers, n_options, first, "keyword", span, window.note("the only options mentioned")
    )
