"""Finds Yes and No at the head of sentences: "No, they differ.", "Based on the passage, yes."."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator

from bias_tasks.binary_qa.reading.claims import Claim, Rank
from bias_tasks.binary_qa.reading.courtesy import courtesy
from bias_tasks.binary_qa.reading.passage import Passage
from bias_tasks.binary_qa.reading.stance import quoted
from bias_tasks.binary_qa.reading.words import ADVERB, Word, answer_at

_CONCLUDING = (
    r"(?:so|therefore|thus|hence|then|consequently|accordingly|overall|finally|ultimately|ergo"
    r"|in (?:conclusion|summary|short|the end)|to (?:conclude|summari[sz]e|sum up)|conclusion"
    r"|all in all|bottom line|actually|correction|on (?:second thoughts?|reflection)|wait)"
)
_INTERJECTION = (
    rf"(?:{ADVERB}|not really|(?:absolutely|definitely|certainly) not|i don't (?:think|believe) so"
    r"|well|ok|okay|sure|sorry|indeed|of course|hmm+|uh|um|alright|all right|right"
    r"|great|in fact|in general|in my (?:view|opinion)|(?:great|good) question|simply put|again|and"
    r"|but|still|now|my answer|in this case|more likely than not|even so|that said|nevertheless"
    r"|nonetheless|however|on balance)"
)
# Phrases up to a comma that limit nothing.
_PHRASE = (
    r"(?:(?:based on|according to|given|judging|considering|by|under (?:ordinary|usual|normal)|from"
    r"|as|contrary to|unlike|looking at|after|with|to (?:answer|my)|for|upon|having|taking"
    r"|despite|without|beyond|going by|since|because|although|though|even though|while"
    r"|on (?=the|this|that)"
    r"|in (?=the|this|that|light|view|all)|all(?= (?:things|told|in all)))"
    r" [^,.:!?\n]{1,100}|if (?:forced|pressed|asked|i (?:had|have|must|were)) [^,.:!?\n]{0,60})"
    r"(?=, )"
)
_LIMITED = re.compile(
    r"\b(?:some|certain|many|most|times|cases|conditions|circumstances|one hand|sometimes|perhaps"
    r"|maybe|possibly|could|might|may|never|(?<!that )said|says|asked|(?<!all )told"
    r"|(?<!absolutely )(?<!definitely )(?<!certainly )not(?! really\b))\b"
)
_USUAL = re.compile(r"\b(?:ordinary|usual|normal)\b")
# What may stand before an answer in its sentence. A sign that negates it may not.
_LEAD = re.compile(
    r"[^\w\n!?./\\¬≠]{0,12}(?:(?:yes|no),? (?=wait,? (?:yes|no)\b))?(?P<words>(?:"
    rf"(?:(?P<concluding>{_CONCLUDING})|{_INTERJECTION}|{_PHRASE})[,.:!;…-]{{0,3}} {{1,4}}){{0,3}})"
)
# Where a sentence ends, and another begins; not behind "Dr." and its like.
_BREAK = re.compile(
    r"(?:[!?;\n]|(?<!\bdr)(?<!\bmr)(?<!\bms)(?<!\bvs)(?<!\bst)(?<!\bmrs)(?<!i\.e)\.)"
    r"(?=[^\w\n!?.]{0,12}[a-z0-9])"
)
_QUESTION_BEFORE = re.compile(r"\?[\"'»”)]{0,3}\s{0,40}$")
_ONE_QUESTION = re.compile(r"[^.!?\n]{1,1000}\?[\"')]{0,3}\s{0,40}")
_PARAGRAPH = re.compile(r"\n[ \t]{0,8}\n[ \"'(]{0,4}\Z")
_MOST = 80
"""Sentences looked at, the last ones: a text that repeats itself says no more before these."""


def sentence_claims(passage: Passage) -> Iterator[Claim]:
    """Answers at the head of sentences, in no order.

    They count where the passage begins or ends with them, on a line of their own, and where they
    are introduced as a conclusion; in between they may be about anything. Behind a question they
    answer that one.
    """
    low, first, end = passage.low, passage.first, passage.end
    breaks = deque(_BREAK.finditer(low, first, end), _MOST)
    replies = sum(low[mark.start()] == "?" and _answers(low, mark.end(), end) for mark in breaks)
    for pos in (first, *(mark.end() for mark in breaks)):
        found = _word_at(low, pos, end)
        if found is None:
            continue
        word, concluding = found
        if courtesy(low, word.end, end):
            if pos != first:
                yield Claim.of(word, "a courtesy", Rank.ASIDE)
        elif pos == first:
            yield Claim.of(word, "it opens the answer", Rank.EDGE, concluding=concluding)
        elif _QUESTION_BEFORE.search(low, max(first, pos - 50), pos):
            yield _reply(passage, pos, word, sole=replies == 1)
        elif not quoted(low, passage.start, word.start, word.end):
            yield _head(passage, pos, word, concluding=concluding)


def first_end(passage: Passage) -> int:
    """Where the first sentence of a passage ends."""
    mark = _BREAK.search(passage.low, passage.first, passage.end)
    return passage.end if mark is None else mark.start()


def _answers(low: str, pos: int, end: int) -> bool:
    return _word_at(low, pos, end) is not None


def _reply(passage: Passage, pos: int, word: Word, *, sole: bool) -> Claim:
    """An answer behind a question of the text."""
    if sole and _ONE_QUESTION.fullmatch(passage.low, passage.first, pos):
        return Claim.of(word, "it follows the question", Rank.EDGE)
    rank = Rank.REPLY if passage.closes_with(word, pos) else Rank.PASSING
    return Claim.of(word, "it answers a question of its own", rank)


def _head(passage: Passage, pos: int, word: Word, *, concluding: bool) -> Claim:
    """An answer at the head of a sentence that is not the first one."""
    if concluding or passage.closes_with(word, pos):
        return Claim.of(word, "it closes the answer", Rank.EDGE, concluding=concluding)
    if passage.alone(word):
        return Claim.of(word, "it stands on a line of its own", Rank.EDGE)
    if _PARAGRAPH.search(passage.low, max(passage.first, pos - 20), word.start):
        return Claim.of(word, "it begins a paragraph", Rank.TAIL)
    return Claim.of(word, "it stands in between", Rank.ASIDE)


def _word_at(low: str, pos: int, end: int) -> tuple[Word, bool] | None:
    """The answer at the head of the sentence at `pos`, and whether it is a conclusion."""
    lead = _LEAD.match(low, pos, end)
    word = None if lead is None else answer_at(low, lead.end(), end)
    if lead is None or word is None:
        return None
    if _LIMITED.search(lead["words"]) and not _USUAL.search(lead["words"]):
        return None
    return word, lead["concluding"] is not None
