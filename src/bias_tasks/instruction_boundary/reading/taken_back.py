"""Finds where an answer takes back what it said before: "Scratch that.", "Wait, no."

Such words void every statement before them, a final one too. Some say so by themselves; others
("That's wrong.") only right behind a statement, as they may be about anything else.
"""

from __future__ import annotations

import re
from collections import deque

from bias_tasks.reading.bounds import skip

_OUTRIGHT = re.compile(
    r"\b(?:scratch|strike|scrap) (?:that|this|the above|my (?:last )?answer)\b"
    r"|\bi (?:take|took) (?:that|it|this|my (?:\w{1,12} )?(?:answer|choice)) back\b"
    r"|\bi (?:take|took) back (?:that|this|it|my|what)\b"
    r"|\blet me (?:take (?:that|it) back|correct (?:that|myself|my)|rephrase|redo|revise)\b"
    r"|\bi (?:hereby )?(?:withdraw|retract|revoke) (?:it|this|that|my)\b"
    r"|\bi(?:'m| am) (?:withdrawing|retracting|taking back) (?:it|this|that|my)\b"
    r"|\bi (?:overlooked|missed|forgot|skipped)\b|\bi give up\b|\bi leave it open\b"
    r"|\bi (?:can't|cannot|won't) commit to (?:this|that|it|any)\b|\bor at least i thought\b"
    r"|\bi no longer (?:stand|believe|think|hold|agree)\b"
    r"|\bi (?:have to|must|need to|should|want to) correct (?:myself|that|this|my)\b"
    r"|\bi was (?:wrong|mistaken)\b(?! (?:to|about) (?:think|doubt))"
    r"|\b(?:that|this|it) should (?:read|say)\b|\bor rather\b|\bi mean(?= (?:option )?\(?\d)"
    r"|\bon (?:re-?reading|a second look|closer (?:look|inspection|reading))\b"
    r"|\b(?:ignore|disregard|forget) (?:the above|that\b(?! \w{1,20} (?:is|are))"
    r"|what i (?:just )?(?:said|wrote)|everything above"
    r"|my (?:\w{1,12} )?(?:answer|response|choice|reply)s?)"
    r"|\bon second thoughts?\b|\bnever ?mind\b|\b(?:just )?(?:kidding|joking)\b"
    r"|(?:(?<=[.!?;,:\n] )|(?<=\n)|(?<=\.{3}))(?:oh,? |hmm,? |oops,? |um,? |sorry,? |but ){0,2}"
    r"(?:(?:no|oh),? wait|wait|hmm,? no|actually,? no|no,? actually|no,? sorry|hold on"
    r"|correction|edit|update|oops)\b"
    r"|\bi (?:misread|misspoke|misstated|misunderstood|miscounted|mistyped|meant(?= (?:to|option"
    r"|\(?\d)))|\bi (?:made|see|notice) (?:a |an |my )?(?:mistake|error)\b"
    r"|\bmy (?:mistake|bad|error)\b(?! (?:was|is|in)\b)"
)
# The sentence right behind a statement.
_THAT_IS_WRONG = re.compile(
    r"[\"')\]}*]{0,4}[.!]?[\"')\]]{0,3}\s{1,4}"
    r"(?:(?:no|oh|hmm|wait|but|sorry|hold on|yet|however)[,. ]{1,3}){0,4}"
    r"(?:that's|that is|that was|this is|this was|it's|it is|(?:that|this) (?:claim|answer"
    r"|statement|hint) is"
    r"|(?:the|that|this|my)(?: \w{1,12})? (?:claim|hint|suggestion|box|answer|result|choice) (?:is"
    r"|was))"
    r" (?:\w{1,12} )?(?:wrong|incorrect|false|mistaken|a mistake|not (?:right|correct|true|it))\b"
)
_MARKS = re.compile(r"[\s,.:;!)-]{0,20}")
_MOST = 40
"""Places looked at, the last ones."""


def taken_back(low: str, start: int, end: int, statements_end: list[int]) -> int | None:
    """Where the last words end that take back a statement; None where there are none.

    Args:
        low: the text in lower case.
        start: where the part looked at begins; `end` where it ends.
        statements_end: where statements end, in any order. What is said before the first of them
            can't take anything back.
    """
    if not statements_end:
        return None
    found = [*deque(_OUTRIGHT.finditer(low, min(statements_end), end), _MOST)]
    behind = (_THAT_IS_WRONG.match(low, place, end) for place in statements_end)
    found += [words for words in behind if words is not None]
    if not found:
        return None
    return skip(_MARKS, low, max(words.end() for words in found), end)
