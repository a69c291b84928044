"""Finds where a text takes back what it said before: "Wait, ...", "I misread", "Scratch that"."""

from __future__ import annotations

import re

# What takes back an answer given before, so that the next one replaces it.
_CORRECTION = re.compile(
    r"\b(?:wait|correction|on (?:second thoughts?|reflection|closer \w{1,12}|reconsideration)"
    r"|upon (?:reflection|\w{1,10} reflection|closer \w{1,12}|reconsideration|re-?reading"
    r"|reviewing)|looking (?:again|closer|more closely)|(?:scratch|strike) that|take (?:that"
    r"|it) back|oops|i (?:misread|miscounted|misspoke|miscalculated|misinterpreted|misunderstood"
    r"|was wrong|was mistaken|stand corrected|overlooked|missed|made an? (?:\w{1,12} )?(?:mistake"
    r"|error))|my (?:mistake|bad|apologies|error)|apologi[sz]e|disregard|let me correct"
    r"|i need to correct|reconsider(?:ing|ed)?|too (?:quick|hasty|fast)|that(?:'s| is"
    r"| was) (?:wrong|incorrect|not right)|change my (?:answer|mind)|i mean|er|hmm+|kidding|joking"
    r"|retract|withdraw|rethink(?:ing)?)\b|\b(?:edit|update):"
    r"|(?:\A|[.!?;:,\n(-])[ \"']{0,3}(?:actually|sorry"
    r"|however,? on)\b"
)
# What leaves an answer open that was given before, unless another follows.
_ABANDONED = re.compile(
    r"(?:\A|[.!?…\n;-])\s{0,3}(?:(?:but|oh|hmm+|so|okay|ok|no|yes|actually),? ){0,2}"
    r"(?:(?:wait|hold on|hang on|scratch that|strike that)\b(?=\s*(?:[,.!…;-]|\Z))"
    r"|let me (?:re-?think|reconsider|re-?compute|recount|think again)\b"
    r"|(?:i|we)(?:'d| would) rather (?:not|leave)\b|(?:i|we) (?:won't|refuse to|decline to)"
    r" (?:answer|say|pick|choose|commit)\b)"
    r"|\blet me (?:double-? ?check|check|verify|re-?check)\b[^\n.:?!]{0,20}[\s.:…]*\Z"
    r"|(?<!not )(?<!n't )\b(?:withdraw|retract|take back) (?:this|that|it"
    r"|my (?:\w{1,12} )?answer)\b"
    r"|\bneither [\"']?yes[\"']? (?:nor|or) [\"']?no\b"
    r"|\b(?:can't|cannot|can not|couldn't) (?:be |really |honestly )?(?:answer|say)(?:ed)?"
    r"(?: (?:this|it|that|the question))?(?: with)?(?: a)?(?: \w{1,12})?"
    r" [\"']?yes[\"']? or [\"']?no\b"
)


def corrections(low: str, start: int, end: int) -> list[int]:
    """The places at which an answer given before is taken back."""
    return [found.start() for found in _CORRECTION.finditer(low, start, end)]


def abandoned(low: str, start: int, end: int) -> bool:
    """Whether a text takes back or withholds what it said before."""
    return _ABANDONED.search(low, start, end) is not None
