"""The letter of the chosen option, alone: `B`, and with punctuation around it, `(B)` or `B.`.

Corrected: the punctuation of any script, `（B）`. Published: ASCII's alone.
"""

from __future__ import annotations

from typing import ClassVar

from bias_tasks.output_format.formats._options import offered_letter
from bias_tasks.output_format.formats._payloads import Choice
from bias_tasks.output_format.formats._published import published_letter
from bias_tasks.output_format.items import AnswerType, FormatItem, Payload


class _Character(Choice):
    name = "character"
    answer_types: ClassVar[frozenset[AnswerType]] = frozenset({"option_letter"})

    def corrected(self, text: str, item: FormatItem) -> Payload:
        return offered_letter(text, item)

    def as_published(self, text: str, item: FormatItem) -> Payload:
        return published_letter(text, item)

    def write(self, payload: Payload, item: FormatItem) -> str:
        return str(payload)


FORMAT = _Character()
