"""Lists in four formats; corrected, what frames a list is tolerated (see `frame`).

- `python`: `['a', 'b']`, `[0, 1]`; JSON's notation is one, too. Corrected: the one list of the
  answer, of the asked type. Published: the whole answer is a list of anything, of any length.
- `bullet`: lines behind `-`, `*`, `+` or `–` and a blank, or behind `•` and its kin. Corrected:
  every line that holds something is a bullet, indented or not; one alone is a list only without a
  comma or semicolon. Published: every line begins with `-`, which is how the answers with `*` come
  to the printed 0.
- `sep`: elements with `<SEP>` between them; the paper also calls it "special character". Corrected:
  at least one `<SEP>` (but in a binary list of one), no empty element, and no line break within
  one, so that no other kind of list passes; one `<SEP>` may end the list. Published: what stands
  between the marks, or the whole answer without any.
- `newline`: a line for each element. Corrected: no line is a bullet, numbered, a sentence or part
  of another kind of list, and a line alone is a list of one only without a comma or semicolon.
  Published: every answer follows it, lead and all, of which the numbers are taken off the lines.

Published, a binary list of the last three has exactly 0 or 1 as each element.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from bias_tasks.names import PaperProtocol
from bias_tasks.output_format.formats.frame import (
    announces,
    check_frame,
    framed,
    literal_in,
    without_label,
)
from bias_tasks.output_format.formats.marks import (
    BULLET,
    EMPHASIS,
    STRAIGHT,
    bracketed,
    dots,
    is_prose,
    is_remark,
    is_sentence,
    marked,
    of_other_kind,
    speaks,
    unmarked,
)
from bias_tasks.output_format.formats.notation import MAX_ELEMENTS, parse_literal
from bias_tasks.output_format.formats.types import (
    Format,
    FormatReading,
    NotFollowedError,
    sentence,
)
from bias_tasks.output_format.items import AnswerType, Category, FormatItem, Payload, Prompting

_PIECE = 12
"""Words: so many in a row are a piece of the question rather than a list of what stands in it."""
_FEW = 3
_LEAD = 3
"""Lines: a longer lead is no lead line but an explanation."""
_MANY = 5
"""Words behind the first of a line alone: so many are rather several elements than one."""
_BACK_TICKS = (("`", "`"),)
_ROUND_ELEMENT = (*EMPHASIS, *STRAIGHT)
"""Typographic quotation marks belong to the element: documents have them."""
_LAYOUT = re.compile(
    r"(?:(?:the |an? )?(?:first|second|third|next|last|another|your) )?"
    r"(?:key ?(?:phrase|word)|element|item|phrase|entity|string|value)s?"
    r"(?:[ _-]?(?:\d{1,2}|[a-z]|one|two|three|four|five))?|list|of|python"
    r"|<(?-i:[a-z][a-z _-]{2,50})>|\[(?-i:[a-z][a-z _-]{2,50})\]|\{(?-i:[a-z][a-z _-]{2,50})\}",
    re.IGNORECASE,
)


class ListFormat(Format):
    """A format in which the answer is a list; corrected, what frames it is tolerated."""

    category: ClassVar[Category] = "list"
    answer_types: ClassVar[frozenset[AnswerType]] = frozenset({"binary_list", "string_list"})

    def asked(self, item: FormatItem, protocol: PaperProtocol, prompting: Prompting) -> str:
        """The sentence of appendix E.3, open at its end.

        Published: it says "binary list" where a list of strings is wanted, too.
        """
        binary = protocol == "published" or item.answer_type == "binary_list"
        return sentence(self.name).format(list="binary list" if binary else "list")


class _PythonList(ListFormat):
    name = "python"

    def corrected(self, text: str, item: FormatItem) -> Payload:
        elements = _python_list(literal_in(text, "["))
        return binary(elements, item) if item.answer_type == "binary_list" else strings(elements)

    def published(self, text: str, item: FormatItem) -> FormatReading:
        elements = _python_list(text)
        if item.answer_type == "binary_list":  # the paper's score counts what equals 1
            return FormatReading(True, tuple(int(each == 1) for each in elements))
        return FormatReading(True, tuple(str(each) for each in elements))

    def write(self, payload: Payload, item: FormatItem) -> str:
        return str(list(payload))


def _python_list(text: str) -> list[object]:
    value = parse_literal(text, unique_keys=False)
    if not isinstance(value, list):
        raise NotFollowedError("not a list")
    return value


@dataclass(frozen=True, slots=True)
class TextList(ListFormat):
    """A list whose elements are told apart in the text itself."""

    name: str
    elements: Callable[[str, FormatItem], list[str]]
    """Corrected: the elements of an answer without its fence, lead and remark left out."""
    found: Callable[[str, FormatItem], list[str]]
    """Published: the elements of an answer without blanks round it."""
    joined: Callable[[list[str]], str]
    """Elements in the format."""

    def corrected(self, text: str, item: FormatItem) -> Payload:
        """The elements, if they are of the asked type."""
        body = unmarked(framed(text).body, _BACK_TICKS)
        if _echoes(body, self.instruction(item), item):
            raise NotFollowedError("the request is repeated")
        elements = self.elements(body, item)
        if len(elements) > MAX_ELEMENTS:
            raise NotFollowedError(f"more than {MAX_ELEMENTS} elements")
        elements = [unmarked(element, _ROUND_ELEMENT) for element in elements]
        if item.answer_type == "binary_list":
            return binary(_bits(elements), item)
        if any(element.endswith((":", "：")) for element in elements):
            raise NotFollowedError("an element leads to others")
        found = strings(elements)
        if not all(any(map(str.isalnum, element)) for element in found):
            raise NotFollowedError("an element has neither letter nor digit")
        return found

    def published(self, text: str, item: FormatItem) -> FormatReading:
        """The elements; of a binary list each has to be exactly 0 or 1, however many there are."""
        if not text.strip():
            raise NotFollowedError("nothing is said")
        elements = self.found(text.strip(), item)
        is_binary = item.answer_type == "binary_list"
        return FormatReading(True, _bits(elements) if is_binary else tuple(elements))

    def write(self, payload: Payload, item: FormatItem) -> str:
        """The elements as text."""
        return self.joined([str(element) for element in payload])


def strings(elements: object, *, empty: bool = False) -> tuple[str, ...]:
    """A list of non-empty strings; of none at all where `empty` allows that.

    A layout whose places are named or dots, and not filled in, is none.
    """
    if not isinstance(elements, Sequence) or isinstance(elements, str):
        raise NotFollowedError("a value is not a list")
    if not elements and not empty:
        raise NotFollowedError("the list is empty")
    texts = tuple(each.strip() for each in elements if isinstance(each, str))
    if len(texts) != len(elements) or "" in texts:
        raise NotFollowedError("an element is not a string, or an empty one")
    if any(map(dots, texts)) or (texts and all(map(_LAYOUT.fullmatch, texts))):
        raise NotFollowedError("a layout is repeated, not filled in")
    return texts


def binary(elements: Sequence[object], item: FormatItem) -> tuple[int, ...]:
    """The whole numbers 0 and 1, one for each candidate of the item."""
    # True equals 1, but is no number that was asked for.
    numbers = tuple(each for each in elements if type(each) is int and each in (0, 1))
    if len(numbers) != len(elements):
        raise NotFollowedError("an element is neither 0 nor 1")
    if len(numbers) != len(item.answer):
        raise NotFollowedError(f"{len(numbers)} elements for {len(item.answer)} candidates")
    return numbers


def _bits(elements: Sequence[str]) -> tuple[int, ...]:
    if any(element not in ("0", "1") for element in elements):
        raise NotFollowedError("an element is neither 0 nor 1")
    return tuple(map(int, elements))


def _echoes(text: str, instruction: str, item: FormatItem) -> bool:
    """Whether a text repeats the request for its format, or is a piece of the question."""
    said, asked, question = (
        " ".join(each.casefold().split()) for each in (text, instruction, item.input)
    )
    if asked in said or (said.count(" ") >= _FEW and said in asked):
        return True
    return said.count(" ") >= _PIECE and said in question


def _filled_lines(text: str) -> list[str]:
    """The lines that hold something, without blanks around them."""
    return [line.strip() for line in text.split("\n") if line.strip()]


def _behind_lead(lines: Sequence[str]) -> list[str]:
    """Lines without those that lead to them: up to three, of which the last announces a list.

    Raises:
        NotFollowedError: the lead says that it is not the answer.
    """
    head = lines[:_LEAD]
    last = next((at for at in reversed(range(len(head))) if announces(head[at])), None)
    if last is None or not all(announces(line) or is_remark(line) for line in head[:last]):
        return list(lines)
    check_frame("\n".join(head[: last + 1]), "")
    return list(lines[last + 1 :])


# Bullet points

_SEVERAL_BULLETS = re.compile(r"[,;，；、]|\s[-*+•·–—]\s")


def _bullets(text: str, item: FormatItem) -> list[str]:
    lines = [line.strip() for line in text.split("\n")]
    bullets = [BULLET.fullmatch(line) for line in lines]
    places = [place for place, bullet in enumerate(bullets) if bullet is not None]
    if not places:
        raise NotFollowedError("no bullet point")
    before, behind = lines[: places[0]], lines[places[-1] + 1 :]
    if len(places) != sum(map(bool, lines[places[0] : places[-1] + 1])) or any(behind[:1]):
        raise NotFollowedError("a line is not a bullet point")
    lead = [line for line in before if line]
    if lead and not announces(lead[-1]):
        raise NotFollowedError("a line before the bullet points is no lead to them")
    check_frame("\n".join(lead), "\n".join(behind))
    elements = [bullet["element"] for bullet in bullets if bullet is not None]
    if len(elements) == 1 and _SEVERAL_BULLETS.search(elements[0]):
        raise NotFollowedError("the elements stand in one line")
    if is_prose(elements):
        raise NotFollowedError("the bullet points are sentences, not elements")
    return elements


def _published_bullets(text: str, item: FormatItem) -> list[str]:
    lines = text.split("\n")
    if not all(line.startswith("-") for line in lines):
        raise NotFollowedError("no bullet list")
    return [line.removeprefix("-").strip() for line in lines]


# <SEP>

_MARK = "<SEP>"
_TALKED_ABOUT = re.compile(
    r"\b(?i:separat(?:or|e[sd]?|ing)|delimit\w{0,4}|divided?)\b|\b(?:[Yy]ou|[Ww]e)\b"
    r"|\bI[ '’]\w{1,9}\s*<|\b(?i:with|by|use|using)\s*<SEP>"
    r"|<SEP>\s*(?:,|(?:is|are|to|will|goes|stands|between|as|tags?|tokens?|marks?)\s)"
)
_LED_IN = re.compile(
    r"(?:(?:so|thus|therefore),? )?(?:the|my|these|those|here)\b.*\b(?:is|are|be|were|includes?)\b",
    re.IGNORECASE,
)
_SEVERAL_BETWEEN = re.compile(r"[,;，；、]")
_FEW_MARKS = 2
"""So many may stand in a sentence about them."""


def _separated(text: str, item: FormatItem) -> list[str]:
    if _MARK not in text and item.answer_type != "binary_list":
        raise NotFollowedError(f"no {_MARK}")
    elements = _published_separated(_separated_alone(text).removesuffix(_MARK), item)
    if any("\n" in element for element in elements):
        raise NotFollowedError("an element has several lines")
    if any(map(speaks, elements)) or _LED_IN.match(elements[0]):
        raise NotFollowedError("an element is part of a sentence")
    if len(elements) == 1 and _SEVERAL_BETWEEN.search(elements[0]):
        raise NotFollowedError(f"the elements stand without {_MARK} between them")
    if any(map(marked, elements)):
        raise NotFollowedError("an element is a bullet point or numbered")
    return elements


def _separated_alone(text: str) -> str:
    """The list without a lead to it and a remark behind it."""
    head, mark, tail = text.rpartition(_MARK)
    element, _, remark = tail.strip().partition("\n\n")
    if speaks(element):
        element, remark = "", tail
    if remark and not is_remark(remark):
        raise NotFollowedError("an element has several lines")
    check_frame("", remark)
    lines = _filled_lines(f"{head}{mark}{element}")
    # A line with a mark that leads to the list speaks of the mark.
    holding = (at for at, each in enumerate(lines) if _MARK in each and each[-1] not in ":：")
    first = next(holding, 0)
    alone = without_label("\n".join([*_behind_lead(lines[:first]), *lines[first:]]))
    if _MARK in text and _MARK not in alone:
        raise NotFollowedError(f"{_MARK} stands in the lead alone")
    if bracketed(alone):
        raise NotFollowedError("the list is of another kind")
    if alone.count(_MARK) <= _FEW_MARKS and _TALKED_ABOUT.search(alone):
        raise NotFollowedError(f"{_MARK} is talked about")
    return alone


def _published_separated(text: str, item: FormatItem) -> list[str]:
    return [part.strip() for part in text.split(_MARK)]


# A line each

_SEVERAL_IN_LINE = re.compile(r"[,;，；、\t]|( [|/→•·–-] ).*\1| (?:\||and|&|\+) |<br|\\n")
_LINE_NUMBER = re.compile(r"[0-9]{1,9}\.\s*")
_BREAK = re.compile(r"\n[ \t\r]*\n")
_UNFINISHED = re.compile(
    r".*\s(?:and|or|with|in|of|the|to|for|is|are|by|on|that|which|from|their),?"
)
"""A line that ends in a word that needs another one, as a sentence over lines does."""


def _lines(text: str, item: FormatItem) -> list[str]:
    parts = _BREAK.split(text)
    while len(parts) > 1 and is_sentence(parts[-1]):  # remarks behind the list
        parts.pop()
    lines = _behind_lead(_filled_lines("\n".join(parts)))
    if not lines:
        raise NotFollowedError("no element")
    lines[0] = without_label(lines[0])
    if any(map(marked, lines)):
        raise NotFollowedError("a line is a bullet point or numbered")
    if _says_something(lines):
        raise NotFollowedError("the lines are sentences, not elements")
    if len(lines) == 1 and (_SEVERAL_IN_LINE.search(lines[0]) or lines[0].count(" ") >= _MANY):
        raise NotFollowedError("the elements stand in one line")
    bold = [line.startswith("**") and unmarked(line, EMPHASIS) != line for line in lines[:2]]
    if bold == [True, False]:
        raise NotFollowedError("the first line may be a heading")
    if bracketed("\n".join(lines)) or any(map(of_other_kind, lines)):
        raise NotFollowedError("the list is of another kind")
    return lines


def _says_something(lines: list[str]) -> bool:
    """Whether the lines are sentences, one over several lines, or led to by one."""
    if len(lines) == 1:
        return is_remark(lines[0])
    if lines[0].count(" ") >= _FEW and is_remark(lines[0]) and not is_remark(lines[1]):
        return True
    return is_sentence(lines[0]) or is_prose(lines) or any(map(_UNFINISHED.fullmatch, lines))


def _published_lines(text: str, item: FormatItem) -> list[str]:
    if item.answer_type == "binary_list":
        return [line.strip() for line in text.split("\n")]
    return [_LINE_NUMBER.sub("", line, count=1) for line in _filled_lines(text)]


LISTS = (
    _PythonList(),
    TextList(
        "bullet", _bullets, _published_bullets, lambda each: "\n".join(f"- {e}" for e in each)
    ),
    TextList(
        "sep",
        _separated,
        _published_separated,
        lambda each: f" {_MARK} ".join(each) + (f" {_MARK}" if len(each) == 1 else ""),
    ),
    TextList("newline", _lines, _published_lines, "\n".join),
)
