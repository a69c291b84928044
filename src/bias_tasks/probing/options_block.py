"""The options that a finished prompt prints, each behind its label: found, and set anew."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

_LINE = re.compile(
    r"(?P<mark>(?P<lead>[ \t]{0,20})(?P<open>[(\[]?)(?P<label>[A-Z]|\d{1,2})"
    r"(?P<close>[)\]][.:]?|[.:])(?P<blank>[ \t]{1,20}))(?P<text>\S.*)"
)
LETTERS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_NUMBERS = tuple(str(number) for number in range(1, 27))
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
        """The options as they stand in a prompt, with what is given in place of their own."""
        how = mark or f"{self.mark}{{label}}{self.close}"
        lines = zip(
            self.labels if labels is None else labels,
            self.texts if texts is None else texts,
            strict=True,
        )
        return (between or "\n").join(
            f"{how.replace('{label}', label)}{text}" for label, text in lines
        )


def find_options(prompt: str, count: int | None = None) -> Options | None:
    """The last options of a prompt, labelled A, B, ... or 1, 2, ..., each on a line of its own.

    An option's text may have several lines, but for the last one's.

    Args:
        prompt: as a model is sent it.
        count: how many there must be; None for two or more.
    """
    skipped = max(len(prompt) - _MOST, 0)
    found: list[Options] = []
    lines = _Lines()
    place = skipped
    for line in prompt[skipped:].split("\n"):
        match = _LINE.fullmatch(line)
        if match is not None and lines.goes_on(match):
            lines.add(place, match)
        elif match is not None and match["label"] in ("A", "1"):
            found += lines.options()
            lines = _Lines()
            lines.add(place, match)
        else:
            lines.wait(line)
        place += len(line) + 1
    found += lines.options()
    fitting = [each for each in found if count in (None, len(each.labels))]
    return fitting[-1] if fitting else None


@dataclass(slots=True)
class _Lines:
    """The options of one list, as far as its lines are read."""

    first: re.Match[str] | None = None
    begin: int = 0
    end: int = 0
    texts: list[str] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)
    """Lines behind an option that belong to it if another option follows."""

    def goes_on(self, match: re.Match[str]) -> bool:
        """Whether a line is the next option."""
        if self.first is None or len(self.waiting) > _LINES:
            return False
        if any(self.first[part] != match[part] for part in ("lead", "open", "close", "blank")):
            return False
        known = LETTERS if self.first["label"] == "A" else _NUMBERS
        return len(self.texts) < len(known) and match["label"] == known[len(self.texts)]

    def add(self, place: int, match: re.Match[str]) -> None:
        """Take a line as an option's beginning."""
        if self.first is None:
            self.first, self.begin = match, place
        else:
            self.texts[-1] = "\n".join([self.texts[-1], *self.waiting])
        self.texts.append(match["text"])
        self.end = place + len(match[0])
        self.waiting = []

    def wait(self, line: str) -> None:
        """Keep a line that begins no option."""
        if self.first is not None and len(self.waiting) <= _LINES:
            self.waiting.append(line)

    def options(self) -> list[Options]:
        """The options, if these are two or more."""
        if self.first is None or len(self.texts) < 2:
            return []
        known = LETTERS if self.first["label"] == "A" else _NUMBERS
        return [
            Options(
                begin=self.begin,
                end=self.end,
                labels=known[: len(self.texts)],
                texts=tuple(self.texts),
                mark=f"{self.first['lead']}{self.first['open']}",
                close=f"{self.first['close']}{self.first['blank']}",
            )
        ]
