"""Finds where sentences say Yes or No: at their head ("No, ...") or their end ("..., so yes.")."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator

from bias_tasks.binary_qa.reading.yes_no_claims import Claim, Rank
from bias_tasks.binary_qa.reading.yes_no_stance import asserted, courtesy, quoted, told
from bias_tasks.binary_qa.reading.yes_no_words import (
    ADVERB,
    ANSWER_AHEAD,
    Word,
    answer_at,
    sentence_end,
)
from bias_tasks.reading.bounds import skip

_CONCLUDING = (
    r"(?:so|therefore|thus|hence|then|consequently|accordingly|overall|finally|ultimately|ergo"
    r"|in (?:conclusion|summary|short|the end)|to (?:conclude|summari[sz]e|sum up)|conclusion"
    r"|all in all|bottom line|actually|correction|on (?:second thoughts?|reflection)|wait)"
)
_PLAIN = (
    rf"(?:well|ok|okay|sure|sorry|indeed|of course|hmm+|uh|um|alright|all right|right|great|{ADVERB}"
    r"|in fact|in general|in my (?:view|opinion)|(?:great|good) question|simply put|again|and|but|still"
    r"|now|my answer|in this case|more likely than not|even so|that said|nevertheless|nonetheless|however"
    r"|on balance|if (?:forced|pressed|asked|i (?:had|have|must|were)) [^,.:!?\n]{0,60}(?=, )"
    r"|(?:based on|according to|given|judging|considering|by|under (?:ordinary|usual|normal)|from|as"
    r"|looking at|after|with|to (?:answer|my)|for|upon|having|taking|despite|without|beyond|going by"
    r"|since|because|although|though|even though|while|in (?=the|this|that|light|view|all)"
    r"|on (?=the|this|that)|all(?= (?:things|told|in all)))"
    r" [^,.:!?\n]{1,100}(?=, ))"
)
_SCOPE = re.compile(
    r"\b(?:some|certain|many|most|times|cases|conditions|circumstances|one hand|sometimes|perhaps|maybe"
    r"|possibly|could|might|may|not|never|(?<!that )said|says|asked|(?<!all )told)\b"
)
_USUAL = re.compile(r"\b(?:ordinary|usual|normal)\b")
_BREAK = re.compile(
    r"(?:[!?;\n]|(?<!\bdr)(?<!\bmr)(?<!\bms)(?<!\bvs)(?<!\bst)(?<!\bmrs)(?<!i\.e)\.)(?=[^\w\n!?.]{0,12}[a-z0-9])"
)
# What may stand before an answer in its sentence. A sign that negates it may not.
_LEAD = re.compile(
    rf"[^\w\n!?./\\¬≠]{{0,12}}(?:(?:yes|no),? (?=wait,? (?:yes|no)\b))?"
    rf"(?P<words>(?:(?:(?P<concluding>{_CONCLUDING})|{_PLAIN})[,.:!;…-]{{0,3}} {{1,4}}){{0,3}})"
)
_THEREFORE = re.compile(
    rf"(?:(?<=[\w,)\"'}}]) |(?<![\w])) ?(?:so|therefore|thus|hence|ergo|meaning|i\.e\.)[,:]?"
    rf"[ ;-]{{1,4}}(?:the answer[: ]{{1,2}}|it's |that's )?{ANSWER_AHEAD}"
)
_COMMA = re.compile(rf",(?: (?:(?P<but>but|yet)|and|then|so)(?: i'd say| still)?)? {ANSWER_AHEAD}")
# A short phrase of plain words that limits nothing, from the beginning of its sentence on.
_PHRASE = re.compile(
    r"(?:\A|[.!?\n])\s{0,3}(?=\S)(?!(?:no|yes|oh|ah|why)\b)(?![^.!?\n]{0,90}\b(?:some|certain|many|most|times|cases"
    r"|conditions|circumstances|one hand|sometimes|perhaps|maybe|possibly|could|might|may|not|never"
    r"|(?<!that )said|says|asked|(?<!all )told|if)\b|[^.!?\n]{0,90}n't\b)[\w' :%-]{3,90}(?:, [\w' -]{3,60})?\Z"
)
_ENDS = re.compile(r"[\"')]{0,3}[.;]")
_BUT = re.compile(r",? but\b")
_INSTEAD = re.compile(
    rf"\b(?:wait|actually|correction|sorry|oops|scratch that|i mean|i meant|er|or rather|make that)"
    rf"[,:;.!…-]{{0,3}} {{1,3}}{ANSWER_AHEAD}"
)
_TAIL = re.compile(
    rf"(?:[:;=]|(?<=\w )\((?=(?:yes|no)\))|(?<= )-{{1,2}}|[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3],?)[ \n]{{0,4}}{ANSWER_AHEAD}"
)
_QUESTION_BEFORE = re.compile(r"\?[\"'»”)]{0,3}\s{0,40}$")
_PARAGRAPH = re.compile(r"\n[ \t]{0,8}\n[ \"'(]{0,4}\Z")
_ONE_QUESTION = re.compile(r"[^.!?\n]{1,1000}\?[\"')]{0,3}\s{0,40}")
_BLANK = re.compile(r"\s*")
_ALONE = re.compile(r"[^\w\n/?]{0,20}(?:\n|$)")
# Lines that end an answer and say nothing of it.
_GOODBYE = re.compile(
    r"\W{0,8}(?:i hope|hope (?:this|that|it)|let me know|feel free|please (?:let|note|feel)|if you"
    r"|confidence|source|sources|note|disclaimer|thank|is there anything|would you like"
    r"|do you (?:have|want)|happy to|any other)\b[^\n]{0,300}$"
)
_MOST = 80
"""Places looked at, the last ones: a text that repeats itself says no more before these."""


def sentence_claims(low: str, start: int, end: int) -> Iterator[Claim]:
    """What the sentences of a part of a text claim, in no order."""
    last = _last_letter(low, start, _before_goodbyes(low, start, end))
    yield from _heads(low, start, end, last)
    yield from _therefore(low, start, end, last)
    yield from _tails(low, start, end, last)


def _heads(low: str, start: int, end: int, last: int) -> Iterator[Claim]:
    """Answers at the head of sentences.

    They count where the part begins or ends with them, on a line of their own, and where they are
    introduced as a conclusion; in between they may be about anything. Behind a question they
    answer that one.
    """
    first = skip(_BLANK, low, start, end)
    breaks = deque(_BREAK.finditer(low, first, end), _MOST)
    asked = sum(1 for mark in breaks if low[mark.start()] == "?" and _word_at(low, mark.end(), end))
    for pos in (first, *(mark.end() for mark in breaks)):
        found = _word_at(low, pos, end)
        if found is None:
            continue
        word, concluding = found
        if pos == first:
            if not courtesy(low, word.end, end):
                yield Claim.of(word, "it opens the answer", Rank.EDGE, concluding=concluding)
        elif courtesy(low, word.end, end):
            yield Claim.of(word, "a courtesy", Rank.ASIDE)
        elif not quoted(low, start, word.start, word.end):
            yield _head(low, first, end, last, pos, word, concluding=concluding, alone=asked == 1)


def _head(
    low: str, first: int, end: int, last: int, pos: int, word: Word, *, concluding: bool, alone: bool
) -> Claim:
    """An answer at the head of a sentence that is not the first one."""
    closing = _closes(low, pos, word, end, last)
    if _QUESTION_BEFORE.search(low, max(first, pos - 50), pos):
        if alone and _ONE_QUESTION.fullmatch(low, first, pos):
            return Claim.of(word, "it follows the question", Rank.EDGE)
        rank = Rank.REPLY if closing else Rank.PASSING
        return Claim.of(word, "it answers a question of its own", rank)
    if concluding or closing:
        return Claim.of(word, "it closes the answer", Rank.EDGE, concluding=concluding)
    if _alone(low, pos, word, end):
        return Claim.of(word, "it stands on a line of its own", Rank.EDGE)
    if _PARAGRAPH.search(low, max(first, pos - 20), word.start):
        return Claim.of(word, "it begins a paragraph", Rank.TAIL)
    return Claim.of(word, "it stands in between", Rank.ASIDE)


def _word_at(low: str, pos: int, end: int) -> tuple[Word, bool] | None:
    """The answer at the head of the sentence at `pos`, and whether it is a conclusion."""
    lead = _LEAD.match(low, pos, end)
    word = None if lead is None else answer_at(low, lead.end(), end)
    if lead is None or word is None:
        return None
    if _SCOPE.search(lead["words"]) and not _USUAL.search(lead["words"]):
        return None
    return word, lead["concluding"] is not None


def _therefore(low: str, start: int, end: int, last: int) -> Iterator[Claim]:
    """Conclusions and corrections within a sentence: "both are American, so yes", "no, I mean yes"."""
    for pattern, rule in ((_THEREFORE, "a conclusion"), (_INSTEAD, "a correction")):
        for cue in deque(pattern.finditer(low, start, end), _MOST):
            word = answer_at(low, cue.end(), end)
            if word is None or not asserted(low, start, cue.start()):
                continue
            closing = _closes(low, cue.start(), word, end, last)
            if closing or pattern is _INSTEAD:
                yield Claim.of(word, rule, Rank.EDGE, concluding=True)
            else:
                yield Claim.of(word, rule, Rank.TAIL)


def _tails(low: str, start: int, end: int, last: int) -> Iterator[Claim]:
    """Answers behind a colon, a dash or an arrow, at the end of what is said or of a sole line."""
    first = _BREAK.search(low, skip(_BLANK, low, start, end), end)
    opening = end if first is None else first.start()
    marks = [*deque(_TAIL.finditer(low, start, end), _MOST), *deque(_COMMA.finditer(low, start, end), _MOST)]
    for mark in marks:
        word = answer_at(low, mark.end(), end)
        if word is None or told(low, start, mark.start()):
            continue
        if mark.re is _COMMA and not (
            mark["but"]
            or (_plain_phrase(low, start, mark.start()) and not _BUT.match(low, word.end, end))
        ):
            if _ENDS.match(low, word.end, end):
                yield Claim.of(word, "it stands in between", Rank.ASIDE)
            continue
        if quoted(low, start, mark.start(), word.end):
            continue
        if last < sentence_end(low, word.end, end) or word.start < opening:
            yield Claim.of(word, "it ends what is said", Rank.TAIL)
        elif _ALONE.match(low, word.end, end):
            yield Claim.of(word, "it ends a line", Rank.STEP)


def _plain_phrase(low: str, start: int, at: int) -> bool:
    """Whether a sentence up to a comma at `at` is a short phrase that limits nothing."""
    return _PHRASE.search(low[max(start, at - 100) : at]) is not None


def _alone(low: str, pos: int, word: Word, end: int) -> bool:
    """Whether the word is all that stands on its line."""
    line = low.rfind("\n", 0, word.start) + 1
    lead = low[line : word.start]
    return not any(map(str.isalnum, lead)) and _ALONE.match(low, word.end, end) is not None


def _before_goodbyes(low: str, start: int, end: int) -> int:
    """Where a part ends without the last lines that only take leave, or speak of confidence."""
    for _ in range(3):
        stripped = len(low[start:end].rstrip()) + start
        line = low.rfind("\n", start, stripped) + 1
        if line <= start or _GOODBYE.match(low, line, stripped) is None:
            return end
        end = line
    return end


def _last_letter(low: str, start: int, end: int) -> int:
    """Where the last letter or digit of a part stands; -1 if there is none."""
    return next((pos for pos in range(end - 1, start - 1, -1) if low[pos].isalnum()), -1)


def _closes(low: str, pos: int, word: Word, end: int, last: int) -> bool:
    """Whether the sentence or the line that begins at `pos` is the last."""
    if last < sentence_end(low, word.end, end):
        return True
    newline = low.find("\n", word.end, end)
    return low[pos - 1 : pos] == "\n" and (newline < 0 or last < newline)
