"""The letter of the chosen option, alone: `B`, and with punctuation around it, `(B)` or `B.`.

The protocols don't differ.
"""

from __future__ import annotations

from typing import ClassVar

from bias_tasks.output_format.formats._payloads import Choice, offered_letter
from bias_tasks.output_format.items import AnswerType, FormatItem, Payload


class _Character(Choice):
    name = "character"
    answer_types: ClassVar[frozenset[AnswerType]] = frozenset({"option_letter"})

    def corrected(self, text: str, item: FormatItem) -> Payload:
        return offered_letter(text, item)

    def write(self, payload: Payload, item: FormatItem) -> str:
        return str(payload)


FORMAT = _Character()
