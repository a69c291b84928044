"""Wrappings: the final answer between two tokens, anywhere in the text.

Corrected parsing finds the enclosed text across lines, also with other spellings of the tokens, and
accepts one answer. Published parsing requires the pattern of both tokens to match exactly once
within a line, unless a format has its own rule (`extract_published`). `**bold**` therefore contains
two empty matches for italics.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice

from bias_tasks.output_format.formats import choices, frame, spans
from bias_tasks.output_format.formats.base import OutputFormat, load_instruction
from bias_tasks.output_format.formats.errors import FormatNotFollowedError, reject_if
from bias_tasks.output_format.formats.spans import CLOSING, OPENING, Span
from bias_tasks.output_format.items import FormatItem, Payload, Prompting
from bias_tasks.parsing.numbers import NUMBER
from bias_tasks.protocols import DesignSource, PaperProtocol

_WORD_CHARACTER = re.compile(r"[^\W_]")
_UNFILLED = re.compile(r"(?:(?:your|the|my|insert|final) ){0,3}(?:answer|placeholder)(?: here)?")
_UNFILLED_MARKS = " \t\n\r.{}[]()<>_*'\"`"
_LABEL = re.compile(
    r"step \d{1,3}\b.{0,100}|(?:(?:the|my|final|correct|short) ){0,3}"
    r"(?:answer|solution|explanation|reasoning|conclusion|analysis|note)s?\.?|.{0,200}[:：]",
    re.IGNORECASE,
)
_DENIAL = re.compile(r"(?:\bnot|n['’]t|\blike(?: this:?)?|\be\.g\.)\s{1,3}[\"'(]?\Z", re.IGNORECASE)
_EXPRESSION = re.compile(r"[ \t]{0,5}(?:[=×÷^]|[*/+-][ \t]{0,5}[\d(])")
_ANNOUNCEMENT = re.compile(
    r"(?<!wrong )(?<!incorrect )(?<!other )\b(?:answer|solution|result)(?: is)?"
    r"[ \t]{0,3}[:：]?[ \t]{0,3}[*_\"'(]{0,3}\Z|答案[是为為：: ]{0,3}\Z",
    re.IGNORECASE,
)
_ANSWER_IS = re.compile(r"(?:the |my )?(?:final |correct )?answer(?: is\b|[:：])", re.IGNORECASE)
_LETTER = re.compile(r"\s*[a-hA-H]\s*")
_LINE_WINDOW = 200
"""Characters of the line before a span that are examined."""


@dataclass(frozen=True, slots=True)
class Wrapping(OutputFormat):
    """A format that encloses the final answer.

    Corrected parsing allows the tokens to enclose other text, such as headings, but only one span
    may be of the requested type (section 3.3) and no label. If there are several, the last one is
    the answer if it alone is announced as the answer, or has a line of its own.
    """

    category = "wrapping"
    answer_types = frozenset({"option_letter", "option_text", "text", "number"})
    name: str
    opening: str
    """The token before the answer."""
    closing: str
    """The token after the answer."""
    find_spans: Callable[[str, str, str], list[Span]] = spans.find_enclosed
    """Corrected: return what the opening and closing token enclose in a text, at least one span;
    else raise `FormatNotFollowedError`."""
    extract_published: Callable[[str, bool], tuple[str | None, bool]] | None = None
    """Published: return the extracted text and whether the answer follows; the second argument is
    whether the answer is an option's letter. None for the paper's default rule."""
    normalize: Callable[[str], str] = str
    """Corrected: return a text with other spellings of the tokens replaced by the tokens."""
    instruction_text: str = ""
    """The sentence that requests the format, if the paper does not have the format."""
    source: DesignSource = "ours"

    @property
    def written(self) -> str:
        """The tokens around an answer."""
        return f"{self.opening}...{self.closing}"

    def parse_corrected(self, text: str, item: FormatItem) -> Payload:
        """Return the only answer of the requested type between the tokens."""
        text = self.normalize(text)
        answers: dict[Span, str] = {}
        reason = ""
        for span in self.find_spans(text, self.opening, self.closing):
            try:
                answers[span] = _parse_span(text, span, item)
            except FormatNotFollowedError as error:
                reason = str(error)
        if not answers:
            raise FormatNotFollowedError(reason, encloses_other=True)
        last = [*answers][-1]
        announced = [span for span in answers if _is_announced(text, span)]
        on_own_line = [span for span in answers if _has_own_line(text, span)]
        if len(answers) == 1 or [last] in (announced, on_own_line):
            return answers[last]
        raise FormatNotFollowedError("more than one answer is enclosed", encloses_other=True)

    def parse_published(self, text: str, item: FormatItem, *, tagged: bool) -> str | None:
        """Return what the paper's pattern finds, of any type.

        Of an option's letter, the answer follows if what is found is one letter from a to h.
        """
        is_letter = item.answer_type == "option_letter"
        if self.extract_published is None:
            answer, follows = _extract_once_per_line(text, self.opening, self.closing)
        else:
            answer, follows = self.extract_published(text, is_letter)
        explanation = f"the pattern of {self.name} does not match exactly once"
        if is_letter:
            follows = follows and _LETTER.fullmatch(answer or "") is not None
            explanation += ", or encloses no letter"
        elif answer is not None:
            with suppress(FormatNotFollowedError):
                answer = _parse_choice(answer, item, "published") or answer
            answer = answer.strip()
        if not follows:
            raise FormatNotFollowedError(
                explanation, payload=answer, encloses_other=answer is not None
            )
        return answer

    def write(self, payload: Payload, item: FormatItem) -> str:
        """Return the answer between the tokens, an option by its text if that is requested."""
        answer = str(payload)
        if item.answer_type == "option_text" and item.options:
            answer = choices.find_option_text(answer, item)
        return f"{self.opening}{answer}{self.closing}"

    def instruction(self, item: FormatItem, protocol: PaperProtocol, prompting: Prompting) -> str:
        """Return the sentence of appendix E.2."""
        return self.instruction_text or load_instruction(self.name)


def _parse_span(text: str, span: Span, item: FormatItem) -> str:
    """Return the answer that a span encloses, in the form of the item's gold.

    A letter or an option's text must be alone. One number may be in a sentence. Straight quotation
    marks around the answer stay: they may belong to it, and no score depends on them.

    Raises:
        FormatNotFollowedError: The span encloses no answer of the requested type.
    """
    content = frame.strip_marks(text[span.start : span.end], (*frame.EMPHASIS, *frame.TYPOGRAPHIC))
    is_empty = not _WORD_CHARACTER.search(content) or frame.DOTS.fullmatch(content)
    reject_if(is_empty, "the answer is empty")
    window_start = max(0, span.outer_start - _LINE_WINDOW)
    is_denied = _DENIAL.search(text, window_start, span.outer_start)
    reject_if(is_denied, "the text before the enclosed answer denies it")
    is_part = item.answer_type == "option_letter" and _is_in_word(text, span)
    reject_if(is_part, "the enclosed text is part of a word")
    letter = _parse_choice(content, item, "corrected")
    if letter is not None:
        return letter
    reject_if(_LABEL.fullmatch(content), "a label is enclosed, not the answer")
    is_placeholder = _UNFILLED.fullmatch(content.strip(_UNFILLED_MARKS).casefold())
    reject_if(is_placeholder, "the placeholder of the answer is not filled in")
    if item.answer_type == "number":
        reject_if(len(NUMBER.findall(content)) != 1, "the answer is not one number")
        is_operand = _EXPRESSION.match(text, span.outer_end)
        reject_if(is_operand, "the enclosed text is part of an expression")
    return content


def _is_in_word(text: str, span: Span) -> bool:
    """Return whether a letter is emphasized as part of a word, or as its article.

    Examples are `**B**ecause` and `*a* wolf`.
    """
    n_after = 2 if text[span.start : span.end] == "a" else 1
    before = text[max(0, span.outer_start - 1) : span.outer_start]
    neighbours = before + text[span.outer_end : span.outer_end + n_after]
    is_emphasis = not text[span.outer_start : span.start].strip("*")
    return is_emphasis and any(char.isascii() and char.isalnum() for char in neighbours)


def _is_announced(text: str, span: Span) -> bool:
    """Return whether the line before a span, or its first words, announce the answer."""
    announces_itself = _ANSWER_IS.match(text, span.start, span.end) is not None
    return announces_itself or _ANNOUNCEMENT.search(_line_before(text, span)) is not None


def _has_own_line(text: str, span: Span) -> bool:
    """Return whether the line of a span has only punctuation besides it."""
    after = text[span.outer_end : span.outer_end + _LINE_WINDOW].partition("\n")[0]
    return not any(map(str.isalnum, _line_before(text, span) + after))


def _line_before(text: str, span: Span) -> str:
    return text[max(0, span.outer_start - _LINE_WINDOW) : span.outer_start].rpartition("\n")[2]


def _parse_choice(text: str, item: FormatItem, protocol: PaperProtocol) -> str | None:
    """Return the option's letter; None if the item does not request an option."""
    if item.answer_type == "option_letter":
        return choices.parse_letter(text, item, protocol)
    if item.answer_type == "option_text" and item.options:
        return choices.parse_option_text(text, item, protocol)
    return None


