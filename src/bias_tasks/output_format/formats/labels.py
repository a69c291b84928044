"""Stretches between tokens that name something in the answer and are not the answer itself.

Models that were asked for bold or italics head their reasoning in it, too: `**Step 1: April**`,
`**Answer:** 15`, `1. **Intent** – there is none`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from bias_tasks.output_format.formats.frame import CODE, FENCE
from bias_tasks.output_format.formats.stretches import Stretch

_WORDS = re.compile(
    r"(?:(?:the|my|final|correct|short|step[- ]by[- ]step|detailed) ){0,3}"
    r"(?:answers?|solution|explanation|reasoning|rationale|conclusion|analysis|summary|notes?"
    r"|results?|output|calculations?|background|context|breakdown|key points?|given"
    r"|(?:step|question|example|exercise|problem|section|figure|table|equation) \d{1,3}[.:]?)"
)
_STEP = re.compile(r"step \d{1,3}\b.{0,100}", re.IGNORECASE)
_NUMBERED = re.compile(r"\d{1,2}[.)] +\S.*|(?:part|phase|case|day|week) \d{1,3}\b.*", re.IGNORECASE)
_LIST_MARK = re.compile(r"[ \t>]{0,20}(?:[-*+•–]|\d{1,3}[.)])[ \t]+")
_HEADING_MARK = re.compile(r"[ \t]{0,20}#{1,6}[ \t]")
_EXPLAINED = re.compile(r"[ \t]{0,5}(?:[:：]|[–—-][ \t])")
_LINE = 200
"""Characters of a line before a stretch that are examined."""
_DENIES = re.compile(
    r"(?:\b(?:not|such as|e\.g\.|for (?:example|instance)[:,]?|(?:wrong|incorrect) answer(?: is)?:?"
    r"|(?:brackets|parentheses|asterisks|tags|marks|bold|italics) like(?: this:?)?)|n't|n’t)"
    r"\s{1,3}[\"'(]?\Z",
    re.IGNORECASE,
)
_WORD = re.compile(r" [^\W\d_]{2}")
_IS_DENIED = re.compile(
    r"[\"')]?\s{1,3}(?:is|was|would be) (?:wrong|incorrect|not\b)", re.IGNORECASE
)
_ANNOUNCES = re.compile(
    r"(?<!wrong )(?<!incorrect )(?<!other )\b(?:answer|solution|result)(?: is)?"
    r"[ \t]{0,3}[:：]?[ \t]{0,3}[*_\"'(]{0,3}\Z"
    r"|答案[是为為：: ]{0,3}\Z",
    re.IGNORECASE,
)

_SAYS_ANSWER = re.compile(r"(?:the |my )?(?:final |correct )?answer(?: is\b|[:：])", re.IGNORECASE)


def labels(text: str, stretch: Stretch) -> bool:
    """Whether a stretch is a label by its words: it ends in a colon, or names a part."""
    words = text[stretch.start : stretch.end].strip()
    if words.endswith((":", "：")) or _STEP.fullmatch(words):
        return True
    return _WORDS.fullmatch(words.rstrip(".").casefold()) is not None


def is_denied(text: str, stretch: Stretch) -> bool:
    """Whether the words round a stretch say that it is not the answer: `not **B**`."""
    before = text[max(0, stretch.outer - _LINE) : stretch.outer]
    return bool(_DENIES.search(before) or _IS_DENIED.match(text, stretch.behind))


def in_words(text: str, stretch: Stretch) -> bool:
    """Whether a letter is part of a word, or an article before one: `**B**ecause`, `*a* wolf`."""
    letter = text[stretch.start : stretch.end].strip()
    if letter == "a" and _WORD.match(text, stretch.behind):
        return True
    around = text[max(0, stretch.outer - 1) : stretch.outer]
    around += text[stretch.behind : stretch.behind + 1]
    return any(char.isascii() and char.isalnum() for char in around)


def programs(text: str) -> list[tuple[int, int]]:
    """Where the fenced programs of a text stand, up to the hundredth; a fence has to be closed."""
    fences = [fence.span() for fence in islice(FENCE.finditer(text), 200)]
    blocks = zip(fences[::2], fences[1::2], strict=False)
    found = ((opening[1], closing[0]) for opening, closing in blocks)
    return [(start, end) for start, end in found if CODE.search(text, start, end)]


def in_program(text: str, stretch: Stretch, fenced: Sequence[tuple[int, int]]) -> bool:
    """Whether a stretch stands in a line of a program, or in a fenced one."""
    line = text[max(0, stretch.outer - _LINE) : stretch.outer].rpartition("\n")[2]
    if CODE.match(line):
        return True
    return any(start <= stretch.outer < end for start, end in fenced)


def is_announced(text: str, stretch: Stretch) -> bool:
    """Whether the words before a stretch, in its line, or its first ones call it the answer."""
    before = text[max(0, stretch.outer - _LINE) : stretch.outer].rpartition("\n")[2]
    return bool(_ANNOUNCES.search(before) or _SAYS_ANSWER.match(text, stretch.start, stretch.end))


def is_alone(text: str, stretch: Stretch) -> bool:
    """Whether a stretch has a line of its own, but for punctuation."""
    before = text[max(0, stretch.outer - _LINE) : stretch.outer].rpartition("\n")[2]
    behind = text[stretch.behind : stretch.behind + _LINE].partition("\n")[0]
    return not any(map(str.isalnum, before + behind))


def heads(text: str, stretch: Stretch) -> bool:
    """Whether a stretch heads what follows it by its place; an answer may stand there as well.

    It begins a line, or stands behind its mark as a heading or list item, and is explained behind
    a colon or dash; or is a line of its own behind such a mark, or numbered.
    """
    line = text.rfind("\n", max(0, stretch.outer - _LINE), stretch.outer) + 1
    before = text[line : stretch.outer]
    if _HEADING_MARK.fullmatch(before):
        return True
    if before.strip() and not _LIST_MARK.fullmatch(before):
        return False
    if _EXPLAINED.match(text, stretch.behind):
        return True
    rest = text[stretch.behind : stretch.behind + _LINE].partition("\n")[0]
    return not rest.strip() and bool(
        before.strip() or _NUMBERED.fullmatch(text, stretch.start, stretch.end)
    )
