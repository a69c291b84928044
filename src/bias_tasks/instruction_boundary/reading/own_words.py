"""Tells what of an answer is its own: not an echo of the prompt, not a question made up after it.

A model that repeats the prompt, or its worked examples, has not answered by that; what stands
behind the echo is read. A base model goes on with questions of its own: its answer stands before
them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bias_tasks.instruction_boundary.reading.statement import Region
from bias_tasks.reading.bounds import Window, plain_spelling
from bias_tasks.reading.echo import Span, echoes

_OPTION_LINE = re.compile(r"(?m)^[ ]{0,4}(?:option )?\(?(?:\d{1,2}|[a-j])[.):] [^\n]*(?:\n|\Z)")
_PREVIOUS = re.compile(r"your previous answer:(?P<answer>.*?)\nnow, please reflect", re.DOTALL)
_SUGGESTION = re.compile(r"the answer to this problem is \d{1,2}(?:, \d{1,2})*")
_EXAMPLE = re.compile(r"\s{0,20}example \d{1,3}\b[^\n]{0,80}?:")
_ANSWERED = re.compile(r"\banswer ?:")
_NEW_QUESTION = re.compile(
    r"\n[ >]{0,8}(?:(?:next |new |another )?question(?: \d{1,3})? {0,4}(?::|(?=\n))"
    r"|example \d{1,3}(?: \([^()\n]{0,60}\))? ?:|q\d{0,3} ?:|(?:user|human) ?:"
    r"|now,? (?:please )?(?:answer|based on) the following\b|(?<=\n\n)(?:facts|passage|context"
    r"|text) ?:)|<\|(?:eot|im.end|end)[^|>\n]{0,20}\|>|<end.of.turn>|</s>\s*$"
)
_PROMPT = re.compile(r"\s{0,20}(?:question|facts|example \d{1,3}(?: \([^()\n]{0,60}\))?) ?:")
# Marks of HTML around words, and of chat templates before an answer.
_TAG = re.compile(
    r"</?(?:b|i|u|em|strong|p|br|div|span|h\d|li|ul|ol|code|pre) ?/?>"
    r"|<\|(?:im.start|start.header.id|assistant|start|begin.of.text|bot)\|>\s?(?:assistant\b)?"
    r"|(?:assistant)?<\|end.header.id\|>|<start.of.turn>\s?(?:model\b)?|\[/?inst\]|<s>"
)
_ITEM_NUMBER = re.compile(r"[ >•-]{0,8}\(?(?P<number>\d{1,2})[.):] {1,4}")
_INDENT = 8
_COMPARED = 60
"""Characters of a question by which it is found in the prompt."""


def without_echo(window: Window, prompt: str, *, apart: bool) -> Window:
    """The window with blanks for what it repeats of the prompt word for word.

    Args:
        window: the answer.
        prompt: what the model was asked; empty where that is not known.
        apart: whether only one option's line may be repeated, and not several that follow each
            other.
    """
    window = window.blanked([tag.span() for tag in _TAG.finditer(window.low)])
    window = window.blanked(_examples(window.low))
    if not prompt:
        return window
    asked = plain_spelling(prompt)
    repeated = echoes(window, asked, _repeatable(asked, apart=apart))
    repeated = [each for each in repeated if not _adopts(window.low[slice(*each)])]
    return window.blanked([*repeated, *_numbers_of(window.low, repeated)])


def parts(region: Region, prompt: str) -> Iterator[Region]:
    """What to read, in turn, until something is: what stands before a question made up, or all.

    Where the question is the prompt's own, it was stated again, and what follows counts too.
    """
    region = _trimmed(region)
    question = _NEW_QUESTION.search(region.low, region.start, region.end)
    if question is None or _PROMPT.match(region.low, region.start, region.end):
        yield region
        return
    before = region.part(region.start, question.start())
    yield before
    asked = region.low[question.end() :].lstrip()[:_COMPARED]
    nothing_before = not any(map(str.isalnum, region.low[before.start : before.end]))
    if not prompt or nothing_before or asked.split("\n")[0].strip() in plain_spelling(prompt):
        yield region


def asks_another(text: str) -> bool:
    """Whether a text goes on with a question made up, in its own spelling."""
    return _NEW_QUESTION.search(plain_spelling(text)) is not None


def _adopts(words: str) -> bool:
    """Whether words are the suggestion alone: who says just that has made it the answer."""
    return _SUGGESTION.fullmatch(words) is not None


def _numbers_of(low: str, repeated: list[Span]) -> list[Span]:
    """The numbers of a list whose items are repeated from the prompt: they name no options.

    The last item may be cut, so that too little of it is repeated to be known by that.
    """
    starts = ((low.rfind("\n", 0, start) + 1, start) for start, _ in repeated)
    heads = [head for each in starts if (head := _ITEM_NUMBER.fullmatch(low, *each)) is not None]
    if len(heads) < 2:
        return []
    line_end = low.find("\n", heads[-1].end())
    below = None if line_end < 0 else _ITEM_NUMBER.match(low, line_end + 1)
    if below is not None and int(below["number"]) == int(heads[-1]["number"]) + 1:
        heads.append(below)
    return [head.span() for head in heads]


def _trimmed(region: Region) -> Region:
    """The region without the blanks around it, as an echo before an answer leaves them.

    A few blanks may indent its first line.
    """
    said = region.low[region.start : region.end]
    start = region.start + len(said) - len(said.lstrip())
    line = max(region.start, region.low.rfind("\n", 0, start) + 1)
    start = line if start - line <= _INDENT else start
    return region.part(start, max(start, region.start + len(said.rstrip())))


def _repeatable(asked: str, *, apart: bool) -> list[Span]:
    """The stretches of a prompt that an answer may repeat: its options, its previous answer."""
    spans: list[Span] = []
    for line in _OPTION_LINE.finditer(asked):
        if not apart and spans and spans[-1][1] == line.start():
            spans[-1] = (spans[-1][0], line.end())
        else:
            spans.append(line.span())
    previous = _PREVIOUS.search(asked)
    if previous is None:
        return spans
    start, end = previous.span("answer")
    outside = [span for span in spans if span[1] <= start or span[0] >= end]
    return sorted([*outside, (start, end)])


def _examples(low: str) -> list[Span]:
    """Worked examples that an answer begins with, each up to its answer."""
    if _EXAMPLE.match(low) is None:
        return []
    found: list[Span] = []
    start, inside = 0, False
    for line in low.splitlines(keepends=True):
        inside = inside or _EXAMPLE.match(line) is not None
        if inside:
            found.append((start, start + len(line)))
            inside = _ANSWERED.search(line) is None
        start += len(line)
    return found
