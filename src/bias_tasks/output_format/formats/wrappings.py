"""Wrappings: the final answer between two tokens, wherever in the text it stands.

What the tokens enclose, corrected, is found over lines, and answers once. Published, the pattern of
both tokens matches exactly once within a line, where not said otherwise.

- `special_character`: `<ANSWER>...</ANSWER>`. Published: both tags occur, however often and in
  whatever order; the first stretch between them is the answer.
- `bolding`: `**...**`; `***answer***` is not bold alone.
- `italicizing`: `*...*`. Corrected: the asterisks of `**bold**`, of a bullet and of a product are
  none. Published: `**bold**` is two matches of nothing.
- `brackets`: `[[...]]`, and `parentheses`: `((...))`. Corrected: of full width, too.
- `placeholder`: `So the answer is: ...`, with or without the braces of the template. Corrected: the
  answer is the rest of its line, or what its braces enclose, and not the template's own
  "placeholder"; the phrase may be bold, and its colon of full width. Published: the phrase is
  followed by something; the answer ends at the first `}`.
- `quoting`: three or more quotation marks, double or single. Corrected: straight or typographic.
  Published: straight ones, of which exactly one pair stays within a line, while the answer is that
  of the first pair over lines. Back ticks are no quotation marks in either.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import ClassVar

from bias_tasks.names import PaperProtocol
from bias_tasks.output_format.formats.choices import (
    letter_of,
    option_of,
    option_text,
    published_letter,
    published_option,
)
from bias_tasks.output_format.formats.labels import (
    heads,
    in_program,
    in_words,
    is_alone,
    is_announced,
    is_denied,
    labels,
    programs,
)
from bias_tasks.output_format.formats.marks import EMPHASIS, TYPOGRAPHIC, dots, unmarked
from bias_tasks.output_format.formats.stretches import (
    MOST_STRETCHES,
    Stretch,
    Token,
    between,
    emphasised,
    enclosed,
    enclosed_in_runs,
    paired,
)
from bias_tasks.output_format.formats.types import (
    Format,
    FormatReading,
    NotFollowedError,
    sentence,
)
from bias_tasks.output_format.items import AnswerType, Category, FormatItem, Payload, Prompting
from bias_tasks.output_format.numbers import NUMBER

_SOMETHING = re.compile(r"[^\W_]")
_UNFILLED = re.compile(
    r"(?:(?:your|the|my|insert|final) ){0,3}answer(?: goes)?(?: here)?|(?:your )?placeholder"
    r"|text|value|number|letter|option|string|content|(?:see |as )?(?:above|below)"
)
_ROUND_WORDS = " \t\n\r.{}[]()<>_*'\"`"
_DENIED = re.compile(
    r"\bnot\b|n['’]t\b|\b[a-z](?:-| ?[+×*^−] ?)\d|\d(?:-| ?[+×*^−] ?)[a-z]\b", re.IGNORECASE
)
"""A number that is denied, or a term of a formula with a variable: `not 5`, `x + 5`."""
_STRESSED = re.compile(
    r"the|not|is|are|was|were|only|just|very|really|must|and|or|but|also|this|that"
)
"""Words that are emphasised in a sentence, and answer nothing."""
_LINE = 300
"""Characters of a line round a token that are examined."""


@dataclass(frozen=True, slots=True)
class Wrapping(Format):
    """A format that encloses the final answer.

    Corrected: what is asked for is the wrapping of the answer (appendix E.2), so that the tokens
    may enclose something else beside it, as headings do, but enclose an answer once: one stretch is
    of the asked type (section 3.3) and no label. Of several it is the last one, if the text calls
    that one and no other the answer, or it has a line of its own and the others head lines.
    """

    category: ClassVar[Category] = "wrapping"
    answer_types: ClassVar[frozenset[AnswerType]] = frozenset(
        {"option_letter", "option_text", "text", "number"}
    )
    name: str
    opening: str
    closing: str
    enclosed: Callable[[str], list[Stretch]]
    """What the tokens enclose, corrected, one stretch or more; else NotFollowedError."""
    found: Callable[[str], tuple[str | None, bool]] | None = None
    """Published: what is taken out of the text, and whether it follows, where that is not the first
    and only stretch between the tokens within a line."""
    emphasises: bool = False
    """Its tokens may stand within a word, of which a letter is no option."""
    asks: str = ""
    """The sentence that asks for it, of a format that the paper does not have."""

    def corrected(self, text: str, item: FormatItem) -> Payload:
        """The one answer between the tokens that is of the asked type."""
        answers: list[tuple[Stretch, str]] = []
        why = NotFollowedError("no answer is enclosed")
        stretches, fenced = self.enclosed(text), programs(text)
        for stretch in stretches:
            try:
                if in_program(text, stretch, fenced):
                    raise NotFollowedError("what is enclosed stands in a program")
                answers.append((stretch, self._answer(text, stretch, item)))
            except NotFollowedError as error:
                why = error
        if not answers:
            raise why
        if len(answers) > 1:
            _check_last([stretch for stretch, _ in answers], text)
        return answers[-1][1]

    def _answer(self, text: str, stretch: Stretch, item: FormatItem) -> str:
        answer = _answer_of(text[stretch.start : stretch.end], item)
        if labels(text, stretch):
            raise NotFollowedError("a label is enclosed, not the answer")
        if is_denied(text, stretch):
            raise NotFollowedError("what is enclosed is denied")
        if self.emphasises and item.answer_type == "option_letter" and in_words(text, stretch):
            raise NotFollowedError("what is enclosed is part of a word")
        return answer

    def published(self, text: str, item: FormatItem) -> FormatReading:
        """What the paper's pattern finds, of whatever type."""
        if self.found is not None:
            payload, follows = self.found(text)
        else:
            payload, follows = _once_in_a_line(
                text, lambda line: between(line, self.opening, self.closing)
            )
        answer = None if payload is None else _published_answer(payload, item)
        detail = "" if follows else f"the pattern of {self.name} does not match once"
        return FormatReading(follows, answer, detail)

    def write(self, payload: Payload, item: FormatItem) -> str:
        """The answer between the tokens, an option by its text where that is asked for."""
        answer = str(payload)
        if item.answer_type == "option_text" and item.options:
            answer = option_text(answer, item)
        return f"{self.opening}{answer}{self.closing}"

    def asked(self, item: FormatItem, protocol: PaperProtocol, prompting: Prompting) -> str:
        """The sentence of appendix E.2."""
        return self.asks or sentence(self.name)


