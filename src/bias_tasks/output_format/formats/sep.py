"""Elements with `<SEP>` between them. The paper also calls it "special character".

Corrected: at least one `<SEP>`, no empty element, and no line break within one, so that no other
kind of list passes; one `<SEP>` may end the list. A lead before it ("Keyphrases:") is no element,
nor is a remark that a blank line sets apart behind it. A binary list of one needs no `<SEP>`.
Published: what stands between the marks, or the whole answer without any.
"""

from __future__ import annotations

import re

from bias_tasks.output_format.formats._frame import check_frame, speaks, without_label
from bias_tasks.output_format.formats._lists import (
    MARKED,
    NUMBERED,
    TextList,
    behind_lead,
    filled_lines,
    is_literal,
    is_remark,
    texts,
)
from bias_tasks.output_format.formats.types import NotFollowedError
from bias_tasks.output_format.items import FormatItem, Payload

_MARK = "<SEP>"
_TALKED_ABOUT = re.compile(
    r"\bseparate[sd]? (?:the |each |all )?(?:elements?|items?|key ?phrases)\b"
    r"|\b(?:use|using|separate[sd]? (?:with|by))\s+<SEP>",
    re.IGNORECASE,
)


class _Separated(TextList):
    name = "sep"

    def elements(self, text: str, item: FormatItem) -> list[str]:
        if _MARK not in text and item.answer_type != "binary_list":
            raise NotFollowedError(f"no {_MARK}")
        elements = [part.strip() for part in _alone(text).removesuffix(_MARK).split(_MARK)]
        if any("\n" in element for element in elements):
            raise NotFollowedError("an element has several lines")
        if any(map(speaks, elements)):
            raise NotFollowedError("an element is said by somebody")
        if any(MARKED.fullmatch(each) or NUMBERED.match(each) for each in elements):
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
    if _TALKED_ABOUT.search(alone) or is_literal(alone):
        raise NotFollowedError(f"{_MARK} is talked about, or the list is of another kind")
    return alone


def _holds_elements(line: str) -> bool:
    """Whether a line has a mark and is no lead that speaks of it."""
    return _MARK in line and not line.endswith((":", "："))


FORMAT = _Separated()
