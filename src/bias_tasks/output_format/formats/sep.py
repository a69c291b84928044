"""Elements with `<SEP>` between them. The paper also calls it "special character".

Corrected: at least one `<SEP>`, no empty element, and no line break within one, so that neither
another kind of list nor a sentence before it passes; one `<SEP>` may end the list. A binary list of
one needs none. Published: what stands between the marks, or the whole answer without any.
"""

from __future__ import annotations

from bias_tasks.output_format.formats._lists import TextList, texts
from bias_tasks.output_format.formats.types import NotFollowedError
from bias_tasks.output_format.items import FormatItem, Payload

_MARK = "<SEP>"


class _Separated(TextList):
    name = "sep"

    def elements(self, text: str, item: FormatItem) -> list[str]:
        if _MARK not in text and item.answer_type != "binary_list":
            raise NotFollowedError(f"no {_MARK}")
        elements = [part.strip() for part in text.removesuffix(_MARK).split(_MARK)]
        if any("\n" in element for element in elements):
            raise NotFollowedError("an element has several lines")
        return elements

    def found(self, text: str, item: FormatItem) -> list[str] | None:
        return [part.strip() for part in text.split(_MARK)]

    def write(self, payload: Payload, item: FormatItem) -> str:
        elements = texts(payload)
        return f" {_MARK} ".join(elements) + (f" {_MARK}" if len(elements) == 1 else "")


FORMAT = _Separated()
