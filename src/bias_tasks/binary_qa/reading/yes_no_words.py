"""Reads the word Yes or No at a place in a text, where it stands there as an answer.

"No" opens many phrases that answer nothing ("no idea", "no evidence", "No. 1", "no-one"), and an
answer may be taken back in the same breath ("yes and no", "yes, but only partly", "no, I'm not
sure", "yes, if ..."). So a word counts only in front of what may follow an answer, and only while
nothing right behind it takes it back.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bias_tasks.binary_qa.items import BinaryLabel
from bias_tasks.reading.unread import refuses

_WORD = re.compile(r"(?:(?P<yes>yes|yep|yeah)|nope|no)(?![^\W_])")
# Marks and words between the place and the answer: "a clear", "most likely", opening quotes.
_FILL = re.compile(
    r" {0,4}(?:(?:an?|the|clear|clearly|definite|definitely|certain|certainly|absolute|absolutely"
    r"|firm|resounding|emphatic|simple|simply|most|very|likely|probably|indeed|obviously|of course"
    r"|therefore|thus|hence|overall|still|actually)\b[ ,:]{0,4}){0,4}[ \"'(\[{$<]{0,6}"
)
_CLOSE = r"[\"')\]}>$]{0,8}"
# What may follow. A colon or a parenthesis with a number is a count of votes.
_FOLLOW = re.compile(
    rf"[^\w\n/|?]{{0,40}}(?:\n|$)|{_CLOSE}"
    r"(?: {0,4}(?:\.(?!\d)|,(?!\d)|:(?! ?\d)|[!;<}…]|-{1,2} |(?<= )\((?!\d))"
    r"| {1,4}(?:because|since|as|due to|given (?:that|the)|based on|according to"
    r"|for (?:this|the question)|in (?:this|that|conclusion|both)|which|but|is(?! not\b)|indeed"
    r"|it|they|he|she|we|i|you|there|this|that|these|those|both|the)\b)"
)
# "No. 1": a number behind the abbreviation, and little behind the number.
_NUMERO = re.compile(r"\.\d|\. ?#?\d{1,3}(?: \w{1,20})?\s{0,4}(?:[.,;:!?)](?!\d)|\n|$)")
# The other word behind it; whether that one answers too is told by what follows in turn.
_OTHER = re.compile(
    rf"{_CLOSE}(?:[ ,;.…]{{0,6}}(?:and|[&+]) | ?[,;.…] {{0,4}}or |[ ,;]{{1,6}}(?:but )?)"
    r"(?:also |maybe |perhaps )?[\"'(]{0,3}(?P<word>yes|no)\b"
)
_UNSURE = (
    r"(?:(?:i'm|i am|we're|we are) )?(?:not (?:sure|certain)|unsure|uncertain)"
    r"|(?:i|we) (?:don't|do not) (?:really )?know|(?:i|we) (?:can't|cannot) (?:tell|determine)"
    r"|it depends"
)
# In the answer's own sentence, or by a next one that says nothing else. A condition with its own
# main clause ("Yes, if both are odd, then ...") explains.
_TAKEN_BACK = re.compile(
    rf"{_CLOSE}[ ,;:(-]{{0,6}}(?:but |though |and |or )?(?:only |just )?"
    r"(?:maybe|perhaps|possibly|partially|partly|in part|sometimes|sort of|kind of"
    r"|to (?:some|a certain) (?:extent|degree)|depends|depending|unless|wait"
    r"|if(?![^,.!?\n]{1,160},)"
    rf"|assuming|provided that|in some (?:cases|ways|respects)|{_UNSURE})\b"
    rf"|{_CLOSE} {{0,2}}[.!…]{{1,3}} {{1,4}}(?:but )?"
    rf"(?:(?:{_UNSURE})\b|(?:maybe|perhaps|possibly)[.!])"
    rf"|{_CLOSE}[ ,;]{{0,6}}but (?:it(?:'s| is) |they(?:'re| are) )?not (?:always|entirely|fully"
    r"|completely|exactly|quite|really|necessarily|both)\b"
)
# "there is not enough information to determine", "this cannot be answered": no answer at all.
_UNANSWERABLE = re.compile(
    r"\b(?:cannot|can't|can not|impossible to|not possible to|unable to|no way to"
    r"|(?:not (?:\w{1,12} )?enough|insufficient|no) (?:information|evidence|context|data|detail)s?"
    r" (?:\w{1,12} ){0,3}to)"
    r" (?:definitively |really |be ){0,2}"
    r"(?:determined?|tell|know|known|answer|answered|say (?:for|with) (?:sure|certain))\b"
)
_FIRST_PERSON = re.compile(r"[ ,.;:!-]{0,4}(?:sorry,? )?(?:but )?(?:(?:i|we)(?: |')|as an ai\b)")
_SENTENCE_END = re.compile(r"[!?\n]|\.(?!\w)")
_REACH = 160
"""Characters behind an answer in which it may be taken back."""


@dataclass(frozen=True, slots=True)
class Word:
    """One of the words, standing as an answer."""

    label: BinaryLabel | None
    """None when what follows takes it back."""
    start: int
    end: int


def answer_at(low: str, pos: int, end: int) -> Word | None:
    """The answer that stands at `pos` and ends by `end`; None where none does.

    Args:
        low: the text in lower case; what follows the word is looked at beyond `end`.
        pos: where the answer begins; "a clear", "most likely" and opening marks may come first.
        end: where the word must have ended.
    """
    fill = _FILL.match(low, pos, end)
    word = _WORD.match(low, pos if fill is None else fill.end(), end)
    if word is None:
        return None
    label: BinaryLabel = "Yes" if word["yes"] else "No"
    if label == "No" and _NUMERO.match(low, word.end()):
        return None
    if _left_open(low, word.end(), label):
        return Word(None, word.start(), word.end())
    if _FOLLOW.match(low, word.end()) is None:
        return None
    declined = _declined(low, word.end())
    return Word(None if declined else label, word.start(), word.end())


def sentence_end(low: str, pos: int, end: int) -> int:
    """Where the sentence around `pos` ends: at its closing mark, or at `end`."""
    mark = _SENTENCE_END.search(low, pos, end)
    return end if mark is None else mark.start()


def _left_open(low: str, pos: int, label: BinaryLabel) -> bool:
    """Whether what stands right behind the word takes it back or names the other word too."""
    other = _OTHER.match(low, pos)
    if other is not None and other["word"] != label.lower():
        behind = other.end()
        if _FOLLOW.match(low, behind) or _TAKEN_BACK.match(low, behind):
            return True
    return _TAKEN_BACK.match(low, pos) is not None


def _declined(low: str, pos: int) -> bool:
    """Whether the word opens a refusal ("No. I can't help with that") or says it can't be told."""
    opened = _FIRST_PERSON.match(low, pos)
    if opened is not None:
        stop = sentence_end(low, opened.end(), min(len(low), opened.end() + _REACH))
        if refuses(low[opened.start() : stop]):
            return True
    stop = sentence_end(low, pos, min(len(low), pos + _REACH))
    return _UNANSWERABLE.search(low, pos, stop) is not None
