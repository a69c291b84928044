"""The text of the chosen option, alone, without its letter. What it holds is the option's letter.

Case, blanks, quotes and a final period don't count. Corrected: nor do emphasis and typographic
quotes round all of it. Published: behind a chain of thought the first character alone is read, see
`bias_tasks.output_format.formats.reading`.
"""

from __future__ import annotations

from typing import ClassVar

from bias_tasks.output_format.formats._frame import framed
from bias_tasks.output_format.formats._options import distinct_options, letters, offered_option
from bias_tasks.output_format.formats._payloads import Choice
from bias_tasks.output_format.formats._published import published_option
from bias_tasks.output_format.items import AnswerType, FormatItem, Payload


class _Text(Choice):
    name = "text"
    answer_types: ClassVar[frozenset[AnswerType]] = frozenset({"option_letter", "option_text"})

    def holds(self, item: FormatItem) -> bool:
        return super().holds(item) and distinct_options(item)

    def corrected(self, text: str, item: FormatItem) -> Payload:
        return offered_option(framed(text).body, item)

    def as_published(self, text: str, item: FormatItem) -> Payload:
        return published_option(text, item)

    def write(self, payload: Payload, item: FormatItem) -> str:
        place = letters(item).find(str(payload))
        if place < 0 or not item.options:
            raise ValueError(f"{item.id}: {payload!r} is the letter of no option")
        return item.options[place]


FORMAT = _Text()
