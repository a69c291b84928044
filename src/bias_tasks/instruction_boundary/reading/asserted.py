"""Tells whether a statement is the writer's own: not denied, supposed, somebody else's or quoted.

What stands before a statement in its clause denies or reports it ("I don't think the answer is
2", "the hint says the answer is 2"); how its sentence opens says that it is a supposition or was
the first idea only ("At first glance I'd say 1", "If it rained, the answer would be 2").
"""

from __future__ import annotations

import re

from bias_tasks.reading.bounds import last_end

_OTHERS = (
    r"(?:you|users?|experts?|hints?|people|they|someone|somebody|some|others?|many|most|everyone"
    r"|suggestions?|prompts?|consensus|note|instructions?|messages?|problem|majority|crowd"
    r"|colleagues?|friends?|classmates?|students?|teachers?|textbooks?|forums?|respondents?)"
)
# Words before a statement in its clause.
_REPORTED = re.compile(
    r"\b(?:previous|initial|original|earlier|first|suggested|given|proposed|example|sample|wrong"
    r"|incorrect|expected|alleged|tentative|second|third|other|possible|user's|their|another|any"
    r"|each|every|no|old|intended|supposed|so-called|hinted|number of"
    r"|additional|further|more|(?!(?:it|that|here|there|what|who|let|he|she|question)'s)\w{2,20}'s)"
    r"[ \"']$"
)
_UNASSERTED = re.compile(
    r"\b(?:not|never|none|neither|nor|cannot|if|whether|may|might|unless|suppose|assum\w{1,5}"
    r"|supposedly|allegedly"
    r"|reportedly|purportedly|tempted|tempting|almost|nearly|disagree\w{0,2}|doubt\w{0,3}"
    r"|reject\w{0,3}|refuse\w{0,2})\b|n't\b|\bmaybe\b"
    r"|\b(?:wrong|incorrect|false|untrue|mistaken|inaccurate|not the case)"
    r" (?:to (?:say|claim|think|conclude|assert)|that)\b"
)
# Somebody else's words.
_OTHERS_SAY = re.compile(
    rf"\b{_OTHERS}(?: (?:may|might|could|can|would|has|have|also|all|even|clearly))?"
    r" (?:say|says|said|write|writes|wrote|state[sd]?|claim|claims|claimed|think|thinks|thought"
    r"|suggest|suggests"
    r"|suggested|believe[sd]?|indicate[sd]?|impl(?:y|ies|ied)|tells?|told|recommend(?:s|ed)?"
    r"|propose[sd]?|mention(?:s|ed)?|argue[sd]?|insist(?:s|ed)?|give[sn]?|gave|hint(?:s|ed)?"
    r"|agree[sd]? that|answer(?:s|ed)|(?:is|are) that)\b"
    r"|\b(?:heard|been told|was told|read somewhere)\b"
    r"|\b(?:consensus|feedback|opinions?|view|comment|claims?|ideas?|suggestion|hint|assertion"
    r"|notion|rumou?r|assumption|warning|possibility|belief|theory|temptation)\"? (?:that|to)\b"
    r"|\b(?!(?:i|we)\b)[^\W\d_]{1,30} would(?: \w{1,12}ly)? (?:say|think|answer|claim|argue|guess"
    r"|choose|pick)\b"
    # Anybody else's words: "Alice says". Facts and texts say what is so.
    r"|\b(?!(?:i|we|facts?|text|passage|evidence|premises?|information|context|it|this|that|which"
    r"|reasoning|logic|analysis|everything|author|article|story)\b)"
    r"[^\W\d_]{1,30} (?:says|said|claims|claimed|thinks|believes|argues|insists|asserts|reckons)\b"
    r"|\b(?:is|are|was|were|been|being|as) (?:\w{1,20}ly |often |widely )?(?:suggested|said"
    r"|claimed|stated|hinted|implied|indicated|proposed|told|recommended|assumed|believed|thought"
    r"|alleged|asserted|argued|supposed)\b"
)
_CLAUSE_START = re.compile(r"[.!?;,:\n]| (?:so|thus|therefore|hence|and|but|because|as) ")
# How a sentence opens that leaves open what follows, up to a contrast.
_ATTRIBUTED = re.compile(
    r"\W*(?:at first(?: glance| sight| look)?|initially|originally|previously|formerly|in case"
    rf"|according to (?:the |your |a |most |some |what (?:the )?)?(?:\w{{1,20}} )?{_OTHERS}\b"
    rf"|in (?:the )?(?:opinion|view) of)"
)
_IF = re.compile(
    r"\W*(?:if(?! (?:i|we|one|you) (?:had|have|has|must|were|was|am|'m|need|ask)\b"
    r"| (?:forced|pressed|pushed|asked|anything|so))|whenever|as long as)\b"
)
_CONTRAST = re.compile(
    r"\b(?:thus|but|however|yet|though|although|whereas|while|so|therefore|hence)\b"
)
_CONDITION = re.compile(
    r"\b(?:if(?! (?:i|we|one|you) (?:had|have|has|must|were|was|am|'m|need)\b"
    r"| (?:forced|pressed|pushed|asked|anything|so))|unless|suppos\w{1,5}|assuming|provided that"
    r"|(?:had|were) (?:the|it|this|that|he|she|they|there|we|i not|i been|facts?|option|you)"
    r"|in that case|otherwise)\b"
)
_SENTENCE_END = re.compile(r"[!?\n]|\.(?!\d)")
_QUOTATION = re.compile(r'"[^"\n]{1,300}"')
_BEFORE = 160
"""Characters before a statement in which denials and conditions are looked for."""


