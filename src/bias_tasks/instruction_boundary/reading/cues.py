"""Answers behind leading words: "Final Answer: 2", "the answer is (B)", "I choose option 3"."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass

from bias_tasks.instruction_boundary.reading.asserted import hypothetical, quoted, unasserted
from bias_tasks.instruction_boundary.reading.groups import HOLDS
from bias_tasks.instruction_boundary.reading.leading_words import CUE, LINK, OTHER_LINK, TO_OPTION
from bias_tasks.instruction_boundary.reading.lines import option_line
from bias_tasks.instruction_boundary.reading.lists import listed
from bias_tasks.instruction_boundary.reading.options import Options
from bias_tasks.instruction_boundary.reading.stated import held, stated
from bias_tasks.instruction_boundary.reading.statement import Region, Statement
from bias_tasks.reading.bounds import skip

_RULES = {
    "boxed": "boxed",
    "final": "final answer",
    "choose": "a choice in words",
    "change": "a choice in words",
    "lesser": "the closest",
}
_SAYING = re.compile(r"(?:say|think|believe|reckon|conclude(?:d)?(?: that)?|guess|confirm|report)$")
_TOLD_OF = re.compile(
    r"[\"')]{0,3} (?!(?:because|since|as|over|rather|instead|for|based|given|due|again|here|with"
    r"|and"
    rf"|{HOLDS}|but|only|alone|too|must|should|would|it is|(?:is|are|was|seems?|looks?|appears?)"
    r"(?: \w{1,12}){0,3}? (?:correct|right|best|answers?|true|likely|choice|plausible))\b)[a-z]"
)
# Options that are listed beside an answer are those offered.
_ANSWER_KEY = re.compile(r"\"(?:[a-z ]{0,20}answers?|selected|label|selection)\" ?:")
_MORE_IN_BOX = re.compile(r"[ ,;]*[\d+*/^=-]")
_OF_OPTIONS = re.compile(r"\b(?:option|choice|one|number|letter|pick|selection)s?\b")
_ASKED = re.compile(r"[\"')\]} ]{0,4}\?")
_LISTING = re.compile(r"[^.:\n]{0,80}:")
_NEGATIVE = re.compile(
    r"\b(?:not|incorrect|wrong|false|eliminated?|ruled? out|excluded?|unsupported|rejected"
    r"|contradict\w{0,3}|inconsistent|invalid|plausible|possible|left|close|available|offered)\b"
    r"|n't\b"
)
_CONCLUDING = re.compile(
    r"\b(?:therefore|thus|hence|so|in conclusion|to conclude|overall|finally|in summary"
    r"|ultimately|actually|consequently|accordingly|(?:up)?on reflection|wait|correction"
    r"|after (?:reflection|reflecting|reconsidering|reconsideration|reviewing)|in the end)\b"
)
_WORDS_LEAD = re.compile(r"[\s(\"'\[{:=>→|✓✗-]{0,40}(?:\\(?:text|math)[a-z]{0,2} ?\{)?")
_WORDS_END = re.compile(r"[.!?\n}]")
_PLURAL = re.compile(r"(?:answers|options|choices|statements|numbers|letters|ones|selections)\b")
# "This response is correct" is no answer; "Answer: correct" is.
_PASSED = re.compile(r"(?:is|are|was) (?:in)?(?:correct|valid)\b")
_BEFORE = 160
"""Characters before leading words in which a conclusion's words are looked for."""
_WORDS = 200
"""Characters of an answer in words."""
_MAX_CUES = 80
"""Leading words looked at, the last ones: a text that repeats them says no more before these."""


@dataclass(frozen=True, slots=True)
class Final:
    """Words that announce the final answer, and the answer behind them if it can be read."""

    statement: Statement | None
    pos: int
    """Where what they announce begins."""
    start: int = 0
    """Where the words begin."""


def cued(region: Region) -> tuple[list[Final], list[Statement]]:
    """Answers behind words that announce the final answer, and behind other leading words."""
    finals: list[Final] = []
    answers: list[Statement] = []
    for cue in deque(CUE.finditer(region.low, region.start, region.end), _MAX_CUES):
        final = cue.lastgroup in ("boxed", "final")
        if not final and unasserted(region.low, region.start, cue.start()):
            continue
        opened = _opened(region, cue)
        if opened is None:
            continue
        pos, heading = opened
        statement = None if _a_value(region, cue, pos) else _led(region, cue, pos)
        if final and (statement is not None or heading):
            finals.append(Final(statement, pos, cue.start()))
        elif statement is not None:
            answers.append(statement)
    return finals, answers


