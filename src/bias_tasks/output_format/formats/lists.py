"""Lists in four formats.

Corrected parsing accepts a frame around a list (see `frame`), but no list of another kind and no
sentences as elements. A single element must not contain a comma or semicolon.

Published parsing takes the whole answer, or what is between the tags: as a Python literal, as YAML
for bullet points (in which `*` is none, so that the paper's tables have 0), or as the parts between
`<SEP>` or line breaks, including the lead-in.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from operator import methodcaller

from bias_tasks.output_format.formats import frame
from bias_tasks.output_format.formats.base import OutputFormat, load_instruction
from bias_tasks.output_format.formats.errors import FormatNotFollowedError, reject_if
from bias_tasks.output_format.formats.yaml_values import parse_yaml
from bias_tasks.output_format.items import FormatItem, Payload, Prompting, fold_text
from bias_tasks.parsing.json_values import parse_literal
from bias_tasks.parsing.notation import BULLET, is_list_line, unfence
from bias_tasks.protocols import DesignSource, PaperProtocol

MAX_ELEMENTS = 10_000
"""Elements of a list. A longer list follows no format."""
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


@dataclass(frozen=True, slots=True)
class ListFormat(OutputFormat):
    """A format in which the answer is a list."""

    category = "list"
    answer_types = frozenset({"binary_list", "string_list"})
    name: str
    find_elements: Callable[[str, FormatItem, str], Sequence[object]]
    """Corrected: return the elements of the list that an answer is, of any type, or raise
    `FormatNotFollowedError`. The last argument is the sentence that requests the format."""
    join: Callable[[list[object]], str]
    """Return elements in the format."""
    load_published: Callable[[str], object] = str.splitlines
    """Published: return the value of a text; None if it is not in the format."""
    source: DesignSource = "ours"

    def parse_corrected(self, text: str, item: FormatItem) -> Payload:
        """Return the elements of the list, which must be of the item's type."""
        elements = self.find_elements(text, item, self.instruction(item, "corrected", "zs"))
        reject_if(len(elements) > MAX_ELEMENTS, f"more than {MAX_ELEMENTS} elements")
        if item.answer_type != "binary_list":
            return check_strings(elements)
        bits = check_bits(elements)
        n_candidates = len(item.answer)
        reject_if(len(bits) != n_candidates, f"{len(bits)} elements for {n_candidates} candidates")
        return bits

    def parse_published(self, text: str, item: FormatItem, *, tagged: bool) -> Payload | None:
        """Return any number of elements, of any content.

        A list of strings follows before its elements are compared, except tagged bullet points.
        """
        value = self.load_published(text if tagged else text.strip())
        reject_if(value is None, "the text is not one list or mapping")
        if item.answer_type == "binary_list":  # Python's texts '0' and '1' are no numbers
            bits = value if isinstance(value, list) else [None]
            return check_bits(bits if self.name == "python" else to_bits(bits))
        reject_if(not value or not text.strip(), "the answer is empty")
        elements = iterate_published(value)
        is_nested_bullet = elements is None and tagged and self.name == "bullet"
        reject_if(is_nested_bullet, "an element is a list or mapping")
        if elements is not None and self.name == "newline":
            elements = [line.removeprefix("-") for line in elements if len(line) > 1]
        return None if elements is None else tuple(elements)

    def instruction(self, item: FormatItem, protocol: PaperProtocol, prompting: Prompting) -> str:
        """Return the sentence of appendix E.3; published, it always says "binary"."""
        binary = protocol == "published" or item.answer_type == "binary_list"
        return load_instruction(self.name).format(list="binary list" if binary else "list")

    def write(self, payload: Payload, item: FormatItem) -> str:
        """Return the elements as text."""
        return self.join(list(payload))


