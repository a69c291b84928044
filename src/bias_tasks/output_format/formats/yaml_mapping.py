"""YAML: `Task: [a, b]`, or a line for each element.

Corrected: the one mapping of the answer has exactly the asked keys, each with a list; a fence
around it, a lead before and a remark behind it are tolerated; every scalar is text (`no`, `1e3`, a
date, null). Published: the whole answer, or the whole body of its fence, is a mapping that has the
asked keys, of whatever else. Aliases, anchors and tags are refused in both.
"""

from __future__ import annotations

import re

from bias_tasks.names import PaperProtocol
from bias_tasks.output_format.formats._elements import is_sentence
from bias_tasks.output_format.formats._frame import announces, check_frame, framed
from bias_tasks.output_format.formats._structure import (
    MappingFormat,
    asked_mapping,
    plain_mapping,
    published_mapping,
)
from bias_tasks.output_format.formats._yaml_text import dump_yaml, parse_yaml
from bias_tasks.output_format.formats.types import NotFollowedError, sentence
from bias_tasks.output_format.items import FormatItem, Payload, Prompting

_FENCED = re.compile(r"```[\w+-]{0,20} *\n(?P<body>.*)\n *```", re.DOTALL)


class _Yaml(MappingFormat):
    name = "yaml"

    def corrected(self, text: str, item: FormatItem) -> Payload:
        return asked_mapping(parse_yaml(_document(text, item), unique_keys=True), item)

    def as_published(self, text: str, item: FormatItem) -> Payload:
        value = parse_yaml(_published_document(text), unique_keys=False)
        if not isinstance(value, dict) or not set(item.keys) <= set(value):
            raise NotFollowedError("not a mapping of the asked keys")
        return published_mapping(value, item)

    def write(self, payload: Payload, item: FormatItem) -> str:
        return dump_yaml(plain_mapping(payload))

    def wording(self, item: FormatItem, protocol: PaperProtocol, prompting: Prompting) -> str:
        return sentence(self.name).format(layout="\n".join(f"{key}: [...]" for key in item.keys))


def _published_document(text: str) -> str:
    """The text without the one fence that holds all of it."""
    text = text.strip()
    fenced = _FENCED.fullmatch(text)
    return text if fenced is None or "```" in fenced["body"] else fenced["body"].strip()


def _document(text: str, item: FormatItem) -> str:
    """The answer's mapping without its frame: from its first line up to a remark behind it."""
    parts = framed(text)
    if parts.fenced:
        return parts.body
    lines = parts.body.split("\n")
    keys = [f"{quote}{key}{quote}:" for key in item.keys for quote in ("", '"', "'")]
    starts = ("---", "{", *keys)
    first = next((at for at, line in enumerate(lines) if line.startswith(starts)), 0)
    lead = [line for line in lines[:first] if line.strip()]
    if lead and not announces(lead[-1]):
        raise NotFollowedError("a line before the mapping is no lead to it")
    behind_blanks = (at for at in range(first + 1, len(lines)) if not lines[at - 1].strip())
    end = next((at for at in behind_blanks if _remarks(lines[at])), len(lines))
    check_frame("\n".join(lead), "\n".join(lines[end:]))
    return "\n".join(lines[first:end])


def _remarks(line: str) -> bool:
    """Whether a line behind a blank one is a sentence rather than more of the mapping."""
    if line[:1] in ("", " ", "\t", "-", "#"):
        return False
    return is_sentence(line) or line.rstrip().endswith((".", "!", "?"))


FORMAT = _Yaml()
