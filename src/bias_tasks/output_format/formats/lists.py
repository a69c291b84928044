"""Lists in four formats.

Corrected parsing accepts a frame around a list (see `frame`), but no list of another kind and no
sentences as elements. A single element must not contain a comma or semicolon.

Published parsing takes the whole answer, or what is between the tags: as a Python literal, as YAML
for bullet points (in which `*` is none, so that the paper's tables have 0), or as the parts between
`<SEP>` or line breaks, including the lead-in.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import methodcaller

from bias_tasks.names import DesignSource, PaperProtocol
from bias_tasks.output_format.formats import frame
from bias_tasks.output_format.formats.base import OutputFormat, ParsedFormat, load_instruction
from bias_tasks.output_format.formats.notation import (
    MAX_ELEMENTS,
    iterate_published,
    parse_literal,
    parse_yaml,
    unfence,
)
from bias_tasks.output_format.formats.spans import FormatNotFollowedError
from bias_tasks.output_format.items import FormatItem, Payload, Prompting, fold_text

_MAX_LEAD_LINES = 3
"""A longer lead-in is an explanation."""
_MIN_REMARK_BLANKS = 3
_MIN_SEVERAL_BLANKS = 5
"""Blanks in a single line that contains several elements."""
_ELEMENT_MARKS = (*frame.EMPHASIS, *frame.STRAIGHT)
"""Typographic quotation marks belong to the element, because documents contain them."""
_SEVERAL = re.compile(r"[,;，；、\t]|\s[-*+•·–—|/→]\s")
"""A separator of elements in one line."""
_SEP = "<SEP>"
_SEP_MENTIONED = re.compile(
    r"\b(?:with|by|us(?:e|ing))\s*<SEP>|<SEP>\s*(?:to|is|as|between|tags?|tokens?)\b"
)
_OTHER_KIND = re.compile(r"<SEP>|</\w{1,20}>|^\|.*\|$|^[\"'].*[\"'],$")
_PARAGRAPH_BREAK = re.compile(r"\n[ \t\r]*\n")


class ListFormat(OutputFormat):
    """A format in which the answer is a list."""

    category = "list"
    answer_types = frozenset({"binary_list", "string_list"})

    def parse_published(self, text: str, item: FormatItem, *, tagged: bool) -> ParsedFormat:
        """Return any number of elements, of any content.

        A list of strings follows before its elements are compared, except tagged bullet points.
        """
        load = _LOAD_PUBLISHED.get(self.name, str.splitlines)  # no published run has others
        value = load(text if tagged else text.strip())
        if item.answer_type == "binary_list":  # Python's texts '0' and '1' are no numbers
            bits = value if isinstance(value, list) else [None]
            write = repr if self.name == "python" else str
            return ParsedFormat(True, _parse_bits([write(bit).strip() for bit in bits]))
        if not value or not text.strip():
            raise FormatNotFollowedError("the answer is empty")
        elements = iterate_published(value)
        if elements is None and tagged and self.name == "bullet":
            raise FormatNotFollowedError("an element is a list or mapping")
        if elements is not None and self.name == "newline":
            elements = [line.removeprefix("-") for line in elements if len(line) > 1]
        return ParsedFormat(True, None if elements is None else tuple(elements))

    def instruction(self, item: FormatItem, protocol: PaperProtocol, prompting: Prompting) -> str:
        """Return the sentence of appendix E.3; published, it always says "binary"."""
        binary = protocol == "published" or item.answer_type == "binary_list"
        return load_instruction(self.name).format(list="binary list" if binary else "list")


class _PythonList(ListFormat):
    name = "python"
    source = "paper"

    def parse_corrected(self, text: str, item: FormatItem) -> Payload:
        elements = _parse_python_list(frame.extract_literal(text, "["))
        if item.answer_type == "binary_list":
            return check_binary(elements, item)
        return check_strings(elements)

    def write(self, payload: Payload, item: FormatItem) -> str:
        return str(list(payload))


def _parse_python_list(text: str) -> list[object]:
    value = parse_literal(text)
    if not isinstance(value, list) or len(value) > MAX_ELEMENTS:
        raise FormatNotFollowedError(f"not a list of at most {MAX_ELEMENTS} elements")
    return value


@dataclass(frozen=True, slots=True)
class TextList(ListFormat):
    """A list whose elements the text itself separates, by lines or by a token."""

    name: str
    split_corrected: Callable[[str, FormatItem], list[str]]
    """Return the elements of an answer without its fence. Lead-in and remark are excluded."""
    join: Callable[[list[str]], str]
    """Return elements in the format."""
    source: DesignSource = "ours"

    def parse_corrected(self, text: str, item: FormatItem) -> Payload:
        """Return the elements of the list, without marks around them (`**`, quotes).

        Raises:
            FormatNotFollowedError: The list is in another notation, repeats the instruction, is too
                long, or has elements that are not of the item's type.
        """
        body = frame.strip_marks(frame.strip_frame(text)[0], (("`", "`"),))
        if self.instruction(item, "corrected", "zs").casefold() in fold_text(body):
            raise FormatNotFollowedError("the answer repeats the instruction")
        elements = [
            frame.strip_marks(element, _ELEMENT_MARKS)
            for element in self.split_corrected(body, item)
        ]
        if len(elements) > MAX_ELEMENTS:
            raise FormatNotFollowedError(f"more than {MAX_ELEMENTS} elements")
        if item.answer_type == "binary_list":
            return check_binary(_parse_bits(elements), item)
        if any(
            element.endswith((":", "：")) or not any(map(str.isalnum, element))
            for element in elements
        ):
            raise FormatNotFollowedError("an element ends in a colon, or has no letter or digit")
        if elements[0][:1] + elements[-1][-1:] in ("[]", "{}"):
            raise FormatNotFollowedError("the list is of another kind")
        return check_strings(elements)

    def write(self, payload: Payload, item: FormatItem) -> str:
        """Return the elements as text."""
        return self.join(list(map(str, payload)))


def check_strings(elements: object, *, allow_empty: bool = False) -> tuple[str, ...]:
    """Return a list of texts that are not empty.

    Args:
        elements: A parsed value of any type.
        allow_empty: Whether a list without elements is valid.

    Raises:
        FormatNotFollowedError: The value is something else.
    """
    if not isinstance(elements, Sequence) or isinstance(elements, str):
        raise FormatNotFollowedError("a value is not a list")
    if not elements and not allow_empty:
        raise FormatNotFollowedError("the list is empty")
    texts = tuple(element.strip() for element in elements if isinstance(element, str))
    if len(texts) != len(elements) or "" in texts:
        raise FormatNotFollowedError("an element is not a string, or is empty")
    if any(map(frame.DOTS.fullmatch, texts)):
        raise FormatNotFollowedError("a template is repeated, not filled in")
    return texts


def check_binary(elements: Sequence[object], item: FormatItem) -> tuple[int, ...]:
    """Return the integers 0 and 1, one per candidate of the item.

    Raises:
        FormatNotFollowedError: The elements are something else.
    """
    # `True` equals 1, but the prompt requests integers.
    bits = tuple(element for element in elements if type(element) is int and element in (0, 1))
    if len(bits) != len(elements):
        raise FormatNotFollowedError("an element is neither 0 nor 1")
    if len(bits) != len(item.answer):
        raise FormatNotFollowedError(f"{len(bits)} elements for {len(item.answer)} candidates")
    return bits


def _parse_bits(elements: Sequence[str]) -> tuple[int, ...]:
    if any(element not in ("0", "1") for element in elements):
        raise FormatNotFollowedError("an element is neither 0 nor 1")
    return tuple(map(int, elements))


def _split_lines(text: str) -> list[str]:
    """Return the lines that are not blank, without outer blanks."""
    return [line.strip() for line in text.split("\n") if line.strip()]


def _drop_lead_in(text: str) -> list[str]:
    """Return the lines after the lead-in, which has up to three and introduces a list."""
    lines = _split_lines(text)
    n_lead = max(
        (
            number
            for number, line in enumerate(lines[:_MAX_LEAD_LINES], 1)
            if frame.introduces_list(line)
        ),
        default=0,
    )
    frame.check_not_retracted("\n".join(lines[:n_lead]))
    return lines[n_lead:]


def _are_sentences(elements: Sequence[str]) -> bool:
    """Return whether at least half of the elements are sentences."""
    return 2 * sum(map(frame.is_sentence, elements)) >= len(elements)


def _split_bullets(text: str, item: FormatItem) -> list[str]:
    """Return the elements of a list with one bullet point per line.

    Lines before the first bullet must introduce the list ("The keyphrases are:"); a remark after
    the list must be separated by an empty line.

    Raises:
        FormatNotFollowedError: There is no bullet, another line is among the bullets, a single
            bullet holds several elements, or half of the bullets are sentences.
    """
    lines = [line.strip() for line in text.split("\n")]
    bullets = {
        index: bullet["element"]
        for index, line in enumerate(lines)
        if (bullet := frame.BULLET.fullmatch(line)) is not None
    }
    if not bullets:
        raise FormatNotFollowedError("no bullet point")
    first, last = min(bullets), max(bullets)
    n_filled_lines = sum(map(bool, lines[first : last + 1]))
    if len(bullets) != n_filled_lines or any(lines[last + 1 : last + 2]):
        raise FormatNotFollowedError("a line is not a bullet point")
    frame.check_lead_in(lines[:first], "a line before the bullet points does not introduce them")
    elements = list(bullets.values())
    if len(elements) == 1 and _SEVERAL.search(elements[0]):
        raise FormatNotFollowedError("the elements are in one line")
    if _are_sentences(elements):
        raise FormatNotFollowedError("the bullet points are sentences, not elements")
    return elements


def _split_separated(text: str, item: FormatItem) -> list[str]:
    head, separator, tail = text.rpartition(_SEP)
    if not separator and item.answer_type != "binary_list":
        raise FormatNotFollowedError(f"no {_SEP}")
    last, _, remark = tail.strip().partition("\n\n")
    if remark and not frame.is_remark(remark):
        raise FormatNotFollowedError("an element has several lines")
    body = frame.strip_label("\n".join(_drop_lead_in(f"{head}{separator}{last}")))
    if body.count(_SEP) <= 2 and _SEP_MENTIONED.search(body):
        raise FormatNotFollowedError(f"{_SEP} is only mentioned")
    elements = [part.strip() for part in body.removesuffix(_SEP).split(_SEP)]
    if any("\n" in element or frame.is_list_line(element) for element in elements):
        raise FormatNotFollowedError(
            "an element has several lines, or is a bullet point or numbered"
        )
    if len(elements) == 1 and _SEVERAL.search(elements[0]):
        raise FormatNotFollowedError(f"no {_SEP} is between the elements")
    return elements


def _join_separated(elements: list[str]) -> str:
    suffix = f" {_SEP}" if len(elements) == 1 else ""
    return f" {_SEP} ".join(elements) + suffix


def _split_newlines(text: str, item: FormatItem) -> list[str]:
    paragraphs = _PARAGRAPH_BREAK.split(text)
    while len(paragraphs) > 1 and (
        frame.is_sentence(paragraphs[-1]) or _is_closing_remark(paragraphs[-1])
    ):
        paragraphs.pop()
    lines = _drop_lead_in("\n".join(paragraphs))
    if not lines:
        raise FormatNotFollowedError("no element")
    lines[0] = frame.strip_label(lines[0])
    if any(frame.is_list_line(line) or _OTHER_KIND.search(line) for line in lines):
        raise FormatNotFollowedError(
            "a line is a bullet point, numbered or of another kind of list"
        )
    first, is_single = lines[0], len(lines) == 1
    if frame.is_sentence(first) or (is_single and frame.is_remark(first)) or _are_sentences(lines):
        raise FormatNotFollowedError("the lines are sentences, not elements")
    if is_single and (_SEVERAL.search(first) or first.count(" ") >= _MIN_SEVERAL_BLANKS):
        raise FormatNotFollowedError("the elements are in one line")
    return lines


def _is_closing_remark(text: str) -> bool:
    """Return whether a paragraph after a list is a remark: `Let me know what else you need!`"""
    stripped = text.strip()
    has_words = stripped.count(" ") >= _MIN_REMARK_BLANKS
    return frame.is_remark(text) and has_words and "\n" not in stripped


def _join_bullets(elements: list[str]) -> str:
    return "\n".join(f"- {element}" for element in elements)


def between_periods(text: str) -> str:
    """Return an element as the paper compares it in two zero-shot formats (`UNNUMBERED`).

    It is what is between the first and the second period with a blank: `1. fox` is `fox`.
    """
    text = text.strip()
    return text.split(". ")[1] if ". " in text else text


UNNUMBERED = ("sep", "newline")
"""Formats whose elements the paper compares without their numbers."""
_LOAD_PUBLISHED: Mapping[str, Callable[[str], object]] = {
    "python": lambda text: parse_literal(unfence(text)),
    "bullet": parse_yaml,
    "sep": methodcaller("split", _SEP),
    "newline": methodcaller("split", "\n"),
}
LISTS = (
    _PythonList(),
    TextList("bullet", _split_bullets, _join_bullets, "paper"),
    TextList("sep", _split_separated, _join_separated, "paper"),
    TextList("newline", _split_newlines, "\n".join, "paper"),
)
