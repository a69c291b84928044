"""What a rewritten prompt must still hold, so that it asks the same question with the same gold."""

import re

from bias_tasks.instruction_boundary.items import Item
from bias_tasks.instruction_boundary.prompts.ask import Asked

_MARKS = re.compile(r"[*_`#>]")
_BULLET = re.compile(r"^[-+•\s]{1,8}")
_BEFORE_OPTIONS, _AFTER_OPTIONS = "\nOptions:\n", "\nNote:"


def lost_in(polished: str, asked: Asked, item: Item) -> tuple[str, ...]:
    """What of a vanilla prompt is lost or changed in its rewriting, in words; empty for nothing.

    The question must be there, and every line of the facts. The options must stand on lines of
    their own, in their order, each with its number, so that the right one's number still means the
    right one, and the list must not go on with an option that was not offered. Case, blanks,
    bullets and Markdown marks do not count.

    `asked` is the vanilla prompt that was to be rewritten."""
    text, before = plain(polished), _lines(polished)
    lost = [] if plain(item.question) in text else ["the question"]
    facts = [line for line in _lines(item.context or "") if line not in text]
    lost += [f"the fact {line!r}" for line in facts[:1]]
    behind: list[str] | None = None
    for option in reversed(_lines(_options(asked))):
        if option not in before:
            return (*lost, f"the option {option!r} with its number")
        place = len(before) - 1 - before[::-1].index(option)  # facts may be numbered, too
        behind = before[place + 1 :] if behind is None else behind
        before = before[:place]
    number = asked.n_options + (1 if asked.shown is None else asked.shown.first)
    if behind and re.match(rf"{number}[.):] ", behind[0]):
        lost.append(f"the end of the options, by adding {behind[0]!r}")
    return tuple(lost)


def _options(asked: Asked) -> str:
    """The options as the prompt prints them."""
    if asked.shown is not None:
        return "\n".join(asked.shown.lines)
    return asked.prompt.partition(_BEFORE_OPTIONS)[2].partition(_AFTER_OPTIONS)[0]


def _lines(text: str) -> list[str]:
    """The lines with something in them, each in its plain spelling and without a bullet."""
    told = map(plain, text.splitlines())
    return [line for line in (_BULLET.sub("", each) for each in told) if line]


def plain(text: str) -> str:
    """A text without case, Markdown marks and what kind of blanks it has."""
    return " ".join(_MARKS.sub("", text).casefold().split())
