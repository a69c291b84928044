"""Finds what an answer repeats of its prompt word for word: an echo, and nobody's answer.

A prompt holds sentences that would be read as answers: a suggested answer, worked examples, the
words to respond with. A model that repeats the prompt, or a part of it, has not said them.

Words are compared, whatever stands between them. Fewer than `RUN` words in a row may be the
model's own ("The answer to this problem is 2."), and so may what an answer rightly repeats: the
text of the option that it names.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence

from bias_tasks.reading.bounds import Window, plain_spelling, skip
from bias_tasks.reading.patterns import patterns

RUN = 8
"""So many words in a row are an echo."""
OUTSIDE = 4
"""So many of them stand outside of what an answer may repeat."""
_WORD = re.compile(r"\w+")
_MARKS = re.compile(r"[^\w\n]*")
_MOST_PLACES = 4
"""Places of the prompt that are tried for one beginning, as worked examples begin alike."""

Span = tuple[int, int]


def echoes(window: Window, prompt: str, own: Sequence[Span] = ()) -> list[Span]:
    """The stretches of an answer that repeat its prompt, in the plain spelling
    (`bounds.plain_spelling`), from left to right and in linear time. An answer may repeat one of
    the stretches `own` of the prompt, with up to `OUTSIDE` words beside it."""
    said = list(_WORD.finditer(window.low))
    if len(said) < RUN or not prompt:
        return []
    asked = list(_WORD.finditer(prompt))
    words, asked_words = [word[0] for word in said], [word[0] for word in asked]
    places = _places(asked_words)
    owner = _owners(asked, own)
    found: list[Span] = []
    at = 0
    while at + RUN <= len(words):
        length, place = _longest(words, asked_words, at, places)
        if length == 0:
            at += 1
            continue
        repeated = owner[place : place + length]
        if repeated.count(-1) >= OUTSIDE or len({*repeated} - {-1}) > 1:
            end = said[at + length - 1].end()
            found.append((said[at].start(), skip(_MARKS, window.low, end, len(window.low))))
        at += length
    return found


def without_echo(window: Window, prompt: str) -> Window:
    """The window with blanks for what it repeats of its prompt.

    The line of one option may be repeated, as an answer that names it does; the answer of a round
    before, which the prompt quotes, is the model's own.
    """
    if not prompt:
        return window
    asked = plain_spelling(prompt)
    asked = patterns.previous_answer.sub(lambda found: " " * len(found[0]), asked)
    options = [line.span() for line in patterns.option_line.finditer(asked)]
    return window.blanked(echoes(window, asked, options))


def mostly_echo(text: str, prompt: str) -> bool:
    """Whether at least half of an answer's words repeat its prompt, `RUN` or more in a row."""
    window = Window.of(text)
    repeated = echoes(window, plain_spelling(prompt))
    counted = sum(len(_WORD.findall(window.low, *stretch)) for stretch in repeated)
    return counted > 0 and 2 * counted >= len(_WORD.findall(window.low))


def _places(words: list[str]) -> dict[tuple[str, ...], list[int]]:
    """Where each run of `RUN` words begins in the prompt."""
    places: dict[tuple[str, ...], list[int]] = {}
    for at in range(len(words) - RUN + 1):
        begins = places.setdefault(tuple(words[at : at + RUN]), [])
        if len(begins) < _MOST_PLACES:
            begins.append(at)
    return places


def _longest(
    said: list[str], asked: list[str], at: int, places: dict[tuple[str, ...], list[int]]
) -> tuple[int, int]:
    """How many words from `at` on stand in the prompt in a row, and where; 0 for under `RUN`."""
    best, where = 0, 0
    for place in places.get(tuple(said[at : at + RUN]), ()):
        length = RUN
        most = min(len(said) - at, len(asked) - place)
        while length < most and said[at + length] == asked[place + length]:
            length += 1
        if length > best:
            best, where = length, place
    return best, where


def _owners(asked: list[re.Match[str]], own: Sequence[Span]) -> list[int]:
    """For each word of the prompt, which stretch that may be repeated it stands in; -1 for none."""
    begins = [start for start, _ in own]
    last = ((word.start(), bisect_right(begins, word.start()) - 1) for word in asked)
    return [place if place >= 0 and at < own[place][1] else -1 for at, place in last]