def speaks_of_tags(text: str) -> bool:
    """Whether a text joins two tags that are spoken of: `Wrap it by <ANSWER> and </ANSWER>.`"""
    return re.fullmatch(r"[\W_]*(?:and|or|followed by|tags?)\b.{0,40}", text) is not None


def _answer_of(text: str, item: FormatItem) -> str:
    """The answer that a text is, in the form of the item's gold.

    A letter or an option's text has to stand alone, since the prompt asks for it alone. A number
    may stand in a sentence ("She loses $11.00."): exactly one number is a number. Emphasis and
    typographic quotation marks round all of it are no part of the answer; straight ones may be its
    own, and no score minds them.
    """
    text = unmarked(text, (*EMPHASIS, *TYPOGRAPHIC))
    if _SOMETHING.search(text) is None or dots(text):
        raise NotFollowedError("the answer is empty")
    if item.answer_type == "option_letter":
        return letter_of(text, item)
    if item.answer_type == "option_text" and item.options:
        return option_of(text, item)
    if _STRESSED.fullmatch(text.casefold()):
        raise NotFollowedError("a stressed word is enclosed, not the answer")
    if _UNFILLED.fullmatch(text.strip(_ROUND_WORDS).casefold()):
        raise NotFollowedError("the place of the answer is not filled in")
    one_number = len(NUMBER.findall(text)) == 1 and not _DENIED.search(text)
    if item.answer_type == "number" and not one_number:
        raise NotFollowedError("the answer is not one number")
    return text


def _published_answer(text: str, item: FormatItem) -> str:
    """An option's letter where the item asks for an option and the text is one, else the text."""
    try:
        if item.answer_type == "option_letter":
            return published_letter(text, item)
        if item.answer_type == "option_text" and item.options:
            return published_option(text, item)
    except NotFollowedError:
        pass
    return text.strip()


def _check_last(stretches: list[Stretch], text: str) -> None:
    """The last of several answers is the final one.

    Raises:
        NotFollowedError: the text does not tell.
    """
    if [each for each in stretches if is_announced(text, each)] == stretches[-1:]:
        return
    if not (is_alone(text, stretches[-1]) and all(heads(text, each) for each in stretches[:-1])):
        raise NotFollowedError("more than one answer is enclosed")


def _once_in_a_line(text: str, found: Callable[[str], Iterable[str]]) -> tuple[str | None, bool]:
    """The first of what is found in the text's lines, and whether it is the only one."""
    head = list(islice((each for line in text.split("\n") for each in found(line)), 2))
    return (head[0] if head else None), len(head) == 1


# <ANSWER>...</ANSWER>

_OPENING, _CLOSING = "<ANSWER>", "</ANSWER>"


def _between_tags(text: str) -> list[Stretch]:
    stretches = enclosed(text, _OPENING, _CLOSING)
    answers = [each for each in stretches if not speaks_of_tags(text[each.start : each.end])]
    if not answers:
        raise NotFollowedError("the tags are spoken of alone")
    return answers


def _first_between_tags(text: str) -> tuple[str | None, bool]:
    follows = _OPENING in text and _CLOSING in text
    return next(between(text, _OPENING, _CLOSING), None), follows


# So the answer is: ...

_FILLED = re.compile(r"So the answer is: (.+)")
_TYPOGRAPHIC = {"“": "”", "‘": "’", "«": "»"}
_CLOSED_BY = {**_TYPOGRAPHIC, '"': '"', "'": "'"}
_PHRASE = re.compile(
    r"(?P<mark>[*_]{1,3}|[“‘«])?(?P<phrase>So the answer is)"
    r"[*_]{0,3}(?::[*_]{0,3} |：[*_]{0,3}) {0,5}"
)


