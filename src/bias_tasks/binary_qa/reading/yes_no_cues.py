"""Finds Yes and No behind words that announce an answer: "Final Answer: no", "I would say yes"."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace

from bias_tasks.binary_qa.reading.yes_no_claims import Claim, Rank
from bias_tasks.binary_qa.reading.yes_no_stance import asserted, quoted
from bias_tasks.binary_qa.reading.yes_no_words import Word, answer_at

_NOUN = (
    r"(?:answer|choice|decision|response|verdict|conclusion|selection|option|determination|ruling"
    r"|judge?ment|reply|pick|guess|assessment|prediction|result|vote|view|take|opinion|stance|bet)"
)
_FINALLY = r"(?:final|improved|refined|revised|updated|ultimate|definitive|corrected|concluding|actual|real|true)"
_CUE = re.compile(
    r"(?P<boxed>\\f?box(?:ed)? ?\{|\bfinish ?\[)"
    rf"|<(?P<tag>(?:final )?{_NOUN})>"
    rf"|(?<=[\"'])(?P<key>(?:final ?)?{_NOUN}|label|selected(?: option)?|output)(?=[\"'] ?:)"
    rf"|\b(?P<final>{_FINALLY} {_NOUN}s?)\b"
    rf"|\b(?P<answer>answers?|ans|(?:my|the|a|best|correct|right) {_NOUN}"
    r"|(?:correct|right|best|appropriate|suitable) (?:answer|one|statement|word))\b"
    r"|(?<![^\n.!?|>;])[ >-]{0,8}(?P<line>final|verdict|conclusion|decision|label|classification|reply"
    r"|result|output|solution|selection|selected options?|prediction|ruling|judge?ment|response|choice"
    r"|determination|assessment|evaluation|assistant|a|ai|bot|model|tl ?;? ?dr|bottom line|in short"
    r"|summary|option|pick|in (?:a|one) word|(?:short|long|quick|simple) (?:answer|version))"
    r"(?= {0,4}(?:[:=|;]|-{1,2} |\n))"
    r"|(?P<other>答案|答え|正解|解答|回答|结论|結論|정답|답은|ответ|antwort|respuesta|réponse|resposta|risposta"
    r"|antwoord|cevap|الإجابة|الجواب|उत्तर)"
)
_ADVERBS = (
    r"(?: ?(?:still|therefore|thus|hence|clearly|indeed|most likely|likely|probably|simply|both"
    r"|definitely|certainly|obviously|surely|actually|now|again|as follows|that|it is|to be)\b:?){0,3}"
)
_LINK = re.compile(
    r"[\"')\]】]{0,3}(?: ?\([^()\n]{0,60}\))?"
    r"(?: (?:yes ?/ ?no|no ?/ ?yes)\b)?(?:, [^,.:;\n]{1,80}(?:,|(?= ?:)))?"
    r"(?:,? (?:to|for|here|in|of|among|from|based|that|i|on|whether|with|about|when)\b[^.:;\n]{0,240}?)?"
    r" {0,4}(?:(?P<mark>(?:[:=>|;]|-{1,2}(?= ))[ }]{0,4}(?:is\b)?)"
    r"|(?:'s|(?:,(?: which)? )?\b(?:is|are|be|remains?|stays?|as|(?:would|should|must|will|can|could|has to|have to)(?: \w{1,12}){0,3}? be"
    r"|comes out as|becomes?|seems to be|appears to be|lautet))\b ?[:,]?"
    rf"{_ADVERBS}(?=\W{{0,8}}(?:\(?[a-c1-3][.):] ?)?(?:\w{{1,13}},? ){{0,3}}?\W{{0,4}}(?:yes|yeah|yep|no|nope)\b)"
    rf"|(?P<newline>\n)){_ADVERBS}"
)
_LINK_OTHER = re.compile(
    r"[】」\])\"']{0,2}(?: ?[^\W\d_]{1,12}){0,3}? {0,4}(?:[:=;-]|是|为|為|は|는|은|est\b|es\b|ist\b|é|è|lautet\b|is\b)? {0,4}:?"
)
_MADE = re.compile(r"\bmak(?:es?|ing) (?:it|the|this|that|my|your)(?: \w{1,10})? $")
_BLANK = re.compile(r"[\s>:=|.…-]{0,40}")
_TO_VERB = (
    r"(?: (?:therefore|thus|still|hence|now|again|then|just|simply|definitely|probably|personally|rather"
    r"|have to|had to|must|also))?"
)
_CHOSEN = re.compile(
    rf"\b(?:i|we)(?:'d| would| will|'ll|'m| am|'re| are|'ve| have| must| can| do)?{_TO_VERB}{_TO_VERB} "
    r"(?:gonna |(?:going|inclined|happy|forced|led|able|like|want|need) to )?"
    r"(?:have to )?(?:say|answer|answered|respond|reply|go|going|choose|chose|choosing|select|selecting"
    r"|selected|pick|picking|opt|opting|vote|voting|conclude|think|believe|put|guess|bet|stick|sticking"
    r"|stay|staying|stand|standing|settle|side|lean|leaning|maintain|agree|keep|argue|suppose|reckon|suspect"
    r"|(?:call|count|read|take|rate|mark|label|classify) (?:it|this|that)(?: as)?|decide|decided|settled"
    r"|landed|arrived?|come down)"
    r"(?: (?:this|the|that|your)(?: \w{1,10})?(?: question)?)?(?: (?:with|for|to|by|at|on(?: the side of)?|in favou?r of"
    r"|towards?|the answer|my answer|it))?(?: my)?(?: (?:original|previous|first|initial))?"
    r"(?: answer(?: of)?)?(?: that)?(?: (?:the|my) answer is)?,?:? "
    r"|\b(?:it's|it is|that's|that is|that would be|this is"
    r"|it (?:would|must|should|has to|can only|will) be|it (?:remains|stays|is still)) (?!not\b)"
    r"|\b(?:that|this|which|it|evidence|passage|text)(?: clearly| strongly| all)?"
    r" (?:means?|makes? (?:it|this|that)|would make it|points? to(?:wards?)?|leads? to|gives(?: us)?)"
    r"(?: that)?(?: the answer)?(?: is)?:? "
    r"|\b(?:be|is) answered (?:with|by|as) |\b(?:evaluates|resolves|amounts|(?:comes|boils) down) to "
    r"|\b(?:follows|means|shows|proves|implies) that "
    r"|\b(?:sounds|looks) like (?:it's )?|(?<![^\n])(?:gonna|gotta|have to) (?:say|go with) "
    r"|\b(?:passage|text|context|evidence|article|paragraph)(?: clearly| strongly)?"
    r" (?:says|suggests|indicates|implies|supports|favou?rs|confirms)(?: that)?:? "
    r"|\blet's (?:go with|say|pick|choose) "
    r"|\bmy (?:\w{1,10} )?answer(?: of)?[,:]? (?=[\"']?(?:yes|no)[\"']?,? (?:still )?(?:stands|holds))"
    r"|\b(?:chang(?:e|ing|ed)|switch(?:ing|ed)?) (?:it |over )?to "
    r"|\b(?P<changed>(?:chang|revis|updat|switch|correct|amend)(?:e|ing|ed)? (?:it|(?:my|the)"
    r" (?:\w{1,12} )?answer)(?: from [\"']?(?:yes|no)[\"']?)? (?:to|as)(?: be)?)[: ]{1,2}"
    r"|\b(?:mak(?:es?|ing) (?:(?:the|my|this) (?:\w{1,10} )?answer|it|this|that)) "
    r"|\b(?:leaning(?: towards?)?|going with|sticking with) "
    r"|(?<![^\n])[ >([【-]{0,8}(?:(?:the |my )?answer|ans|tl ?;? ?dr)[.;,)\]】]{0,2} {1,3}"
)
_NAMED = re.compile(
    r"(?<![\w/|-])[\"'(]{0,3}(?=(?:yes|no)[\"')]{0,3} (?:is|would be|must be|remains|seems to be)"
    rf" (?:therefore |clearly |thus |indeed |still )?(?:(?:the|my|our) (?:\w{{1,12}} )?{_NOUN}"
    r"|(?:correct|right)(?! (?:only|if|until|when|about|for)\b))\b)"
)
_CONCLUDING = re.compile(
    r"\b(?:therefore|thus|hence|so|in conclusion|to conclude|overall|finally|in summary|in the end"
    r"|ultimately|consequently|accordingly|(?:up)?on (?:\w{1,8} )?reflection|wait|correction"
    r"|after (?:\w{1,10} )?(?:reflection|reflecting|reconsidering|reconsideration|reviewing|checking)"
    r"|all in all|ergo|in light of)\b|(?:\A|[^\w\s]\s?)actually\b"
)
_BEFORE = 160
"""Characters before leading words in which a conclusion is looked for."""
_MOST = 80
"""Leading words looked at, the last ones: a text that repeats them says no more before these."""


@dataclass(frozen=True, slots=True)
class Final:
    """Words that announce the final answer."""

    claim: Claim | None
    """The answer right behind them; None where it stands further on, or not at all."""
    pos: int
    """Where what they announce begins."""


def announced(low: str, start: int, end: int) -> tuple[list[Final], list[Claim]]:
    """Answers behind words for a final answer, and those behind other leading words."""
    finals: list[Final] = []
    claims: list[Claim] = []
    for cue in deque(_CUE.finditer(low, start, end), _MOST):
        found = _led(low, start, end, cue)
        if isinstance(found, Final):
            finals.append(found)
        elif found is not None:
            claims.append(found)
    claims += _chosen(low, start, end)
    return finals, claims


def _led(low: str, start: int, end: int, cue: re.Match[str]) -> Final | Claim | None:
    """What one leading word leads to; None where it leads nowhere."""
    kind = cue.lastgroup
    pos, heading = _opened(low, end, cue)
    word = None if pos is None else answer_at(low, pos, end)
    if pos is None or (word is None and not heading):
        return None
    until = pos if word is None else word.end
    if kind != "key" and quoted(low, start, cue.start(), until):
        return None
    if kind in ("boxed", "tag", "key", "final"):
        rule = {"boxed": "boxed", "final": "final answer"}.get(kind, "the field of the answer")
        if word is None:
            return None if kind == "boxed" else Final(None, pos)
        return Final(_claim(low, start, cue.start(), word, rule), pos)
    if word is None or not asserted(low, start, cue.start()):
        return None
    return _claim(low, start, cue.start(), word, "answer stated")


def _opened(low: str, end: int, cue: re.Match[str]) -> tuple[int | None, bool]:
    """Where leading words lead to, and whether they are a heading."""
    at = cue.end()
    if cue.lastgroup == "boxed":
        return at, False
    if cue.lastgroup in ("tag", "key"):
        return _skip(low, at + (cue.lastgroup == "key"), end), True
    link = (_LINK_OTHER if cue.lastgroup == "other" else _LINK).match(low, at, end)
    if cue.lastgroup == "other":
        return (at if link is None else link.end()), False
    line = low.rfind("\n", 0, cue.start()) + 1
    begins = not low[line : cue.start()].strip(" >\"'|-(")
    if begins and low.startswith("?", at):
        return _skip(low, at + 1, end), True
    if link is None or (link["newline"] and not begins):
        return (at, False) if cue.lastgroup == "final" else (None, False)
    return _skip(low, link.end(), end), bool(link["mark"] or link["newline"])


def _skip(low: str, pos: int, end: int) -> int:
    blank = _BLANK.match(low, pos, end)
    return pos if blank is None else blank.end()


def _claim(low: str, start: int, at: int, word: Word, rule: str) -> Claim:
    return Claim.of(word, rule, Rank.ANNOUNCED, concluding=_concludes(low, start, at))


def _chosen(low: str, start: int, end: int) -> Iterator[Claim]:
    """Answers that the writer chooses ("I would say no") or names ("No is the right answer")."""
    for pattern, rule in ((_CHOSEN, "a choice in words"), (_NAMED, "named the answer")):
        for cue in deque(pattern.finditer(low, start, end), _MOST):
            word = answer_at(low, cue.end(), end)
            if (
                word is not None
                and asserted(low, start, cue.start())
                and not quoted(low, start, cue.start(), word.end)
            ):
                claim = _claim(low, start, cue.start(), word, rule)
                changed = pattern is _CHOSEN and cue["changed"] is not None
                yield replace(claim, concluding=claim.concluding or changed)


def _concludes(low: str, start: int, at: int) -> bool:
    """Whether the sentence up to a place, or the words at it, introduce a conclusion."""
    before = low[max(start, at - _BEFORE) : at]
    sentence = before[max(map(before.rfind, ".!?\n")) + 1 :]
    return _CONCLUDING.search(sentence) is not None
