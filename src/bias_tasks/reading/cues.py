"""Answers behind leading words: "Final Answer: 2", "the answer is (B)", "I choose option 3"."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass

from bias_tasks.reading.bounds import last_end, skip
from bias_tasks.reading.lines import numbers_from, option_line, stated
from bias_tasks.reading.statement import Region, Statement

_CUE = re.compile(
    r"(?P<boxed>\\f?boxed ?\{)"
    r"|\b(?P<final>(?:final|improved|refined|revised|updated|ultimate|definitive)"
    r" (?:answer|choice|decision|response|verdict|conclusion|selection|option|determination)s?)\b"
    r"|\b(?P<answer>answers?|ans|response"
    r"|(?:correct|right|best|closest|appropriate|suitable)"
    r" (?:option number|options?|choices?|response|statements?|numbers?|letters?|ones?)"
    r"|option number"
    r"|my (?:choice|pick|selection|response|decision|verdict|conclusion)"
    r"|(?<=the )(?:closest|verdict))\b"
    r"|\"(?P<key>label|options?|choices?|verdict|result|selection|selected(?: options?)?)(?=\" ?:)"
    r"|\b(?P<choose>(?:i|we)(?:'d| would| will|'ll)?(?: therefore| thus| still| now)? (?:say"
    r"|choose|chose|select|selected|pick|picked|go(?: with| for)|opt for|settle on|vote for"
    r"|prefer|conclude(?: that)?)|choosing|selecting|picking|going with)\b"
    r"|(?<![^\n])[ >]{0,8}(?P<line>verdict|conclusion|decision|label|classification|result|output"
    r"|solution|selection|selected options?)(?= {0,4}:)"
    r"|(?P<other>答案|答え|정답|ответ|antwort|respuesta|réponse|resposta|risposta|الإجابة|الجواب|उत्तर)"
)
_RULES = {"boxed": "boxed", "final": "final answer", "choose": "a choice in words"}
# From the leading words to what they lead to.
_TO_WHAT = (
    r"(?: ?\((?! ?(?:\d{1,3}|[a-z]) ?\))[^()\n]{0,60}\))?"
    r"(?:,? (?:to|for|here|in|of|among|from|based|that|i) [^.:;\n]{0,100}?)?"
)
_LINK = re.compile(
    rf"[\"')\]]{{0,3}}{_TO_WHAT} {{0,4}}"
    r"(?:(?P<colon>(?:[:=>]|-(?= ))[ }]{0,4}(?:is\b)?)"
    r"|(?:,(?: which)? )?\b(?:is|are|be|remains?|stays?|would be|should be|must be|will be)\b ?:?"
    r"|(?P<newline>\n))"
    r"(?: ?(?:still|therefore|thus|hence|clearly|indeed|most likely|likely|probably|simply|both"
    r"|definitely|certainly|obviously|surely"
    r"|actually|now|again|as follows|that|it is)\b:?){0,3}"
)
_OTHER_LINK = re.compile(r" {0,4}(?:[:=;-]|是|为|為|は|는|은|est|es|ist|é|è)?")
# Words before a leading word that make it somebody else's or no answer.
_REPORTED = re.compile(
    r"\b(?:previous|initial|original|earlier|first|suggested|given|proposed|example|sample|wrong"
    r"|incorrect|expected|alleged|tentative|other|possible|user's|their|another|any|each|every|no)"
    r"[ \"']$"
)
_UNASSERTED = re.compile(
    r"\b(?:not|never|cannot|if|whether|might|may|unless|suppose|assum\w{1,5}"
    r"|(?:you|users?|experts?|hint|people|they|someone|some|others|suggestion|prompt|consensus)"
    r"(?: (?:may|might|could|can|would|has|have))?"
    r" (?:say|says|said|claim|claims|claimed|think|thinks|suggest|suggests|suggested|believe)"
    r")\b|n't\b"
)
_CLAUSE_START = re.compile(r"[.!?;,:\n]| (?:so|thus|therefore|hence|and|but|because|as) ")
_CONCLUDING = re.compile(
    r"\b(?:therefore|thus|hence|so|in conclusion|to conclude|overall|finally|in summary"
    r"|ultimately|actually|consequently|accordingly|(?:up)?on reflection|wait|correction"
    r"|after (?:reflection|reflecting|reconsidering|reconsideration|reviewing))\b"
)
_WORDS_LEAD = re.compile(r"[\s(\"'\[{:=>-]{0,40}(?:\\(?:text|math)[a-z]{0,2} ?\{)?")
_WORDS_END = re.compile(r"[.!?\n}]")
_BEFORE = 160
"""Characters before leading words in which denials and conditions are looked for."""
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


def cued(region: Region) -> tuple[list[Final], list[Statement]]:
    """Answers behind words that announce the final answer, and behind other leading words."""
    finals: list[Final] = []
    answers: list[Statement] = []
    for cue in deque(_CUE.finditer(region.low, region.start, region.end), _MAX_CUES):
        final = cue.lastgroup in ("boxed", "final")
        if not final and unasserted(region.low, region.start, cue.start()):
            continue
        opened = _opened(region, cue)
        if opened is None:
            continue
        pos, heading = opened
        statement = _led(region, cue, pos)
        if final and (statement is not None or heading):
            finals.append(Final(statement, pos))
        elif statement is not None:
            answers.append(statement)
    return finals, answers


def unasserted(low: str, start: int, pos: int) -> bool:
    """Whether what follows at `pos` is denied, conditional or reported in its clause."""
    before = low[max(start, pos - _BEFORE) : pos]
    clause = before[last_end(_CLAUSE_START, before) :]
    return _UNASSERTED.search(clause) is not None or _REPORTED.search(clause) is not None


def _opened(region: Region, cue: re.Match[str]) -> tuple[int, bool] | None:
    """Where the words lead to, and whether they are a heading; None when they lead nowhere."""
    low, at, end = region.low, cue.end(), region.end
    if cue.lastgroup in ("boxed", "choose"):
        return at, False
    if cue.lastgroup == "other":
        return skip(_OTHER_LINK, low, at, end), False
    line_start = max(region.start, low.rfind("\n", 0, cue.start()) + 1)
    begins_line = not low[line_start : cue.start()].strip(" >\"'")
    link = _LINK.match(low, at, end)
    if link is not None and (begins_line or not link["newline"]):
        return link.end(), link["colon"] is not None or link["newline"] is not None
    bare = option_line(region, at) if cue.lastgroup == "final" or begins_line else None
    return None if bare is None else (at, False)


def _led(region: Region, cue: re.Match[str], pos: int) -> Statement | None:
    """The answer that leading words lead to."""
    rule = _RULES.get(cue.lastgroup or "", "answer stated")
    concluding = _concludes(region, cue.start())
    options = region.options(pos)
    if options is not None:
        listed = numbers_from(region, options)
        if listed is None:
            return Statement(None, options.start, options.end, "a numbered list, not an option")
        if listed[0] != options.numbers:
            return Statement(listed[0], options.start, listed[1], rule, concluding)
        return stated(region, options, rule, concluding=concluding)
    if cue.lastgroup == "choose":
        return None
    start, end = _words_at(region, pos)
    label = region.words.label(region.low, start, end) if start < end else None
    return None if label is None else Statement(label, start, end, rule, concluding)


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
