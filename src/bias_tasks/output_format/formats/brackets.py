"""Double square brackets: `[[answer]]`.

Corrected: one run of opening and one of closing brackets, over lines. Published: the pattern
matches exactly once within a line.
"""

from __future__ import annotations

from bias_tasks.output_format.formats._between import enclosed_in_runs
from bias_tasks.output_format.formats._wrapping import Wrapping


class _Brackets(Wrapping):
    name = "brackets"
    opening, closing = "[[", "]]"

    def enclosed(self, text: str) -> str:
        return enclosed_in_runs(text, "[", "]", 2)


FORMAT = _Brackets()
