"""YAML: `Task: [a, b]`, or a line for each element.

Corrected: the whole answer is a mapping of exactly the asked keys to lists, a fence around it
tolerated; every scalar is text (`no`, `1e3`, a date, null). Published: the whole answer is a
mapping that has the asked keys, of whatever else. Aliases, anchors and tags are refused in both.
"""

from __future__ import annotations

from bias_tasks.output_format.formats._structure import (
    MappingFormat,
    asked_mapping,
    plain_mapping,
    published_mapping,
    unfenced,
)
from bias_tasks.output_format.formats._yaml_text import dump_yaml, parse_yaml
from bias_tasks.output_format.formats.types import NotFollowedError, sentence
from bias_tasks.output_format.items import FormatItem, Payload, Prompting
from bias_tasks.protocols import PaperProtocol


class _Yaml(MappingFormat):
    name = "yaml"

    def corrected(self, text: str, item: FormatItem) -> Payload:
        return asked_mapping(parse_yaml(unfenced(text), unique_keys=True), item)

    def as_published(self, text: str, item: FormatItem) -> Payload:
        value = parse_yaml(unfenced(text), unique_keys=False)
        if not isinstance(value, dict) or not set(item.keys) <= set(value):
            raise NotFollowedError("not a mapping of the asked keys")
        return published_mapping(value, item)

    def write(self, payload: Payload, item: FormatItem) -> str:
        return dump_yaml(plain_mapping(payload))

    def wording(self, item: FormatItem, protocol: PaperProtocol, prompting: Prompting) -> str:
        return sentence(self.name).format(layout="\n".join(f"{key}: [...]" for key in item.keys))


FORMAT = _Yaml()
