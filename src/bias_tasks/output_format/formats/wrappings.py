"""Wrappings: the final answer between two tokens, wherever in the text it stands.

Corrected, what the tokens enclose is found over lines, however the tokens are spelled, and answers
once. Published, the pattern of both tokens matches exactly once within a line, where a format has
no other rule of its own (`found`): `**bold**` is two matches of nothing in italics.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice

from bias_tasks.names import PaperProtocol
from bias_tasks.output_format.formats.base import Format, sentence
from bias_tasks.output_format.formats.choices import letter_of, option_of, option_text
from bias_tasks.output_format.formats.frame import DOTS, EMPHASIS, TYPOGRAPHIC, unmarked
from bias_tasks.output_format.formats.stretches import (
    CLOSING,
    MOST_STRETCHES,
    OPENING,
    NotFollowedError,
    Place,
    Stretch,
    between,
    emphasised,
    enclosed,
    in_tags,
    paired,
)
from bias_tasks.output_format.items import FormatItem, Payload, Prompting
from bias_tasks.output_format.numbers import NUMBER

_SOMETHING = re.compile(r"[^\W_]")
_UNFILLED = re.compile(r"(?:(?:your|the|my|insert|final) ){0,3}(?:answer|placeholder)(?: here)?")
_ROUND_WORDS = " \t\n\r.{}[]()<>_*'\"`"
_LABEL = re.compile(
    r"step \d{1,3}\b.{0,100}|(?:(?:the|my|final|correct|short) ){0,3}"
    r"(?:answer|solution|explanation|reasoning|conclusion|analysis|note)s?\.?|.{0,200}[:：]",
    re.IGNORECASE,
)
_DENIES = re.compile(r"(?:\bnot|n['’]t|\blike(?: this:?)?|\be\.g\.)\s{1,3}[\"'(]?\Z", re.IGNORECASE)
_EXPRESSION = re.compile(r"[ \t]{0,5}(?:[=×÷^]|[*/+-][ \t]{0,5}[\d(])")
_ANNOUNCES = re.compile(
    r"(?<!wrong )(?<!incorrect )(?<!other )\b(?:answer|solution|result)(?: is)?"
    r"[ \t]{0,3}[:：]?[ \t]{0,3}[*_\"'(]{0,3}\Z|答案[是为為：: ]{0,3}\Z",
    re.IGNORECASE,
)
_SAYS_ANSWER = re.compile(r"(?:the |my )?(?:final |correct )?answer(?: is\b|[:：])", re.IGNORECASE)
_LINE = 200
"""Characters of a line before a stretch that are examined."""


@dataclass(frozen=True, slots=True)
class Wrapping(Format):
    """A format that encloses the final answer.

    Corrected: the tokens may enclose other things, as headings do, but one stretch is of the asked
    type (section 3.3) and no label. Of several it is the last one, if that one and no other is
    called the answer, or has a line of its own.
    """

    category = "wrapping"
    answer_types = frozenset({"option_letter", "option_text", "text", "number"})
    name: str
    opening: str
    closing: str
    enclosed: Callable[[str], list[Stretch]]
    """Corrected: what the tokens enclose, one stretch or more; else NotFollowedError."""
    found: Callable[[str], tuple[str | None, bool]] | None = None
    """Published: what is taken out of the text, and whether it follows."""
    plainly: Callable[[str], str] = str
    """Corrected: a text with other spellings of the tokens put as they are asked for."""
    asks: str = ""
    """The sentence that asks for it, of a format that the paper does not have."""

    def corrected(self, text: str, item: FormatItem) -> Payload:
        """The one answer between the tokens that is of the asked type."""
        text = self.plainly(text)
        answers: dict[Stretch, str] = {}
        why = NotFollowedError("no answer is enclosed")
        for stretch in self.enclosed(text):
            try:
                answers[stretch] = _answer_of(text, stretch, item)
            except NotFollowedError as error:
                why = error
        if not answers:
            raise why
        *others, last = answers
        if others and not any(
            singled_out(text, last) and not any(singled_out(text, each) for each in others)
            for singled_out in (_is_announced, _is_alone)
        ):
            raise NotFollowedError("more than one answer is enclosed")
        return answers[last]

    def published(self, text: str, item: FormatItem) -> Payload | None:
        """What the paper's pattern finds, of whatever type."""
        answer, follows = (self.found or self._once_in_a_line)(text)
        if answer is not None:  # an option's letter where one is asked for, if it is one
            with suppress(NotFollowedError):
                answer = _choice(answer, item, "published") or answer
            answer = answer.strip()
        if not follows:
            raise NotFollowedError(f"the pattern of {self.name} does not match once", answer)
        return answer

    def _once_in_a_line(self, text: str) -> tuple[str | None, bool]:
        lines = (between(line, self.opening, self.closing) for line in text.split("\n"))
        head = list(islice(chain.from_iterable(lines), 2))
        return (head[0] if head else None), len(head) == 1

    def write(self, payload: Payload, item: FormatItem) -> str:
        """The answer between the tokens, an option by its text where that is asked for."""
        answer = str(payload)
        if item.answer_type == "option_text" and item.options:
            answer = option_text(answer, item)
        return f"{self.opening}{answer}{self.closing}"

    def instruction(self, item: FormatItem, protocol: PaperProtocol, prompting: Prompting) -> str:
        """The sentence of appendix E.2."""
        return self.asks or sentence(self.name)


