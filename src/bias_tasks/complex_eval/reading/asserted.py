"""Whether the judge says something as its own verdict, or reports, denies or wishes it.

A judge that reads a response aloud ("the response ends with 'give this a 10'"), that speaks of the
reference, of what others think or of what would have been, states no verdict by that.
"""

from __future__ import annotations

import re

from bias_tasks.complex_eval.reading.phrases import one_of
from bias_tasks.reading.bounds import last_end

_BEFORE = 240
"""Characters before a claim in which its clause begins."""
_TEXTS = one_of(
    "response text dialogue story poem essay draft prompt request solution turn line sentence"
    " instruction answer reply footer caption note comment hint"
)
_OTHERS = one_of(
    "author writer user people others someone some many most one colleague you they judge reviewer"
    " grader critic (?:other|another|previous|first|second)_(?:reader|evaluator)s?"
)
_AS_ASKED = re.compile(
    r"\b(?:as|that|format|json|report|object|output|scores?|ratings?|verdict|evaluation|assessment"
    r"|analysis|answer|list|result|judge?ment) (?:that )?you(?: have|'ve| had)?"
    r" (?:asked|requested|wanted|specified|need(?:ed)?)\b(?: (?:me )?for)?"
)
"""Not what somebody else says: "the report you asked for"."""
_SAYS = one_of(
    r"says? said ends? ended closes? claims? claimed contains? contained demand(?:s|ed)?"
    r" ask(?:s|ed)?_(?:me|for) tells? told tries tried wants? reads? includes? instruct\w{0,4}"
    r" orders? quotes? suggest\w{0,3} states? must should mentions? mentioned cites? lists? refers?"
)
_RATES = one_of(
    "gave gives? thinks? thought rated? scored? scores? puts? would might could finds? found marks?"
    " marked"
)
_IF = r"\b(?:if(?! i (?:have|had) to\b| i must\b| pressed| asked| forced)|unless)\b"
"""Not what merely leads to a verdict: "if I had to give a number"."""
_NOT_OWN = re.compile(
    rf"\b{_TEXTS}s?(?:'s)? (?:\w{{1,20}} ){{0,3}}?{_SAYS}\b"
    rf"|\b{_OTHERS}s?(?:'s)? (?:\w{{1,20}} ){{0,3}}?(?:{_SAYS}|{_RATES})\b"
    r"|\b(?:not|never|neither|nor|cannot|without|nobody|no one|hardly|far from)\b|n't\b"
    r"|\b(?:instruction|request|demand|command|suggestion|attempt|hint|note)s? (?:to|that)\b"
    r"|\b(?:wrong|false|mistaken|incorrect|untrue|a mistake|an error|too (?:early|much)) to\b"
    r"|\b(?:would|could|might|should) (?:easily |well |even )?have\b|\bhad (?:it|the|there)\b"
    r"|\b(?:was|were) (?:going|about|tempted|inclined) to\b|\bi"
    r" (?:was|am|have been) (?:told|instructed|supposed|expected)\b|\basked to"
    r" (?:write|give|output|say|answer|print|return)\b"
    r"|\b(?:would|'d) (?:have )?liked? to\b|\b(?:wish|doubt|unsure|wonder|injection)\b"
    r"|\bignor(?:e|ed|ing)\b|\bno longer\b"
    r"|\bexamples?\b|\be\.g\b|\bfor instance\b|\bplaceholder\b|\bsomething like\b"
    r"|\bconfidence\b|\b(?:refused?|declined?) to\b|\bno\Z"
    r"|\bto (?:get|earn|reach|deserve|merit|receive)(?: an?)?\Z"
    r"|\bfor (?:the |its |their )?\w{1,20} (?:alone|only)\b"
    rf"|\b{_TEXTS}s? (?:\w{{1,20}} )?(?:rates?|gives?|awards?|assigns?|grades?)"
    r" (?:itself|himself|herself|themselves|the \w{1,20}|its \w{1,20})"
    r"(?: an?)?(?: \w{1,8})?(?: of)?(?: an?)?\Z"
    r"|\b(?:format|template|schema)s? (?:\w{1,12} ){0,2}(?:is|should|must|would|was|looks)\b"
)
"""In the clause: somebody else says it, or it is denied, wished or left undone."""
_PERHAPS = re.compile(
    rf"{_IF}|\b"
    + one_of(
        r"references? whether may might could_be possibly perhaps maybe"
        r" suppose assum\w{1,3} either at_first initial(?:ly)? originally previous(?:ly)? earlier"
        " first_thought tempted consider(?:ed|ing)? instead_of rather_than maximum minimum max"
        " min passing threshold last_year's highest"
        " lowest best_possible sample usual(?:ly)? typical(?:ly)? others? another"
        " colleague author suggested proposed expected target self according_to"
    )
    + r"(?:'s)?\b"
)
"""In the clause: it is of something else, or of another time."""
_CONDITIONAL = re.compile(
    rf"{_IF}|\b(?:had (?:it|the|this|they)|were (?:it|the|this))\b"
    r"|\bfor (?:example|instance)\b|\A\W{0,3}with (?:an?|more|better|some|proper|fewer|less) "
)
"""In the sentence before."""
_CONDITION = re.compile(
    r"[^.!?,\n]{0,40}\b(?:alone|only) ?(?:[.,;!?\n]|\Z)|"
    r"[^.!?\n]{0,100}?\b(?:unless|provided that|depending|in which case|otherwise"
    r"|(?<!even )(?<!as )if (?!any\b|i (?:had|have) to\b|i must\b|pressed|forced)"
    r"\w{1,20})\b"
)
"""In the sentence behind."""
_ASIDE = re.compile(r", (?:though|although|but|and|since|because|as|while|which)\b")
_SENTENCE = re.compile(r"(?<!e\.g)[.!?](?=\s|$)|\n")
_CLAUSE = re.compile(r"(?<!e\.g)[.!?](?=\s|$)|[;\n]|,? (?:but|so|therefore|thus|yet|and) |, ")
_VERDICT = r"(?:scores?|ratings?|grades?|marks?|numbers?|verdict|answer|judge?ment|position|report)"
_NONE_GIVEN = (
    rf"(?:(?:\w{{1,12}} ){{0,2}}(?:decline|refuse) to (?:score|rate|grade|judge|answer|report"
    rf"|give|assign)|(?:give|assign|report|name|have|set) (?:no {_VERDICT}|none)"
    r"|(?:not|won't|can't|cannot|don't|wouldn't) (?:going to )?(?:score|rate|grade|judge"
    rf"|(?:give|assign|provide|report|set|name|offer)) (?:it|this|any|an?)(?: {_VERDICT})?)"
    rf"(?: (?:it|this|any|an?))?(?: {_VERDICT})?"
)
_WITHDRAWN = re.compile(
    r"\b(?:scratch|strike|disregard|forget|withdraw|retract|swap)"
    r" (?:that|this|it|them|these|those|the above|the two|my|what i)\b"
    r"|\bi (?:can't|cannot|can not|couldn't) (?:say|tell|determine) (?:which|what)\b"
    r"|\btake (?:that|it|this|them|both)(?: all)? back\b|\bi (?:was|am) wrong\b"
    r"|(?:\A|[.!?\n;])\s*(?:please )?ignore (?:this|that|the above)\b"
    rf"|\b(?:this|that|it|the above|the (?:above )?{_VERDICT}) (?:is|was) (?:not (?:mine|my)"
    r"|copied|quoted|(?:just |only |merely )?an? (?:placeholder|example|sample|template|test)\b"
    rf"|what (?:the|its) (?:\w{{1,20}} )?{_TEXTS})"
    rf"|\bi(?:'ll| will| would|'d| must| can| do| am|'m|'ve| have)? {_NONE_GIVEN}"
    r"(?= ?(?:[.,;:!)\n]|\Z|(?:for|to|on|of) (?:it|this|the)\b|here\b|at all\b))"
)
_DISOWNED = re.compile(
    r"[\"'`*)\]]{0,4} ?\?|[\"'`*)\]]{0,4}(?: ?(?:[;—,-]|--) ?(?:this|that|which))?"
    r" (?:is|was|would be|stands|seems|sounds|looks|feels)"
    r" (?:what|too|not|wrong|how|expected|written|printed|quoted|copied"
    r"|(?:just|only|merely) an?|the (?:author|user|wrong|score that))\b"
    r"|[\"'`*)\]]{0,4} too (?!\.)\w|[\"'`*)\]]{0,4},? (?:says|said|claims|wrote) (?:the|its|an?)\b"
    r"|[\"'`*)\]]{0,4} [(\[](?:an? )?(?:placeholder|example|sample|template)\b"
)
_DEPENDS = re.compile(
    r"[\"'`*)\]]{0,4},? (?:if|unless|assuming|provided)\b(?! (?:any|i (?:have|had) to|i must"
    r"|pressed|forced|asked|you (?:need|want|would|have|wish)|you'd)\b)"
    r"|[\"'`*)\]]{0,4} (?:would|could|might)\b[^.!?\n]{0,120}?"
    r"\b(?:if|only|unless|had|without|but)\b"
)
"""Right behind a JSON object: it would be the verdict under another condition."""
_AFRESH = one_of(r"reflect\w{0,4} reconsider\w{0,5} re-?read\w{0,3} re-?check\w{0,3} review\w{0,3}")
_CHANGES = one_of(
    "revis reconsider correct chang lower rais adjust reduc misread mis-?count confus overlook"
    " was_wrong take_(?:that|it)_back take_back amend"
)
_REPLACES = re.compile(
    r"\b(?:wait|hold on|correction|scratch that|strike that|oops|no(?=[,:;])|actually(?=[,:])"
    rf"|(?:on|up ?on|after) (?:second thoughts?|(?:further |more )?{_AFRESH})"
    r"|i(?:'d| would| will|'ll| am|'m| have|'ve| should| must)?(?: now| then| therefore| had)?"
    rf" {_CHANGES}\w{{0,5}}"
    r"|(?:revised|corrected|updated|adjusted|amended|new|final)"
    r" (?:scores?|ratings?|answer|verdict|report|evaluation|position|list|judge?ment))\b"
    r"|更正|修正|修改|重新|抱歉|不对"
)


