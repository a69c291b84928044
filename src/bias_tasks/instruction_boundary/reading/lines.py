"""Answers that are told by their line: an option alone on it, or at its head."""

from __future__ import annotations

import re
from itertools import islice, pairwise

from bias_tasks.instruction_boundary.reading.lists import (
    LIST_LINE,
    MOST_LINES,
    block,
    chosen,
    empty_item,
    goes_on,
    number_of,
)
from bias_tasks.instruction_boundary.reading.options import Options
from bias_tasks.instruction_boundary.reading.stated import stated
from bias_tasks.instruction_boundary.reading.statement import Region, Statement
from bias_tasks.reading.unread import cut_off

_REST = re.compile(r"(?: ?\([^()\n]{0,120}\))?(?:,? (?:only|alone|again|still))?[\s.!)\]}\"'$>✓|]*")
_BECAUSE = re.compile(r"[.,;]? ?(?:because|bc|c[ou][sz]|cause|since|as|due to|given)\b")
_SENTENCE = re.compile(r"[.!] {1,4}\S")
_TEXT = re.compile(r" {0,4}(?:[:;-]|(?:=|→|[=-]>)(?= {1,4}[a-z\"])) {1,4}\S")
# "1 + 3": options, where an answer is nothing else.
_SUM = re.compile(r"\W{0,8}(\d{1,2}(?: ?\+ ?\d{1,2}){1,9})\W{0,8}")
_LINE_END = re.compile(r"[ .!)\]}\"'$>✓|]*(?:\n|$)")
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


def alone(region: Region) -> Statement | None:
    """The options that a region consists of, but for marks around them."""
    if region.end - region.start > _LONGEST_ALONE:
        return None
    added = _SUM.fullmatch(region.low, region.start, region.end)
    if added is not None:
        numbers = tuple(map(int, added[1].split("+")))
        rising = all(before < after for before, after in pairwise(numbers))
        return Statement(numbers, *added.span(1), "an option alone") if rising else None
    options = region.options(region.start)
    if options is None or not _REST.fullmatch(region.low, options.after, region.end):
        return None
    return stated(region, options, "an option alone")


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


def headed(region: Region, offered: tuple[int, ...]) -> list[Statement]:
    """Options at the head of lines that are no numbered reasoning: "2. Paris".

    - A line alone, first or all there is, with no line that counts on behind it. "1." must be
      complete, and must not begin as reasoning does.
    - Several lines whose numbers leave a gap or begin behind 1, as no enumeration does, unless
      they hold every option that was offered and more.
    - The last paragraph, where its number doesn't count on from the lines before it.
    """
    heads = list(islice(LIST_LINE.finditer(region.low, region.start, region.end), MOST_LINES))
    if not heads:
        return []
    if region.low[region.start : heads[0].start()].strip():
        return _closing(region, heads)
    items = list(block(region, heads[0].start()))
    if len(items) > 1:
        numbers = chosen(region, items)
        if numbers is None or set(offered) < set(numbers):
            return _closing(region, heads)
        rule = "options at the heads of lines"
        return [Statement(numbers, items[0].start("number"), items[-1].end("number"), rule)]
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
    if goes_on(region, options.after, end, options.numbers[-1]):
        return []
    text = _TEXT.match(low, options.after, end)
    if text is not None and region.options(text.end() - 1) is not None:
        return []  # "First answer: 1"
    several = len(options.numbers) > 1 and _SENTENCE.match(low, options.after, end)
    if text is not None or several or _BECAUSE.match(low, options.after, end):
        return [stated(region, options, "an option opens the answer")]
    return []


def option_line(region: Region, pos: int) -> Options | None:
    """The option that stands alone from `pos` to the end of its line."""
    options = region.options(pos)
    if options is None or not _LINE_END.match(region.low, options.after, region.end):
        return None
    return options


def _stands(region: Region, heads: list[re.Match[str]]) -> bool:
    """Whether the first line's number is an option, and not the first of a list of steps."""
    number = number_of(region, heads[0])
    if number is None or number + 1 in {number_of(region, head) for head in heads[1:]}:
        return False
    line_end = region.low.find("\n", heads[0].end(), region.end)
    line_end = region.end if line_end < 0 else line_end
    line = region.low[heads[0].end() : line_end]
    if goes_on(region, heads[0].end(), line_end, number):
        return False
    if region.symbols == "letters":
        rest = region.low[heads[0].end() : region.end].strip()
        return len(rest) <= _ONE_LINE and "\n" not in rest and not _REASONING.match(rest)
    if number != 1:
        return True
    complete = len(line) <= _ONE_LINE or _COMPLETE.search(line) is not None
    complete = complete and not cut_off(region.low, region.start, region.end)
    return complete and not _REASONING.match(line.strip())


def _closing(region: Region, heads: list[re.Match[str]]) -> list[Statement]:
    """A short last paragraph that is an option with its text."""
    last = heads[-1]
    line = region.low[last.end() : region.end].strip()
    before = region.low[region.start : last.start()].rstrip(" >")
    if len(line) > _ONE_LINE or "\n" in line or not before.endswith("\n\n"):
        return []
    number, earlier = number_of(region, last), {number_of(region, head) for head in heads[:-1]}
    if number is None or number - 1 in earlier or _REASONING.match(line):
        return []
    options = region.options(last.start("number"))
    return [] if options is None else [stated(region, options, "an option closes the answer")]
