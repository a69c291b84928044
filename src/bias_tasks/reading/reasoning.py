"""What an answer says, without the reasoning that models write into the same text.

This is the one place that knows the marks of chat templates about reasoning. What stands between an
opening and a closing mark is left out, and so is all before a closing mark that nothing opened,
since templates often print the opening one themselves. Reasoning that never ends was cut off:
nothing behind its opening mark is said, if that begins a line. A mark in quotes is spoken of, and
marks nothing; so does one in an answer that is JSON.
"""

import re
from dataclasses import dataclass

from bias_tasks.reading.patterns import patterns

_QUOTES = frozenset("\"'`“”‘’«»")
_CLOSING = frozenset(("close", "end"))
_BEHIND_A_QUOTE = frozenset((*" \n\t,.;:!?)}]", ""))


@dataclass(frozen=True, slots=True)
class Spoken:
    """What an answer says."""

    text: str
    """Its pieces outside of reasoning, a blank between them."""
    unfinished: bool
    """It ends within reasoning that was cut off."""
    _pieces: tuple[tuple[int, int], ...]
    """For each piece its place in `text`, and in the whole answer."""

    @classmethod
    def of(cls, answer: str) -> "Spoken":
        """What an answer says; any string will do. Time is linear in its length."""
        if answer[:200].lstrip().startswith("{") or patterns.reasoning.search(answer) is None:
            return cls(answer, False, ((0, 0),))
        stretches, unfinished = _outside(answer)
        kept = [each for each in stretches if not answer[slice(*each)].isspace()] or stretches[-1:]
        pieces, length = [], 0
        for start, end in kept:
            pieces.append((length, start))
            length += end - start + 1
        text = " ".join(answer[start:end] for start, end in kept)
        return cls(text, unfinished, tuple(pieces) or ((0, 0),))

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The span of the whole answer that a non-empty span of `text` stands for."""
        return self._place(start), self._place(end - 1) + 1

    def _place(self, position: int) -> int:
        said, whole = next(each for each in reversed(self._pieces) if each[0] <= position)
        return whole + position - said


def without_reasoning(answer: str) -> str:
    """What an answer says, without reasoning and the blanks around it."""
    return Spoken.of(answer).text.strip()


def _outside(answer: str) -> tuple[list[tuple[int, int]], bool]:
    """The non-empty stretches outside of reasoning, and whether the answer ends within one."""
    marks = [mark for mark in patterns.reasoning.finditer(answer) if not _quoted(answer, mark)]
    last_end = max((mark.end() for mark in marks if _kind(mark) in _CLOSING), default=0)
    outside: list[tuple[int, int]] = []
    since, thinking = 0, False
    for mark in marks:
        kind = _kind(mark)
        if thinking:
            if kind in _CLOSING:
                since, thinking = mark.end(), False
            continue
        if kind == "open" and mark.start() >= last_end and not _begins(answer, mark):
            continue
        if mark.lastgroup == "end_words":
            continue
        if kind == "close":
            outside.clear()
        else:
            outside.append((since, mark.start()))
        since, thinking = mark.end(), kind == "open"
    if not thinking:
        outside.append(_unenclosed(answer, since))
    return [(start, end) for start, end in outside if start < end], thinking


def _kind(mark: re.Match[str]) -> str:
    """`open`, `close` (what nothing opened too), `end` (of what was opened) or `mark`."""
    return (mark.lastgroup or "").partition("_")[0]


def _begins(answer: str, mark: re.Match[str]) -> bool:
    """Whether the mark begins a line; the start of a channel says so itself."""
    if mark.lastgroup == "open_channel":
        return True
    line = answer.rfind("\n", 0, mark.start()) + 1
    return line == mark.start() or answer[line : mark.start()].isspace()


def _quoted(answer: str, mark: re.Match[str]) -> bool:
    """Whether a quotation ends right behind the mark; a quoted answer begins there otherwise."""
    behind = answer[mark.end() : mark.end() + 2]
    return behind[:1] in _QUOTES and behind[1:] in _BEHIND_A_QUOTE


def _unenclosed(answer: str, since: int) -> tuple[int, int]:
    """The rest of an answer from `since` on, out of the tags that stand behind reasoning alone."""
    enclosed = patterns.answer_tags.match(answer, since) if since else None
    return (since, len(answer)) if enclosed is None else enclosed.span("answer")
