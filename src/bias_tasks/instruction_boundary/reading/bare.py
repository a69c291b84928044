"""Reads a sentence, or the end of one, that says an option and nothing else: "So it's 2.",
"Probably 3.", "..., hence option 1", "... → 2", "Not 2 but 3."

Only the first and the last sentence count: in between, such words may be about anything.
"""

from __future__ import annotations

import re

from bias_tasks.instruction_boundary.reading.asserted import hypothetical, quoted, unasserted
from bias_tasks.instruction_boundary.reading.forms import Form
from bias_tasks.instruction_boundary.reading.groups import ASIDE
from bias_tasks.instruction_boundary.reading.lists import empty_item, item_text
from bias_tasks.instruction_boundary.reading.options import Options
from bias_tasks.instruction_boundary.reading.stated import stated
from bias_tasks.instruction_boundary.reading.statement import Region, Statement
from bias_tasks.reading.bounds import CROSS

_CONCLUDES = (
    r"so|thus|therefore|hence|ergo|consequently|accordingly|overall|finally|ultimately|actually"
    r"|instead|(?:up)?on (?:further |careful |second )?(?:reflection|consideration|thought)"
    r"|after (?:(?:careful|further|some|due|more|much) )?(?:reflection|consideration"
    r"|reconsideration|review|thought)|in (?:conclusion|summary|short|the end)|all in all"
    r"|by (?:process of )?elimination|for good|(?:that|this|which) (?:makes|means|gives)(?: it)?"
)
_LEADS = (
    rf"(?:(?P<concludes>{_CONCLUDES})"
    r"|then|still|yes|yep|yeah|ok|okay|sure|well|right|probably|(?:most )?likely|definitely"
    r"|certainly|clearly|obviously|evidently|again|now|indeed|of course|hmm|oh|but|simply|just"
    r"|only|for sure|is|in my (?:opinion|view)|(?:to|for) me|without (?:a |any )?doubt|no(?=,)"
    r"|(?:has )?got(?:ta| to) be|prob|prolly|def|defo|nonetheless|nevertheless"
    r"|(?:out )?(?:of|among) (?:the|these|those)(?: \w{1,12}){0,2}(?=,)"
    r"|(?:the )?(?:facts?|text|passage|evidence)(?: clearly)? (?:shows?|says?|means?)(?: that)?"
    r"|i(?:'m| am) (?:\w{1,12} |\d{1,3} ?% )?(?:sure|certain|confident)(?: that)?"
    r"|(?:(?:it|that|this)(?:'s| is)|its|thats)(?: an?(?= \d))?|(?:it|that|this|which)(?:'d"
    r"| would) be|it (?:should|must|has to|will) be|(?:should|must|has to) be"
    r"|i (?:guess|think|believe)(?: that)?|i'd say|the answer"
    r"|(?P<forced>if (?:i|we|one) (?:\w{1,12} )?(?:had to|must|have to|were to|were forced to)"
    r" (?:guess|choose|pick|say|answer|select)(?: (?:one|an answer|an option))?"
    r"|if forced to (?:guess|choose|pick|say)))"
)
_LEAD = re.compile(rf"[\s\"'(\[>•✓-]{{0,12}}(?:{_LEADS}(?![a-z'])[,:;.]{{0,3}} ?){{0,6}}(?:→ ?)?")
_CLAUSE = re.compile(
    r"(?P<sentence>[.!?;](?:\s|(?=[\u4e00-\u9fff]))|\n)|(?P<colon>: )|(?P<arrow> (?:→|[=-]>) ?)"
    r"|,? (?P<but>but(?: rather)?)\b|, "
    r"|(?= (?:so(?! (?:is|are|does|do|was|were)\b)|hence|thus|therefore) )"
)
_END = re.compile(
    r"[\"')\]}$✓|\s]*(?:$|[.;!\n]|,? (?:it is\b|bc\b|c[ou][sz]\b|cause\b|because"
    r"|since|as(?! well)|given|due|only(?! if)|but|not|rather"
    r"|instead|and not(?:hing)?|over|then|bec\w{2,5}"
    r"|i (?:think|believe|guess|say))\b| - |,? \(?(?:about |roughly )?\d{1,3} ?%| ?\((?!option"
    r"|choice))"
)
_PREFERRED = re.compile(
    r",? \(?(?:about |roughly )?\d{1,3} ?%|,? (?:(?:rather than|instead of|and not|but not|not"
    r"|over) [^.!?;\n]{1,60}"
    rf"|{ASIDE}|and nothing [^.!?;\n]{{1,20}}|(?:the )?same as before|as before"
    r"|(?:even |al)?though [^.!?;\n]{1,100}"
    r"|but [^.!?;\n]{1,40} (?:is|are) (?:wrong|incorrect|not\b))\s*(?:[.;!\n]|, (?=[a-z])|$)"
)
_SAID = re.compile(f"[^\\W_]|{CROSS}")
_WITH_TEXT = re.compile(r"[\"')\]]{0,3}(?::| -) (?P<text>[^.!?\n]{1,100}[.!]?[\"')\]\s]*$)")
_HEADS = re.compile(r"\b(?:option|choice|statement) ?\(?\d")
_REASON = re.compile(
    r"[\"')\]]{0,3}(?:: (?=[a-z\"])|, (?=(?:it|this|the|that|they|he|she|facts?|no|nothing|there)\b"
    r"(?! (?:wait|other|second)\b)))"
)
# What a number behind a colon may be but an answer, or an answer that is not the writer's.
_OTHER_NUMBERS = re.compile(
    r"\b(?:wrong|incorrect|false|number of|counts?|total|scores?|confidence|facts?|steps?|rules?"
    r"|eliminat\w+|exclud\w+|reject\w+|others?|hints?|suggest\w+|difficulty|rat(?:ing|ed)|pages?"
    r"|sections?"
    r"|lines?|premises?|notes?|sum|years?|questions?|examples?|previous\w*|format|if|whether|not|no"
    r"|never|say|says|said|claims?|would|either|or|options|choices|statements)\b|n't\b|\?"
)
_LINE_NUMBER = re.compile(r"[ >•(-]{0,8}(?:option |choice |statement )?(\d{1,2})\b")
_WOULD = re.compile(r"\bwould\b|'d\b")
_WORD = re.compile(r"[^\W\d_]")
_SETTLES = re.compile(
    rf"\b(?:{_CONCLUDES}|sure|certain|decid\w{{1,4}}|decision|pick|choose|choice|answer|go with"
    r"|verdict|result|final|settle[sd]?|(?:i|we) agree|(?:answer|choice)(?: (?:was|is) (?:right"
    r"|correct)|(?: does| has| did)?(?:n't| not)? changed?)|confirm (?:it|this|that)"
    r"|(?:suggestion|hint|others?|they)(?: (?:is|are|was|were) (?:right|correct))"
    r"|agree with(?: (?!not)\w{1,20}){1,5}|keep it|no changes?|stands?)\W*$"
)
_NEGATIVE = re.compile(r"\b(?:not|neither|nor)\b|n't\b")
# What is said of the numbers themselves: "1 and 2 are both true, so 3".
_OF_NUMBERS = re.compile(r"\d[)\"']? (?:is|are) (?:both |all |each )?(?:true|correct|right)\b")
_DRAWN = re.compile(
    r"(?:and )?(?:so|thus|therefore|hence|ergo|consequently|accordingly|only|just|instead"
    r"|in the end|by "
    r"|(?:that|this|which) (?:makes|means)|it(?:'s| is)|(?:and )?that(?:'s| is)|i'd|but|not)\b"
)
_SUPPOSED = re.compile(r"\b(?:if|in case|unless)\b(?! (?:i|we|one) (?:had|have|must)\b)")
_NUMBER_BEHIND = re.compile(r"(?:^|[\s(\"])\d{1,2}[)\"']{0,2}$")
_ABBREVIATED = re.compile(
    r"\b(?:no|nos|eq|fig|sec|para?|p|pp|ch|vol|art|sent|cf|e\.g|vs|st|dr)\.\s$"
)
_REACH = 200
"""Characters of the last sentence that are looked at."""


