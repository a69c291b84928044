"""Special characters around the answer: `<ANSWER>...</ANSWER>`.

Corrected: each tag occurs once. Published: both occur, however often and in whatever order; the
first stretch between them is the answer.
"""

from __future__ import annotations

from bias_tasks.output_format.formats._between import Stretch, between, enclosed
from bias_tasks.output_format.formats._wrapping import Wrapping
from bias_tasks.output_format.formats.types import NotFollowedError


class _SpecialCharacter(Wrapping):
    name = "special_character"
    opening, closing = "<ANSWER>", "</ANSWER>"

    def enclosed(self, text: str) -> list[Stretch]:
        # "Wrap it by <ANSWER> and </ANSWER>" speaks of the tags.
        stretches = enclosed(text, self.opening, self.closing)
        answers = [each for each in stretches if text[each.start : each.end] != " and "]
        if not answers:
            raise NotFollowedError("the tags are spoken of alone")
        return answers

    def found(self, text: str) -> tuple[str | None, bool]:
        follows = self.opening in text and self.closing in text
        return next(between(text, self.opening, self.closing), None), follows


FORMAT = _SpecialCharacter()