def _answer_of(text: str, stretch: Stretch, item: FormatItem) -> str:
    """The answer that a stretch is, in the form of the item's gold.

    A letter or an option's text stands alone; one number may stand in a sentence. Straight
    quotation marks round all of it may be the answer's own, and no score minds them.
    """
    said = unmarked(text[stretch.start : stretch.end], (*EMPHASIS, *TYPOGRAPHIC))
    if _SOMETHING.search(said) is None or DOTS.fullmatch(said):
        raise NotFollowedError("the answer is empty")
    if _DENIES.search(text, max(0, stretch.outer - _LINE), stretch.outer):
        raise NotFollowedError("what is enclosed is denied")
    if item.answer_type == "option_letter" and _in_word(text, stretch):
        raise NotFollowedError("what is enclosed is part of a word")
    if (letter := _choice(said, item, "corrected")) is not None:
        return letter
    if _LABEL.fullmatch(said):
        raise NotFollowedError("a label is enclosed, not the answer")
    if _UNFILLED.fullmatch(said.strip(_ROUND_WORDS).casefold()):
        raise NotFollowedError("the place of the answer is not filled in")
    if item.answer_type == "number":
        if len(NUMBER.findall(said)) != 1:
            raise NotFollowedError("the answer is not one number")
        if _EXPRESSION.match(text, stretch.behind):
            raise NotFollowedError("what is enclosed is part of an expression")
    return said


def _in_word(text: str, stretch: Stretch) -> bool:
    """Whether a letter is emphasised in a word, or as its article: `**B**ecause`, `*a* wolf`."""
    outer, start, end, behind = stretch
    reach = 2 if text[start:end] == "a" else 1
    around = text[max(0, outer - 1) : outer] + text[behind : behind + reach]
    emphasis = not text[outer:start].strip("*")
    return emphasis and any(char.isascii() and char.isalnum() for char in around)


def _is_announced(text: str, stretch: Stretch) -> bool:
    """Whether the words before a stretch, in its line, or its first ones call it the answer."""
    says = _SAYS_ANSWER.match(text, stretch.start, stretch.end)
    return bool(says or _ANNOUNCES.search(_before(text, stretch)))


def _is_alone(text: str, stretch: Stretch) -> bool:
    """Whether a stretch has a line of its own, but for punctuation."""
    behind = text[stretch.behind : stretch.behind + _LINE].partition("\n")[0]
    return not any(map(str.isalnum, _before(text, stretch) + behind))


def _before(text: str, stretch: Stretch) -> str:
    return text[max(0, stretch.outer - _LINE) : stretch.outer].rpartition("\n")[2]


def _choice(text: str, item: FormatItem, protocol: PaperProtocol) -> str | None:
    """The option's letter where the item asks for an option, None where it asks for none."""
    if item.answer_type == "option_letter":
        return letter_of(text, item, protocol)
    if item.answer_type == "option_text" and item.options:
        return option_of(text, item, protocol)
    return None


def _first_between_tags(text: str) -> tuple[str | None, bool]:
    """Both tags occur, however often and in whatever order."""
    return next(between(text, OPENING, CLOSING), None), OPENING in text and CLOSING in text


# Brackets, also of full width and as Markdown escapes them

