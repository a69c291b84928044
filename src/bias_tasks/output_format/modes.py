"""Modes of asking for an answer: free text, prompted JSON, and what a server enforces.

A mode says how the answer is requested, in the prompt and by parameters of the call, and how the
reply is unpacked. A reply that does not fit is a named failure, whatever it contains.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any, Literal

from bias_tasks.contract.outcomes import Answer
from bias_tasks.output_format.answer_models import (
    ANSWER_FIELD,
    REASONING_FIELD,
    ReasoningPlace,
    answer_model,
    list_labels,
    read_object,
    to_letter,
    write_object,
)
from bias_tasks.output_format.formats import FORMATS, OutputFormat, ParsedFormat, frame
from bias_tasks.output_format.formats.errors import FormatNotFollowedError, reject_if
from bias_tasks.output_format.items import (
    ANSWER_TYPES,
    AnswerType,
    FormatItem,
    Payload,
    Prompting,
    format_payload,
)
from bias_tasks.parsing.answer import AnswerForm
from bias_tasks.parsing.json_values import parse_literal
from bias_tasks.parsing.numbers import parse_number
from bias_tasks.protocols import PaperProtocol

FREE = "free"
"""The baseline mode."""
TOOL = "answer"
"""Name of the tool whose arguments are the answer."""
Enforcement = Literal["", "schema", "tool", "grammar"]
"""Which parameter of the call demands the form of the answer; empty if only the prompt does."""
_WORDS: Mapping[AnswerType, str] = {
    "option_letter": "the letter of the correct option",
    "option_text": "the text of the correct option",
    "option_set": "the letters of all correct options",
    "text": "the answer in as few words as possible",
    "number": "the number that is the answer, without a unit",
    "binary_list": "a list of 1 for each relevant candidate and 0 for each other",
    "string_list": "a list of texts",
}
_FREE_FORMATS: Mapping[AnswerType, str] = {
    "binary_list": "bullet",
    "string_list": "bullet",
    "mapping": "yaml",
}
"""FormatEval's formats in which free answers without options are; others are between tags."""
_GRAMMARS: Mapping[AnswerType, tuple[str, str]] = {
    "option_letter": ("root ::= {labels}", "(?:{labels})"),
    "option_text": ("root ::= {labels}", "(?:{labels})"),
    "option_set": (
        'root ::= label (", " label){{0,25}}\nlabel ::= {labels}',
        "(?:{labels})(?:, (?:{labels})){{0,25}}",
    ),
    "number": (
        'root ::= "-"? [0-9]{{1,15}} ("." [0-9]{{1,15}})?',
        r"-?[0-9]{{1,15}}(?:\.[0-9]{{1,15}})?",
    ),
}
"""The grammar of an answer (GBNF, which vLLM reads, too), and the same as a regular expression."""


