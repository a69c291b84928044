"""Reads options that are judged one by one: ticks and crosses, "Option 1: correct", a table.

Only where every option that was offered has a verdict of its own, and none has two: a list that
says of some options that they are right leaves open what the others are.
"""

from __future__ import annotations

import re
from itertools import islice, pairwise

from bias_tasks.instruction_boundary.reading.forms import Form
from bias_tasks.instruction_boundary.reading.statement import Region, Statement
from bias_tasks.reading.bounds import BOX, CROSS, TICK

_HEAD = re.compile(
    r"(?:\b(?:option|choice|statement) ?\(?|(?<![^\n])"
    rf"[ >|•{TICK}{CROSS}{BOX}-]{{0,8}}(?:[\[(](?P<box>[x• ]?)[\])] {{0,4}})?\(?)"
    rf"(?P<number>\d{{1,2}})(?![\w%]|[.,:/]\d)"
    r"|[\"'](?:option|choice)?[ _]?(?P<key>\d{1,2})[\"'](?= ?:)"
    rf"|(?<= )(?P<marked>\d{{1,2}})(?=[.):]? ?[{TICK}{CROSS}{BOX}])"
    r"|(?<=[,;] )(?P<inline>\d{1,2})(?= ?[:=-] ?(?:true|false|t|f|yes|no|correct|wrong)\b)"
)
_GOOD = r"yes|correct|right|supported|valid|accurate|selected|applies|holds|fits"
_BAD = (
    r"no|incorrect|wrong|not (?:correct|right|supported|valid|accurate|selected|mentioned|stated)"
    r"|unsupported|contradicted|invalid|inaccurate|does not (?:apply|hold|fit)"
)
_VERDICT = rf"(?:(?P<bad>(?:{_BAD})\b|{CROSS})|(?P<good>(?:{_GOOD})\b|{TICK}))"
_RIGHT_BEHIND = re.compile(
    rf"[\"')\]]{{0,3}}(?:[ .:;|=→-]{{1,6}}|[ ,]*(?:is|are|was) (?:therefore |clearly )?){_VERDICT}"
    r"(?! (?:option|answer|choice|statement|because it is not))"
)
_AT_THE_END = re.compile(rf"(?:[|:;=→,({TICK}{CROSS}-]|\bis|\n) {{0,4}}{_VERDICT}[\s.!)|;,]*$")
_CELL = re.compile(rf"\| {{0,4}}{_VERDICT}(?=[ ,;:.-][^|\n]*\|?\s*$)")
_TRUTH = re.compile(
    r"[\"')\]]{0,3}(?:[ .:;|=→-]{1,6}|[ ,]*(?:is|are|was) )(?:(?P<good>true|t)|false|f)\b"
)
# "Is option 1 correct? No."
_ASKED = re.compile(r"[^.!?\n]{0,80}\?\W{0,4}(?:(?P<good>yes)\b|no\b)?")
_VALUE = re.compile(r" ?: ?\"?(?:(?P<good>true|yes|correct)|false|no|incorrect)\b")
_MARKS = re.compile(f"[{TICK}{CROSS}{BOX}]")
_LABEL = re.compile(
    rf"(?:\[(?P<box>[x ]?)\] ?|(?P<mark>[{TICK}{CROSS}{BOX}]) ?|\b|\")"
    r"(?P<name>proved|proven|disproved|disproven|unknown|undetermined)\b"
    rf"(?P<behind>\"? ?[:|=-]? ?(?:(?P<good>yes|true|{TICK})|(?P<bad>no|false|{CROSS}))(?!\w))?"
)
_MOST = 60