def _find_literals(text: str, item: FormatItem, instruction: str) -> Sequence[object]:
    """Return the elements of the only list in Python's notation."""
    value = parse_literal(frame.extract_literal(text, "["))
    if not isinstance(value, list):
        raise FormatNotFollowedError("not a list in Python's notation")
    return value


def _find_texts(
    split: Callable[[str, FormatItem], list[str]], text: str, item: FormatItem, instruction: str
) -> Sequence[object]:
    """Return the elements of a list that lines or a token separate, without marks around them.

    Args:
        split: Returns the elements of an answer without its fence, without lead-in and remark.
        text: The answer.
        item: The item of the question.
        instruction: The sentence that requests the format.

    Raises:
        FormatNotFollowedError: The list is in another notation, repeats the instruction, or has
            elements without words.
    """
    body = frame.strip_marks(frame.strip_frame(text)[0], (("`", "`"),))
    reject_if(instruction.casefold() in fold_text(body), "the answer repeats the instruction")
    elements = [frame.strip_marks(part, _ELEMENT_MARKS) for part in split(body, item)]
    if item.answer_type == "binary_list":
        return to_bits(elements)
    for element in elements:
        is_heading = element.endswith((":", "：")) or not any(map(str.isalnum, element))
        reject_if(is_heading, "an element ends in a colon, or has no letter or digit")
    ends = elements[0][:1] + elements[-1][-1:]
    reject_if(ends in ("[]", "{}"), "the list is of another kind")
    return elements


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
    reject_if(not elements and not allow_empty, "the list is empty")
    texts = tuple(element.strip() for element in elements if isinstance(element, str))
    is_other = len(texts) != len(elements) or "" in texts
    reject_if(is_other, "an element is not a string, or is empty")
    reject_if(any(map(frame.DOTS.fullmatch, texts)), "a template is repeated, not filled in")
    return texts


def check_bits(elements: Sequence[object]) -> tuple[int, ...]:
    """Return a list of the integers 0 and 1.

    Raises:
        FormatNotFollowedError: An element is something else.
    """
    # `True` equals 1, but the prompt requests integers.
    bits = tuple(element for element in elements if type(element) is int and element in (0, 1))
    reject_if(len(bits) != len(elements), "an element is neither 0 nor 1")
    return bits


def to_bits(elements: Sequence[object]) -> list[object]:
    """Return elements with the texts `0` and `1` as integers; all others become None."""
    texts = (element.strip() if isinstance(element, str) else "" for element in elements)
    return [int(text) if text in ("0", "1") else None for text in texts]


def iterate_published(value: object) -> list[str] | None:
    """Return the elements that a value has in a Python set, as texts: a text has its characters.

    Returns:
        None if an element is a list or mapping, which cannot be in a set.

    Raises:
        FormatNotFollowedError: The value has no elements.
    """
    if not isinstance(value, list | dict | str):
        raise FormatNotFollowedError("a value is neither a list nor a text")
    elements = list(value)
    return None if any(isinstance(e, list | dict) for e in elements) else list(map(str, elements))


def _drop_lead_in(text: str) -> list[str]:
    """Return the lines after the lead-in that are not blank, without outer blanks.

    The lead-in has up to three lines, and the last of them introduces a list.
    """
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    first_lines = enumerate(lines[:_MAX_LEAD_LINES], 1)
    n_lead = max((n for n, line in first_lines if frame.introduces_list(line)), default=0)
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
    matches = enumerate(map(BULLET.fullmatch, lines))
    bullets = {index: match["element"] for index, match in matches if match}
    reject_if(not bullets, "no bullet point")
    first, last = min(bullets), max(bullets)
    n_filled_lines = sum(map(bool, lines[first : last + 1]))
    is_mixed = len(bullets) != n_filled_lines or any(lines[last + 1 : last + 2])
    reject_if(is_mixed, "a line is not a bullet point")
    frame.check_lead_in(lines[:first], "a line before the bullet points does not introduce them")
    elements = list(bullets.values())
    is_several = len(elements) == 1 and _SEVERAL.search(elements[0])
    reject_if(is_several, "the elements are in one line")
    reject_if(_are_sentences(elements), "the bullet points are sentences, not elements")
    return elements


