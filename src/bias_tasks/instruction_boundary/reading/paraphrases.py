"""Reads verdicts on a statement that are said without the words of appendix N.

"That is exactly what the statement says" is True, "contrary to the statement" False, and "the
facts don't mention it" Unknown. They are looked for only where no keyword speaks, in the first
sentence and near the end, and must not speak for two labels.
"""

from __future__ import annotations

import re

from bias_tasks.instruction_boundary.reading.asserted import unasserted
from bias_tasks.instruction_boundary.reading.keywords import Keyword, Undecided

_THE_STATEMENT = (
    r"(?:the|this|that) (?:statement|question|claim|conclusion|hypothesis|assertion|proposition)"
    r"(?: itself| in question)?(?: \"[^\"\n]{1,200}\")?"
)
_SURELY = r"(?: (?:therefore|thus|hence|clearly|indeed|also|directly|logically|must|does|then))*"
_SAYS = r"(?:says|claims|states|asserts|requires)"
_TELLS = (
    r"(?:say|tell|mention|state|indicate|address|specify|settle|determine|reveal|concern)(?:s|ed)?"
)
_PATTERNS = {
    "True": re.compile(
        rf"\b(?:exactly|precisely|just) (?:what )?{_THE_STATEMENT}(?: {_SAYS})?\b"
        rf"|\b(?:as|what) {_THE_STATEMENT} {_SAYS}\b"
        r"|(?<!no )(?<!not )\b(?:clear|strong|direct|ample) evidence (?:for|in favou?r of) (?:it"
        r"|this|the (?:statement|claim|conclusion))\b(?! being)"
        rf"|\b{_THE_STATEMENT} (?:is|must be)(?: therefore| thus| clearly)? (?:right"
        rf"|a (?:\w{{1,12}} )?consequence)\b(?! (?:only|if|unless))"
        rf"|\b{_THE_STATEMENT}{_SURELY} (?:holds|stands|hold|follows?)\b(?! (?:only|if|unless))"
    ),
    "False": re.compile(
        rf"\b(?:opposite|reverse|contrary|negation) of (?:what )?{_THE_STATEMENT}\b"
        rf"|\bcontrary to (?:what )?{_THE_STATEMENT}\b|\bnot what {_THE_STATEMENT} {_SAYS}\b"
        rf"|(?:^|[.!?;:,\n] ?)(?:so|thus|therefore|hence|and|but)?,? ?{_THE_STATEMENT}{_SURELY}"
        r" (?:is wrong|fails|(?:cannot|can't) (?:hold|be (?:right|true|so)))\b"
        r"|\bfacts?(?: \d{1,2})? (?:says?|shows?|states?|tells? us) (?:otherwise|the (?:opposite"
        r"|contrary))(?=\W{0,3}(?:$|\n|[.!;,]))"
        r"|(?<!no )(?<!not )\b(?:clear|strong|direct|ample) evidence against (?:it|this"
        r"|the (?:statement|claim|conclusion))\b(?! being)"
        r"|\b(?:opposite|contrary|reverse) of what (?:the )?facts?\b"
        r"|(?<!no )(?<!no direct )(?<!without )\bcontradiction (?:with|between|to)\b"
        r"|\bgoes against (?:the )?facts?\b"
        r"|\b(?:facts?|rules?)(?: \d{1,2})? rules? (?:it|this|that|the statement) out\b(?! that)"
        rf"|\b(?:conflicts?|clash(?:es)?|(?:is|are) (?:at odds"
        rf"|incompatible)) with {_THE_STATEMENT}\b"
        rf"|\b{_THE_STATEMENT} (?:conflicts|clashes|is at odds|is incompatible) with\b"
        r"|\bcan(?:'t|not) both (?:hold|be true|be the case)\b"
    ),
    "Unknown": re.compile(
        rf"\b(?:facts?|premises|they|information|text)\b[^.!?\n;]{{0,40}}"
        rf"(?:n't|\bnot|\bnever)(?: \w{{1,12}})? {_TELLS}\b"
        rf"|\b(?:no|none of the|neither) (?:fact|facts|premise|premises|information|one)\b"
        rf"[^.!?\n;]{{0,40}}\b{_TELLS}\b"
        rf"|\bnothing (?:in the facts |here |there )?(?:that )?{_TELLS}\b"
        rf"|\b(?:it|that) (?:doesn't|does not|isn't|is not) {_TELLS}\b(?! that)"
        r"|\bno (?:\w{1,12} )?(?:information|mention|data|details?|indication"
        r"|clues?)\b(?! (?:contradict|against))"
        r"|\bnothing (?:is said |here |in the facts )?about\b|\black(?:s|ing)? (?:the "
        r"|any )?information\b"
        r"|\b(?:can't|cannot|can not) (?:conclude|infer|deduce) (?:anything|whether|if)\b"
        r"|\b(?:isn't|is not) possible to (?:determine|tell|know|say|decide)\b"
        r"|\bopen question\b|\bleaves? (?:this|it|that|the (?:question|matter|statement)) open\b"
        r"|\b(?:can't|cannot|can not) be (?:verified|checked|settled|answered|decided"
        r"|ascertained)\b"
        rf"|(?:n't|\bnot|\bcannot)\b[^.!?\n]{{1,80}}\bnor (?:that|does its|can its|is its)\b"
        rf"|\bneither {_THE_STATEMENT} nor (?:its|the) (?:negation|opposite|contrary)\b"
        r"|\b(?:can't|cannot) be (?:said|known|told) (?:with certainty|for (?:sure|certain))\b"
        r"|\bcould be either(?=[.!]| way|$)"
        r"|\b(?:may|might|could) or (?:may|might|could) not\b|\b(?:go|be|fall) either way\b"
        r"|\b(?:both|either) (?:is|are|remains?|would be) (?:possible|open|consistent)\b"
        r"|\bfacts? (?:is|are|remains?) silent\b|\b(?:isn't|is not|aren't|are not|never) (?:stated"
        r"|mentioned|given|told|specified|addressed)\b"
    ),
}
_SAID_BY = re.compile(
    r",? (?:some|they|people|others|many) (?:would |might |may )?(?:say|think|claim)"
)
_TO_CHECK = re.compile(r"\b(?:check|see|determine|decide|tell|ask|know) (?:whether|if)\b[^.!?\n]*$")
_SUPPOSED = re.compile(r"\b(?:where|in which|such that|when) $")
_BEGINNING, _ENDING = 200, 300
"""A verdict stands within so many characters of an answer's beginning or end."""
_QUESTION = re.compile(r"[^.!\n]{0,200}\?")