def _fillings(text: str) -> list[Stretch]:
    phrases = list(_PHRASE.finditer(text))
    if not phrases or len(phrases) > MOST_STRETCHES:
        raise NotFollowedError(f"'So the answer is: ' occurs {len(phrases)} times")
    limits = [phrase.start() for phrase in phrases[1:]] + [len(text)]
    fillings = [
        _filling(text, phrase, limit)
        for phrase, limit in zip(phrases, limits, strict=True)
        if not _quoted(text, phrase)
    ]
    if not fillings:
        raise NotFollowedError("the phrase is quoted within a sentence")
    return fillings


def _quoted(text: str, phrase: re.Match[str]) -> bool:
    """Whether a sentence quotes the phrase, filled in or not, and goes on behind the quotation."""
    start = phrase.start("phrase")
    closing = _CLOSED_BY.get(text[max(0, start - 1) : start])
    if closing is None:
        return False
    line = text[phrase.end() : phrase.end() + _LINE].partition("\n")[0]
    closed = re.search(rf"{closing}(?=[\s.,;:!?)])(?P<rest>.*)", line)
    return closed is not None and any(map(str.isalnum, closed["rest"]))


def _filling(text: str, phrase: re.Match[str], limit: int) -> Stretch:
    """What follows a phrase: in its braces, else up to the end of the line or to the next one."""
    start = phrase.end()
    if text.startswith("{", start):
        start = next((at for at in range(start, limit) if text[at] != "{"), limit)
        end = text.find("}", start, limit)
        if end < 0:
            raise NotFollowedError("the braces are not closed")
        return Stretch(phrase.start(), start, end, end + 1)
    line = text.find("\n", start, limit)
    behind = end = limit if line < 0 else line
    mark = _TYPOGRAPHIC.get(phrase["mark"], phrase["mark"])
    if mark and text.endswith(mark, start, end):
        end -= len(mark)
    return Stretch(phrase.start(), start, end, behind)


def _first_filling(text: str) -> tuple[str | None, bool]:
    filled = _FILLED.search(text)
    return (None, False) if filled is None else (filled[1].partition("}")[0], True)


# Triple quotation marks

_DOUBLE, _SINGLE = '"""', "'''"
_RUN = re.compile("\"{3,}+|'{3,}+")
_DEFINES = re.compile(r"\s{0,40}(?:async )?(?:def|class) .*:")
_STRAIGHT = str.maketrans("“”„‟«»＂‘’‚‛＇", '"""""""' + "'" * 5)


def _in_quotes(text: str) -> list[Stretch]:
    stretches = paired(_quotes(text.translate(_STRAIGHT)), "triple quotation marks")
    answers = [each for each in stretches if not _documents(text, each)]
    if not answers:
        raise NotFollowedError("triple quotation marks enclose a program's documentation")
    return answers


def _quotes(text: str) -> Iterator[Token]:
    """Runs of three or more, which open and close in turn: the outermost three are the token."""
    opened = ""
    for run in _RUN.finditer(text):
        (start, end), kind = run.span(), run[0][0]
        if opened and kind != opened:
            raise NotFollowedError("triple quotation marks of two kinds are mixed")
        yield Token(end - 3, end, False, True) if opened else Token(start, start + 3, True, False)
        opened = "" if opened else kind


def _documents(text: str, stretch: Stretch) -> bool:
    """Whether a stretch is the documentation of a Python function or class: it stands behind it."""
    line = text[max(0, stretch.outer - _LINE) : stretch.outer].rstrip().rpartition("\n")[2]
    return _DEFINES.fullmatch(line) is not None


def _first_in_quotes(text: str) -> tuple[str | None, bool]:
    first = next(_quoted_pairs(text), None)
    if first is None:
        return None, False
    return first, _once_in_a_line(text, _quoted_pairs)[1]


def _quoted_pairs(text: str) -> Iterator[str]:
    """What either mark encloses, from left to right."""
    ahead = {mark: text.find(mark) for mark in (_SINGLE, _DOUBLE)}
    while starts := {at: mark for mark, at in ahead.items() if at >= 0}:
        start = min(starts)
        stop = text.find(starts[start], start + 3)
        end = start + 1 if stop < 0 else stop + 3
        if stop >= 0:
            yield text[start + 3 : stop]
        # A mark is looked for again only behind where it was found: linear in the text.
        for mark, at in ahead.items():
            if 0 <= at < end:
                ahead[mark] = text.find(mark, end)


WRAPPINGS = (
    Wrapping("special_character", _OPENING, _CLOSING, _between_tags, _first_between_tags),
    Wrapping("bolding", "**", "**", partial(emphasised, length=2), emphasises=True),
    Wrapping("italicizing", "*", "*", partial(emphasised, length=1), emphasises=True),
    Wrapping("brackets", "[[", "]]", partial(enclosed_in_runs, pair="[]", wide="［］")),
    Wrapping("parentheses", "((", "))", partial(enclosed_in_runs, pair="()", wide="（）")),
    Wrapping("placeholder", "So the answer is: ", "", _fillings, _first_filling),
    Wrapping("quoting", _DOUBLE, _DOUBLE, _in_quotes, _first_in_quotes),
)
