"""A Python list: `['a', 'b']`, `[0, 1]`. JSON's notation is one, too.

Corrected: the one list of the answer is of the asked type; a name for it, a fence around it, a lead
before and a remark behind it are tolerated. Published: the whole answer is a list of anything, of
any length.
"""

from __future__ import annotations

from bias_tasks.output_format.formats._lists import ListFormat
from bias_tasks.output_format.formats._literal_text import literal_in
from bias_tasks.output_format.formats._literals import parse_literal
from bias_tasks.output_format.formats._structure import (
    binary_elements,
    published_elements,
    strings,
)
from bias_tasks.output_format.formats.types import NotFollowedError
from bias_tasks.output_format.items import FormatItem, Payload


class _PythonList(ListFormat):
    name = "python"

    def corrected(self, text: str, item: FormatItem) -> Payload:
        elements = _list(literal_in(text, "["))
        binary = item.answer_type == "binary_list"
        return binary_elements(elements, item) if binary else strings(elements)

    def as_published(self, text: str, item: FormatItem) -> Payload:
        return published_elements(_list(text), item)

    def write(self, payload: Payload, item: FormatItem) -> str:
        return str(list(payload))


def _list(text: str) -> list[object]:
    value = parse_literal(text, unique_keys=False)
    if not isinstance(value, list):
        raise NotFollowedError("not a list")
    return value


FORMAT = _PythonList()
