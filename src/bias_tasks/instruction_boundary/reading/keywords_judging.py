"""Reads by keywords which label a judging answer says."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bias_tasks.instruction_boundary.reading.asserted import reported
from bias_tasks.instruction_boundary.reading.contexts import BUT, CONDITION, NEAR_DENIAL, Context
from bias_tasks.instruction_boundary.reading.keywords import Keyword, Undecided, hits, lists

_DENIAL = re.compile(
    r"\b(?:not|no|never|neither|nor|none|cannot|without|hardly|barely|scarcely|rarely|nothing"
    r"|nobody|fail(?:s|ed|ing)? to|unable|impossible|lacks?|far from|rather than|instead of"
    r"|den(?:y|ies|ied)|disagrees?|doubt\w{0,4}|unlikely|absence|less than|short of|anything but"
    r"|wrong|stop(?:s|ped)?|all but|(?:yet|remains?|still) to be)\b|n't\b|\bnon-$"
)
_CLAIM_DENIED = re.compile(
    r"\b(?:disprov\w{1,3}|contradict\w{0,3}|refut\w{1,3}|reject\w{0,3}|false|incorrect|untrue)\b"
    r".{0,60}\b(?:that|claims?|idea|assertion|hypothesis)\b"
)
# A sentence that opens so asserts nothing, or only what comes after its comma.
_CONDITIONAL = re.compile(
    r"\W*(?:if|suppose|supposing|assuming|provided|unless|had|were)\b"
    r"|\W*(?:at first(?: glance)?|initially|originally|i (?:first|initially|originally))\b[^,]*$"
    r"|\W*(?:although|though|while|whereas|even (?:though|if)|despite|granted|admittedly)\b[^,]*$"
)
_PLAINLY_NOT = re.compile(
    r"\b(?:is|are|was|be) not (?:clearly )?$|\b(?:is|are|was)n't $|\b(?:can't|cannot|can not) be $"
)
_PLAIN_ADJECTIVES = frozenset({"true", "correct", "valid"})
_OPEN = re.compile(
    r"[ /]or (?:not|true|false|untrue|(?:dis)?prov\w{1,3}|(?:in)?correct|(?:in)?valid)\b"
)
_TURNED = re.compile(
    r" ?(?:neither|nothing|no |none|only (?:if|when|partially)|nor )"
    r"|[^.!?\n;,]{0,60}\b(?:opposite|negation|contrary|reverse|lacking|missing|absent"
    r"|needed|required)\b"
)
_NOT_A_VERDICT = re.compile(
    r" (?:answers?|options?|choices?|response|label|classification|numbers?|letters?"
    r"|inferences?|arguments?|reasoning|deductions?"
    r"|(?:fact|rule|premise)s? ?\d|each other|itself|one another)\b"
)
_OPTIONS_ARE = re.compile(
    r"\b(?:options|choices|categories|labels|possibilities|answers) (?:are|include)\b"
    r"|\b(?:choose|decide|pick) between\b"
)
_SEEMING = re.compile(r"\b(?:might|may|could|seem|seems|seemed|appears?|looks?|at first)\b")
_NEGATION = re.compile(
    r"\b(?:negation|opposite|contrary|reverse|denial)\b"
    r"|\b(?:false|incorrect|wrong|untrue|disproved) (?:is|are) (?:itself )?$"
)
_OPINION = re.compile(
    r"\b(?:i|we) would (?:say|conclude|argue|answer|classify|judge|hold)(?: that)? "
)
# The statement itself contradicts a fact: "the statement contradicts fact 2".
_SUBJECT = re.compile(
    r"\b(?:statement|claim|question|hypothesis|conclusion|assertion)(?: is)?(?: \w{1,12}ly)? $"
)
# "The statement that he isn't tall is": what is claimed says nothing of whether it holds.
_EMBEDDED = re.compile(
    r"^\W*(?:(?:so|thus|therefore|hence|and|but|then|clearly|now),? ){0,2}(?:the|this|that|your) "
    r"(?:statement|claim|conclusion|hypothesis|assertion|proposition|idea) (?:that|\")"
    r"(?! [^.;\n]{0,160}\b(?:(?:dis)?prove\w?|true|false|(?:in)?correct|wrong|contradicted)\b)"
    r" ?[^.;\n]{1,160} (?=(?:is|was|must|can|cannot|can't|isn't|has been|remains?)\b[^.;\n]{0,30}$)"
)
_NEITHER = re.compile(
    r"\b(?:neither|nor)\b[^.;\n]{0,60}\bn?or (?:its|the) (?:negation|opposite|contrary|denial)\b"
)
# "It is true that the harbour is deep": a fact.
_IT_IS = re.compile(r"\bit(?: is|'s)(?: \w{1,12}ly)? $")
_FACT_FOLLOWS = re.compile(r" that (?!the (?:statement|claim|conclusion|question))")
_GOES_ON = re.compile(r" (?:is|was|has|can|must|does)\b")
_SAYS_ANOTHER = re.compile(
    r"[^.!?\n]{0,40}\baccording to (?!(?:the |all |given |these |our ){0,3}"
    r"(?:facts?|text|passage|premises?|information|rules?|evidence)\b)"
)
_EITHER = re.compile(r"\beither\b[^.;\n]{0,60}\bor $")
# "It is disproved, not unknown."
_OTHER_LABEL = re.compile(r"(?:\bnot|n't|\brather than|\binstead of) $")
_NOT_APPLIED = re.compile(
    r"[\"']?(?: label)? (?:doesn't|does not|isn't|is not|is wrong|is incorrect)\b"
)
# "Please mark this as correct": words to whoever reads the answer.
_ADDRESSED = re.compile(
    r"\b(?:please|kindly|dear)\b(?! (?:note|see|let)\b)|^\W*(?:output|print|return|respond)\b"
    r"|\b(?:mark|grade|score|count|accept|treat|record) (?:this|it|that|my|the (?:answer"
    r"|response))\b"
)
# "The suggested answer is correct": nothing about the statement.
_ANSWER_IS = re.compile(
    r"\b(?:answers?|response|suggestion|hint|solution|option|opinion|people|they|you|others)"
    r" (?:is|are|was|were)(?: \w{1,12}ly)? (?:not )?$"
)
_OF_ANSWERS = frozenset({"correct", "incorrect", "valid", "invalid"})
_EMBEDS = re.compile(r" (?:that|to say|to claim)\b")


@dataclass(frozen=True, slots=True)
class _Denied:
    """A keyword that is denied: its sentence's start, and its own end."""

    sentence: int
    end: int


