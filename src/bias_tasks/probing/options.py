"""The options that a finished prompt prints, each behind its label: found, and printed anew."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

LETTERS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_NUMBERS = tuple(str(number) for number in range(1, 27))
_LINE = re.compile(
    r"(?P<mark>(?P<lead>[ \t]{0,20})(?P<open>[(\[]?)(?P<label>[A-Z]|\d{1,2})"
    r"(?P<close>[)\]][.:]?|[.:])(?P<blank>[ \t]{1,20}))(?P<text>\S.*)"
)
_MOST = 200_000
"""Characters of a prompt in which options are looked for: the last ones."""
_LINES = 30
"""Lines of an option's text at most."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a prompt: characters `begin` to `end`, a text for each label."""

    begin: int
    end: int
    labels: tuple[str, ...]
    texts: tuple[str, ...]
    mark: str
    """What stands in front of a label, as blanks or a bracket."""
    close: str
    """What stands between a label and its text."""

    def printed(
        self,
        labels: Sequence[str] | None = None,
        texts: Sequence[str] | None = None,
        mark: str = "",
        between: str = "",
    ) -> str:
        """The options as the prompt prints them, with what is given in place of their own."""
        how = mark or f"{self.mark}{{label}}{self.close}"
        rows = zip(labels or self.labels, texts or self.texts, strict=True)
        return (between or "\n").join(
            f"{how.replace('{label}', label)}{text}" for label, text in rows
        )


def find_options(prompt: str, count: int | None = None) -> Options | None:
    """The last options of a prompt, labelled A, B, ... or 1, 2, ..., each on a line of its own.

    The text of an option may have several lines, except for the last one. Where such a line looks
    like an option itself, as a second `B) ` does, nothing is found.

    Args:
        prompt: as it is sent to a model.
        count: how many options there must be; None for two or more.
    """
    place = max(len(prompt) - _MOST, 0)
    lists: list[_List] = []
    for line in prompt[place:].split("\n"):
        match = _LINE.fullmatch(line)
        if match is not None and lists and lists[-1].goes_on(match):
            lists[-1].add(place, match)
        elif match is not None and match["label"] in ("A", "1"):
            lists.append(_List(match, place))
            lists[-1].add(place, match)
        elif lists and len(lists[-1].waiting) <= _LINES:
            lists[-1].waiting.append(line)
        place += len(line) + 1
    fitting = [each for each in lists if len(each.texts) > 1 and count in (None, len(each.texts))]
    return fitting[-1].options() if fitting and not fitting[-1].doubtful else None


@dataclass(slots=True)
class _List:
    """The options of one list, as far as its lines are read."""

    first: re.Match[str]
    begin: int
    end: int = 0
    texts: list[str] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)
    """Lines behind an option, which belong to it if another option follows."""
    doubtful: bool = False
    """Whether a line inside of a text looks like an option."""

    @property
    def known(self) -> tuple[str, ...]:
        return LETTERS if self.first["label"] == "A" else _NUMBERS

    def goes_on(self, match: re.Match[str]) -> bool:
        """Whether a line is the next option."""
        number = len(self.texts)
        return (
            len(self.waiting) <= _LINES
            and self._looks_alike(match)
            and match["label"] in self.known[number : number + 1]
        )

    def _looks_alike(self, match: re.Match[str] | None) -> bool:
        parts = ("lead", "open", "close", "blank")
        return match is not None and all(self.first[part] == match[part] for part in parts)

    def add(self, place: int, match: re.Match[str]) -> None:
        """Take a line as the beginning of an option."""
        if self.texts:
            self.doubtful |= any(self._looks_alike(_LINE.fullmatch(line)) for line in self.waiting)
            self.texts[-1] = "\n".join([self.texts[-1], *self.waiting])
        self.texts.append(match["text"])
        self.end = place + len(match[0])
        self.waiting = []

    def options(self) -> Options:
        return Options(
            begin=self.begin,
            end=self.end,
            labels=self.known[: len(self.texts)],
            texts=tuple(self.texts),
            mark=f"{self.first['lead']}{self.first['open']}",
            close=f"{self.first['close']}{self.first['blank']}",
        )