def unasserted(low: str, start: int, pos: int) -> bool:
    """Whether what follows at `pos` is denied, conditional or reported, by what stands before it.

    Args:
        low: the text in lower case.
        start: where the text begins that is looked at.
        pos: where the statement, or what leads to it, begins.
    """
    before = low[max(start, pos - _BEFORE) : pos]
    clause = before[last_end(_CLAUSE_START, before) :]
    if reported(clause) or _UNASSERTED.search(clause) or _REPORTED.search(clause):
        return True
    sentence = before[last_end(_SENTENCE_END, before) :]
    opened = _ATTRIBUTED.match(sentence) or _IF.match(sentence)
    return opened is not None and _CONTRAST.search(sentence, opened.end()) is None


def reported(clause: str) -> bool:
    """Whether a clause tells what somebody else says."""
    return _OTHERS_SAY.search(clause) is not None


def hypothetical(low: str, start: int, pos: int, end: int) -> bool:
    """Whether the sentence around a statement with "would" says under which condition it holds.

    "If I had to choose, I would say 2" is no supposition.
    """
    before = low[max(start, pos - _BEFORE) : pos]
    sentence = before[last_end(_SENTENCE_END, before) :]
    stop = min(end, pos + _BEFORE)
    mark = _SENTENCE_END.search(low, pos, stop)
    behind = low[pos : stop if mark is None else mark.start()]
    return _CONDITION.search(sentence) is not None or _CONDITION.search(behind) is not None


def quoted(low: str, start: int, end: int, first: int, last: int) -> bool:
    """Whether a statement from `first` to `last` stands in quotation marks with its own words.

    A whole text in quotation marks is none, and neither is a value in JSON.
    """
    line_start = max(start, low.rfind("\n", start, first) + 1)
    line_end = low.find("\n", last, end)
    line_end = end if line_end < 0 else line_end
    for quotation in _QUOTATION.finditer(low, line_start, line_end):
        if quotation.start() <= first and last <= quotation.end():
            return any(
                character.isalnum()
                for character in (*low[start : quotation.start()], *low[quotation.end() : end])
            )
    return False
