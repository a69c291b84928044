"""Bold: `**answer**`.

Corrected: Markdown's bold, once, over lines; `***answer***` is not bold alone. Published: the
pattern of two double asterisks matches exactly once within a line.
"""

from __future__ import annotations

from bias_tasks.output_format.formats._between import Stretch
from bias_tasks.output_format.formats._runs import emphasised
from bias_tasks.output_format.formats._wrapping import Wrapping


class _Bolding(Wrapping):
    name = "bolding"
    opening = closing = "**"
    emphasises = True

    def enclosed(self, text: str) -> list[Stretch]:
        return emphasised(text, 2)


FORMAT = _Bolding()
