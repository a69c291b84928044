"""Answers that are told by their line: an option alone on it, or at its head."""

from __future__ import annotations

import re
from itertools import islice, pairwise

from bias_tasks.reading.options import Options
from bias_tasks.reading.statement import Region, Statement

_REST = re.compile(r"(?: ?\([^()\n]{0,120}\))?[\s.!)\]}\"'$>]*")
# "1. Solar 3. Wind", "1) Solar, 3) Wind": an item, its text, and another numbered item.
_MORE_NUMBERS = re.compile(
    r"\.[^\n]{1,200}?(?<!fact)(?<!facts)(?<!rule)(?<!step)(?<!premise)[ ,;]\d{1,2}\. ?[^\W\d]"
    r"|(?:[.):]| -)[^\n]{1,200}?(?:[,;] ?(?:and )?|\n ?)\(?\d{1,2} ?(?:[.):]| -) ?[^\W\d]"
)
_MORE_LETTERS = re.compile(r"[.):][^\n]{1,200}?(?:[,;] ?(?:and )?|\n ?)\(?[a-z][.):] ?[^\W\d]")
_BECAUSE = re.compile(r"[.,;]? ?(?:because|since|as|due to|given)\b")
_TEXT = re.compile(r" ?[:;-] {1,4}\S")
_OTHER_OPTION = re.compile(r"\boption\b|[ ,;(]\d{1,2} ?[.):] ")
_LINE_END = re.compile(r"[ .!)\]}\"'$>]*(?:\n|$)")
_LIST_LINE = re.compile(r"(?m)^[ >-]{0,8}\(?(?P<number>\d{1,3}|[A-Za-z])[.):] {1,4}(?=\S)")
# "1." on a line of its own opens a numbered list.
_OPENS_LIST = re.compile(r"[ >-]{0,8}[1a][.)] {0,4}$")
_REASONING = re.compile(
    r"(?:first|firstly|start|begin|identify|let|we|i|step|consider|from|given|since|to|if|according"
    r"|facts?|analy\w{1,5}|read|review|note|look|understand|determine|evaluate|check)\b"
)
_LONGEST_ALONE = 400
"""Characters of a list of options that stands alone."""
_ONE_LINE = 100
"""Characters of a one-line answer "2. Paris" that is taken for option 2."""
_MAX_LINES = 60
"""Lines of a numbered list that are followed."""


def alone(region: Region) -> Statement | None:
    """The options that a region consists of, but for marks around them."""
    if region.end - region.start > _LONGEST_ALONE:
        return None
    options = region.options(region.start)
    if options is None or not _REST.fullmatch(region.low, options.after, region.end):
        return None
    return stated(region, options, "an option alone")


def stated(region: Region, options: Options, rule: str, *, concluding: bool = False) -> Statement:
    """The statement that these options make; its answer is None if it leaves a choice open."""
    low, end = region.low, region.end
    named = region.words.number_named(low, options.after, end)
    more = _MORE_NUMBERS if region.symbols == "numbers" else _MORE_LETTERS
    problem = None
    if options.alternative:
        problem = "alternatives are named"
    elif named is not None and options.numbers != (named,):
        problem = "number and words disagree"
    elif more.match(low, options.end, end):
        problem = "a numbered list, not an option"
    answer = options.numbers if problem is None else None
    return Statement(
        answer, options.start, options.end, problem or rule, concluding, options.alternative
    )


def edge_lines(region: Region) -> list[Statement]:
    """Options alone on the first or the last line."""
    bounds = _edges(region)
    if bounds is None:
        return []
    (first_start, first_end), (last_start, last_end) = bounds
    statements = []
    first = alone(region.part(first_start, first_end))
    if first is not None and not _OPENS_LIST.match(region.low, first_start, first_end):
        statements.append(first)
    last = alone(region.part(last_start, last_end))
    if last is not None:
        statements.append(last)
    return statements


