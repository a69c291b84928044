"""What the finders of an explicit answer exchange."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from bias_tasks.instruction_boundary.reading.options import Options, Symbols, options_at
from bias_tasks.reading.bounds import Window


class Words(Protocol):
    """How a question form puts answers in words."""

    def label(self, low: str, start: int, end: int) -> str | None:
        """The label that the words between two positions say, if they say one."""

    def number(self, label: str) -> int | None:
        """The number of the option that means the same as a label, if there is one."""

    def number_named(self, low: str, pos: int, end: int) -> int | None:
        """The number of the option whose name stands at `pos`, if one does."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One answer stated outright."""

    answer: tuple[int, ...] | str | None
    """Option numbers as the text counts, a label in words, or None when it is no single one."""
    start: int
    end: int
    rule: str
    """What made it an answer, or why it is no single one."""
    concluding: bool = False
    """It is introduced as a conclusion ("Therefore, ...")."""
    weighing: bool = False
    """It names alternatives ("2 or 3"), which a later statement may settle."""
    lesser: bool = False
    """It names the closest option only, which is no answer beside "none of them"."""
    quoted: bool = False
    """It stands in quotation marks, and so may be somebody else's."""

    def marked(self, *, lesser: bool, quoted: bool) -> Statement:
        """The statement with what its leading words make of it."""
        return replace(self, lesser=lesser, quoted=quoted)


@dataclass(frozen=True, slots=True)
class Region:
    """A part of an answer in which to look, and how answers are written there."""

    window: Window
    start: int
    end: int
    symbols: Symbols
    words: Words

    @classmethod
    def whole(cls, window: Window, symbols: Symbols, words: Words) -> Region:
        """All of an answer."""
        return cls(window, 0, len(window.low), symbols, words)

    @property
    def low(self) -> str:
        return self.window.low

    def part(self, start: int, end: int) -> Region:
        return Region(self.window, start, end, self.symbols, self.words)

    def options(self, pos: int) -> Options | None:
        """The options named at a position."""
        return options_at(self.window.plain, self.low, pos, self.end, self.symbols)
