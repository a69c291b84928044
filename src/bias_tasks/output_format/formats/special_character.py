"""Special characters around the answer: `<ANSWER>...</ANSWER>`.

Corrected: each tag occurs once. Published: both occur, however often and in whatever order; the
first stretch between them is the answer.
"""

from __future__ import annotations

import re

from bias_tasks.output_format.formats._between import Stretch, between, enclosed
from bias_tasks.output_format.formats._wrapping import Wrapping
from bias_tasks.output_format.formats.types import NotFollowedError

_OF_TAGS = re.compile(r"[\W_]*(?:and|or|followed by|tags?)\b.{0,40}")


def speaks_of_tags(text: str) -> bool:
    """Whether a text joins two tags that are spoken of: `Wrap it by <ANSWER> and </ANSWER>.`"""
    return _OF_TAGS.fullmatch(text) is not None


class _SpecialCharacter(Wrapping):
    name = "special_character"
    opening, closing = "<ANSWER>", "</ANSWER>"

    def enclosed(self, text: str) -> list[Stretch]:
        stretches = enclosed(text, self.opening, self.closing)
        answers = [each for each in stretches if not speaks_of_tags(text[each.start : each.end])]
        if not answers:
            raise NotFollowedError("the tags are spoken of alone")
        return answers

    def found(self, text: str) -> tuple[str | None, bool]:
        follows = self.opening in text and self.closing in text
        return next(between(text, self.opening, self.closing), None), follows


FORMAT = _SpecialCharacter()
