"""Double parentheses: `((answer))`.

Corrected: one run of opening and one of closing parentheses, over lines. Published: the pattern
matches exactly once within a line.
"""

from __future__ import annotations

from bias_tasks.output_format.formats._between import Stretch
from bias_tasks.output_format.formats._runs import enclosed_in_runs
from bias_tasks.output_format.formats._wrapping import Wrapping

_FULL_WIDTH = str.maketrans("（）", "()")


class _Parentheses(Wrapping):
    name = "parentheses"
    opening, closing = "((", "))"

    def enclosed(self, text: str) -> list[Stretch]:
        return enclosed_in_runs(text.translate(_FULL_WIDTH), "(", ")")


FORMAT = _Parentheses()
