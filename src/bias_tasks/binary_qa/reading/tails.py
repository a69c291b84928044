"""Finds Yes and No within sentences and at their end: "..., so yes", "they differ: no", "→ no"."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator

from bias_tasks.binary_qa.reading.claims import Claim, Rank
from bias_tasks.binary_qa.reading.passage import Passage
from bias_tasks.binary_qa.reading.sentences import first_end
from bias_tasks.binary_qa.reading.stance import asserted, quoted, told
from bias_tasks.binary_qa.reading.words import ANSWER_AHEAD, Word, answer_at

_THEREFORE = re.compile(
    r"(?:(?<=[\w,)\"'}]) |(?<![\w])) ?(?:so|therefore|thus|hence|ergo|meaning|i\.e\.)[,:]?"
    rf"[ ;-]{{1,4}}(?:the answer[: ]{{1,2}}|it's |that's )?{ANSWER_AHEAD}"
)
_INSTEAD = re.compile(
    r"\b(?:wait|actually|correction|sorry|oops|scratch that|i mean|i meant|er|or rather|make that)"
    rf"[,:;.!…-]{{0,3}} {{1,3}}{ANSWER_AHEAD}"
)
# A colon (an arrow is one by now), a dash, a parenthesis, a letter of Chinese or its like.
_MARK = re.compile(
    r"(?:[:;=]|(?<=\w )\((?=(?:yes|no)\))|(?<= )-{1,2}|[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3],?)"
    rf"[ \n]{{0,4}}{ANSWER_AHEAD}"
)
_COMMA = re.compile(
    r",(?: (?:(?P<but>but|yet)|and|then|so)(?: i'd say| still| in fact| actually)?)?"
    rf" {ANSWER_AHEAD}"
)
# A short phrase of plain words that limits nothing, from the beginning of its sentence on.
_PHRASE = re.compile(
    r"(?:\A|[.!?\n])\s{0,3}(?=\S)(?!(?:no|yes|oh|ah|why)\b)(?![^.!?\n]{0,90}\b(?:some|certain|many"
    r"|most|times|cases|conditions|circumstances|one hand|sometimes|perhaps|maybe|possibly|could"
    r"|might|may|not|never|(?<!that )said|says|asked|(?<!all )told|if)\b"
    r"|[^.!?\n]{0,90}n't\b)[\w' :%-]{3,90}(?:, [\w' -]{3,60})?\Z"
)
_BUT = re.compile(r",? but\b")
_STOP = re.compile(r"[\"')]{0,3}[.;]")
_MOST = 80
"""Places looked at of each kind, the last ones."""


def tail_claims(passage: Passage) -> Iterator[Claim]:
    """Answers that do not stand at the head of their sentence, in no order."""
    yield from _concluded(passage)
    opening = first_end(passage)
    for pattern in (_MARK, _COMMA):
        for mark in deque(pattern.finditer(passage.low, passage.start, passage.end), _MOST):
            word = answer_at(passage.low, mark.end(), passage.end)
            if word is None or told(passage.low, passage.start, mark.start()):
                continue
            if pattern is _COMMA and not _answers_behind(passage, mark, word):
                if _STOP.match(passage.low, word.end, passage.end):
                    yield Claim.of(word, "it stands in between", Rank.ASIDE)
            elif not quoted(passage.low, passage.start, mark.start(), word.end):
                yield from _tail(passage, word, opening)


def _concluded(passage: Passage) -> Iterator[Claim]:
    """Conclusions and corrections: "both are American, so yes", "no, I mean yes"."""
    low, start, end = passage.low, passage.start, passage.end
    for pattern, rule in ((_THEREFORE, "a conclusion"), (_INSTEAD, "a correction")):
        for cue in deque(pattern.finditer(low, start, end), _MOST):
            word = answer_at(low, cue.end(), end)
            if word is None or not asserted(low, start, cue.start()):
                continue
            if pattern is _INSTEAD or passage.closes_with(word, cue.start()):
                yield Claim.of(word, rule, Rank.EDGE, concluding=True)
            else:
                yield Claim.of(word, rule, Rank.TAIL)


def _tail(passage: Passage, word: Word, opening: int) -> Iterator[Claim]:
    """What an answer behind a mark claims: it counts in the first and in the last sentence."""
    if passage.ends_with(word) or word.start < opening:
        yield Claim.of(word, "it ends what is said", Rank.TAIL)
    elif passage.ends_line(word):
        yield Claim.of(word, "it ends a line", Rank.STEP)


def _answers_behind(passage: Passage, comma: re.Match[str], word: Word) -> bool:
    """Whether a word behind a comma answers: behind "but", or behind a plain short phrase."""
    if comma["but"]:
        return True
    before = passage.low[max(passage.start, comma.start() - 100) : comma.start()]
    if _PHRASE.search(before) is None:
        return False
    return _BUT.match(passage.low, word.end, passage.end) is None
