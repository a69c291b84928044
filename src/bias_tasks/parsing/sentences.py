"""Split a text into sentences: a lead takes the value below it, lines of values become one."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from bias_tasks.parsing.plain_text import Edit, PlainText
from bias_tasks.parsing.values import UNCLEAR, Form, whole

OTHER_NOUNS = (
    r"(?=[^ -~])(?:答案|回答|答|正解|选|選|判定|評価|结论|정답|답|평가|판정|결론)"
    r"|(?=[arsj])(?:Antwort|réponse|respuesta|risposta|resposta|Svar|Jawaban)"
)
"""Nouns of other languages that announce a value in any form. A check comes first: it is fast."""
MAX_SENTENCE, _MAX_HEAD, _MAX_TAIL = 1_500, 100, 300
"""Characters of a sentence, and sentences at the beginning and the end of a text."""
LIST_ITEM = re.compile(r"\W?[A-Z\d]{1,2}[.)]\s")
"""The beginning of an item of a list."""
_BULLETED_LINE = re.compile(r"^[^\S\n]*(?:[-*•+]\s+)?(?P<content>\S.*)", re.M)
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')]?\s+(?=[^a-z\s])|(?<=[\u3040-\u9fff][.!?])(?=\S)|$")


class Sentence(NamedTuple):
    """A sentence and its place."""

    number: int
    start: int
    """Index of its first character in the text."""
    text: str
    begins_line: bool
    ends_line: bool
    is_last: bool
    is_quoted: bool
    """Whether it is inside of a quotation that began before it."""


def join_lines(form: Form, plain_text: PlainText) -> None:
    """Join what belongs together on several lines, and remove bullets.

    Args:
        form: The form of the value.
        plain_text: The text, which is changed.
    """
    noun = rf"(?:{form.noun}|{OTHER_NOUNS})"
    heading = re.compile(rf"(?i)\W*(?:\w+ ){{0,2}}{noun}\W*")
    # Every match ends in a colon or one of two words, which is faster to check.
    lead = re.compile(
        r"(?i)(?:\b(?:is|are)"
        r"|(?:\b(?:is|are|be|as follows|select|choose)|次のように\w*|같습니다|如下"
        rf"|{noun}(?: are| is)?)\s?:)$"
    )
    labelled = re.compile(rf"(?i)\W*(?:\w+ ){{0,3}}{noun}(?: is| are)?\s*:|⟦")
    line, end, is_run = "", 0, False
    edits = list[Edit]()
    for match in _BULLETED_LINE.finditer(plain_text.text):
        start, content = match.start("content"), match["content"].rstrip()
        value = whole(form, content) if form.several else None
        is_value = value not in (None, UNCLEAR)
        is_open = line.lower().endswith((":", "is", "are"))
        is_lead = len(line) < 400 and (heading.fullmatch(line) or (is_open and lead.search(line)))
        is_taken = is_lead and not labelled.match(content)
        kept, joint = line, "\n" if line else ""
        if is_value and is_run and len(line) < 2_000:
            kept, joint = line.rstrip(".,;"), "; "
        elif is_taken and (form.several or not LIST_ITEM.match(content)):
            kept, joint = line.rstrip(" :*#"), ": "
        edits.append((end - len(line) + len(kept), start, joint))
        line = content if joint in ("", "\n") else kept + joint + content
        end, is_run = start + len(content), is_value
    plain_text.replace([*edits, (end, len(plain_text.text), "")])


def split_sentences(form: Form, text: str) -> list[Sentence]:
    """Return the sentences of a text; of a long one those at both ends.

    Args:
        form: The form of the value.
        text: The text, with its lines joined.
    """
    found, at, lines = list[Sentence](), 0, text.split("\n")
    for above, line, below in zip(["", *lines], lines, [*lines[1:], ""], strict=False):
        start = n_quotes = 0
        is_inside = above[-1:].isalpha() and below[:1].islower() and line[-1:].isalnum()
        is_inside = is_inside or line.startswith("›")
        for end in _sentence_ends(form, line):
            for begin in range(start, end, MAX_SENTENCE):
                part = line[begin : min(end, begin + MAX_SENTENCE)]
                is_quoted = is_inside or (n_quotes > 0 and '"' in line[start:])
                place = (begin == 0, end == len(line), False, is_quoted)
                if part.strip():
                    found.append(Sentence(len(found), at + begin, part, *place))
            n_quotes += count_open_quotes(line[start:end])
            start = end
        at += len(line) + 1
    found = found[:_MAX_HEAD] + found[max(_MAX_HEAD, len(found) - _MAX_TAIL) :]
    last = len(found) - 1
    return [one._replace(number=n, is_last=n == last) for n, one in enumerate(found)]


def _sentence_ends(form: Form, line: str) -> Iterator[int]:
    """Yield where the sentences of a line end; an object is one, and no label ends one."""
    start, is_object = 0, re.match(r"\s*(?:json\s*)?(?:\{|\"\w[\w ]*\"\s*:)", line)
    for match in _SENTENCE_END.finditer(line):
        words = line[max(start, match.start() - 9) : match.start()]
        is_label = re.search(r"^\W*\w{1,2}[.)]$|\b\w\.\w\.$", words)
        is_text = bool(form.texts) and line.startswith(form.texts, match.end())
        is_text = is_text and re.search(r"(?:^|\W)\w{1,2}\W{0,3}$", words) is not None
        if match.start() == len(line) or not (is_object or is_label or is_text):
            yield match.end()
            start = match.end()


def count_open_quotes(text: str) -> int:
    """Return how many quotations a text opens more than it closes.

    Args:
        text: A sentence, or its beginning.
    """
    opened = len(re.findall(r"\"(?<![^\s(:]\")(?=\S|$)", text))
    return opened - len(re.findall(r"\"(?<=\S\")(?=[\s.,;:)!?]|$)", text))
