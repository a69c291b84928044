"""Mappings: each requested key has a list.

Corrected parsing requires one mapping, in any frame, with exactly the requested keys, each with a
list of strings. Published parsing takes as JSON the whole answer if it is a mapping in Python's
notation, and as YAML a mapping (or the content of its fence) that has at least the requested keys.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bias_tasks.output_format.formats import frame
from bias_tasks.output_format.formats.base import OutputFormat, load_instruction
from bias_tasks.output_format.formats.errors import FormatNotFollowedError, reject_if
from bias_tasks.output_format.formats.lists import check_strings, iterate_published
from bias_tasks.output_format.formats.yaml_values import dump_yaml, parse_yaml
from bias_tasks.output_format.items import FormatItem, Payload, Prompting
from bias_tasks.parsing.json_values import parse_literal
from bias_tasks.parsing.notation import unfence
from bias_tasks.protocols import DesignSource, PaperProtocol

_JSON_INSTRUCTIONS = {1: "json_one_key", 2: "json_two_keys"}
"""The paper's sentences for one and two keys."""


@dataclass(frozen=True, slots=True)
class MappingFormat(OutputFormat):
    """A format in which the whole answer maps each requested key to a list."""

    category = "mapping"
    answer_types = frozenset({"mapping"})
    name: str
    load_corrected: Callable[[str, FormatItem], object]
    """Return the value of an answer; raise if a key is repeated."""
    load_published: Callable[[str], object]
    """Published: return the value of an answer."""
    dump: Callable[[dict[str, list[str]]], str]
    build_instruction: Callable[[FormatItem], str]
    source: DesignSource = "ours"

    def parse_corrected(self, text: str, item: FormatItem) -> Payload:
        """Return the lists of exactly the requested keys, with their case; a list may be empty."""
        value = self.load_corrected(text, item)
        if not isinstance(value, dict) or set(value) != set(item.keys):
            raise FormatNotFollowedError(f"not a mapping of {', '.join(item.keys)}, each once")
        return {key: check_strings(value[key], allow_empty=True) for key in item.keys}

    def parse_published(self, text: str, item: FormatItem, *, tagged: bool) -> Payload | None:
        """Return the values of the requested keys; a text is the set of its characters.

        A value with nested elements follows, but has no score.
        """
        mapping = self.load_published(unfence(text))
        reject_if(mapping is None, "the text is not one list or mapping")
        if not isinstance(mapping, dict) or not set(item.keys) <= set(mapping):
            raise FormatNotFollowedError("not a mapping of the requested keys")
        values: dict[str, tuple[str, ...]] = {}
        for key in item.keys:
            elements = iterate_published(mapping[key])
            if elements is None:
                return None
            reject_if(elements != list(mapping[key]), "an element is not a string")
            values[key] = tuple(elements)
        return values

    def write(self, payload: Payload, item: FormatItem) -> str:
        """Return the mapping as text; a ValueError if the payload is something else."""
        if not isinstance(payload, Mapping):
            raise ValueError(f"expected a mapping, got {payload!r}")
        return self.dump({key: list(values) for key, values in payload.items()})

    def instruction(self, item: FormatItem, protocol: PaperProtocol, prompting: Prompting) -> str:
        """Return the sentence of appendix E.4."""
        return self.build_instruction(item)


def _load_json(text: str, item: FormatItem) -> object:
    return parse_literal(frame.extract_literal(text, "{"), unique_keys=True)


def _build_json_instruction(item: FormatItem) -> str:
    quoted = [f"'{key}'" for key in item.keys]
    separator = " and " if len(quoted) == 2 else ", "
    name = _JSON_INSTRUCTIONS.get(len(quoted), "json_more_keys")
    return load_instruction(name).format(
        keys=separator.join(quoted),
        values=separator.join(f"{key.lower()} name entities" for key in item.keys),
        layout=f"{{{', '.join(f'{key}: [...]' for key in quoted)}}}",
    )


def _load_yaml(text: str, item: FormatItem) -> object:
    """Return the value of the mapping without its frame: from its first line up to a remark."""
    body, fenced = frame.strip_frame(text)
    if fenced:
        return parse_yaml(body, unique_keys=True)
    lines = body.split("\n")
    keys = [f"{quote}{key}{quote}:" for key in item.keys for quote in ("", '"', "'")]
    starts = ("---", "{", *keys)
    first = next((index for index, line in enumerate(lines) if line.startswith(starts)), 0)
    frame.check_lead_in(lines[:first], "a line before the mapping does not introduce it")
    after_blank = (index for index in range(first + 1, len(lines)) if not lines[index - 1].strip())
    end = next((index for index in after_blank if _begins_remark(lines[index])), None)
    return parse_yaml("\n".join(lines[first:end]), unique_keys=True)


def _begins_remark(line: str) -> bool:
    """Return whether a line after a blank one is a remark and not a part of the mapping."""
    return line[:1] not in ("", " ", "\t", "-", "#") and frame.is_remark(line)


def _build_yaml_instruction(item: FormatItem) -> str:
    return load_instruction("yaml").format(layout="\n".join(f"{key}: [...]" for key in item.keys))


MAPPINGS = (
    MappingFormat("json", _load_json, parse_literal, str, _build_json_instruction, "paper"),
    MappingFormat("yaml", _load_yaml, parse_yaml, dump_yaml, _build_yaml_instruction, "paper"),
)