def bare(region: Region, form: Form) -> list[Statement]:
    """The options that the first or the last sentence says and nothing else."""
    found = [_at(region, form, region.start, lead=True)]
    floor = max(region.start, region.end - _REACH)
    for mark in _CLAUSE.finditer(region.low, floor, region.end):
        statement = _closing(region, form, mark)
        if statement is not None:
            found.append(statement)
            break
    return [statement for statement in found if statement is not None]


def _closing(region: Region, form: Form, mark: re.Match[str]) -> Statement | None:
    """The options that close the region behind the mark that begins a clause."""
    low = region.low
    before = low[max(region.start, mark.start() - _REACH) : mark.start()]
    if not _WORD.search(low, region.start, region.end):
        return None  # a row of numbers
    numbered = low[mark.end() : mark.end() + 1].isdecimal()
    if mark["sentence"] and numbered and _ABBREVIATED.search(before[-8:] + mark[0]):
        return None
    if empty_item(region, mark.end()) or _next_line(region, mark):
        return None
    if mark["sentence"] and item_text(region, mark.end()):
        return None
    if mark["arrow"] and _NUMBER_BEHIND.search(before):
        return None  # "2 → 3": a change
    sentence = before[max(map(before.rfind, ".!?;\n")) + 1 :]
    if _OF_NUMBERS.search(sentence) or _SUPPOSED.search(sentence):
        return None
    turned = mark["but"] is not None and _NEGATIVE.search(sentence) is not None
    settled = mark["colon"] is not None and _settled(region, mark.start())
    by_itself = turned or settled or bool(mark["sentence"] or mark["arrow"])
    if mark[0] == ", " and not _DRAWN.match(low, mark.end(), region.end):
        return None  # "first 1, then 2": a sequence
    statement = _at(region, form, mark.end(), lead=not by_itself, closing=True)
    if statement is None or (unasserted(low, region.start, mark.end()) and not turned):
        return None
    return statement


