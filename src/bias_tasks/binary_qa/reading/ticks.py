"""Reads options that are ticked: "[x] Yes" above or beside "[ ] No", or a table of both."""

from __future__ import annotations

import re
from itertools import islice

from bias_tasks.binary_qa.items import BinaryLabel
from bias_tasks.binary_qa.reading.claims import Claim, Rank
from bias_tasks.reading.bounds import BOX, CROSS, TICK

_ON = rf"(?:\[ ?[x{TICK}] ?\]|\(x\)|{TICK})"
_CROSSED = rf"(?:\[ ?{CROSS} ?\]|{CROSS})"
_OFF = rf"(?:\[ {{0,3}}\]|\( {{0,3}}\)|{BOX})"
_GAP = r"[ |\"'.:;-]{0,8}"
_BEFORE = rf"(?:{_ON}|{_CROSSED}|{_OFF}){_GAP}(?:yes|no)\b"
_BEHIND = rf"(?:yes|no)\b{_GAP}(?:{_ON}|{_CROSSED}|{_OFF})"
# A line of one or two options, all with their marks before them or all behind.
_LINE = re.compile(
    rf"(?:\A|(?<=\n))[ >|*-]{{0,8}}(?:{_BEFORE}(?:{_GAP}{_BEFORE})?|{_BEHIND}(?:{_GAP}{_BEHIND})?)"
    r"[ |.]{0,6}(?=\n|\Z)"
)
_OPTION = re.compile(rf"(?P<on>{_ON})|(?P<crossed>{_CROSSED})|{_OFF}|(?P<word>yes|no)\b")
_MOST_LINES = 20


def ticked(low: str) -> tuple[str, list[Claim]]:
    """The text without a list of both options, and what the list claims by its marks.

    One option ticked is an answer; both ticked contradict each other; none ticked says nothing. A
    cross marks an option as well as a tick does where the other's box is empty. A mark beside one
    option alone is decoration, and stays.

    Args:
        low: the text in the plain spelling (`bounds`), in lower case.
    """
    lines = list(islice(_LINE.finditer(low), _MOST_LINES))
    marked = [pair for line in lines for pair in _marked(low, line)]
    if {word[0] for word, _ in marked} != {"yes", "no"}:
        return low, []
    for line in lines:
        low = low[: line.start()] + " " * (line.end() - line.start()) + low[line.end() :]
    on = [word for word, mark in marked if mark["on"] is not None]
    crossed = [word for word, mark in marked if mark["crossed"] is not None]
    return low, [_claim(word) for word in on or (crossed if len(crossed) < len(marked) else [])]


def _marked(low: str, line: re.Match[str]) -> list[tuple[re.Match[str], re.Match[str]]]:
    """The options of a line, each with its mark."""
    found = list(_OPTION.finditer(low, line.start(), line.end()))
    words, marks = found[::2], found[1::2]
    if words[0]["word"] is None:
        words, marks = marks, words
    return list(zip(words, marks, strict=True))


def _claim(word: re.Match[str]) -> Claim:
    label: BinaryLabel = "Yes" if word[0] == "yes" else "No"
    return Claim(label, word.start(), word.end(), "a ticked option", Rank.ANNOUNCED)