def _extract_once_per_line(text: str, opening: str, closing: str) -> tuple[str | None, bool]:
    """Return the first enclosed text, and whether the pattern matches once within the lines."""
    lines = (spans.find_between(line, opening, closing) for line in text.split("\n"))
    first_two = list(islice(chain.from_iterable(lines), 2))
    return (first_two[0] if first_two else None), len(first_two) == 1


def _extract_tagged(text: str, is_letter: bool) -> tuple[str | None, bool]:
    """Return the first tagged text if both tags occur, in any order."""
    follows = OPENING in text and CLOSING in text
    return (spans.first_between_tags(text) if follows else None), follows


# Brackets, also full-width ones and those that Markdown escapes

_BRACKETS = str.maketrans("［］（）", "[]()")
_ESCAPED = re.compile(r"\\([\[\]()])(?=\\?[\[\]()])|(?<=[\[\]()])\\([\[\]()])")


def _normalize_brackets(text: str) -> str:
    return _ESCAPED.sub(r"\1\2", text.translate(_BRACKETS))


# So the answer is: ...

_FILLED = re.compile(r"So the answer is: ([^}]+)")
_PHRASE = re.compile(
    r"(?P<mark>[*_]{1,3}|[“‘«\"'])?So the answer is[*_]{0,3}(?::[*_]{0,3} |：[*_]{0,3}) {0,5}"
)
_CLOSING_MARKS = {"“": "”", "‘": "’", "«": "»", '"': '"', "'": "'"}