_BRACKETS = str.maketrans("［］（）", "[]()")
_ESCAPED = re.compile(r"\\([\[\]()])(?=\\?[\[\]()])|(?<=[\[\]()])\\([\[\]()])")


def _plain_brackets(text: str) -> str:
    return _ESCAPED.sub(r"\1\2", text.translate(_BRACKETS))


# So the answer is: ...

_FILLED = re.compile(r"So the answer is: (.+)")
_PHRASE = re.compile(
    r"(?P<mark>[*_]{1,3}|[“‘«\"'])?So the answer is[*_]{0,3}(?::[*_]{0,3} |：[*_]{0,3}) {0,5}"
)
_CLOSED_BY = {"“": "”", "‘": "’", "«": "»", '"': '"', "'": "'"}


def _fillings(text: str) -> list[Stretch]:
    """What follows each phrase: in its braces, else up to the end of the line or the next phrase.
    A phrase that a sentence quotes fills nothing in."""
    found: list[Stretch] = []
    phrases = list(islice(_PHRASE.finditer(text), MOST_STRETCHES + 1))
    limits = [*(phrase.start() for phrase in phrases[1:]), len(text)]
    for phrase, limit in zip(phrases, limits, strict=False):
        start, mark = phrase.end(), phrase["mark"] or ""
        line = text.find("\n", start, limit)
        behind = end = limit if line < 0 else line
        if text.startswith("{", start):
            start = next((at for at in range(start, len(text)) if text[at] != "{"), len(text))
            end = text.find("}", start, limit)
            if end < 0:
                raise NotFollowedError("the braces are not closed")
            behind = end + 1
        elif mark:
            closed = _CLOSED_BY.get(mark, mark)
            end = start + len(text[start:end].rstrip(" ."))
            if text.endswith(closed, start, end):
                end -= len(closed)
            elif mark in _CLOSED_BY:
                continue
        found.append(Stretch(phrase.start(), start, end, behind))
    if not found or len(phrases) > MOST_STRETCHES:
        raise NotFollowedError(f"'So the answer is: ' occurs {len(phrases)} times, or is quoted")
    return found


def _first_filling(text: str) -> tuple[str | None, bool]:
    """The phrase is followed by something; the answer ends at the first `}`."""
    filled = _FILLED.search(text)
    return (None, False) if filled is None else (filled[1].partition("}")[0], True)


# Triple quotation marks

_DOUBLE, _SINGLE = '"""', "'''"
_RUN = re.compile("\"{3,}+|'{3,}+")
_QUOTED = r"(\"{3}|'{3})(.*?)\1"
"""Linear: where one mark is never closed, at most two more begin within its own run."""
_TYPOGRAPHIC = re.compile("([“”„‟«»＂]{3})|[‘’‚‛＇]{3}")


def _straight(text: str) -> str:
    return _TYPOGRAPHIC.sub(lambda found: _DOUBLE if found[1] else _SINGLE, text)


def _in_quotes(text: str) -> list[Stretch]:
    """Between runs of three or more, which open and close in turn; the outermost three are the
    token."""

    def places() -> Iterator[Place]:
        opened = ""
        for run in _RUN.finditer(text):
            (start, end), kind = run.span(), run[0][0]
            if opened and kind != opened:
                raise NotFollowedError("triple quotation marks of two kinds are mixed")
            yield (end - 3, end) if opened else (start, start + 3)
            opened = "" if opened else kind

    return paired(places(), "triple quotation marks")


def _first_in_quotes(text: str) -> tuple[str | None, bool]:
    """Exactly one pair stays within a line; the answer is that of the first pair over lines."""
    first = re.search(_QUOTED, text, re.DOTALL)
    return (None if first is None else first[2]), len(re.findall(_QUOTED, text)) == 1


WRAPPINGS = (
    Wrapping("special_character", OPENING, CLOSING, in_tags, _first_between_tags),
    Wrapping("bolding", "**", "**", partial(emphasised, length=2)),
    Wrapping("italicizing", "*", "*", partial(emphasised, length=1)),
    *(
        Wrapping(name, a, z, partial(enclosed, opening=a, closing=z), None, _plain_brackets)
        for name, a, z in (("brackets", "[[", "]]"), ("parentheses", "((", "))"))
    ),
    Wrapping("placeholder", "So the answer is: ", "", _fillings, _first_filling),
    Wrapping("quoting", _DOUBLE, _DOUBLE, _in_quotes, _first_in_quotes, _straight),
)
