"""Finds Yes and No where the writer chooses one ("I'd say no") or names it ("No is the answer")."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import replace

from bias_tasks.binary_qa.reading.claims import Claim, Rank
from bias_tasks.binary_qa.reading.cues import NOUN, concludes
from bias_tasks.binary_qa.reading.stance import asserted, quoted
from bias_tasks.binary_qa.reading.words import answer_at

_SUBJECT = r"\b(?:i|we)(?:'d| would| will|'ll|'m| am|'re| are|'ve| have| must| can| do)?"
_ADVERBS = (
    r"(?: (?:therefore|thus|still|hence|now|again|then|just|simply|definitely|probably|personally"
    r"|rather|have to|had to|must|also)){0,2} "
)
_VERB = (
    r"(?:gonna |(?:going|inclined|happy|forced|led|able|like|want|need) to )?(?:have to )?"
    r"(?:say|answer(?:ed)?|respond|reply|go|going|choos(?:e|ing)|chose|select(?:ed|ing)?"
    r"|pick(?:ed|ing)?|opt(?:ing)?|vot(?:e|ing)|conclude|think|believe|put|guess|bet|stick(?:ing)?"
    r"|stay(?:ing)?|stand(?:ing)?|settled?|side|lean(?:ing)?|maintain|agree|keep|argue|suppose"
    r"|reckon|suspect|decided?|landed|arrived?|come down"
    r"|(?:call|count|read|take|rate|mark|label|classify) (?:it|this|that)(?: as)?)"
)
_OBJECT = (
    r"(?: (?:this|the|that|your)(?: \w{1,10})?(?: question)?)?"
    r"(?: (?:with|for|to|by|at|on(?: the side of)?|in favou?r of|towards?|the answer|my answer"
    r"|it))?"
    r"(?: my)?(?: (?:original|previous|first|initial))?(?: answer(?: of)?)?(?: that)?"
    r"(?: (?:the|my) answer is)?,?:? "
)
_TEXT = r"(?:passage|text|context|evidence|article|paragraph|facts|data)(?: clearly| strongly)?"
_CHOSEN = re.compile(
    rf"{_SUBJECT}{_ADVERBS}{_VERB}{_OBJECT}"
    # "It's a no", "which makes it a yes", "this means no"
    r"|\b(?:it's|it is|that's|that is|that would be|this is|it (?:remains|stays|is still)"
    r"|it (?:would|must|should|has to|can only|will) be) (?!not\b)"
    r"|\b(?:that|this|which|it|evidence|passage|text)(?: clearly| strongly| all)? (?:means?"
    r"|makes? (?:it|this|that)|would make it|points? to(?:wards?)?|leads? to|gives(?: us)?)"
    r"(?: that)?(?: the answer)?(?: is)?:? "
    r"|\bmak(?:es?|ing) (?:(?:the|my|this) (?:\w{1,10} )?answer|it|this|that) "
    r"|\b(?:follows|means|shows|proves|implies) that |\b(?:sounds|looks) like (?:it's )?"
    # "The passage says no", "it can be answered with yes", "it comes down to a no"
    rf"|\b{_TEXT} (?:says?|suggests?|indicates?|implies|imply|supports?|favou?rs?"
    r"|confirms?)(?: that)?:? "
    r"|\b(?:be|is) answered (?:with|by|as) "
    # "Most evidence leans towards yes", "The answer changes to no", "It is not yes but no"
    r"|\b(?:consensus|evidence|weight|balance|everything|passage|text)(?: \w{1,12}){0,2}"
    r" (?:leans?|tips?|tilts?|points?) (?:\w{1,12}ly )?(?:to(?:wards?)?|in favou?r of) "
    r"|\b(?:my|the) (?:\w{1,10} )?answer(?: (?:then|now|therefore|thus|has|is|should))?"
    r" (?:changes?|changed|becomes?|shifts?|switches|turns?)(?: from [\"']?(?:yes|no)[\"']?)?"
    r" (?:in)?to "
    r"|\bis not [\"']?(?:yes|no)[\"']?,? but (?:rather )?"
    r"|\b(?:evaluates|resolves|amounts|(?:comes|boils) down) to "
    # "My answer of yes stands", "I change my answer from yes to no"
    r"|\bmy (?:\w{1,10} )?answer(?: of)?[,:]? "
    r"(?=[\"']?(?:yes|no)[\"']?,? (?:still )?(?:stands|holds))"
    r"|\b(?:chang(?:e|ing|ed)|switch(?:ing|ed)?) (?:it |over )?to "
    r"|\b(?P<changed>(?:chang|revis|updat|switch|correct|amend)(?:e[sd]?|ing|ed)? (?:it|(?:my|the)"
    r" (?:\w{1,12} )?answer)(?: from [\"']?(?:yes|no)[\"']?)? (?:to|as)(?: be)?)[: ]{1,2}"
    # "Going with yes", "gotta say no", "let's say yes", "Answer no"
    r"|\b(?:leaning(?: towards?)?|going with|sticking with) |\blet's (?:go with|say|pick|choose) "
    r"|(?<![^\n])(?:gonna|gotta|have to) (?:say|go with) "
    r"|(?<![^\n])[ >([【-]{0,8}(?:(?:the |my )?answer|ans|tl ?;? ?dr)[.;,)\]】]{0,2} {1,3}"
)
_NAMED = re.compile(
    r"(?<![\w/|-])[\"'(]{0,3}(?=(?:yes|no)[\"')]{0,3} (?:is|would be|must be|remains|seems to be)"
    rf" (?:therefore |clearly |thus |indeed |still )?(?:(?:the|my|our) (?:\w{{1,12}} )?{NOUN}"
    r"|(?:correct|right)(?! (?:only|if|until|when|about|for)\b))\b)"
)
_MOST = 80
"""Choices looked at, the last ones: a text that repeats itself says no more before these."""


def choices(low: str, start: int, end: int) -> Iterator[Claim]:
    """Answers that the writer chooses ("I would say no") or names ("No is the right answer")."""
    for pattern, rule in ((_CHOSEN, "a choice in words"), (_NAMED, "named the answer")):
        for cue in deque(pattern.finditer(low, start, end), _MOST):
            word = answer_at(low, cue.end(), end)
            if (
                word is not None
                and asserted(low, start, cue.start())
                and not quoted(low, start, cue.start(), word.end)
            ):
                claim = Claim.of(
                    word, rule, Rank.ANNOUNCED, concluding=concludes(low, start, cue.start())
                )
                changed = pattern is _CHOSEN and cue["changed"] is not None
                yield replace(claim, concluding=claim.concluding or changed)
