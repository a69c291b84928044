"""What one text has and another has not, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from bias_tasks.probing.rewordings.stretches import plain


def folded(text: str) -> str:
    """A choice or an answer without case, and without marks around it."""
    return plain(text).strip(".,;:!?()[]\"'*_` ").casefold()


def holds(text: str, part: str) -> bool:
    """Whether a text has a part as whole words."""
    at = text.find(part) if part else -1
    while at >= 0:
        end = at + len(part)
        if not (text[at - 1 : at].isalnum() or text[end : end + 1].isalnum()):
            return True
        at = text.find(part, end)
    return False


def lost(want: Counter[str], have: Counter[str]) -> str | None:
    """Which of what is wanted is not there as often; None where all is."""
    return _named("it lost", want - have)


def added(have: Iterable[str], known: Iterable[str]) -> str | None:
    """Which of what is there is not known; None where all is."""
    return _named("it adds", set(have) - set(known))


def missing(want: Counter[str], text: str) -> str | None:
    """Which of some stretches a text does not have word for word."""
    said = plain(text)
    return _named("it lost", {each for each, count in want.items() if said.count(each) < count})


def _named(what: str, found: Iterable[str]) -> str | None:
    first = min(found, default=None)
    return None if first is None else f"{what} {first[:60]!r}"
