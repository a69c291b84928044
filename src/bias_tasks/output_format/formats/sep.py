"""Elements with `<SEP>` between them. The paper also calls it "special character".

Corrected: at least one `<SEP>`, no empty element, and no line break within one, so that no other
kind of list passes; one `<SEP>` may end the list. A lead before it ("Keyphrases:") is no element,
nor is a remark that a blank line sets apart behind it. A binary list of one needs no `<SEP>`.
Published: what stands between the marks, or the whole answer without any.
"""

from __future__ import annotations

import re

from bias_tasks.output_format.formats._elements import bracketed, is_remark, marked, speaks
from bias_tasks.output_format.formats._frame import check_frame, without_label
from bias_tasks.output_format.formats._lists import TextList, behind_lead, filled_lines, texts
from bias_tasks.output_format.formats.types import NotFollowedError
from bias_tasks.output_format.items import FormatItem, Payload

_MARK = "<SEP>"
_TALKED_ABOUT = re.compile(
    r"\b(?i:separat(?:or|e[sd]?|ing)|delimit\w{0,4}|divided?)\b|\b(?:[Yy]ou|[Ww]e)\b"
    r"|\bI[ '’]\w{1,9}\s*<|\b(?i:with|by|use|using)\s*<SEP>"
    r"|<SEP>\s*(?:,|(?:is|are|to|will|goes|stands|between|as|tags?|tokens?|marks?)\s)"
)
_LED_IN = re.compile(
    r"(?:(?:so|thus|therefore),? )?(?:the|my|these|those|here)\b.*\b(?:is|are|be|were|includes?)\b",
    re.IGNORECASE,
)
_SEVERAL = re.compile(r"[,;，；、]")
_FEW = 2
"""Marks: so many may stand in a sentence about them."""


class _Separated(TextList):
    name = "sep"

    def elements(self, text: str, item: FormatItem) -> list[str]:
        if _MARK not in text and item.answer_type != "binary_list":
            raise NotFollowedError(f"no {_MARK}")
        elements = [part.strip() for part in _alone(text).removesuffix(_MARK).split(_MARK)]
        if any("\n" in element for element in elements):
            raise NotFollowedError("an element has several lines")
        if any(map(speaks, elements)) or _LED_IN.match(elements[0]):
            raise NotFollowedError("an element is part of a sentence")
        if len(elements) == 1 and _SEVERAL.search(elements[0]):
            raise NotFollowedError(f"the elements stand without {_MARK} between them")
        if any(map(marked, elements)):
            raise NotFollowedError("an element is a bullet point or numbered")
        return elements

    def found(self, text: str, item: FormatItem) -> list[str] | None:
        return [part.strip() for part in text.split(_MARK)]

    def write(self, payload: Payload, item: FormatItem) -> str:
        elements = texts(payload)
        return f" {_MARK} ".join(elements) + (f" {_MARK}" if len(elements) == 1 else "")


def _alone(text: str) -> str:
    """The list without a lead to it and a remark behind it."""
    head, mark, tail = text.rpartition(_MARK)
    element, _, remark = tail.strip().partition("\n\n")
    if speaks(element):
        element, remark = "", tail
    if remark and not is_remark(remark):
        raise NotFollowedError("an element has several lines")
    check_frame("", remark)
    lines = filled_lines(f"{head}{mark}{element}")
    first = next((at for at, line in enumerate(lines) if _holds_elements(line)), 0)
    alone = without_label("\n".join([*behind_lead(lines[:first]), *lines[first:]]))
    if _MARK in text and _MARK not in alone:
        raise NotFollowedError(f"{_MARK} stands in the lead alone")
    if bracketed(alone):
        raise NotFollowedError("the list is of another kind")
    if alone.count(_MARK) <= _FEW and _TALKED_ABOUT.search(alone):
        raise NotFollowedError(f"{_MARK} is talked about")
    return alone


def _holds_elements(line: str) -> bool:
    """Whether a line has a mark and is no lead that speaks of it."""
    return _MARK in line and not line.endswith((":", "："))


FORMAT = _Separated()