def _opened(region: Region, cue: re.Match[str]) -> tuple[int, bool] | None:
    """Where the words lead to, and whether they are a heading; None when they lead nowhere."""
    low, at, end = region.low, cue.end(), region.end
    match cue.lastgroup:
        case "boxed":
            return at, False
        case "choose" | "change":
            supposed = _supposing(cue) and hypothetical(low, region.start, cue.start(), end)
            return None if supposed else (skip(TO_OPTION, low, at, end), False)
        case "following":
            listing = _LISTING.match(low, at, end)
            if listing is None or _NEGATIVE.search(listing[0]):
                return None
            return listing.end(), False
        case "key" if cue["key"] in ("options", "choices"):
            if _ANSWER_KEY.search(low, max(region.start, at - _WORDS), min(end, at + _WORDS)):
                return None
        case "other":
            return skip(OTHER_LINK, low, at, end), False
    line_start = max(region.start, low.rfind("\n", 0, cue.start()) + 1)
    begins_line = not low[line_start : cue.start()].strip(" >|\"'")
    link = LINK.match(low, at, end)
    if link is not None and (begins_line or not link["newline"]):
        if link["would"] and hypothetical(low, region.start, cue.start(), end):
            return None
        if link["that"] and _NEGATIVE.search(link[0]):
            return None  # "the answer that is wrong is 2"
        return link.end(), link["colon"] is not None or link["newline"] is not None
    bare = option_line(region, at) if cue.lastgroup == "final" or begins_line else None
    return None if bare is None else (at, False)


def _a_value(region: Region, cue: re.Match[str], pos: int) -> bool:
    """Whether a box holds more than options: "\\boxed{1, 3+2}"."""
    options = region.options(pos) if cue.lastgroup == "boxed" else None
    return options is not None and _MORE_IN_BOX.match(region.low, options.after) is not None


def _supposing(cue: re.Match[str]) -> bool:
    return "would" in cue[0] or "'d " in cue[0]


def _led(region: Region, cue: re.Match[str], pos: int) -> Statement | None:
    """The answer that leading words lead to."""
    options = region.options(pos)
    if options is not None and _told_of(region, cue, options):
        return None
    if options is not None and _ASKED.match(region.low, options.after, region.end):
        return None
    if options is not None:
        return _option_led(region, cue, held(region, options))
    if cue.lastgroup in ("choose", "change", "following"):
        return None
    start, end = _words_at(region, pos)
    said = region.low[max(0, start - 4) : end].strip()
    if _PASSED.match(said):
        return None
    label = region.words.label(region.low, start, end) if start < end else None
    return None if label is None else _statement(region, cue, label, start, end)


def _told_of(region: Region, cue: re.Match[str], options: Options) -> bool:
    """Whether something is said of the options that is no choice: "I think option 2 is odd"."""
    if cue.lastgroup != "choose" or not _SAYING.search(cue[0]):
        return False
    return _TOLD_OF.match(region.low, options.after, region.end) is not None


def _option_led(region: Region, cue: re.Match[str], options: Options) -> Statement | None:
    """The answer by an option, or by a list of options that begins with it."""
    several = cue.lastgroup == "following" or _PLURAL.search(cue[0]) is not None
    found = listed(region, options, several=several)
    if found is None:
        return Statement(None, options.start, options.end, "a numbered list, not an option")
    if found.numbers != options.numbers:
        return _statement(region, cue, found.numbers, options.start, found.end)
    read = stated(region, options, _rule(cue), concluding=_concludes(region, cue.start()))
    return _marked(region, cue, read)


def _statement(
    region: Region, cue: re.Match[str], answer: tuple[int, ...] | str, start: int, end: int
) -> Statement:
    concluding = _concludes(region, cue.start())
    return _marked(region, cue, Statement(answer, start, end, _rule(cue), concluding))


def _marked(region: Region, cue: re.Match[str], statement: Statement) -> Statement:
    """The statement, and whether it is a quotation or names the closest option only."""
    lesser = cue.lastgroup == "lesser"
    cited = quoted(region.low, region.start, region.end, cue.start(), statement.end)
    if not lesser and not cited:
        return statement
    return statement.marked(lesser=lesser, quoted=cited)


def _rule(cue: re.Match[str]) -> str:
    if cue.lastgroup == "answer" and _OF_OPTIONS.search(cue[0]):
        return "option stated"
    return _RULES.get(cue.lastgroup or "", "answer stated")


def _concludes(region: Region, pos: int) -> bool:
    """Whether the sentence up to `pos` introduces a conclusion."""
    before = region.low[max(region.start, pos - _BEFORE) : pos]
    sentence = before[max(map(before.rfind, ".!?\n")) + 1 :]
    return _CONCLUDING.search(sentence) is not None


def _words_at(region: Region, pos: int) -> tuple[int, int]:
    """Where the sentence at `pos` begins and ends."""
    start = skip(_WORDS_LEAD, region.low, pos, region.end)
    stop = min(region.end, start + _WORDS)
    mark = _WORDS_END.search(region.low, start, stop)
    return start, stop if mark is None else mark.start()
