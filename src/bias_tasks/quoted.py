"""A value that was given, as a message about it shows it: as Python writes it, and never long.

What stands in a command, a file or lm-eval's metadata may be megabytes by mistake.
"""

from __future__ import annotations

from reprlib import Repr
from typing import Any

_LONGEST = 200
_MANY_BITS = 512


class _Brief(Repr):
    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = _LONGEST
        self.maxlist = self.maxtuple = self.maxdict = self.maxset = 10
        self.maxlevel = 4

    def repr_int(self, number: int, level: int) -> str:
        """The number; of one too large for any parameter how large it is, since Python refuses to
        write out thousands of digits."""
        bits = number.bit_length()
        return f"a number of {bits:,} bits" if bits > _MANY_BITS else repr(number)


_BRIEF = _Brief()


def quoted(value: Any) -> str:
    """The value as `repr` has it, with an ellipsis for what is left out of a long one."""
    text = _BRIEF.repr(value)
    return cut(text)


def cut(text: str) -> str:
    """The text, of a long one its beginning."""
    return text if len(text) <= 2 * _LONGEST else f"{text[: 2 * _LONGEST]}..."