def judging_label(low: str, start: int, end: int) -> Keyword | Undecided:
    """The judging label that the keywords between two positions tell.

    - A keyword for True or False counts when its clause asserts it: a denial ("does not support"),
      a condition ("if it is true"), a question or a turn ("supports the opposite") leaves it out.
    - "is not true" (correct, valid) is False. Denying both sides in one sentence is Unknown.
    - A keyword for Unknown speaks for its clause: "insufficient to support" is not "support".
    - A keyword for True or False with "however" or "but" behind it is left undecided.
    - Keywords of two labels, or a label both asserted and denied, are undecided.
    """
    found: dict[str, Keyword] = {}
    denied: dict[str, _Denied] = {}
    for hit, label in hits("judging", low, start, end):
        said = _said(label, hit, Context.of(low, hit, start, end))
        if isinstance(said, Undecided):
            return said
        if isinstance(said, _Denied):
            denied[label] = said
        elif said is not None:
            keyword = Keyword(said, *hit.span(), f"keyword {hit.group()!r}")
            if found.keys() - {said}:
                return Undecided("keywords of several labels")
            found[said] = keyword
    if not found:
        return _both_denied(denied)
    ((label, keyword),) = found.items()
    if label in denied:
        return Undecided("a keyword is both asserted and denied")
    if label != "Unknown" and BUT.search(low, keyword.end, end):
        return Undecided("a restriction follows")
    return keyword


def _said(label: str, hit: re.Match[str], context: Context) -> str | _Denied | Undecided | None:
    """What a keyword says where it stands: a label, a denial, or nothing."""
    before, after = _EMBEDDED.sub("statement ", _OPINION.sub("", context.clause)), context.after
    if context.asked or _CONDITIONAL.match(context.before):
        return None
    if _OPTIONS_ARE.search(context.before) or _ADDRESSED.search(context.before):
        return None
    if hit.group() in _OF_ANSWERS and _ANSWER_IS.search(before):
        return None
    if label == "False" and _CLAIM_DENIED.search(before):
        return Undecided("a disproof of a disproof")
    if reported(before) or _SAYS_ANOTHER.match(after):
        return None
    if label == "Unknown":
        if _OTHER_LABEL.search(before) or _NOT_APPLIED.match(after):
            return None
        if _EITHER.search(before):
            return Undecided("both labels are named")
        if _SEEMING.search(before):
            return Undecided("uncertainty is weighed")
        return Undecided("uncertainty is denied") if NEAR_DENIAL.search(before) else label
    if _EMBEDDED.search(context.clause) and _GOES_ON.match(after):
        return None
    if _FACT_FOLLOWS.match(after) and _IT_IS.search(before):
        return None
    if _NEITHER.search(before) or _NEITHER.match(after.lstrip()):
        return "Unknown"
    if _NEGATION.search(before):
        return Undecided("a verdict on the negation, or on a verdict")
    against = hit.group().startswith(
        ("contradict", "inconsistent", "in conflict")
    ) and _SUBJECT.search(before)
    if (
        (_NOT_A_VERDICT.match(after) and not against)
        or _uncertain(before)
        or CONDITION.search(before)
    ):
        return None
    if _DENIAL.search(before):
        if _EMBEDS.match(after):
            return Undecided("a denial of a whole statement")
        if hit.group() in _PLAIN_ADJECTIVES and _PLAINLY_NOT.search(before):
            return "False"
        return _Denied(context.start, hit.end())
    if label == "True" and _EMBEDS.match(after) and lists("judging").pattern.search(after):
        return None  # "proves that it is false"
    if _OPEN.match(after):
        return Undecided("both labels are named")
    return _Denied(context.start, hit.end()) if _TURNED.match(after) else label


def _both_denied(denied: dict[str, _Denied]) -> Keyword | Undecided:
    """Unknown, if True and False are denied in one sentence."""
    sentences = {denial.sentence for denial in denied.values()}
    if len(denied) < 2 or len(sentences) > 1:
        return Undecided("no keyword is asserted", silent=not denied)
    end = max(denial.end for denial in denied.values())
    return Keyword("Unknown", sentences.pop(), end, "neither proved nor disproved")


def _uncertain(before: str) -> bool:
    """Whether a keyword for Unknown stands earlier in the clause."""
    known = lists("judging")
    return any(known.label_of[hit.group()] == "Unknown" for hit in known.pattern.finditer(before))
