"""Special characters around the answer: `<ANSWER>...</ANSWER>`.

Corrected: each tag occurs once. Published: both occur, however often and in whatever order; the
first stretch between them is the answer.
"""

from __future__ import annotations

from bias_tasks.output_format.formats._between import between, enclosed_once
from bias_tasks.output_format.formats._wrapping import Wrapping


class _SpecialCharacter(Wrapping):
    name = "special_character"
    opening, closing = "<ANSWER>", "</ANSWER>"

    def enclosed(self, text: str) -> str:
        return enclosed_once(text, self.opening, self.closing)

    def found(self, text: str) -> tuple[str | None, bool]:
        follows = self.opening in text and self.closing in text
        return next(between(text, self.opening, self.closing), None), follows


FORMAT = _SpecialCharacter()