def _find_filled(text: str, opening: str, closing: str) -> list[Span]:
    """Return what follows each phrase: in its braces, or up to the end of the line or next phrase.

    A phrase that a sentence quotes is not filled in.
    """
    filled: list[Span] = []
    phrases = list(islice(_PHRASE.finditer(text), spans.MAX_SPANS + 1))
    limits = [*(phrase.start() for phrase in phrases[1:]), len(text)]
    for phrase, limit in zip(phrases, limits, strict=False):
        start, mark = phrase.end(), phrase["mark"] or ""
        line_end = text.find("\n", start, limit)
        outer_end = end = limit if line_end < 0 else line_end
        if text.startswith("{", start):
            start = next((i for i in range(start, len(text)) if text[i] != "{"), len(text))
            end = text.find("}", start, limit)
            reject_if(end < 0, "the braces are not closed")
            outer_end = end + 1
        elif mark:
            closing_mark = _CLOSING_MARKS.get(mark, mark)
            end = start + len(text[start:end].rstrip(" ."))
            if text.endswith(closing_mark, start, end):
                end -= len(closing_mark)
            elif mark in _CLOSING_MARKS:
                continue
        filled.append(Span(phrase.start(), start, end, outer_end))
    is_other = not filled or len(phrases) > spans.MAX_SPANS
    reject_if(is_other, f"'So the answer is: ' occurs {len(phrases)} times, or is quoted")
    return filled


def _extract_filled(text: str, is_letter: bool) -> tuple[str | None, bool]:
    """Return what follows the phrase up to the first `}`, across lines; a letter in braces."""
    if is_letter:
        return _extract_once_per_line(text, "{", "}")
    match = _FILLED.search(text)
    return (None, False) if match is None else (match[1], True)


# Triple quotation marks

_DOUBLE, _SINGLE = '"""', "'''"
_QUOTE_RUN = re.compile("\"{3,}+|'{3,}+")
_QUOTED = r"(\"{3}|'{3})(.*?)\1"
"""Linear: after a mark that is never closed, at most two more matches begin within its own run."""
_TYPOGRAPHIC = re.compile("([“”„‟«»＂]{3})|[‘’‚‛＇]{3}")


def _normalize_quotes(text: str) -> str:
    return _TYPOGRAPHIC.sub(lambda match: _DOUBLE if match[1] else _SINGLE, text)


def _find_quoted(text: str, opening: str, closing: str) -> list[Span]:
    """Return the spans between runs of three or more marks, which open and close in turn.

    The outermost three marks of a run are the token.
    """

    def find_tokens() -> Iterator[tuple[int, int]]:
        open_quote = ""
        for run in _QUOTE_RUN.finditer(text):
            (start, end), quote = run.span(), run[0][0]
            reject_if(open_quote not in ("", quote), "triple quotation marks are mixed")
            yield (end - 3, end) if open_quote else (start, start + 3)
            open_quote = "" if open_quote else quote

    return spans.pair_tokens(find_tokens(), "triple quotation marks")


def _extract_quoted(text: str, is_letter: bool) -> tuple[str | None, bool]:
    """Return the first quoted text across lines, and whether exactly one is within a line.

    A letter may be quoted several times, but without blanks around it.
    """
    first = re.search(_QUOTED, text, re.DOTALL)
    n_quoted = len(re.findall(_QUOTED, text))
    if first is None:
        return None, False
    if is_letter:
        return first[2], len(first[2]) == 1 and n_quoted > 0
    return first[2], n_quoted == 1


_paper = partial(Wrapping, source="paper")
WRAPPINGS = (
    _paper("special_character", OPENING, CLOSING, spans.find_tagged_spans, _extract_tagged),
    _paper("bolding", "**", "**", spans.find_emphasized),
    _paper("italicizing", "*", "*", spans.find_emphasized),
    _paper("brackets", "[[", "]]", normalize=_normalize_brackets),
    _paper("parentheses", "((", "))", normalize=_normalize_brackets),
    _paper("placeholder", "So the answer is: ", "", _find_filled, _extract_filled),
    _paper("quoting", _DOUBLE, _DOUBLE, _find_quoted, _extract_quoted, _normalize_quotes),
)
