"""Finds Yes and No behind words that announce them: "Final Answer: no", "The answer is yes"."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass

from bias_tasks.binary_qa.reading.claims import Claim, Rank
from bias_tasks.binary_qa.reading.stance import asserted, quoted
from bias_tasks.binary_qa.reading.words import Word, answer_at

NOUN = (
    r"(?:answer|choice|decision|response|verdict|conclusion|selection|option|determination|ruling"
    r"|judge?ment|reply|pick|guess|assessment|prediction|result|vote|view|take|opinion|stance|bet)"
)
_FINALLY = (
    r"(?:final|improved|refined|revised|updated|ultimate|definitive|corrected|concluding|actual"
    r"|real|true)"
)
# What may stand before a colon at the head of a line or a sentence.
_LABEL = (
    r"(?:final|verdict|conclusion|decision|label|classification|reply|result|output|solution"
    r"|selection|selected options?|prediction|ruling|judge?ment|response|choice|determination"
    r"|assessment|evaluation|assistant|a|ai|bot|model|tl ?;? ?dr|bottom line|in short|summary"
    r"|option|pick|in (?:a|one) word|(?:short|long|quick|simple) (?:answer|version))"
)
_CUE = re.compile(
    r"(?P<boxed>\\f?box(?:ed)? ?\{|\bfinish ?\[)"
    rf"|<(?P<tag>(?:final )?{NOUN})>"
    rf"|(?<=[\"'])(?P<key>(?:final ?)?{NOUN}|label|selected(?: option)?|output)(?=[\"'] ?:)"
    rf"|\b(?P<final>{_FINALLY} {NOUN}s?)\b"
    rf"|\b(?P<answer>answers?|ans|(?:my|the|a|best|correct|right) {NOUN}"
    r"|(?:correct|right|best|appropriate|suitable) (?:answer|one|statement|word))\b"
    rf"|(?<![^\n.!?|>;])[ >-]{{0,8}}(?P<line>{_LABEL})(?= {{0,4}}(?:[:=|;]|-{{1,2}} |\n))"
    r"|(?P<other>答案|答え|正解|解答|回答|结论|結論|정답|답은|ответ|antwort|respuesta|réponse|resposta"
    r"|risposta|antwoord|cevap|الإجابة|الجواب|उत्तर)"
)
_ADVERBS = (
    r"(?: ?(?:still|therefore|thus|hence|clearly|indeed|most likely|likely|probably|simply|both"
    r"|definitely|certainly|obviously|surely|actually|now|again|as follows|that|it is|to be)"
    r"\b:?){0,3}"
)
# "(yes or no)", ", based on this,", "to the question of whether": between a cue and its link.
_ABOUT = (
    r"[\"')\]】]{0,3}(?: ?\([^()\n]{0,60}\))?(?: (?:yes ?/ ?no|no ?/ ?yes)\b)?"
    r"(?:, [^,.:;\n]{1,80}(?:,|(?= ?:)))?"
    r"(?:,? (?:to|for|here|in|of|among|from|based|that|i|on|whether|with|about|when)\b"
    r"[^.:;\n]{0,240}?)?"
)
_IS = (
    r"(?:'s|(?:,(?: which)? )?\b(?:is|are|be|remains?|stays?"
    r"|as(?! (?:asked|stated|posed|given|written|worded)\b)|becomes?|comes out as|seems to be"
    r"|appears to be|lautet|(?:would|should|must|will|can only|has to|have to)"
    r"(?: \w{1,12}){0,3}? be))\b ?[:,]?"
)
# A verb counts right before its answer: a question that is quoted has verbs of its own.
_NEAR = r"(?=\W{0,8}(?:\(?[a-c1-3][.):] ?)?(?:\w{1,13},? ){0,3}?\W{0,4}(?:yes|yeah|yep|no|nope)\b)"
_LINK = re.compile(
    rf"{_ABOUT} {{0,4}}(?:(?P<mark>(?:[:=>|;]|-{{1,2}}(?= ))[ }}]{{0,4}}(?:is\b)?)"
    rf"|{_IS}{_ADVERBS}{_NEAR}|(?P<newline>\n)){_ADVERBS}"
)
_LINK_OTHER = re.compile(
    r"[】」\])\"']{0,2}(?: ?[^\W\d_]{1,12}){0,3}? {0,4}"
    r"(?:[:=;-]|是|为|為|は|는|은|est\b|es\b|ist\b|é|è|lautet\b|is\b)? {0,4}:?"
)
_BLANK = re.compile(r"[\s>:=|.…-]{0,40}")
_CONCLUDING = re.compile(
    r"\b(?:therefore|thus|hence|so|in conclusion|to conclude|overall|finally|in summary|in the end"
    r"|ultimately|consequently|accordingly|(?:up)?on (?:\w{1,8} )?reflection|wait|correction"
    r"|after (?:\w{1,10} )?(?:reflection|reflecting|reconsidering|reconsideration|reviewing"
    r"|checking)|all in all|ergo|in light of)\b|(?:\A|[^\w\s]\s?)actually\b"
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
    in_words: bool
    """Whether they are words, and no box or field."""


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
            return None if kind == "boxed" else Final(None, pos, kind == "final")
        return Final(_claim(low, start, cue.start(), word, rule), pos, kind == "final")
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
    return Claim.of(word, rule, Rank.ANNOUNCED, concluding=concludes(low, start, at))


def concludes(low: str, start: int, at: int) -> bool:
    """Whether the sentence up to a place, or the words at it, introduce a conclusion."""
    before = low[max(start, at - _BEFORE) : at]
    sentence = before[max(map(before.rfind, ".!?\n")) + 1 :]
    return _CONCLUDING.search(sentence) is not None