def one_by_one(region: Region, form: Form) -> list[Statement]:
    """The options judged right, where every option offered is judged; () is none of them."""
    if not form.several:
        found = _labels(region)
        if found is not None:
            return [found]
    heads = list(islice(_HEAD.finditer(region.low, region.start, region.end), _MOST + 1))
    ends = [after.start() for _, after in pairwise(heads)] + [region.end]
    if form.several and _all_ticked(region, heads):
        numbers = tuple(sorted(int(head["number"]) for head in heads))
        span = heads[0].start(), heads[-1].end()
        return [Statement(numbers, *span, "the options ticked")]
    if not len(form.offered) <= len(heads) <= _MOST:
        return []
    right: dict[int, bool] = {}
    marked = _ticked(region.low, heads, ends)
    for head, end in zip(heads, ends, strict=True):
        verdict = _verdict(region.low, head, end) if marked is None else head in marked
        if verdict is None and form.several and len(form.offered) > 2:
            verdict = _truth(region.low, head, end)
        if verdict is None:
            continue
        number = int(head["number"] or head["key"] or head["marked"] or head["inline"])
        if right.get(number, verdict) != verdict:
            return []
        right[number] = verdict
    if set(right) != set(form.offered) or marked == []:
        return []
    chosen = tuple(sorted(number for number, good in right.items() if good))
    answer = chosen or "none"
    if not form.several and len(chosen) != 1:
        return []
    return [Statement(answer, heads[0].start(), heads[-1].end(), "the options judged one by one")]


def _ticked(low: str, heads: list[re.Match[str]], ends: list[int]) -> list[re.Match[str]] | None:
    """The options ticked in a form, where the others are left empty; None where it is no form."""
    marks = [
        {*_MARKS.findall(low, head.start(), end), *([head["box"]] if head["box"] else ())}
        for head, end in zip(heads, ends, strict=True)
    ]
    ticked = [head for head, found in zip(heads, marks, strict=True) if found & {TICK, "x", "•"}]
    others = {mark for found in marks for mark in found} - {TICK, "x", "•"}
    return ticked if (ticked or others) and others <= {BOX, " "} else None


def _all_ticked(region: Region, heads: list[re.Match[str]]) -> bool:
    """Whether an answer is a list of ticked options, a line each."""
    lines = [line for line in region.low[region.start : region.end].splitlines() if line.strip()]
    ticked = [head for head in heads if head["number"] and (head["box"] == "x" or TICK in head[0])]
    return 1 < len(ticked) == len(heads) == len(lines) == len({head["number"] for head in heads})


def _labels(region: Region) -> Statement | None:
    """The one label that is ticked, or called so, where all of them are listed by their names."""
    found = list(islice(_LABEL.finditer(region.low, region.start, region.end), _MOST))
    if sorted(each["name"][:2] for each in found) != ["di", "pr", "un"]:
        return None
    chosen = [each for each in found if each["box"] == "x" or each["mark"] == TICK or each["good"]]
    told = [each for each in found if each["box"] is not None or each["mark"] or each["behind"]]
    if len(chosen) != 1 or len(told) < len(found):
        return None
    label = region.words.label(region.low, *chosen[0].span("name"))
    span = found[0].start(), found[-1].end()
    return None if label is None else Statement(label, *span, "the labels judged one by one")


def _truth(low: str, head: re.Match[str], end: int) -> bool | None:
    """Whether an option is called true right behind its number; None where that isn't said."""
    truth = _TRUTH.match(low, head.end(), end)
    return None if truth is None else truth["good"] is not None


def _verdict(low: str, head: re.Match[str], end: int) -> bool | None:
    """Whether what stands between an option's number and the next one's calls it right."""
    asked = _ASKED.match(low, head.end(), end)
    if asked is not None:
        return asked["good"] is not None if asked[0][-1:].isalpha() else None
    stop = low.find("\n", head.end(), end)
    stop = end if stop < 0 else stop
    line = low[head.start() : stop]
    marks = set(_MARKS.findall(line))
    if len(marks) == 1:
        return TICK in marks
    if head["key"] is not None:
        value = _VALUE.match(low, head.end(), stop)
        return None if value is None else value["good"] is not None
    behind = _RIGHT_BEHIND.match(low, head.end(), stop)
    rest = low[head.end() : stop]
    found = (behind, _AT_THE_END.search(rest), _CELL.search(rest))
    said = {each["good"] is not None for each in found if each is not None}
    return said.pop() if len(said) == 1 else None
