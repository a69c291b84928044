"""The options that a finished prompt prints, each behind its label: found, and set anew."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

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

    An option's text may have several lines, but for the last one's. Where one of them looks like an
    option, as a second `B) ` does, there are none that can be told.

    Args:
        prompt: as a model is sent it.
        count: how many there must be; None for two or more.
    """
    skipped = max(len(prompt) - _MOST, 0)
    found: list[tuple[Options, bool]] = []
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
    fitting = [each for each in found if count in (None, len(each[0].labels))]
    options, doubtful = fitting[-1] if fitting else (None, True)
    return None if doubtful else options


def cut_short(texts: Sequence[str], doc: Any) -> bool:
    """Whether one of the document's lists has the texts found, of which some go on there.

    An option's last lines can't be told from what stands behind the options in a prompt.
    """
    if isinstance(doc, Mapping):
        return any(cut_short(texts, each) for each in doc.values())
    if not (isinstance(doc, list) and len(doc) == len(texts)):
        return False
    if not all(isinstance(each, str) for each in doc):
        return False
    own, printed = _words(doc), _words(texts)
    return own != printed and all(map(str.startswith, own, printed))


def _words(texts: Sequence[str]) -> list[str]:
    return [" ".join(text.split()) for text in texts]


@dataclass(slots=True)
class _Lines:
    """The options of one list, as far as its lines are read."""

    first: re.Match[str] | None = None
    begin: int = 0
    end: int = 0
    texts: list[str] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)
    """Lines behind an option that belong to it if another option follows."""
    doubtful: bool = False
    """Whether a line inside a text looks like an option itself, so that nobody can tell them."""

    def goes_on(self, match: re.Match[str]) -> bool:
        """Whether a line is the next option."""
        if self.first is None or len(self.waiting) > _LINES:
            return False
        if not self._looks_alike(match):
            return False
        known = LETTERS if self.first["label"] == "A" else _NUMBERS
        return len(self.texts) < len(known) and match["label"] == known[len(self.texts)]

    def _looks_alike(self, match: re.Match[str]) -> bool:
        first = self.first
        parts = ("lead", "open", "close", "blank")
        return first is not None and all(first[part] == match[part] for part in parts)

    def add(self, place: int, match: re.Match[str]) -> None:
        """Take a line as an option's beginning."""
        if self.first is None:
            self.first, self.begin = match, place
        else:
            inside = (_LINE.fullmatch(line) for line in self.waiting)
            self.doubtful |= any(each is not None and self._looks_alike(each) for each in inside)
            self.texts[-1] = "\n".join([self.texts[-1], *self.waiting])
        self.texts.append(match["text"])
        self.end = place + len(match[0])
        self.waiting = []

    def wait(self, line: str) -> None:
        """Keep a line that begins no option."""
        if self.first is not None and len(self.waiting) <= _LINES:
            self.waiting.append(line)

    def options(self) -> list[tuple[Options, bool]]:
        """The options, if these are two or more, and whether they are doubtful."""
        if self.first is None or len(self.texts) < 2:
            return []
        known = LETTERS if self.first["label"] == "A" else _NUMBERS
        return [
            (
                Options(
                    begin=self.begin,
                    end=self.end,
                    labels=known[: len(self.texts)],
                    texts=tuple(self.texts),
                    mark=f"{self.first['lead']}{self.first['open']}",
                    close=f"{self.first['close']}{self.first['blank']}",
                ),
                self.doubtful,
            )
        ]
