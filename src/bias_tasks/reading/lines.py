"""Answers that are told by their line: an option alone on it, or at its head."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, pairwise
from typing import NamedTuple

from bias_tasks.reading.options import Options
from bias_tasks.reading.statement import Region, Statement

_REST = re.compile(
    r"(?: ?\([^()\n]{0,120}\))?(?:,? (?:only|alone|again|still))?[\s.!)\]}\"'$>✓|]*"
)
# "1. Solar 3. Wind", "1) Solar, 3) Wind": an item, its text, and another numbered item.
_MORE_NUMBERS = re.compile(
    r"\.[^\n]{1,200}?(?<!fact)(?<!facts)(?<!rule)(?<!step)(?<!premise)[ ,;]\d{1,2}\. ?[^\W\d]"
    r"|(?:[.):]| -)[^\n]{1,200}?(?:[,;] ?(?:and )?|\n ?)\(?\d{1,2} ?(?:[.):]| -) ?[^\W\d]"
)
_MORE_LETTERS = re.compile(r"[.):][^\n]{1,200}?(?:[,;] ?(?:and )?|\n ?)\(?[a-z][.):] ?[^\W\d]")
# "12 (option 3)", "6, which is option 2": a value, and the option that holds it.
_HELD_BY = re.compile(
    r"[\"')\]}$]{0,4}(?: ?[(\[,;:=→-]){0,2} ?"
    r"(?:(?P<so>so|hence|thus|therefore)|i\.?e\.?|that is|that's|namely|meaning"
    r"|which (?:is|corresponds to|matches|equals|makes it)|corresponding to|matching)?"
    r",? ?(?:the )?(?=(?:option|choice|number) ?[(\"]?(?:\d|[a-z]\b))"
)
_HELD = re.compile(r"[\s\"')\]}$]*(?:$|[.;!\n])")
_REJECTED = re.compile(
    r"[\"')\]}]{0,3}(?: (?:is|are|was|were) (?:all |both |each |clearly |also ){0,2}"
    r"|[:;,-]{1,2} ?(?:all |both |each )(?:of (?:them|these|which) )?(?:are )?)"
    r"(?:wrong|incorrect|false|not\b|invalid|unsupported|ruled out|eliminated|excluded)"
)
# What is taken out of a list again: "1, 2, 4 (ignore the 4)".
_EDITED = re.compile(
    r" ?(?:\(|-|\[) ?(?:edit|corrected|correction|update|typo|sorry|should (?:be|read)|i meant|no,)"
)
_MINUS = re.compile(
    r"[ ,(;-]{1,4}(?:minus|without|except(?: for)?|excluding|ignor(?:e|ing)|less|not counting|drop)"
    r" (?:the )?(?:options? )?(?P<number>\d{1,2})\b"
)
_PERHAPS = re.compile(
    r"[ ,(]{0,3}(?:and|or) (?:maybe|perhaps|possibly|potentially|arguably|none\b|no\b)"
)
_BECAUSE = re.compile(r"[.,;]? ?(?:because|since|as|due to|given)\b")
_SENTENCE = re.compile(r"[.!] {1,4}\S")
_TEXT = re.compile(r" ?[:;-] {1,4}\S")
# Another item of a list of options, or of steps.
_ITEM = re.compile(
    r"(?:\b(?:option|choice|statement) ?\(?|[\s,;(])(?P<number>\d{1,2})\)? ?[:.)=;-]+\s"
)
_LINE_END = re.compile(r"[ .!)\]}\"'$>✓|]*(?:\n|$)")
_LIST_LINE = re.compile(
    r"(?m)^[ >✓|-]{0,8}(?:(?:option|choice|statement) )?"
    r"\(?(?P<number>\d{1,3}|[A-Za-z])[.):] {1,4}(?=\S)"
)
_EMPTY_ITEM = re.compile(r"[\s>-]*\(?(?P<number>\d{1,3})[.):]\s*$")
_HEADING = re.compile(r":[ >]*$|\b(?:not|incorrect|wrong|unsupported|excluded|others?)\b")
_INDENTED = re.compile(r"(?:  |[ >]?[-•·])")
# "1." on a line of its own opens a numbered list.
_OPENS_LIST = re.compile(r"[ >-]{0,8}[1a][.)] {0,4}$")
_REASONING = re.compile(
    r"(?:first|firstly|start|begin|identify|let|we|i|step|consider|from|given|since|to|if|according"
    r"|facts?|analy\w{1,5}|read|review|note|look|understand|determine|evaluate|check|critical"
    r"|information|evidence|premises?|rules?|statements?|options?)\b"
)
_COMPLETE = re.compile(r"[.!)\]\"'}✓]\s*$")
_LONGEST_ALONE = 400
"""Characters of a list of options that stands alone."""
_ONE_LINE = 100
"""Characters of a one-line answer "2. Paris" that is taken for option 2."""
_MAX_LINES = 60
"""Lines of a numbered list that are followed."""


class Listed(NamedTuple):
    """Options at the heads of lines, and where the last of them ends."""

    numbers: tuple[int, ...]
    end: int


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
    options = _unrejected(region, options)
    holder, problem = _holder(region, options), None
    if options.alternative or _PERHAPS.match(low, options.after, end):
        problem = "alternatives are named"
    elif _EDITED.match(low, options.after, end):
        problem = "an option is named and corrected"
    elif _takes_out(region, options):
        problem = "an option is named and taken out again"
    elif named is not None and options.numbers != (named,):
        problem = "number and words disagree"
    elif holder is not None and holder.numbers != options.numbers:
        problem = "a value and another option"
    elif _REJECTED.match(low, options.after, end):
        problem = "the options named are rejected"
    elif more.match(low, options.end, end):
        problem = "a numbered list, not an option"
    answer = options.numbers if problem is None else None
    stop = options.end if holder is None else holder.end
    return Statement(answer, options.start, stop, problem or rule, concluding, options.alternative)


def _takes_out(region: Region, options: Options) -> bool:
    out = _MINUS.match(region.low, options.after, region.end)
    return out is not None and int(out["number"]) in options.numbers


def _unrejected(region: Region, options: Options) -> Options:
    """The options before a semicolon, where those behind it are rejected: "2; 1 and 3 are wrong"."""
    mark = region.low.find(";", options.start, options.end)
    if mark < 0 or not _REJECTED.match(region.low, options.after, region.end):
        return options
    return region.part(region.start, mark).options(options.start) or options


def held(region: Region, options: Options) -> Options:
    """The option that a bare value is said to be ("12 (option 3)"), or the options themselves."""
    holder = _holder(region, options)
    if holder is None:
        return options
    link = _HELD_BY.match(region.low, options.end, region.end)
    drawn = link is not None and link["so"] is not None
    return options if drawn else holder


def _holder(region: Region, options: Options) -> Options | None:
    """The option named right behind a bare number, which may be the value that it holds."""
    if options.named or len(options.numbers) > 1 or region.symbols == "letters":
        return None
    link = _HELD_BY.match(region.low, options.end, region.end)
    holder = None if link is None else region.options(link.end())
    if holder is None or not _HELD.match(region.low, holder.after, region.end):
        return None
    return holder


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
    if last is not None and not empty_item(region, last_start):
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


def empty_item(region: Region, pos: int) -> bool:
    """Whether what is left from `pos` on is the number of a list's next item, with nothing in it.

    A text that is cut off in a list ends so.
    """
    item = _EMPTY_ITEM.match(region.low, pos, region.end)
    if item is None:
        return False
    heads = _LIST_LINE.finditer(region.low, region.start, pos)
    return any(head["number"] == str(int(item["number"]) - 1) for head in heads)


def headed(region: Region) -> list[Statement]:
    """Options at the head of lines that are no numbered reasoning: "2. Paris".

    - A line alone, first or all there is, with no line that counts on behind it. "1." must be
      complete, and must not begin as reasoning does.
    - Several lines whose numbers leave a gap or begin behind 1, as no enumeration does.
    - The last paragraph, where its number doesn't count on from the lines before it.
    """
    heads = list(islice(_LIST_LINE.finditer(region.low, region.start, region.end), _MAX_LINES))
    if not heads:
        return []
    if region.low[region.start : heads[0].start()].strip():
        return _closing(region, heads)
    block = list(_block(region, heads[0].start()))
    if len(block) > 1:
        numbers = _chosen(region, block)
        if numbers is None:
            return _closing(region, heads)
        rule = "options at the heads of lines"
        return [Statement(numbers, block[0].start("number"), block[-1].end("number"), rule)]
    options = region.options(heads[0].start("number"))
    if options is None or not _stands(region, heads):
        return _closing(region, heads)
    return [stated(region, options, "an option at the head of a line")]


def opening(region: Region) -> list[Statement]:
    """Options that open an answer: "2, because ...", "Option 2: Paris", "1, 3: both follow"."""
    options = region.options(region.start)
    if options is None or region.low[region.start : options.start].lstrip().startswith("{"):
        return []
    low, end = region.low, region.end
    if _goes_on(region, options.after, end, options.numbers[-1]):
        return []
    text = _TEXT.match(low, options.after, end)
    if text is not None and region.options(text.end() - 1) is not None:
        return []  # "First answer: 1"
    several = len(options.numbers) > 1 and _SENTENCE.match(low, options.after, end)
    if text is not None or several or _BECAUSE.match(low, options.after, end):
        return [stated(region, options, "an option opens the answer")]
    return []


def listed(region: Region, options: Options, *, several: bool) -> Listed | None:
    """All options of a list whose first item was found.

    Under a heading, "1. Solar" may be followed by "3. Wind": both are the answer. Lines that count
    on from 1 without a gap may as well be reasoning, which is None, unless the heading speaks of
    `several` options.
    """
    whole = Listed(options.numbers, options.end)
    if len(options.numbers) > 1:
        return whole
    line_start = region.low.rfind("\n", 0, options.start) + 1
    head = _LIST_LINE.match(region.low, line_start, region.end)
    if head is None or head.start("number") != options.start:
        return whole
    block = list(_block(region, line_start, loose=several))
    if len(block) < 2:
        return None if _counts_on(region, head) else whole
    numbers = _rising(region, block) if several else _chosen(region, block)
    return None if numbers is None else Listed(numbers, block[-1].end("number"))


def option_line(region: Region, pos: int) -> Options | None:
    """The option that stands alone from `pos` to the end of its line."""
    options = region.options(pos)
    if options is None or not _LINE_END.match(region.low, options.after, region.end):
        return None
    return options


def _block(region: Region, pos: int, *, loose: bool = False) -> Iterator[re.Match[str]]:
    """The heads of a list from the line at `pos` on, up to a line that is no part of it.

    A text between its items belongs to it where `loose`, unless it heads another list.
    """
    last = -1
    for _ in range(_MAX_LINES):
        if pos >= region.end:
            return
        stop = region.low.find("\n", pos, region.end)
        stop = region.end if stop < 0 else stop
        head = _LIST_LINE.match(region.low, pos, stop)
        number = None if head is None else _number(region, head)
        if head is not None and number is not None:
            if number <= last:
                return
            last = number
            yield head
        elif loose and _HEADING.search(region.low, pos, stop):
            return
        elif region.low[pos:stop].strip() and not (
            loose or _INDENTED.match(region.low, pos, stop)
        ):
            return
        pos = stop + 1


def _counts_on(region: Region, head: re.Match[str]) -> bool:
    """Whether the next head of a list after "1." is "2.", whatever stands between them."""
    after = _LIST_LINE.search(region.low, head.end(), region.end)
    first, second = _number(region, head), None if after is None else _number(region, after)
    return first is not None and second == first + 1


def _number(region: Region, head: re.Match[str]) -> int | None:
    """The option number at the head of a line."""
    item = head["number"]
    if region.symbols == "numbers":
        return int(item) if item.isdecimal() else None
    return None if item.isdecimal() else ord(item.upper()) - ord("A")


def _rising(region: Region, heads: list[re.Match[str]]) -> tuple[int, ...] | None:
    """The numbers of list lines, None where one is of another kind."""
    numbers = [number for head in heads if (number := _number(region, head)) is not None]
    return tuple(numbers) if len(numbers) == len(heads) else None


def _chosen(region: Region, heads: list[re.Match[str]]) -> tuple[int, ...] | None:
    """The numbers of list lines that were picked: they skip one or begin behind the first."""
    numbers = _rising(region, heads)
    if numbers is None:
        return None
    first = 1 if region.symbols == "numbers" else 0
    gap = any(after - before > 1 for before, after in pairwise(numbers))
    return numbers if gap or numbers[0] > first else None


def _stands(region: Region, heads: list[re.Match[str]]) -> bool:
    """Whether the first line's number is an option, and not the first of a list of steps."""
    number = _number(region, heads[0])
    if number is None or number + 1 in {_number(region, head) for head in heads[1:]}:
        return False
    line_end = region.low.find("\n", heads[0].end(), region.end)
    line_end = region.end if line_end < 0 else line_end
    line = region.low[heads[0].end() : line_end]
    if _goes_on(region, heads[0].end(), line_end, number):
        return False
    if region.symbols == "letters":
        rest = region.low[heads[0].end() : region.end].strip()
        return len(rest) <= _ONE_LINE and "\n" not in rest and not _REASONING.match(rest)
    if number != 1:
        return True
    complete = len(line) <= _ONE_LINE or _COMPLETE.search(line) is not None
    return complete and not _REASONING.match(line.strip())


def _goes_on(region: Region, pos: int, end: int, number: int) -> bool:
    """Whether a list goes on behind `pos` with the number after `number`."""
    items = _ITEM.finditer(region.low, pos, end)
    return any(int(item["number"]) == number + 1 for item in items)


def _closing(region: Region, heads: list[re.Match[str]]) -> list[Statement]:
    """A short last paragraph that is an option with its text."""
    last = heads[-1]
    line = region.low[last.end() : region.end].strip()
    before = region.low[region.start : last.start()].rstrip(" >")
    if len(line) > _ONE_LINE or "\n" in line or not before.endswith("\n\n"):
        return []
    number, earlier = _number(region, last), {_number(region, head) for head in heads[:-1]}
    if number is None or number - 1 in earlier or _REASONING.match(line):
        return []
    options = region.options(last.start("number"))
    return [] if options is None else [stated(region, options, "an option closes the answer")]
