"""A part of a text in which an answer is looked for: where it begins, and where it ends."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bias_tasks.binary_qa.reading.words import Word, sentence_end
from bias_tasks.reading.bounds import skip

_BLANK = re.compile(r"\s*")
_ALONE = re.compile(r"[^\w\n/?]{0,20}(?:\n|$)")
# Lines that end an answer and say nothing of it.
_GOODBYE = re.compile(
    r"\W{0,8}(?:i hope|hope (?:this|that|it)|let me know|feel free|please (?:let|note|feel)|if you"
    r"|confidence|sources?|note|disclaimer|thank|is there anything|would you like"
    r"|do you (?:have|want)|happy to|any other)\b[^\n]{0,300}$"
)
_MOST_GOODBYES = 3


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a text in lower case."""

    low: str
    start: int
    end: int
    first: int
    """Where it begins to say something."""
    last: int
    """Its last letter or digit, but for lines that only take leave; -1 if there is none."""

    @classmethod
    def of(cls, low: str, start: int, end: int) -> Passage:
        """The part between two places."""
        said = _before_goodbyes(low, start, end)
        last = next((pos for pos in range(said - 1, start - 1, -1) if low[pos].isalnum()), -1)
        return cls(low, start, end, skip(_BLANK, low, start, end), last)

    def ends_with(self, word: Word) -> bool:
        """Whether the sentence of a word is the last."""
        return self.last < sentence_end(self.low, word.end, self.end)

    def closes_with(self, word: Word, pos: int) -> bool:
        """Whether the sentence or the line that begins at `pos` and holds a word is the last."""
        newline = self.low.find("\n", word.end, self.end)
        begins_line = self.low[pos - 1 : pos] == "\n"
        return self.ends_with(word) or (begins_line and (newline < 0 or self.last < newline))

    def ends_line(self, word: Word) -> bool:
        """Whether nothing follows a word on its line."""
        return _ALONE.match(self.low, word.end, self.end) is not None

    def alone(self, word: Word) -> bool:
        """Whether a word is all that stands on its line."""
        line = self.low.rfind("\n", 0, word.start) + 1
        before = self.low[line : word.start]
        return not any(map(str.isalnum, before)) and self.ends_line(word)


def _before_goodbyes(low: str, start: int, end: int) -> int:
    """Where a part ends without the last lines that only take leave, or speak of confidence."""
    for _ in range(_MOST_GOODBYES):
        stripped = len(low[start:end].rstrip()) + start
        line = low.rfind("\n", start, stripped) + 1
        if line <= start or _GOODBYE.match(low, line, stripped) is None:
            return end
        end = line
    return end
