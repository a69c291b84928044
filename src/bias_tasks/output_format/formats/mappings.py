"""Mappings: each requested key has a list.

Corrected parsing requires one mapping, in any frame, with exactly the requested keys, each with a
list of strings. Published parsing takes as JSON the whole answer if it is a mapping in Python's
notation, and as YAML a mapping (or the content of its fence) that has at least the requested keys.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import digits

from bias_tasks.output_format.formats import frame, spans
from bias_tasks.output_format.formats.base import (
    OutputFormat,
    before_next_question,
    load_instruction,
)
from bias_tasks.output_format.formats.errors import FormatNotFollowedError, reject_if
from bias_tasks.output_format.formats.lists import check_strings, iterate_published
from bias_tasks.output_format.formats.yaml_values import dump_yaml, list_yaml_keys, parse_yaml
from bias_tasks.output_format.items import FormatItem, Payload, Prompting
from bias_tasks.parsing.json_values import list_keys, parse_literal
from bias_tasks.parsing.notation import unfence
from bias_tasks.protocols import DesignSource, PaperProtocol

_JSON_INSTRUCTIONS = {1: "json_one_key", 2: "json_two_keys"}
"""The paper's sentences for one and two keys."""
KEY_FLAWS = ("invented", "missing", "duplicate", "split")
"""What can be wrong with the keys of an answer (sections 5.4 and C.4)."""
UNREADABLE = "unreadable"
"""What is wrong with an answer in which no keys can be read."""
_MAX_KEY_WORDS = 3
"""Words of a key. A longer first line that ends in a colon is a lead-in."""


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
    list_keys: Callable[[str, FormatItem], Sequence[str] | None]
    """Return the keys of every mapping in an answer, with repetitions; None if there is none."""
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

    def find_key_flaws(self, text: str, item: FormatItem, prompting: Prompting) -> tuple[str, ...]:
        """Return what is wrong with the keys of an answer, whether it follows the format or not.

        Args:
            text: The answer without reasoning.
            item: The item of the question.
            prompting: The prompting of the question. With tags, the last tagged text counts.

        Returns:
            `UNREADABLE` alone, or some of `KEY_FLAWS` in their order.
        """
        text = before_next_question(text, item)
        try:
            if self.uses_tags(prompting):
                last = spans.find_tagged_spans(text)[-1]
                text = text[last.start : last.end]
            keys = self.list_keys(text, item)
        except FormatNotFollowedError:
            keys = None
        return (UNREADABLE,) if keys is None else tuple(_find_flaws(keys, item.keys))

    def write(self, payload: Payload, item: FormatItem) -> str:
        """Return the mapping as text; a ValueError if the payload is something else."""
        if not isinstance(payload, Mapping):
            raise ValueError(f"expected a mapping, got {payload!r}")
        return self.dump({key: list(values) for key, values in payload.items()})

    def instruction(self, item: FormatItem, protocol: PaperProtocol, prompting: Prompting) -> str:
        """Return the sentence of appendix E.4."""
        return self.build_instruction(item)


def _find_flaws(keys: Sequence[str], requested: Sequence[str]) -> Iterator[str]:
    """Yield what is wrong with keys.

    A key is split if its values are under several keys with numbers, such as `Task_1`. A key in
    another spelling, such as `tasks`, is invented, since a program does not find the requested one.
    """
    counts = Counter(keys)
    others = counts.keys() - set(requested)
    bases = {key.casefold() for key in requested}
    names = {key: key.rstrip(digits) for key in others}
    numbered = {
        key for key, name in names.items() if name != key and name.rstrip(" _-").casefold() in bases
    }
    found = {
        "invented": others - numbered,
        "missing": set(requested) - counts.keys(),
        "duplicate": [key for key in requested if counts[key] > 1],
        "split": numbered,
    }
    return (flaw for flaw in KEY_FLAWS if found[flaw])


def _load_json(text: str, item: FormatItem) -> object:
    return parse_literal(frame.extract_literal(text, "{"), unique_keys=True)


def _list_json_keys(text: str, item: FormatItem) -> Sequence[str] | None:
    return list_keys(frame.extract_literal(text, "{"))


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
    return parse_yaml(_extract_yaml(text, item), unique_keys=True)


def _list_yaml_keys(text: str, item: FormatItem) -> Sequence[str]:
    try:
        document = _extract_yaml(text, item)
    except FormatNotFollowedError:  # an invented key may come before the requested ones
        document = frame.strip_frame(text)[0]
    first, _, rest = document.partition("\n")
    is_key = len(first.split()) <= _MAX_KEY_WORDS or first.strip(" :") in item.keys
    is_lead_in = frame.introduces_list(first) and not is_key
    return list_yaml_keys(rest if is_lead_in else document)


def _extract_yaml(text: str, item: FormatItem) -> str:
    """Return the mapping without its frame: from its first line up to a remark."""
    body, fenced = frame.strip_frame(text)
    if fenced:
        return body
    lines = body.split("\n")
    keys = [f"{quote}{key}{quote}:" for key in item.keys for quote in ("", '"', "'")]
    starts = ("---", "{", *keys)
    first = next((index for index, line in enumerate(lines) if line.startswith(starts)), 0)
    frame.check_lead_in(lines[:first], "a line before the mapping does not introduce it")
    after_blank = (index for index in range(first + 1, len(lines)) if not lines[index - 1].strip())
    end = next((index for index in after_blank if _begins_remark(lines[index])), None)
    return "\n".join(lines[first:end])


def _begins_remark(line: str) -> bool:
    """Return whether a line after a blank one is a remark and not a part of the mapping."""
    return line[:1] not in ("", " ", "\t", "-", "#") and frame.is_remark(line)


def _build_yaml_instruction(item: FormatItem) -> str:
    return load_instruction("yaml").format(layout="\n".join(f"{key}: [...]" for key in item.keys))


MAPPINGS = (
    MappingFormat(
        "json", _load_json, parse_literal, str, _build_json_instruction, _list_json_keys, "paper"
    ),
    MappingFormat(
        "yaml", _load_yaml, parse_yaml, dump_yaml, _build_yaml_instruction, _list_yaml_keys, "paper"
    ),
)