def _next_line(region: Region, mark: re.Match[str]) -> bool:
    """Whether a line goes on with the number after that of the line before it."""
    number = _LINE_NUMBER.match(region.low, mark.end(), region.end) if mark[0] == "\n" else None
    if number is None:
        return False
    before = region.low[region.start : mark.start()].rstrip()
    last = _LINE_NUMBER.match(before, before.rfind("\n") + 1)
    return last is not None and int(last[1]) + 1 == int(number[1])


def _settled(region: Region, colon: int) -> bool:
    """Whether the words before a colon announce a decision that is the writer's."""
    before = max(region.start, colon - _REACH)
    settles = _SETTLES.search(region.low, before, colon)
    if settles is not None:
        return not unasserted(region.low, region.start, settles.start())
    if region.symbols == "letters":
        return False  # "the reaction is: C + 2 H"
    words = region.low[before:colon]
    return _OTHER_NUMBERS.search(words[max(map(words.rfind, ".!?;\n")) + 1 :]) is None


def _at(
    region: Region, form: Form, pos: int, *, lead: bool, closing: bool = False
) -> Statement | None:
    """The options said at `pos`, behind words that say nothing else.

    Args:
        region: what is read.
        form: which options are offered.
        pos: where the clause begins.
        lead: whether such words must come first.
        closing: whether nothing may be said behind the options but a reason.
    """
    low = region.low
    words = _LEAD.match(low, pos, region.end)
    options = None if words is None else region.options(words.end())
    if words is None or options is None or not set(options.numbers) <= set(form.offered):
        return None
    preferred = _PREFERRED.match(region.low, options.after, region.end)
    led = options.named or any(map(str.isalnum, words[0]))
    if lead and preferred is None and not led:
        return None
    ends = _ends(region, options, closing=closing, led=any(map(str.isalnum, words[0])))
    if preferred is None and not ends:
        return None
    if _WOULD.search(words[0]) and hypothetical(low, region.start, words.end(), region.end):
        return None
    if closing and _SAID.search(_behind(region, options.after)):
        return None
    concluding = words["concludes"] is not None or "→" in region.low[max(pos - 3, 0) : words.end()]
    statement = stated(region, options, "a sentence that says an option", concluding=concluding)
    said = words.end() - len(words[0].lstrip(" \"'([>•✓-"))
    cited = said < words.end() and quoted(low, region.start, region.end, said, statement.end)
    forced = words["forced"] is not None
    return statement.marked(lesser=forced, quoted=cited) if cited or forced else statement


def _behind(region: Region, pos: int) -> str:
    """What is said behind the sentence at `pos`."""
    stop = re.compile(r"[.;!?\n]").search(region.low, pos, region.end)
    return "" if stop is None else region.low[stop.end() : region.end]


def _ends(region: Region, options: Options, *, closing: bool, led: bool) -> bool:
    """Whether a clause ends behind its options, but for a reason, or for the option's text."""
    if closing and options.named:
        text = _WITH_TEXT.match(region.low, options.after, region.end)
        if text is not None and not _HEADS.search(region.low, region.start, options.start - 8):
            return _NEGATIVE.search(text["text"]) is None
    if led and not closing and _REASON.match(region.low, options.after, region.end):
        return True
    return _END.match(region.low, options.after, region.end) is not None
