"""The options that a finished prompt prints, each behind its label: found, and set anew."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_LINE = re.compile(
    r"^(?P<lead>[ \t]*)(?P<open>[(\[]?)(?P<label>[A-Z]|\d{1,2})(?P<close>[)\]][.:]?|[.:])[ \t]+"
    r"(?P<text>\S.*)$"
)
LETTERS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_NUMBERS = tuple(str(number) for number in range(1, 27))
_MOST = 200_000
"""Characters of a prompt in which options are looked for: the last ones."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a prompt: characters `begin` to `end`, a text for each label."""

    begin: int
    end: int
    labels: tuple[str, ...]
    texts: tuple[str, ...]
    mark: str
    """How a label is set: `{label}) `."""
    between: str = "\n"

    def printed(
        self,
        labels: Sequence[str] | None = None,
        texts: Sequence[str] | None = None,
        mark: str | None = None,
        between: str | None = None,
    ) -> str:
        """The options as they stand in a prompt, with what is given in place of their own."""
        lines = zip(
            self.labels if labels is None else labels,
            self.texts if texts is None else texts,
            strict=True,
        )
        how = self.mark if mark is None else mark
        apart = self.between if between is None else between
        return apart.join(f"{how.format(label=label)}{text}" for label, text in lines)


def find_options(prompt: str, count: int | None = None) -> Options | None:
    """The last options of a prompt, labelled A, B, ... or 1, 2, ... on lines of their own.

    Args:
        prompt: as a model is sent it.
        count: how many there must be; None for two or more.
    """
    skipped = max(len(prompt) - _MOST, 0)
    lines: list[tuple[int, re.Match[str]]] = []
    found: list[Options] = []
    place = skipped
    for line in prompt[skipped:].split("\n"):
        match = _LINE.match(line)
        if match is None or not _goes_on(lines, match):
            found += _complete(lines, prompt)
            lines = [(place, match)] if match is not None and _first(match) else []
        else:
            lines.append((place, match))
        place += len(line) + 1
    found += _complete(lines, prompt)
    fitting = [each for each in found if count in (None, len(each.labels))]
    return fitting[-1] if fitting else None


def _first(match: re.Match[str]) -> bool:
    return match["label"] in ("A", "1")


def _goes_on(lines: list[tuple[int, re.Match[str]]], match: re.Match[str]) -> bool:
    """Whether a line is the next option of those before it."""
    if not lines:
        return False
    _, last = lines[-1]
    if any(last[part] != match[part] for part in ("lead", "open", "close")):
        return False
    known = LETTERS if lines[0][1]["label"] == "A" else _NUMBERS
    return len(lines) < len(known) and match["label"] == known[len(lines)]


def _complete(lines: list[tuple[int, re.Match[str]]], prompt: str) -> list[Options]:
    if len(lines) < 2:
        return []
    begin, first = lines[0]
    last_place, last = lines[-1]
    blank = first.group(0)[first.end("close") : first.start("text")]
    return [
        Options(
            begin=begin,
            end=last_place + len(last.group(0)),
            labels=tuple(match["label"] for _, match in lines),
            texts=tuple(match["text"] for _, match in lines),
            mark=f"{first['lead']}{first['open']}{{label}}{first['close']}{blank}",
        )
    ]
