"""Mappings: each asked key has a list.

Corrected, the one mapping of the answer, whatever frames it, has exactly the asked keys, each with
a list of strings. Published, the whole answer is any mapping in Python's notation, which the paper
calls JSON, or a YAML mapping (or the body of its fence) that has the asked keys among others.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bias_tasks.names import PaperProtocol
from bias_tasks.output_format.formats.base import Format, sentence
from bias_tasks.output_format.formats.frame import check_announced, framed, is_remark, literal_in
from bias_tasks.output_format.formats.lists import strings
from bias_tasks.output_format.formats.notation import dump_yaml, parse_literal, parse_yaml
from bias_tasks.output_format.formats.stretches import NotFollowedError
from bias_tasks.output_format.items import FormatItem, Payload, Prompting

_FENCED = re.compile(r"```[\w+-]{0,20} *\n(?P<body>.*)\n *```", re.DOTALL)
_HOW_MANY = {1: "one_key", 2: "two_keys"}


@dataclass(frozen=True, slots=True)
class MappingFormat(Format):
    """A format in which the whole answer maps each asked key to a list."""

    category = "mapping"
    answer_types = frozenset({"mapping"})
    name: str
    held: Callable[[str, FormatItem], object]
    """Corrected: the value that an answer gives, keys unique."""
    held_published: Callable[[str, FormatItem], dict[Any, Any]]
    dumped: Callable[[dict[str, list[str]]], str]
    asks: Callable[[FormatItem], str]

    def corrected(self, text: str, item: FormatItem) -> Payload:
        """The lists of exactly the asked keys, case included; a list may be empty."""
        value = self.held(text, item)
        if not isinstance(value, dict) or set(value) != set(item.keys):
            raise NotFollowedError(f"not a mapping of {', '.join(item.keys)}, each once")
        return {key: strings(value[key], empty=True) for key in item.keys}

    def published(self, text: str, item: FormatItem) -> Payload:
        """What a mapping holds under the asked keys: nothing for a missing one, single values."""
        value = self.held_published(text, item)
        held = ((key, value.get(key, [])) for key in item.keys)
        return {k: tuple(map(str, each if isinstance(each, list) else [each])) for k, each in held}

    def write(self, payload: Payload, item: FormatItem) -> str:
        """The mapping; a ValueError where the payload is none."""
        if not isinstance(payload, Mapping):
            raise ValueError(f"a mapping is needed, not {payload!r}")
        return self.dumped({key: list(values) for key, values in payload.items()})

    def instruction(self, item: FormatItem, protocol: PaperProtocol, prompting: Prompting) -> str:
        """The sentence of appendix E.4."""
        return self.asks(item)


def _json(text: str, item: FormatItem) -> object:
    return parse_literal(literal_in(text, "{"), unique_keys=True)


def _published_json(text: str, item: FormatItem) -> dict[Any, Any]:
    value = parse_literal(text, unique_keys=False)
    if not isinstance(value, dict):
        raise NotFollowedError("not a mapping")
    return value


def _asks_json(item: FormatItem) -> str:
    quoted = [f"'{key}'" for key in item.keys]
    joint = " and " if len(quoted) == 2 else ", "
    return sentence(f"json_{_HOW_MANY.get(len(quoted), 'more_keys')}").format(
        keys=joint.join(quoted),
        values=joint.join(f"{key.lower()} name entities" for key in item.keys),
        layout=f"{{{', '.join(f'{key}: [...]' for key in quoted)}}}",
    )


def _yaml(text: str, item: FormatItem) -> object:
    """The mapping without its frame: from its first line up to a remark behind it."""
    body, fenced = framed(text)
    if fenced:
        return parse_yaml(body, unique_keys=True)
    lines = body.split("\n")
    starts = ("---", "{", *(f"{mark}{key}{mark}:" for key in item.keys for mark in ("", '"', "'")))
    first = next((at for at, line in enumerate(lines) if line.startswith(starts)), 0)
    check_announced(lines[:first], "a line before the mapping is no lead to it")
    behind_blanks = (at for at in range(first + 1, len(lines)) if not lines[at - 1].strip())
    end = next((at for at in behind_blanks if _ends(lines[at])), None)
    return parse_yaml("\n".join(lines[first:end]), unique_keys=True)


def _ends(line: str) -> bool:
    """Whether a line behind a blank one is a remark rather than more of the mapping."""
    return line[:1] not in ("", " ", "\t", "-", "#") and is_remark(line)


def _published_yaml(text: str, item: FormatItem) -> dict[Any, Any]:
    text = text.strip()
    fenced = _FENCED.fullmatch(text)
    if fenced is not None and "```" not in fenced["body"]:
        text = fenced["body"].strip()
    value = parse_yaml(text, unique_keys=False)
    if not isinstance(value, dict) or not set(item.keys) <= set(value):
        raise NotFollowedError("not a mapping of the asked keys")
    return value


def _asks_yaml(item: FormatItem) -> str:
    return sentence("yaml").format(layout="\n".join(f"{key}: [...]" for key in item.keys))


MAPPINGS = (
    MappingFormat("json", _json, _published_json, str, _asks_json),
    MappingFormat("yaml", _yaml, _published_yaml, dump_yaml, _asks_yaml),
)
