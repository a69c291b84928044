"""The sentence and the clause in which a keyword stands."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bias_tasks.reading.bounds import last_end

_SENTENCE_END = re.compile(r"[.!?\n]")
# Where a new clause begins, so that a denial before it no longer reaches what follows.
_CLAUSE_START = re.compile(
    r"[;:]|, (?=(?:the|it|this|that|they|we|i|so|thus|therefore|hence|but|and|there|fact|which"
    r"|yet|however|while|statement)\b)"
    r"| (?:because|since|but|however|so|therefore|thus|although|though|while|whereas|yet"
    r"|and (?:the|it|that|this|so|therefore|thus|is))\b"
)
CONDITION = re.compile(
    r"\b(?:if|whether|might|may|could|would|possibly|perhaps|maybe|suppos\w{1,4}|assum\w{1,5}"
    r"|unless"
    r"|until|before|needs? to|have to|has to|in order to|tr(?:y|ies|ied|ying) to|attempt\w{0,3} to"
    r"|let us|let's|going to|required to|either|to (?:determine|decide|check|see|find out)"
    r"|(?:one|cases?|scenarios?|models?|worlds?|situations?) (?:where|in which)"
    r"|(?:(?:fact|rule|premise|condition|sentence|antecedent|option|inference|reasoning|argument"
    r"|deduction)s?|\d) (?:is|are|being|be))\b"
)
BUT = re.compile(
    r"[.!?;,\n]\s{0,4}(?:however|but|yet|nevertheless|nonetheless|on the other hand|alternatively"
    r"|that said|even so)\b"
)
NEAR_DENIAL = re.compile(
    r"(?:\b(?:not|no|never|without|nothing|hardly|no longer|neither|nor)|n't) (?:\w{1,20} ){0,2}$"
)
_CONTEXT = 200
"""Characters of a sentence around a keyword that are looked at."""


@dataclass(frozen=True, slots=True)
class Context:
    """The sentence in which a keyword stands, as far as `_CONTEXT` characters around it."""

    start: int
    before: str
    """The sentence before the keyword."""
    clause: str
    """The part of it that denials and conditions reach from."""
    after: str
    """The sentence behind the keyword."""
    asked: bool

    @classmethod
    def of(cls, low: str, hit: re.Match[str], start: int, end: int) -> Context:
        floor = max(start, hit.start() - _CONTEXT)
        begin = floor + last_end(_SENTENCE_END, low[floor : hit.start()])
        stop = min(end, hit.end() + _CONTEXT)
        mark = _SENTENCE_END.search(low, hit.end(), stop)
        stop = stop if mark is None else mark.start()
        before = low[begin : hit.start()]
        clause = before[last_end(_CLAUSE_START, before) :]
        return cls(begin, before, clause, low[hit.end() : stop], low[stop : stop + 1] == "?")
