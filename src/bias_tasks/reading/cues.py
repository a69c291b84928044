"""Answers behind leading words: "Final Answer: 2", "the answer is (B)", "I choose option 3"."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass

from bias_tasks.reading.asserted import hypothetical, quoted, unasserted
from bias_tasks.reading.bounds import skip
from bias_tasks.reading.lines import held, listed, option_line, stated
from bias_tasks.reading.options import Options
from bias_tasks.reading.statement import Region, Statement

_ANSWER = r"a[nsw]{2,3}(?:er|re|ewr|r|e)s?"
"""The word answer, and the ways in which it is mistyped."""
_CORRECT = r"cor+ect|corrct|correc"
_NOUN = r"(?:answer|choice|selection|pick|response|option|decision|verdict|conclusion|position)s?"
_MY = rf"(?:my|the|our)(?: (?:previous|original|initial|earlier|first|own|final|current))? {_NOUN}"
# What "I" may do with an option; a verb that takes a value too must be followed by "option".
_CHOOSING = (
    r"say|choose|chose|chosen|select(?:ed|ing)?|pick(?:ed|ing)?|go(?:ing)?(?: with| for)?"
    r"|went (?:with|for)|opt(?:ed|ing)? for|settl(?:e|ed|ing) (?:on|for)|vot(?:e|ed|ing) for|prefer"
    r"|conclude(?:d)?(?: that)?|keep(?:ing)?|kept|maintain(?:ing)?|retain(?:ing)?"
    r"|st(?:ick|icking|uck) (?:with|to)|stay(?:ing)? (?:with|on|at)|stand(?:ing)? (?:by|with)"
    r"|remain(?:ing)? (?:with|at)|hold(?:ing)? (?:on )?to|(?:re)?(?:con|af)firm|answer(?:ed|ing)?"
    r"|respond(?: with)?|reply(?: with)?|submit|report|guess|lean(?:ing)? (?:to|towards?)"
    r"|favou?r|think|believe|reckon|switch(?:ed|ing)? to|chang(?:e|ed|ing) to|mov(?:e|ed|ing) to"
    r"|(?:get|got|arrive at|end up with|land on|have to be)(?= (?:the )?(?:option|choice|number)\b)"
)
_CHANGING = (
    r"(?:chang|switch|revis|updat|amend|correct|adjust)(?:e|ed|es|ing)?"
    r" (?:my|the|our)(?: \w{1,12})? (?:answer|choice|selection|response)s?"
    r"(?: from [^.!?\n]{1,40}?)?(?: to|(?= ?:)| into| as)"
    r"|my (?:answer|choice) (?:has )?chang(?:es|ed)(?: from [^.!?\n]{1,40}?)? to"
)
_CUE = re.compile(
    r"(?P<boxed>\\f?boxed ?\{)"
    r"|\b(?P<final>(?:final|improved|refined|revised|updated|ultimate|definitive)"
    r"(?: (?:answer|choice|decision|response|verdict|conclusion|selection|option|determination)s?\b"
    r"|(?= {0,3}[:=→])))"
    rf"|\b(?P<change>{_CHANGING})"
    rf"|\b(?P<lesser>(?:closest|nearest|next best) (?:{_NOUN}|one|match|fit)"
    r"|(?<=the )(?:closest|nearest))\b"
    rf"|\b(?P<answer>{_ANSWER}|ans|response"
    rf"|(?:{_CORRECT}|right|best|appropriate|suitable|remaining|chosen|proper|valid)"
    r" (?:option number|options?|choices?|response|statements?|numbers?|letters?|ones?"
    rf"|classification|category|label|verdict|conclusion|determination|{_ANSWER})"
    r"|(?:only|most \w{3,14}) (?:options?|choices?|statements?|answers?)"
    r"|option number|(?<=the )option(?= is)"
    r"|my (?:best )?(?:guess|bet)|my (?:choice|pick|selection|response|decision|verdict|conclusion)"
    r"|(?<=the )verdict)\b"
    r"|\"(?P<key>label|options?|choices?|verdict|result|selection|selected(?: options?)?"
    r"|correct(?: options?)?)(?=\" ?:)"
    r"|\b(?P<choose>(?:i|we)(?:'d|'ll|'m)?"
    r"(?: (?:would|will|must|should|have|have to|do|am|now|still|therefore|thus|hence|then|also|again|rather"
    r"|going to|inclined to|happy to|confident to|once again|however)){0,3}"
    rf" (?:{_CHOOSING})|(?<=still )(?:choose|pick|select)|choosing|selecting|picking|going with"
    r"|leaning towards?)\b"
    r"|\b(?P<following>following (?:options?|choices?|answers?|statements?))\b"
    r"|(?:(?<![^\n])[ >|-]{0,8}|(?<=[.;] ))(?P<line>verdict|conclusion|decision|label|classification|result|output"
    r"|solution|selection|selected options?|option|choice|pick|correct|right|chosen|now|new"
    r"|number|selected|accepted|picked|after|correction|revised|update|i (?:confirm|choose|say|answer|select|pick))"
    r"(?= {0,4}(?:[:=→|]|- ))"
    r"|(?P<other>答案|正解|答え|정답|ответ|antwort|respuesta|réponse|resposta|risposta"
    r"|الإجابة|الجواب|उत्तर|(?<!不)正确的?(?:选项)?(?=[是为:]| ?\d)"
    r"|(?<!不)(?:应该?|故|我)?选(?:择)?(?![项擇题]))"
)
_RULES = {
    "boxed": "boxed",
    "final": "final answer",
    "choose": "a choice in words",
    "change": "a choice in words",
    "lesser": "the closest",
}
# From the leading words to what they lead to.
_TO_WHAT = (
    r"(?: ?\((?! ?(?:\d{1,3}|[a-z]) ?\))[^()\n]{0,60}\))?"
    r"(?:,? (?:to|for|here|in|of|among|from|based|(?P<that>that|supported by|consistent with)"
    r"|i|as) [^.:;\n]{0,100}?)?"
)
_LINK = re.compile(
    rf"[\"')\]]{{0,3}}{_TO_WHAT} {{0,4}}"
    r"(?:(?P<colon>(?:[:=>→|]|-(?= ))[ }]{0,4}(?:is\b)?)"
    r"|(?:,(?: which)? )?\b(?:namely|is|are|be|remains?|stays?|(?P<would>would be)|should be|must be"
    r"|will be)\b ?:?"
    r"|(?P<newline>\n))"
    r"(?: ?(?:still|therefore|thus|hence|clearly|indeed|most likely|likely|probably|simply|both"
    r"|definitely|certainly|obviously|surely|unchanged|the same|as before"
    r"|actually|now|again|as follows|that|it is)\b[:,;]?){0,3}"
)
_OTHER_LINK = re.compile(
    r"(?: (?:correct[ae]?|correcta|correta|corretta|exacte|finale?|juste|richtige?))?"
    r" {0,4}(?:[:=;→-]|是|为|為|は|는|은|est|es|ist|é|è)?"
    r"(?: (?:la|le|die|der|das|el|a|o|l')(?= ))?"
    r"(?: ?(?:opci[oó]n|op[cç][aã]o|opzione|num[eé]ro|n[uú]mero|nummer|第))?"
)
# From "I think", "I keep" to the option.
_TO_OPTION = re.compile(
    rf"(?: that)?(?: {_MY}(?: of| as| is| to be|,|:|;)?)?"
    rf"(?: (?:the )?(?:{_CORRECT}|right|best)? ?(?:answer|option|choice|one)(?= is|'s| ?:))?"
    r"(?: ?(?:it is|it's|is|it (?:should|must|would|has to) be|(?:should|must|has to) be)(?![a-z]))?"
    r"(?: ?:)?"
)
_SAYING = re.compile(r"(?:say|think|believe|reckon|conclude(?:d)?(?: that)?|guess|confirm|report)$")
_TOLD_OF = re.compile(
    r"[\"')]{0,3} (?!(?:because|since|as|over|rather|instead|for|based|given|due|again|here|with|and"
    r"|but|only|alone|too|remains?|must|should|would|it is|(?:is|are|was|seems?|looks?|appears?)"
    r"(?: \w{1,12}){0,3}? (?:correct|right|best|answers?|true|likely|choice|plausible))\b)[a-z]"
)
_ASKED = re.compile(r"[\"')\]} ]{0,4}\?")
_LISTING = re.compile(r"[^.:\n]{0,80}:")
_NEGATIVE = re.compile(
    r"\b(?:not|incorrect|wrong|false|eliminated?|ruled? out|excluded?|unsupported|rejected)\b|n't\b"
)
_CONCLUDING = re.compile(
    r"\b(?:therefore|thus|hence|so|in conclusion|to conclude|overall|finally|in summary"
    r"|ultimately|actually|consequently|accordingly|(?:up)?on reflection|wait|correction"
    r"|after (?:reflection|reflecting|reconsidering|reconsideration|reviewing)"
    r"|in the end)\b"
)
_WORDS_LEAD = re.compile(r"[\s(\"'\[{:=>→|✓✗-]{0,40}(?:\\(?:text|math)[a-z]{0,2} ?\{)?")
_WORDS_END = re.compile(r"[.!?\n}]")
_PLURAL = re.compile(r"(?:answers|options|choices|statements|numbers|letters|ones|selections)\b")
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
            return None if supposed else (skip(_TO_OPTION, low, at, end), False)
        case "following":
            listing = _LISTING.match(low, at, end)
            if listing is None or _NEGATIVE.search(listing[0]):
                return None
            return listing.end(), False
        case "other":
            return skip(_OTHER_LINK, low, at, end), False
    line_start = max(region.start, low.rfind("\n", 0, cue.start()) + 1)
    begins_line = not low[line_start : cue.start()].strip(" >|\"'")
    link = _LINK.match(low, at, end)
    if link is not None and (begins_line or not link["newline"]):
        if link["would"] and hypothetical(low, region.start, cue.start(), end):
            return None
        if link["that"] and _NEGATIVE.search(link[0]):
            return None  # "the answer that is wrong is 2"
        return link.end(), link["colon"] is not None or link["newline"] is not None
    bare = option_line(region, at) if cue.lastgroup == "final" or begins_line else None
    return None if bare is None else (at, False)


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
