"""Italics: `*answer*`.

Corrected: Markdown's italics, once, over lines; the asterisks of `**bold**`, of a bullet and of a
product are none. Published: the pattern of two asterisks matches exactly once within a line, where
`**bold**` is two matches of nothing.
"""

from __future__ import annotations

from bias_tasks.output_format.formats._between import Stretch
from bias_tasks.output_format.formats._runs import emphasised
from bias_tasks.output_format.formats._wrapping import Wrapping


class _Italicizing(Wrapping):
    name = "italicizing"
    opening = closing = "*"
    emphasises = True

    def enclosed(self, text: str) -> list[Stretch]:
        return emphasised(text, 1)


FORMAT = _Italicizing()
