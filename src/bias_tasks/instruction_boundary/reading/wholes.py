"""Finds where an answer takes all options, or all but some: "All four options are correct",
"All of the options except option 2 are correct", "Every option but 3 is wrong"."""

from __future__ import annotations

import re
from collections import deque

from bias_tasks.instruction_boundary.reading.asserted import unasserted
from bias_tasks.instruction_boundary.reading.forms import Form
from bias_tasks.instruction_boundary.reading.groups import BAD, GOOD, GROUP, NOUN
from bias_tasks.instruction_boundary.reading.options import Options
from bias_tasks.instruction_boundary.reading.statement import Region, Statement

_EXCEPT = (
    r",? (?:except(?:ing)?|excluding|but|besides|apart from|aside from|other than|save"
    r"|with the exception of)(?: for)? "
)
_ALL = re.compile(
    rf"\b(?P<all>all|every|each|both|everything)(?: one)?(?: {GROUP}|(?= ?{_EXCEPT.strip(',? ')}))?"
)
# "No answer other than 2 is correct": one that is excepted from none.
_NO_OTHER = re.compile(
    rf"\bno(?: other| further)?(?P<good> {GOOD})? {NOUN}(?: (?:here|given|offered))?"
    r" (?:other than|than|except(?: for)?|but|besides|apart from) "
)
_LEAVING = re.compile(_EXCEPT)
_CALLED = re.compile(
    r"[\"')]{0,2},? (?:is|are|was|were|seems?|appears?|can be|hold|holds)"
    r"(?: (?:all|both|each|indeed|clearly|equally|therefore|directly|explicitly|in fact)){0,3}"
    rf" (?:(?P<good>{GOOD}|consistent|mentioned|stated|confirmed|proven"
    rf"|part of the answer)(?! there)|(?P<bad>{BAD}))\b"
)
_ENDS = re.compile(r"[\"')\s]*(?:[.!;\n]|$)")
# "All of the above", with nothing said of them: an answer where it is all that its line says.
_ALL_ALONE = re.compile(
    rf"[^\w\n]*(?:(?:my|the|final|correct|best|right|so|thus|therefore|i(?:'d)?|would|choose|select"
    rf"|pick|say|go with|answers?|options?|choices?|is|are|it's)\W{{1,6}}){{0,8}}"
    rf"all(?: {GROUP}| (?:two|three|four|five|six|\d))?"
    rf"(?: ?[(:-] ?(?P<numbers>\d{{1,2}}(?:,? (?:and )?\d{{1,2}})*)\)?)?"
    r"[\"')\s.!]{0,20}(?:$|(?<=\n\n))"
)
_COUNT = {
    "both": 2,
    **{word: number for number, word in enumerate(("two", "three", "four", "five", "six"), 2)},
    **{"seven": 7, "eight": 8, "nine": 9, "ten": 10},
}
_COUNTED = re.compile(rf"\b(?:{'|'.join(_COUNT)}|\d{{1,2}})\b")
_MOST = 20


def wholes(region: Region, form: Form) -> list[Statement]:
    """Statements that all options are right, all but some, or that all but some are wrong."""
    found = deque(_ALL.finditer(region.low, region.start, region.end), _MOST)
    read = [_whole(region, form, match) for match in found]
    others = deque(_NO_OTHER.finditer(region.low, region.start, region.end), _MOST)
    read += [_no_other(region, form, match) for match in others]
    last = region.low[: region.end].rstrip().rfind("\n") + 1
    read += [_all_alone(region, form, at) for at in {region.start, max(region.start, last)}]
    return [statement for statement in read if statement is not None]


def _all_alone(region: Region, form: Form, start: int) -> Statement | None:
    """All options, where a line says so and nothing else, and all of them if it names any."""
    alone = _ALL_ALONE.match(region.low, start, region.end)
    if alone is None or not _counts(alone[0].split("(")[0], len(form.offered)):
        return None
    named = {int(number) for number in re.findall(r"\d+", alone["numbers"] or "")}
    if named and named != set(form.offered):
        return None
    return Statement(form.offered, start, alone.end(), "all options")


def _whole(region: Region, form: Form, match: re.Match[str]) -> Statement | None:
    low, at = region.low, match.end()
    if unasserted(low, region.start, match.start()) or not _counts(match[0], len(form.offered)):
        return None
    left_out, at = _left_out(region, at)
    called = _CALLED.match(low, at, region.end)
    if called is not None and left_out is None:
        left_out, at = _left_out(region, called.end())
        if left_out is not None and not _ENDS.match(low, at, region.end):
            return None
    elif called is not None:
        at = called.end()
    elif left_out is None or not _ENDS.match(low, at, region.end):
        return None
    good = called is None or called["good"] is not None
    excepted = () if left_out is None else left_out.numbers
    numbers = tuple(n for n in form.offered if (n not in excepted) == good)
    if not numbers or not set(excepted) <= set(form.offered):
        return None
    rule = "all options but those left out" if excepted else "all options"
    return Statement(numbers, match.start(), max(at, match.end()), rule)


def _no_other(region: Region, form: Form, match: re.Match[str]) -> Statement | None:
    options = region.options(match.end())
    if options is None or unasserted(region.low, region.start, match.start()):
        return None
    called = _CALLED.match(region.low, options.after, region.end)
    good = called["good"] if called is not None else match["good"]
    if not good or not set(options.numbers) <= set(form.offered):
        return None
    return Statement(options.numbers, match.start(), options.end, "no option but those left out")


def _left_out(region: Region, at: int) -> tuple[Options | None, int]:
    """The options excepted at a position, and where the text goes on behind them."""
    leaving = _LEAVING.match(region.low, at, region.end)
    options = None if leaving is None else region.options(leaving.end())
    return (None, at) if options is None else (options, options.after)


def _counts(phrase: str, offered: int) -> bool:
    """Whether every number of options that a phrase says is how many there are."""
    said = (found[0] for found in _COUNTED.finditer(phrase))
    return all((_COUNT.get(word) or int(word)) == offered for word in said)
