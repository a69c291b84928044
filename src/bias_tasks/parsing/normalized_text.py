"""Normalise an answer once: what remains is its words, with a map to the original offsets.

Removed are Markdown and TeX marks, code fences, invisible characters, text that is struck out and
what repeats the prompt. A very long answer is reduced to both ends, where its value is.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from bias_tasks.parsing.echo import find_echoes
from bias_tasks.parsing.spelling import SPELLING

HEAD, TAIL = 4_000, 12_000
"""Characters kept of the beginning and the end of a very long answer."""
_MARKS = re.compile(
    # Most characters begin no mark; looking at them first makes the search three times as fast.
    r"(?=[`#>~<*_$\\\n]|(?:(?<=[ ])|^)[ ])(?:"
    r"^[ ]*`{3,}[ ]*\w*[ ]*$|^[ ]*(?:\#{1,6}|>+)[ ]+"  # fences, headings, quotations
    r"|~~[^~\n]{1,400}~~|<(?P<tag>s|del)>[^<\n]{1,400}</(?P=tag)>"  # what is struck out
    r"|`+|\*{2,}|(?<![\w*])\*|\*(?![\w*])|(?<!\w)_{1,3}(?=\w)|(?<=[^\W_])_{1,3}(?!\w)"
    r"|</?(?:s|p|b|i|u|em|strong|br)[ ]?/?>|<\|[^|>\n]{1,40}\|>"  # HTML, special tokens
    r"|(?<=[ ]{8})[ ]+|(?<=\n{3})\n+|\\[()\[\]]|\$+|\\[,;!]|\\(?=[ ])|~"  # blanks, TeX
    r"|\\(?:text|textbf|textrm|mathrm|mathbf|bf|rm)[ ]*\{(?P<kept>[^{}\n]{0,400})\})",
    re.M,
)
_STAR_BULLET = re.compile(r"(?:(?<![^\n])|(?<=\n {2})|(?<=\n {3})|(?<=\n {4}))\*(?= )")
# A quoted line; the last line of a text may be the model's own answer.
_QUOTED_LINE = re.compile(r"^ {0,3}>[^\n]*(?=\n+[^\n>]*\w)", re.M)
_NEXT_TURN = re.compile(r"\n\s{0,20}(?:\d{1,3}[.)] )?(?:Question|Q|Human|User|Problem)(?: \d+)?:")
# What an answer that was cut off may end with.
_LONE_LABEL = re.compile(r"\W{0,8}(?P<label>\d{1,3}|[A-Z])\W{0,8}")
_ITEM = re.compile(r"^\W{0,8}(?P<label>\d{1,3}|[A-Z])[.):]\W{0,8}\w", re.M)
_SENTENCE_END = re.compile(r"[.!?:;]\s|\n|[.!?:;]?\Z")
_MIN_BLANKS = 2
"""Blanks in a last sentence that is expected to end with a mark."""


class NormalizedText:
    """The words of an answer.

    Attributes:
        text: The normalised text.
        breaks_off: Whether it visibly ends before it is finished.
        open_sentence: Where a last sentence without an end begins; the length of the text if there
            is none.
    """

    def __init__(self, visible_text: str, prompt: str = "", options: Sequence[str] = ()) -> None:
        """Normalise an answer without reasoning.

        Args:
            visible_text: Any string.
            prompt: The prompt, if known; repetitions of it are removed.
            options: The texts of its options, which an answer may repeat.
        """
        spelled, offsets = _spell(visible_text)
        for start, end in reversed(find_echoes(spelled, prompt, options)):
            blank = re.sub(r"[^\n]", " ", spelled[start:end])
            spelled = spelled[:start] + blank + spelled[end:]
        spelled = _STAR_BULLET.sub("•", spelled)
        spelled = _QUOTED_LINE.sub(lambda line: " " * len(line[0]), spelled)
        self.breaks_off = _breaks_off(spelled)
        pieces = [(start, end) for start, end in _words_between_marks(spelled) if start < end]
        lengths = accumulate((end - start for start, end in pieces), initial=0)
        self.text = "".join(spelled[start:end] for start, end in pieces)
        self._origins = [(begin, start) for begin, (start, _) in zip(lengths, pieces, strict=False)]
        self._offsets = offsets
        self.open_sentence = _open_sentence(self.text)

    def before_next_turn(self) -> str | None:
        """Return the text before a turn that the model makes up; None if it makes up none."""
        turn = _NEXT_TURN.search(self.text)
        before = "" if turn is None else self.text[: turn.start()]
        return before if before.strip() else None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the visible text that a non-empty span comes from."""
        return self._offset(start), self._offset(end - 1) + 1

    def _offset(self, index: int) -> int:
        begin, origin = self._origins[bisect_right(self._origins, (index, len(self._offsets))) - 1]
        return self._offsets[origin + index - begin]


def _words_between_marks(text: str) -> Iterator[tuple[int, int]]:
    last = 0
    for mark in _MARKS.finditer(text):
        yield last, mark.start()
        yield mark.span("kept")
        last = mark.end()
    yield last, len(text)


def _spell(text: str) -> tuple[str, Sequence[int]]:
    """Return the plain spelling of both ends of a text, and the offset of each character."""
    if len(text) > HEAD + TAIL:
        head, head_offsets = _spell(text[:HEAD] + "\n\n")
        tail, tail_offsets = _spell(text[-TAIL:])
        begin = len(text) - TAIL
        return head + tail, [*head_offsets, *(begin + offset for offset in tail_offsets)]
    spelled = text.replace("\r\n", " \n").translate(SPELLING)
    if len(spelled) == len(text):
        return spelled, range(len(text))
    return spelled, [n for n, char in enumerate(text) if SPELLING[ord(char)] is not None]


def _breaks_off(spelled: str) -> bool:
    """Return whether a text ends with a lone list label, or within emphasis or a code fence."""
    text = spelled.rstrip()
    begin = text.rfind("\n") + 1
    line, before = text[begin:], text[:begin].rstrip()
    if not before:
        return text.endswith(",")
    label = _LONE_LABEL.fullmatch(line)
    if label is not None:
        items = [item["label"] for item in _ITEM.finditer(before[-TAIL:])]
        number, previous = label["label"], items[-1] if items else ""
        if number.isdigit() and previous.isdigit():
            return int(number) == int(previous) + 1
        if number in ("1", "A"):
            return before.endswith(":") and line.rstrip("* ")[-1] in ".)"
        return len(previous) == 1 and ord(number[0]) == ord(previous) + 1
    return bool(line.count("**") % 2 or text.count("```") % 2)


def _open_sentence(text: str) -> int:
    """Return where a last sentence of several words without an end begins, else the length."""
    stripped = text.rstrip()
    before = stripped[: stripped.rfind("\n") + 1].rstrip()
    if before and before[-1] not in ".!?:":
        return len(text)  # lines end without marks
    ends = [match.end() for match in _SENTENCE_END.finditer(stripped)]
    begin = ends[-2] if len(ends) > 1 else 0
    last = stripped[begin:]
    in_brackets = any(last.count(left) > last.count(right) for left, right in ("()", "[]", "{}"))
    is_open = last[-1:].isalnum() or last[-1:] in (",", "-") or in_brackets
    return begin if is_open and last.count(" ") >= _MIN_BLANKS and begin else len(text)