def paraphrased(low: str, start: int, end: int) -> Keyword | Undecided:
    """The judging label that an answer's first or last words say in other words."""
    found = [
        Keyword(label, hit.start(), hit.end(), f"a verdict in other words: {hit.group()!r}")
        for label, pattern in _PATTERNS.items()
        for hit in pattern.finditer(low, start, end)
        if (hit.start() < start + _BEGINNING or hit.end() > end - _ENDING)
        and not unasserted(low, start, hit.start())
        and not _SAID_BY.match(low, hit.end(), end)
        and not _TO_CHECK.search(low, max(start, hit.start() - 160), hit.start())
        and not _SUPPOSED.search(low, max(start, hit.start() - 20), hit.start())
        and not _QUESTION.match(low, hit.end(), end)
    ]
    labels = {each.label for each in found}
    if "False" in labels and labels <= {"True", "False"}:
        # "the opposite of what the statement says" holds "what the statement says".
        found = [each for each in found if each.label == "False" or not _within(each, found)]
        labels = {each.label for each in found}
    if len(labels) != 1:
        return Undecided("verdicts of several labels" if labels else "no keyword is asserted")
    return found[-1]


def _within(inner: Keyword, others: list[Keyword]) -> bool:
    return any(each.start < inner.start and inner.end <= each.end for each in others)
