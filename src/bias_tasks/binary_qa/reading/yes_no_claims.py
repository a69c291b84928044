"""Finds where sentences of an answer say Yes or No: "No, ...", "..., so yes.", "I'd say no"."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from bias_tasks.binary_qa.items import BinaryLabel
from bias_tasks.binary_qa.reading.yes_no_words import Word, answer_at, sentence_end
from bias_tasks.reading.asserted import unasserted
from bias_tasks.reading.bounds import skip
from bias_tasks.reading.statement import Region

_CONCLUDING = (
    r"(?:so|therefore|thus|hence|then|consequently|accordingly|overall|finally|ultimately"
    r"|in (?:conclusion|summary|short|the end)|to (?:conclude|summarize)|conclusion"
    r"|actually|correction|on reflection|wait)"
)
_PLAIN = (
    r"(?:well|ok|okay|sure|sorry|unfortunately|sadly|indeed|of course|honestly|hmm|in this case"
    r"|(?:based on|according to|given|judging by|considering|by|under (?:ordinary|usual|normal))"
    r" [^,.:!?\n]{1,100}(?=, ))"
)
_BREAK = re.compile(r"[.!?;\n](?=[^\w\n!?.]{0,12}[a-z])")
# What may stand before an answer in its sentence. A sign that negates it may not.
_LEAD = re.compile(
    rf"[^\w\n!?./\\¬≠]{{0,12}}(?:(?:yes|no),? (?=wait,? (?:yes|no)\b))?"
    rf"(?:(?:(?P<concluding>{_CONCLUDING})|{_PLAIN})[,.:!-]{{0,3}} {{1,4}})?"
)
_THEREFORE = re.compile(r"(?<=[\w,)] )(?:so|therefore|thus|hence)[,:]? (?=[\"'(]?(?:yes|no))")
_CHOSEN = re.compile(
    rf"\b(?:(?P<concluding>{_CONCLUDING}),? )?"
    r"(?:(?:i|we)(?:(?:'d| would| will|'ll| must| have to)(?: therefore| thus| still)?"
    r" (?:say|answer|respond|reply|go)|(?:'d| would| will|'ll| must)?(?: therefore| thus| still)?"
    r" (?:choose|chose|select|pick|opt|vote|conclude|think|believe))"
    r"(?: with| for)?:? (?:that )?"
    r"|(?:it's|it is|that's|that is|that would be|this is) (?=an? ))"
)
_ONE_QUESTION = re.compile(r"[^.!?\n]{1,1000}\?\s{0,40}")
_BLANK = re.compile(r"\s*")
_MAX = 80
"""Places looked at, the last ones: a text that repeats itself says no more before these."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A place where a text says Yes or No."""

    label: BinaryLabel | None
    """None for one that is taken back at once ("yes and no"), which only a conclusion settles."""
    start: int
    end: int
    rule: str
    """What makes it an answer."""
    counts: bool = True
    """It answers by itself. One that does not can only contradict those that do."""
    concluding: bool = False
    """It is introduced as a conclusion or a correction ("So no", "Wait, yes")."""


def sentence_claims(region: Region) -> Iterator[Claim]:
    """What the sentences of a region claim, in no order."""
    last = _last_letter(region)
    yield from _heads(region, last)
    yield from _chosen(region)
    yield from _therefore(region, last)


def _heads(region: Region, last: int) -> Iterator[Claim]:
    """Answers at the head of sentences.

    They count where the region begins or ends with them and where they are introduced as a
    conclusion; in between they may be about anything, and can only contradict. Behind a question
    they answer that one, so that they are passed over unless it is all that stands before them.
    """
    low = region.low
    first = skip(_BLANK, low, region.start, region.end)
    breaks = deque(_BREAK.finditer(low, first, region.end), _MAX)
    for pos in (first, *(mark.end() for mark in breaks)):
        lead = _LEAD.match(low, pos, region.end)
        word = None if lead is None else answer_at(low, lead.end(), region.end)
        if lead is None or word is None:
            continue
        concluding = lead["concluding"] is not None
        closing = _closes(region, pos, word, last)
        if pos == first:
            yield _claim(word, "it opens the answer", concluding=concluding)
        elif not low[first:pos].rstrip().endswith("?"):
            counts = closing or concluding
            yield _claim(word, "it closes the answer", counts=counts, concluding=concluding)
        elif closing and _ONE_QUESTION.fullmatch(low, first, pos):
            yield _claim(word, "it follows the question")


def _chosen(region: Region) -> Iterator[Claim]:
    """Answers behind "I would say" and the like."""
    for cue in deque(_CHOSEN.finditer(region.low, region.start, region.end), _MAX):
        word = answer_at(region.low, cue.end(), region.end)
        if word is not None and not unasserted(region.low, region.start, cue.start()):
            concluding = cue["concluding"] is not None
            yield _claim(word, "a choice in words", concluding=concluding)


def _therefore(region: Region, last: int) -> Iterator[Claim]:
    """Conclusions within a sentence: "both are American, so yes"."""
    for cue in deque(_THEREFORE.finditer(region.low, region.start, region.end), _MAX):
        word = answer_at(region.low, cue.end(), region.end)
        if word is not None and not unasserted(region.low, region.start, cue.start()):
            closing = _closes(region, cue.start(), word, last)
            yield _claim(word, "a conclusion", counts=closing, concluding=closing)


def _claim(word: Word, rule: str, *, counts: bool = True, concluding: bool = False) -> Claim:
    return Claim(word.label, word.start, word.end, rule, counts, concluding)


def _last_letter(region: Region) -> int:
    """Where the last letter or digit of a region stands; -1 if there is none."""
    return next(
        (pos for pos in range(region.end - 1, region.start - 1, -1) if region.low[pos].isalnum()),
        -1,
    )


def _closes(region: Region, pos: int, word: Word, last: int) -> bool:
    """Whether the sentence or the line that begins at `pos` is the last."""
    if last < sentence_end(region.low, word.end, region.end):
        return True
    newline = region.low.find("\n", word.end, region.end)
    return region.low[pos - 1 : pos] == "\n" and (newline < 0 or last < newline)