@dataclass(frozen=True, slots=True)
class Mode(OutputFormat):
    """A mode of asking for an answer."""

    category = "structured"
    answer_types = frozenset(ANSWER_TYPES)
    name: str
    request: str
    """The sentence that asks for the answer, with `{value}` or `{fields}`."""
    enforced: Enforcement = ""
    reasoning: ReasoningPlace = ""

    @property
    def written(self) -> str:
        """How a sentence names it."""
        return f"mode {self.name}"

    def instruction(self, item: FormatItem, protocol: PaperProtocol, prompting: Prompting) -> str:
        """Return the sentence that asks for the answer."""
        if self.name == FREE and not _has_options(item):
            return _free_format(item).instruction(item, protocol, prompting)
        value = _WORDS.get(item.answer_type, "")
        if item.answer_type == "mapping":
            fields = [f'"{key}" (a list of texts)' for key in item.keys]
        else:
            fields = [f'"{ANSWER_FIELD}" ({value})']
        if self.reasoning:
            position = 0 if self.reasoning == "first" else len(fields)
            fields.insert(position, f'"{REASONING_FIELD}" (your reasoning in a few sentences)')
        return self.request.format(value=value, fields=", ".join(fields))

    def supports(self, item: FormatItem) -> bool:
        """Return whether the mode can express the item's answer."""
        if self.enforced == "grammar":
            return item.answer_type in _GRAMMARS and (
                item.answer_type == "number" or _has_options(item)
            )
        return not (self.reasoning and REASONING_FIELD in item.keys)

    def schema(self, item: FormatItem, labels: Sequence[str]) -> dict[str, Any]:
        """Return the JSON schema of the answer.

        Args:
            item: An item that the mode supports.
            labels: The labels or keys in the order of the schema.
        """
        return answer_model(item, labels, self.reasoning).model_json_schema()

    def grammar(self, item: FormatItem, labels: Sequence[str]) -> str:
        """Return the grammar of the answer.

        Args:
            item: An item that the mode supports.
            labels: The labels in the order of the grammar.
        """
        quoted = " | ".join(json.dumps(label, ensure_ascii=False) for label in labels)
        return _GRAMMARS[item.answer_type][0].format(labels=quoted)

    def parse_reply(self, answer: Answer, item: FormatItem) -> ParsedFormat:
        """Return whether a reply is in the mode's form, and its value. Never raises.

        Args:
            answer: The reply, without reasoning outside of the requested field.
            item: The item of the question.
        """
        calls, text = answer.tool_calls, answer.text
        if self.enforced == "tool":
            if len(calls) != 1:
                return ParsedFormat(False, None, f"{len(calls)} tool calls instead of one")
            text = calls[0]
        elif calls:
            return ParsedFormat(False, None, "a tool call instead of an answer")
        if self.name == FREE and _has_options(item):
            return _parse_free_choice(answer, item)
        return self.parse(text, item, "corrected")

    def parse_corrected(self, text: str, item: FormatItem) -> Payload:
        """Return the value of a text in the mode's form."""
        if self.name == FREE:
            if _has_options(item):
                return _required(_parse_free_choice(Answer(text), item))
            return _required(_free_format(item).parse(text, item, "corrected"))
        if self.enforced == "grammar":
            return _parse_guided(text, item)
        # A server that enforces a form sends JSON and nothing else.
        if self.enforced:
            value = parse_literal(text, unique_keys=True, python=False)
        else:
            value = parse_literal(frame.extract_literal(text, "{"), unique_keys=True)
        reject_if(not isinstance(value, dict), "not one JSON object with each key once")
        return read_object(value, answer_model(item, list_labels(item), self.reasoning), item)

    def parse_published(self, text: str, item: FormatItem, *, tagged: bool) -> Payload:
        """Return the same: nothing is published."""
        return self.parse_corrected(text, item)

    def write(self, payload: Payload, item: FormatItem) -> str:
        """Return the value as a reply in the mode's form, for a tool its arguments."""
        if self.name == FREE:
            if _has_options(item):
                return f"Answer: {format_payload(payload)}"
            return _free_format(item).write(payload, item)
        fields = write_object(payload, item, self.reasoning)
        if self.enforced == "grammar":
            is_text = item.answer_type == "option_text"
            return str(fields[ANSWER_FIELD]) if is_text else format_payload(payload) or ""
        return json.dumps(fields, ensure_ascii=False)


_OBJECT = "Answer with a JSON object and nothing else. Its fields are: {fields}"
MODES: Mapping[str, Mode] = {
    mode.name: mode
    for mode in (
        Mode(FREE, "Give {value}."),
        Mode("json", _OBJECT),
        Mode("schema", _OBJECT, "schema"),
        Mode("schema_reasoning", _OBJECT, "schema", "first"),
        Mode("schema_reasoning_last", _OBJECT, "schema", "last"),
        Mode("tool", f"Call the tool `{TOOL}`. Its arguments are: {{fields}}", "tool"),
        Mode("guided", "Give only {value}.", "grammar"),
    )
}
"""All modes by name, the baseline first."""


def _has_options(item: FormatItem) -> bool:
    return item.answer_type.startswith("option_") and bool(item.options)


def _free_format(item: FormatItem) -> OutputFormat:
    return FORMATS[_FREE_FORMATS.get(item.answer_type, "special_character")]


def _parse_free_choice(answer: Answer, item: FormatItem) -> ParsedFormat:
    """Return the options that a text names, by the parser that all families share."""
    form = AnswerForm("choice", item.options, option_labels="letters", none_literals=())
    parsed = answer.parse(form)
    if parsed.unparsed:
        return ParsedFormat(False, None, parsed.explanation)
    letters = tuple(ascii_uppercase[index] for index in parsed.options)
    if item.answer_type == "option_set":
        return ParsedFormat(True, letters)
    if len(letters) != 1:
        return ParsedFormat(False, None, "names several options")
    return ParsedFormat(True, letters[0])


def _parse_guided(text: str, item: FormatItem) -> Payload:
    """Return the value of a text that is exactly in the grammar."""
    labels = "|".join(map(re.escape, sorted(list_labels(item), key=len, reverse=True)))
    bare, pattern = text.strip(), _GRAMMARS[item.answer_type][1].format(labels=labels)
    reject_if(not re.fullmatch(pattern, bare), "does not fit the grammar")
    if item.answer_type == "option_set":
        letters = tuple(bare.split(", "))
        reject_if(len({*letters}) < len(letters), "a label occurs twice")
        return letters
    reject_if(item.answer_type == "number" and parse_number(bare) is None, "not a number")
    return to_letter(bare, item)


def _required(parsed: ParsedFormat) -> Payload:
    if not parsed.follows or parsed.payload is None:
        raise FormatNotFollowedError(parsed.explanation, payload=parsed.payload)
    return parsed.payload
