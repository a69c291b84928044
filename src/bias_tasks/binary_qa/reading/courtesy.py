"""Tells a Yes or No that is said to the asker from one that answers: "Yes, I'd be happy to help".

What follows such a word is an offer to help, an assurance ("Yes, I'm sure."), thanks, or a word on
the answer given before or on a passage that is missing.
"""

from __future__ import annotations

import re

_DEGREE = r"(?:(?:very|quite|pretty|fairly|absolutely|completely|totally|more than|always|100%) )?"
_BETWEEN = (
    r"(?:(?:of course|certainly|absolutely|definitely|sure(?: thing)?|indeed|yes|no|sir|ma'am)"
    r"[ ,.!;:-]{1,5}){0,3}(?:(?:and|but|so) )?"
)
_HELP = re.compile(
    rf"[\s,.!;:-]{{0,6}}{_BETWEEN}(?:"
    rf"(?:i|we)(?:'d| would|'ll| will|'m| am|'re| are) (?:be )?{_DEGREE}"
    r"(?:happy|glad|pleased|delighted|love|like to (?:help|assist)|ready|willing|here to)\b"
    r"|(?:i|we)(?: can| could|'ll| will| am able to|'m able to)"
    r" (?:certainly |definitely |absolutely |surely |gladly |try to |try and )?"
    r"(?:help|assist|answer|do (?:that|this|so|it)|try|explain|clarify|take (?:a|another)|provide"
    r"|analy[sz]e|review|re-?check|double-check|check|reconsider|look (?:at|into|again)|walk"
    r"|go (?:over|through|ahead))\b|(?:go ahead|ask away|tell me|what's (?:your|the))\b|how (?:can"
    r"|may|could) i |what (?:can|would|is|are) (?:i|you|your|it about)\b|(?:can|could|would"
    r"|will) you (?!like (?:me to )?(?:explain|elaborate|know|more|further|to know)\b))"
)
# Not over a line's end, where a bare answer may stand above a word of thanks.
_ASIDE = re.compile(
    rf"[ ,.!;:-]{{0,6}}{_BETWEEN}(?:"
    rf"(?:i|we)(?:'m| am|'re| are) {_DEGREE}(?:sure|certain|confident|positive)"
    r"\b(?! (?:that )?(?!(?:the|my) (?:\w{1,12} )?answer)"
    r"(?:the|he|she|it|they|this|these|those|both|there|all)\b)"
    r"|(?:i|we) (?:stand by|stick|maintain|understand|see(?= what| your| the point|[.,;!])|hear"
    r"|apologi[sz]e|made an? |(?:was|were) wrong|misread|have (?:re)?(?:checked|considered|read)"
    r"|did(?: not|n't)? (?:make|change|mean)|double-checked|rechecked|(?:re)?considered"
    r"|(?:still )?(?:dis)?agree (?:with|on)|(?:do not|don't|did not|didn't)"
    r" (?:want|wish|need|think i|agree with|see (?:a|any) reason))"
    r"|(?:i|we)(?: would|'d| will|'ll|'m| am)(?: not|n't)? (?:not )?(?:chang\w{1,3}|stick\w{0,3}"
    r"|stand\w{0,3}|keep\w{0,3}|going to (?:change|stick|stand|keep))\b"
    r"|(?:i|we) (?:won't|wouldn't) (?:change|revise)\b"
    r"|you(?:'re| are|r point is) (?:\w{1,12} )?(?:right|correct|welcome)\b"
    r"(?! (?:to(?! (?:question|doubt|ask|challenge|check|push|point|wonder)\b)|in)\b)"
    r"|(?:(?:sir|ma'am)[ ,.!]{1,3})?(?:right away|at once|coming up|understood|got it)\b"
    r"|(?:thanks?(?! to\b)|please (?!note)|sorry|problem|worries)\b"
    r"|(?:(?:that's|that is|this is|it's|it is|what) an? )?(?:good|great|fair|valid|interesting"
    r"|nice|tricky|yes or no) (?:question|point|catch)\b"
    r"|(?:the|that|this|your) (?:\w{1,10} )?answer (?:is|was|remains|stays|does|doesn't|has)"
    r" (?:not |still )?(?:correct|right|the same|unchanged|accurate|wrong|incorrect|changed?"
    r"|stand)\b|(?:i|we)(?: do not| don't| cannot| can't) (?:have (?:access|the (?:passage|context"
    r"|text))|see (?:a|any|the) (?:passage|context|text|question|article)\b(?! (?:that|which|in"
    r"|of)\b))|you (?:haven't|have not|didn't|did not) (?:provide|include|give|share|attach)"
    r"|let(?:'s| me| us) (?!explain\b|know\b)|[^,.!?\n]{0,50}\bsame answer\b"
    r"|[^,.!?\n]{0,40}\bmy (?:\w{1,10} )?"
    r"(?:answer|response|reply|position|conclusion|mistake|error)\b(?! (?:is"
    r"|would be):? [\"']?(?:yes|no)\b)"
    r")"
)


def courtesy(low: str, at: int, end: int) -> bool:
    """Whether the Yes or No that ends at `at` is said to the asker: "Yes, I'd be happy to help"."""
    return _HELP.match(low, at, end) is not None or _ASIDE.match(low, at, end) is not None