def own(before: str) -> bool | None:
    """Whether what stands behind `before` is the judge's own verdict; None: it may not be.

    Args:
        before: the text before it, in lower case; its last clause counts.
    """
    clause = _AS_ASKED.sub(" ", last_clause(before))
    sentence = before[-_BEFORE:]
    sentence = sentence[last_end(_SENTENCE, sentence) :]
    if _NOT_OWN.search(clause) or _CONDITIONAL.search(sentence):
        return False
    return None if _PERHAPS.search(clause) else True


def last_clause(before: str) -> str:
    """The clause that a text ends within; a heading ("The reference:") belongs to what it heads."""
    near = before[-_BEFORE:].rstrip(" \t")
    if near.endswith((".\n", "!\n", "?\n", ")\n")):
        return ""
    near = near.rstrip()
    return near[last_end(_CLAUSE, near) :]


def conditional(low: str, pos: int) -> bool:
    """Whether the sentence goes on behind a claim with a condition of it."""
    rest = _ASIDE.split(low[pos : pos + 160], maxsplit=1)[0]
    return _CONDITION.match(rest) is not None


def withdrawn(after: str) -> bool:
    """Whether words behind a verdict take it back, and put nothing in its place."""
    return _WITHDRAWN.search(after) is not None


def disowned(after: str) -> bool:
    """Whether the sentence goes on behind a verdict by saying that it is none: "is too high"."""
    return _DISOWNED.match(after) is not None


def depends(after: str) -> bool:
    """Whether the sentence goes on behind an object with a condition of it: " if you count"."""
    return _DEPENDS.match(after) is not None


def replaced(between: str) -> bool:
    """Whether words between two verdicts say that the second stands in place of the first."""
    return _REPLACES.search(between) is not None


def within_quotes(low: str, pos: int) -> bool:
    """Whether a position is within a quotation that began earlier on its line, not at its head."""
    line = low[max(low.rfind("\n", 0, pos) + 1, pos - 2_000) : pos]
    opened = line.rfind('"')
    return line.count('"') % 2 == 1 and any(map(str.isalnum, line[:opened]))
