"""A Python dictionary, which the paper calls JSON: `{'Task': ['a', 'b']}`, in either notation.

Corrected: the one mapping of the answer has exactly the asked keys, each with a list of strings; a
name for it, a fence around it, a lead before and a remark behind it are tolerated. Published: the
whole answer is any mapping; an asked key that is missing holds nothing.
"""

from __future__ import annotations

from bias_tasks.names import PaperProtocol
from bias_tasks.output_format.formats._literal_text import literal_in
from bias_tasks.output_format.formats._literals import parse_literal
from bias_tasks.output_format.formats._structure import (
    MappingFormat,
    asked_mapping,
    plain_mapping,
    published_mapping,
)
from bias_tasks.output_format.formats.types import NotFollowedError, sentence
from bias_tasks.output_format.items import FormatItem, Payload, Prompting


class _Json(MappingFormat):
    name = "json"

    def corrected(self, text: str, item: FormatItem) -> Payload:
        return asked_mapping(parse_literal(literal_in(text, "{"), unique_keys=True), item)

    def as_published(self, text: str, item: FormatItem) -> Payload:
        value = parse_literal(text, unique_keys=False)
        if not isinstance(value, dict):
            raise NotFollowedError("not a mapping")
        return published_mapping(value, item)

    def write(self, payload: Payload, item: FormatItem) -> str:
        return str(plain_mapping(payload))

    def wording(self, item: FormatItem, protocol: PaperProtocol, prompting: Prompting) -> str:
        quoted = [f"'{key}'" for key in item.keys]
        values = [f"{key.lower()} name entities" for key in item.keys]
        number = {1: "one_key", 2: "two_keys"}.get(len(quoted), "more_keys")
        joint = " and " if len(quoted) == 2 else ", "
        layout = ", ".join(f"{key}: [...]" for key in quoted)
        return sentence(f"json_{number}").format(
            keys=joint.join(quoted), values=joint.join(values), layout=f"{{{layout}}}"
        )


FORMAT = _Json()
