"""The first wrong step said in words: "The first error is in step 2", "No step is wrong"."""

from __future__ import annotations

import re
from typing import NamedTuple

from bias_tasks.complex_eval.reading import position_phrases as phrases
from bias_tasks.complex_eval.reading.asserted import (
    conditional,
    disowned,
    own,
    replaced,
    within_quotes,
)
from bias_tasks.complex_eval.reading.said import Said
from bias_tasks.complex_eval.reading.score_values import position
from bias_tasks.reading.bounds import Window

NO_STEP = -1
"""The position that says that no step is wrong."""
_FEW = 2
"""Words that need not say what they speak of: a box alone."""


class _Place(NamedTuple):
    number: int | None
    """None where it is one of several."""
    start: int
    end: int


def position_in_words(text: str, steps: int) -> Said[int] | None:
    """The position, or -1; None where none is said, a value of None where several are."""
    window = Window.of(text)
    low = window.low
    alone = phrases.ALONE.fullmatch(low.strip())
    if alone is not None and not conditional(low.strip(), alone.end("number")):
        begin = len(low) - len(low.lstrip())
        return _said(window, _Place(int(alone["number"]), begin, len(low.rstrip())), steps)
    if phrases.FROM_ONE.search(low):
        return None
    named, clean, wrong = _named(low, steps), _none_wrong(low), _places(phrases.IS_WRONG, low)
    if named:
        contradicted = clean is not None and any(each.number != NO_STEP for each in named)
        return _one(window, [*named, clean] if clean and contradicted else named, steps)
    if clean is not None and wrong:
        return _one(window, [clean, *wrong], steps)
    walked = None if clean else _walked(low)
    if walked is not None:
        return _said(window, walked, steps)
    return _one(window, [clean] if clean else wrong, steps)


def _walked(low: str) -> _Place | None:
    """The first step called wrong, where each one before it is called right in turn."""
    verdicts = [(int(match["number"]), match) for match in phrases.VERDICT.finditer(low)]
    for place, (number, match) in enumerate(verdicts):
        if number != place or not _judged(match, low):
            return None
        if match["wrong"] is not None:
            again = [each for each, _ in verdicts[place + 1 :] if each <= number]
            return None if again or not place else _Place(number, match.start(), match.end())
    return None


def _judged(match: re.Match[str], low: str) -> bool:
    before = low[max(0, match.start() - 300) : match.start()]
    return own(before) is True and not conditional(low, match.end())


def positions_said(text: str) -> list[int | None]:
    """The positions that words beside an object call the first wrong one; -1 for none."""
    low = Window.of(text).low
    clean = _none_wrong(low)
    return [each.number for each in _called_first(low)] + ([NO_STEP] if clean else [])


def _named(low: str, steps: int) -> list[_Place]:
    """What is called the first wrong step, or given as the answer: boxed, or on the last line.

    What solves the problem instead speaks of no step, and may box any number.
    """
    called = _called_first(low)
    if not called and not phrases.OF_STEPS.search(low) and _words(low) > _FEW:
        return []
    boxed = _last_word(_places(phrases.BOXED, low), low)
    if called:
        boxed = [each for each in boxed if not _of_the_problem(low, each.start)]
    given = [each for each in boxed if each.number is None or each.number < steps]
    return called + given + _places(phrases.ANSWERED, low)


def _of_the_problem(low: str, start: int) -> bool:
    return phrases.OF_THE_PROBLEM.search(low[max(0, start - 80) : start]) is not None


def _called_first(low: str) -> list[_Place]:
    """What is called the first wrong step; the last word where words take it back."""
    found = _places(phrases.FIRST, low) + _places(phrases.IS_FIRST, low)
    return _last_word(sorted(found, key=lambda each: each.start), low)


def _words(low: str) -> int:
    return len(low.split(maxsplit=_FEW + 1))


def _open(low: str, end: int) -> bool:
    """Whether the number behind which a text goes on at `end` is one of several."""
    return phrases.ONE_OF_SEVERAL.match(low, end) is not None or conditional(low, end)


def _places(pattern: re.Pattern[str], low: str) -> list[_Place]:
    """The numbers that a pattern names in the judge's own words."""
    places = []
    for match in pattern.finditer(low):
        before = low[max(0, match.start() - 300) : match.start()]
        if own(before) is not True or within_quotes(low, match.start()):
            continue
        group = next(name for name, value in match.groupdict().items() if value is not None)
        number = None if _open(low, match.end(group)) else int(match[group])
        places.append(_Place(number, match.start(), match.end()))
    return places


def _none_wrong(low: str) -> _Place | None:
    """Where it is said that no step is wrong, without reserve."""
    for match in phrases.NONE_WRONG.finditer(low):
        before = low[max(0, match.start() - 300) : match.start()]
        sentence = re.split(r"[.!?\n]", low[match.end() : match.end() + 200], maxsplit=1)[0]
        if phrases.NOT_ALL.search(before) or disowned(low[match.end() : match.end() + 40]):
            continue
        if own(before) is True and not phrases.RESERVE.search(sentence):
            return _Place(NO_STEP, match.start(), match.end())
    return None


def _last_word(places: list[_Place], low: str) -> list[_Place]:
    for at in range(len(places) - 1, 0, -1):
        if replaced(low[places[at - 1].end : places[at].start]):
            return places[at:]
    return places


def _one(window: Window, places: list[_Place], steps: int) -> Said[int] | None:
    if not places:
        return None
    if len({each.number for each in places}) > 1 or places[0].number is None:
        first, last = places[0], places[-1]
        return Said(None, "several steps may be the first wrong one", first.start, last.end)
    return _said(window, places[-1], steps)


def _said(window: Window, place: _Place, steps: int) -> Said[int]:
    value, why = position(place.number, steps)
    start, end = window.span(place.start, place.end)
    return Said(value, why if value is None else f"{why}, in words", start, end)
