"""What a rewritten prompt must still hold, so that it asks the same question with the same gold."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bias_tasks.instruction_boundary.items import Item
from bias_tasks.instruction_boundary.prompts.ask import Asked

_MARKS = re.compile(r"[*_`#>]")
_BULLET = re.compile(r"^[-+•\s]{1,8}")
_NUMBER = re.compile(r"(\d{1,3})[.):] ")
_BEFORE_OPTIONS, _AFTER_OPTIONS = "\nOptions:\n", "\nNote:"


def lost_in(polished: str, asked: Asked, item: Item) -> tuple[str, ...]:
    """What of a vanilla prompt is lost or changed in its rewriting, in words; empty for nothing.

    The question must be there, and every line of the facts. Every option must stand on lines of
    its own with its number, so that the right one's number still means the right one, and the list
    must not go on with an option that was not offered. Case, blanks, bullets and Markdown marks do
    not count.

    Args:
        polished: the rewritten prompt.
        asked: the vanilla prompt that was to be rewritten.
        item: the item that it asks about.
    """
    text, lines = plain(polished), _lines(polished)
    lost = [] if plain(item.question) in text else ["the question"]
    facts = [line for line in _lines(item.context or "") if line not in text]
    lost += [f"the fact {line!r}" for line in facts[:1]]
    options = [_lines(option) for option in offered_lines(asked)]
    ends = {option[0]: _end_of(option, lines) for option in options if option}
    moved = [first for first, end in ends.items() if end is None]
    lost += [f"the option {first!r} with its number" for first in moved[:1]]
    after = lines[max((end for end in ends.values() if end is not None), default=0) :]
    if not moved and after and _numbered_next(list(ends), after[0]):
        lost.append(f"the end of the options, by adding {after[0]!r}")
    return tuple(lost)


def offered_lines(asked: Asked) -> Sequence[str]:
    """The options as the prompt prints them."""
    if asked.shown is not None:
        return asked.shown.lines
    listed = asked.prompt.partition(_BEFORE_OPTIONS)[2].partition(_AFTER_OPTIONS)[0]
    return listed.splitlines()


def _end_of(option: Sequence[str], lines: Sequence[str]) -> int | None:
    """Behind which line the option stands, whole and on lines of its own; None where it does not.

    The last place counts: facts may be numbered, too.
    """
    size = len(option)
    ends = range(len(lines), size - 1, -1)
    return next((end for end in ends if lines[end - size : end] == option), None)


def _numbered_next(options: Sequence[str], line: str) -> bool:
    """Whether a line has the number that follows the last option's."""
    numbers = [_NUMBER.match(each) for each in (options[-1], line)]
    last, following = (None if number is None else int(number[1]) for number in numbers)
    return last is not None and following == last + 1


def _lines(text: str) -> list[str]:
    """The lines with something in them, each in its plain spelling and without a bullet."""
    told = map(plain, text.splitlines())
    return [line for line in (_BULLET.sub("", each) for each in told) if line]


def plain(text: str) -> str:
    """A text without case, Markdown marks and what kind of blanks it has."""
    return " ".join(_MARKS.sub("", text).casefold().split())