def _edges(region: Region) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Start and end of the first and the last line that hold anything; None for one line."""
    low = region.low[region.start : region.end]
    stripped = low.strip()
    first_start = region.start + len(low) - len(low.lstrip())
    last_end = first_start + len(stripped)
    first_end = region.low.find("\n", first_start, last_end)
    if first_end < 0:
        return None
    last_start = region.low.rfind("\n", first_start, last_end) + 1
    return (first_start, first_end), (last_start, last_end)


def headed(region: Region) -> list[Statement]:
    """Options at the head of lines that are no numbered reasoning: "2. Paris".

    One such line counts when it is the whole answer; several count when their numbers leave a
    gap, as no enumeration does ("1. Solar", "3. Wind").
    """
    heads = list(islice(_LIST_LINE.finditer(region.low, region.start, region.end), _MAX_LINES))
    if not heads or region.low[region.start : heads[0].start()].strip():
        return []
    rule = "an option at the head of a line"
    if len(heads) == 1:
        options = region.options(heads[0].start("number"))
        if options is None or not _short_line(region, heads[0]):
            return []
        return [stated(region, options, rule)]
    numbers = _gapped(region, heads)
    if numbers is None:
        return []
    return [Statement(numbers, heads[0].start("number"), heads[-1].end("number"), rule)]


def opening(region: Region) -> list[Statement]:
    """Options that open an answer: "2, because ...", or a one-line answer "Option 2: Paris"."""
    options = region.options(region.start)
    if options is None:
        return []
    low, end = region.low, region.end
    line = low[options.after : end].strip()
    short = len(line) <= _ONE_LINE and "\n" not in line and not _OTHER_OPTION.search(line)
    if _BECAUSE.match(low, options.after, end) or (short and _TEXT.match(low, options.after, end)):
        return [stated(region, options, "an option opens the answer")]
    return []


def _number(region: Region, head: re.Match[str]) -> int | None:
    """The option number at the head of a line."""
    item = head["number"]
    if region.symbols == "numbers":
        return int(item) if item.isdecimal() else None
    return None if item.isdecimal() else ord(item.upper()) - ord("A")


def _short_line(region: Region, head: re.Match[str]) -> bool:
    """Whether the line is all there is, short, and not the first step of a reasoning."""
    line = region.low[head.end() : region.end].strip()
    if len(line) > _ONE_LINE or "\n" in line or _OTHER_OPTION.search(line):
        return False
    return head["number"] not in ("1", "a") or not _REASONING.match(line)


def _gapped(region: Region, heads: list[re.Match[str]]) -> tuple[int, ...] | None:
    """The numbers of list lines, if they rise and skip one, as an enumeration never does."""
    numbers = [number for head in heads if (number := _number(region, head)) is not None]
    steps = [after - before for before, after in pairwise(numbers)]
    if len(numbers) < len(heads) or min(steps) < 1 or max(steps) == 1:
        return None
    return tuple(numbers)


def numbers_from(region: Region, options: Options) -> tuple[tuple[int, ...], int] | None:
    """All options of a list whose first item was found, and where the last of them ends.

    Under a heading, "1. Solar" may be followed by "3. Wind": both are the answer. Lines that count
    on without a gap may as well be reasoning, which is None.
    """
    if len(options.numbers) > 1:
        return options.numbers, options.end
    line_start = region.low.rfind("\n", 0, options.start) + 1
    head = _LIST_LINE.match(region.low, line_start, region.end)
    if head is None or head.start("number") != options.start:
        return options.numbers, options.end
    lines = _LIST_LINE.finditer(region.low, line_start, region.end)
    heads = list(islice(lines, _MAX_LINES))
    if len(heads) < 2:
        return options.numbers, options.end
    numbers = _gapped(region, heads)
    return None if numbers is None else (numbers, heads[-1].end("number"))


def option_line(region: Region, pos: int) -> Options | None:
    """The option that stands alone from `pos` to the end of its line."""
    options = region.options(pos)
    if options is None or not _LINE_END.match(region.low, options.after, region.end):
        return None
    return options
