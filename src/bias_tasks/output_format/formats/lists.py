"""Lists in four formats; corrected, what frames a list is tolerated (see `frame`).

Corrected, no list is of another kind, no element a sentence, and an element alone is a list only
without a comma or semicolon. Published, the whole answer is a Python list of anything; every line
begins with `-`, which is how the answers with `*` come to the printed 0; and every answer is a list
of what stands between `<SEP>`, or of its lines, lead and all.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bias_tasks.names import PaperProtocol
from bias_tasks.output_format.formats import frame
from bias_tasks.output_format.formats.base import Format, sentence
from bias_tasks.output_format.formats.notation import MAX_ELEMENTS, parse_literal
from bias_tasks.output_format.formats.stretches import NotFollowedError
from bias_tasks.output_format.items import FormatItem, Payload, Prompting, folded

_LEAD = 3
"""Lines: a longer lead is no lead but an explanation."""
_FEW, _MANY = 3, 5
"""Blanks in a remark at least, and in a line alone that holds several elements."""
_ROUND_ELEMENT = (*frame.EMPHASIS, *frame.STRAIGHT)
"""Typographic quotation marks belong to the element: documents have them."""
_SEVERAL = re.compile(r"[,;，；、\t]|\s[-*+•·–—|/→]\s")
"""Between elements that stand in one line."""
_MARK = "<SEP>"
_TALKED_ABOUT = re.compile(
    r"\b(?:with|by|us(?:e|ing))\s*<SEP>|<SEP>\s*(?:to|is|as|between|tags?|tokens?)\b"
)
_OTHER_KIND = re.compile(r"<SEP>|</\w{1,20}>|^\|.*\|$|^[\"'].*[\"'],$")
_LINE_NUMBER = re.compile(r"[0-9]{1,9}\.\s*")
_BREAK = re.compile(r"\n[ \t\r]*\n")


class ListFormat(Format):
    """A format in which the answer is a list; corrected, what frames it is tolerated."""

    category = "list"
    answer_types = frozenset({"binary_list", "string_list"})

    def instruction(self, item: FormatItem, protocol: PaperProtocol, prompting: Prompting) -> str:
        """The sentence of appendix E.3, open at its end; published, it always says "binary"."""
        binary = protocol == "published" or item.answer_type == "binary_list"
        return sentence(self.name).format(list="binary list" if binary else "list")


class _PythonList(ListFormat):
    name = "python"

    def corrected(self, text: str, item: FormatItem) -> Payload:
        elements = _python_list(frame.literal_in(text, "["))
        return binary(elements, item) if item.answer_type == "binary_list" else strings(elements)

    def published(self, text: str, item: FormatItem) -> Payload:
        elements = _python_list(text)
        if item.answer_type == "binary_list":  # the paper's score counts what equals 1
            return tuple(int(each == 1) for each in elements)
        return tuple(map(str, elements))

    def write(self, payload: Payload, item: FormatItem) -> str:
        return str(list(payload))


def _python_list(text: str) -> list[object]:
    value = parse_literal(text, unique_keys=False)
    if not isinstance(value, list) or len(value) > MAX_ELEMENTS:
        raise NotFollowedError(f"not a list of at most {MAX_ELEMENTS} elements")
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
        body = frame.unmarked(frame.framed(text)[0], (("`", "`"),))
        if self.instruction(item, "corrected", "zs").casefold() in folded(body):
            raise NotFollowedError("the request is repeated")
        elements = [frame.unmarked(each, _ROUND_ELEMENT) for each in self.elements(body, item)]
        if len(elements) > MAX_ELEMENTS:
            raise NotFollowedError(f"more than {MAX_ELEMENTS} elements")
        if item.answer_type == "binary_list":
            return binary(_bits(elements), item)
        if any(each.endswith((":", "：")) or not any(map(str.isalnum, each)) for each in elements):
            raise NotFollowedError("an element leads to others, or has neither letter nor digit")
        if elements[0][:1] + elements[-1][-1:] in ("[]", "{}"):
            raise NotFollowedError("the list is of another kind")
        return strings(elements)

    def published(self, text: str, item: FormatItem) -> Payload:
        """The elements, however many there are."""
        if not text.strip():
            raise NotFollowedError("nothing is said")
        elements = self.found(text.strip(), item)
        return _bits(elements) if item.answer_type == "binary_list" else tuple(elements)

    def write(self, payload: Payload, item: FormatItem) -> str:
        """The elements as text."""
        return self.joined(list(map(str, payload)))


def strings(elements: object, *, empty: bool = False) -> tuple[str, ...]:
    """A list of non-empty strings; of none at all where `empty` allows that."""
    if not isinstance(elements, Sequence) or isinstance(elements, str):
        raise NotFollowedError("a value is not a list")
    if not elements and not empty:
        raise NotFollowedError("the list is empty")
    texts = tuple(each.strip() for each in elements if isinstance(each, str))
    if len(texts) != len(elements) or "" in texts:
        raise NotFollowedError("an element is not a string, or an empty one")
    if any(map(frame.DOTS.fullmatch, texts)):
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


def _filled_lines(text: str) -> list[str]:
    """The lines that hold something, without blanks around them."""
    return [line.strip() for line in text.split("\n") if line.strip()]


def _behind_lead(text: str) -> list[str]:
    """Filled lines without those that lead to them: up to three, of which the last announces."""
    lines = _filled_lines(text)
    announcing = (at for at, line in enumerate(lines[:_LEAD], 1) if frame.announces(line))
    behind = max(announcing, default=0)
    frame.check_lead("\n".join(lines[:behind]))
    return lines[behind:]


def _prose(elements: Sequence[str]) -> bool:
    """Whether half of the elements are sentences."""
    return 2 * sum(map(frame.is_sentence, elements)) >= len(elements)


def _bullets(text: str, item: FormatItem) -> list[str]:
    lines = [line.strip() for line in text.split("\n")]
    bullets = [frame.BULLET.fullmatch(line) for line in lines]
    places = [place for place, bullet in enumerate(bullets) if bullet is not None]
    if not places:
        raise NotFollowedError("no bullet point")
    behind = lines[places[-1] + 1 :]
    if len(places) != sum(map(bool, lines[places[0] : places[-1] + 1])) or any(behind[:1]):
        raise NotFollowedError("a line is not a bullet point")
    frame.check_announced(lines[: places[0]], "a line before the bullet points is no lead to them")
    elements = [bullet["element"] for bullet in bullets if bullet is not None]
    if len(elements) == 1 and _SEVERAL.search(elements[0]):
        raise NotFollowedError("the elements stand in one line")
    if _prose(elements):
        raise NotFollowedError("the bullet points are sentences, not elements")
    return elements


def _published_bullets(text: str, item: FormatItem) -> list[str]:
    lines = text.split("\n")
    if not all(line.startswith("-") for line in lines):
        raise NotFollowedError("no bullet list")
    return [line.removeprefix("-").strip() for line in lines]


def _separated(text: str, item: FormatItem) -> list[str]:
    head, mark, tail = text.rpartition(_MARK)
    if not mark and item.answer_type != "binary_list":
        raise NotFollowedError(f"no {_MARK}")
    last, _, remark = tail.strip().partition("\n\n")
    if remark and not frame.is_remark(remark):
        raise NotFollowedError("an element has several lines")
    alone = frame.without_label("\n".join(_behind_lead(f"{head}{mark}{last}")))
    if alone.count(_MARK) <= 2 and _TALKED_ABOUT.search(alone):
        raise NotFollowedError(f"{_MARK} is talked about")
    elements = _published_separated(alone.removesuffix(_MARK), item)
    if any("\n" in element or frame.marked(element) for element in elements):
        raise NotFollowedError("an element has several lines, or is a bullet point or numbered")
    if len(elements) == 1 and _SEVERAL.search(elements[0]):
        raise NotFollowedError(f"the elements stand without {_MARK} between them")
    return elements


def _published_separated(text: str, item: FormatItem) -> list[str]:
    return [part.strip() for part in text.split(_MARK)]


def _lines(text: str, item: FormatItem) -> list[str]:
    parts = _BREAK.split(text)
    while len(parts) > 1 and (frame.is_sentence(parts[-1]) or _closes(parts[-1])):
        parts.pop()
    lines = _behind_lead("\n".join(parts))
    if not lines:
        raise NotFollowedError("no element")
    lines[0] = frame.without_label(lines[0])
    if any(frame.marked(line) or _OTHER_KIND.search(line) for line in lines):
        raise NotFollowedError("a line is a bullet point, numbered or of another kind of list")
    first, alone = lines[0], len(lines) == 1
    if frame.is_sentence(first) or (alone and frame.is_remark(first)) or _prose(lines):
        raise NotFollowedError("the lines are sentences, not elements")
    if alone and (_SEVERAL.search(first) or first.count(" ") >= _MANY):
        raise NotFollowedError("the elements stand in one line")
    return lines


def _closes(text: str) -> bool:
    """Whether a paragraph behind a list is a remark: `Let me know what else you need!`"""
    return frame.is_remark(text) and text.strip().count(" ") >= _FEW and "\n" not in text.strip()


def _published_lines(text: str, item: FormatItem) -> list[str]:
    if item.answer_type == "binary_list":
        return [line.strip() for line in text.split("\n")]
    return [_LINE_NUMBER.sub("", line, count=1) for line in _filled_lines(text)]


LISTS = (
    _PythonList(),
    TextList("bullet", _bullets, _published_bullets, lambda each: "- " + "\n- ".join(each)),
    TextList(
        "sep",
        _separated,
        _published_separated,
        lambda each: f" {_MARK} ".join(each) + (f" {_MARK}" if len(each) == 1 else ""),
    ),
    TextList("newline", _lines, _published_lines, "\n".join),
)