def _split_separated(text: str, item: FormatItem) -> list[str]:
    head, separator, tail = text.rpartition(_SEP)
    reject_if(not separator and item.answer_type != "binary_list", f"no {_SEP}")
    last, _, remark = tail.strip().partition("\n\n")
    reject_if(remark and not frame.is_remark(remark), "an element has several lines")
    body = frame.strip_label("\n".join(_drop_lead_in(f"{head}{separator}{last}")))
    is_mentioned = body.count(_SEP) <= 2 and _SEP_MENTIONED.search(body)
    reject_if(is_mentioned, f"{_SEP} is only mentioned")
    elements = [part.strip() for part in body.removesuffix(_SEP).split(_SEP)]
    has_lines = any("\n" in element or is_list_line(element) for element in elements)
    reject_if(has_lines, "an element has several lines, or is a bullet point or numbered")
    is_several = len(elements) == 1 and _SEVERAL.search(elements[0])
    reject_if(is_several, f"no {_SEP} is between the elements")
    return elements


def _join_separated(elements: list[object]) -> str:
    suffix = f" {_SEP}" if len(elements) == 1 else ""
    return f" {_SEP} ".join(map(str, elements)) + suffix


def _split_newlines(text: str, item: FormatItem) -> list[str]:
    paragraphs = _PARAGRAPH_BREAK.split(text)
    while len(paragraphs) > 1 and _is_closing_remark(paragraphs[-1]):
        paragraphs.pop()
    lines = _drop_lead_in("\n".join(paragraphs))
    reject_if(not lines, "no element")
    lines[0] = frame.strip_label(lines[0])
    is_other_kind = any(is_list_line(line) or _OTHER_KIND.search(line) for line in lines)
    reject_if(is_other_kind, "a line is a bullet point, numbered or of another kind of list")
    first, is_single = lines[0], len(lines) == 1
    is_prose = frame.is_sentence(first) or (is_single and frame.is_remark(first))
    reject_if(is_prose or _are_sentences(lines), "the lines are sentences, not elements")
    is_several = _SEVERAL.search(first) or first.count(" ") >= _MIN_SEVERAL_BLANKS
    reject_if(is_single and is_several, "the elements are in one line")
    return lines


def _is_closing_remark(text: str) -> bool:
    """Return whether a paragraph after a list is a sentence or a remark: `Let me know!`"""
    stripped = text.strip()
    is_line = stripped.count(" ") >= _MIN_REMARK_BLANKS and "\n" not in stripped
    return frame.is_sentence(text) or (is_line and frame.is_remark(text))


def _join_bullets(elements: list[object]) -> str:
    return "\n".join(f"- {element}" for element in elements)


def _join_lines(elements: list[object]) -> str:
    return "\n".join(map(str, elements))


def between_periods(text: str) -> str:
    """Return an element as the paper compares it in two zero-shot formats (`UNNUMBERED`).

    It is what is between the first and the second period with a blank: `1. fox` is `fox`.
    """
    text = text.strip()
    return text.split(". ")[1] if ". " in text else text


UNNUMBERED = ("sep", "newline")
"""Formats whose elements the paper compares without their numbers."""
_paper = partial(ListFormat, source="paper")
_split_at_sep, _split_at_break = methodcaller("split", _SEP), methodcaller("split", "\n")
LISTS = (
    _paper("python", _find_literals, str, lambda text: parse_literal(unfence(text))),
    _paper("bullet", partial(_find_texts, _split_bullets), _join_bullets, parse_yaml),
    _paper("sep", partial(_find_texts, _split_separated), _join_separated, _split_at_sep),
    _paper("newline", partial(_find_texts, _split_newlines), _join_lines, _split_at_break),
)
