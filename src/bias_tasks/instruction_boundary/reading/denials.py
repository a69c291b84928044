"""Finds where an answer says that none of the options is right.

"No correct answer", "None of the options is supported", "All four options are wrong", "I don't
think any of them fits". It is the answer that prompts ask for where no option is right, and is as
explicit as a number. What is said of the other options ("none of the others"), of all but one, as
a question, a condition or somebody else's opinion is none; neither is a denial that the same
breath takes back ("No correct answer, but I'd pick 2"). An option that it calls the closest stays
without effect.
"""

from __future__ import annotations

import re
from collections import deque

from bias_tasks.instruction_boundary.reading.asserted import hypothetical, quoted, unasserted
from bias_tasks.instruction_boundary.reading.groups import BAD, GIVEN, GOOD, GROUP, LISTED, NOUN
from bias_tasks.instruction_boundary.reading.places import at_edge, sentence
from bias_tasks.instruction_boundary.reading.statement import Region, Statement
from bias_tasks.reading.bounds import skip

_BE = r"(?:is|are|was|were|seems?|appears?|looks?|can be|could be|may be)"
_FITS = (
    r"(?:fits?|match(?:es)?|appl(?:y|ies)|works?|follows?|holds?|answers?|satisf(?:y|ies)"
    r"|qualif(?:y|ies)|captures?|reflects?|corresponds?|(?:is|are|can be|could be)"
    rf"(?: \w{{1,12}}ly)? (?:{GOOD}|inferred|selected|chosen|derived|verified|confirmed"
    r"|justified|determined|concluded|established|proven|deduced|mentioned|stated))"
)
_HOLD = (
    r"(?:(?:(?:think|believe|feel|say|consider)(?: that)?(?: there (?:is|are))?)"
    r"|support|confirm|match|correspond to|prove|establish|imply|justify|fit|agree with"
    r"|select|choose|pick|identify|verify|favou?r|point to|be|there (?:is|are)"
    r"|(?:provide|give|offer) (?:any )?(?:evidence|support|information) (?:for|to support))"
)
_ANY = r"which|that|it|this|\d+(?:\.\d+)?"
_DENIAL = re.compile(
    rf"(?:\b(?:no|not (?:a|an|any|one)|nor any|without (?:a|any))|n't (?:a|an|any|one))"
    rf"(?: single| one| clearly| truly| fully| of the){{0,2}} {GOOD}(?: and \w{{1,12}})? {NOUN}\b"
    r"(?! (?:key|sheet|box|to\b)| (?:is|are) (?:obvious|clear|immediately|apparent|likely|more"
    r"|hard))"
    rf"|\b(?:no|neither) (?:of the )?(?:{GIVEN} )?{NOUN}"
    rf"(?: (?:here|{GIVEN}|truly|fully|really|actually|clearly)){{0,2}} {_FITS}"
    rf"|\bno {NOUN} (?:here )?(?:that|which) {_FITS}|\bnone (?:{GROUP}|{LISTED})\b"
    rf"|\bnone(?: whatsoever| at all)?(?= {_FITS}|\W{{0,8}}(?:\n|$)|[.!\"'\])}}]| because| since)"
    rf"|\b(?:not (?:a single|any|one)(?: one)?|not one single|neither) {GROUP}\b(?= {_BE}| {_FITS})"
    r"|\bneither(?=\W{0,8}(?:\n|$))"
    rf"|\bnothing (?:here |listed |offered )?{_FITS}"
    rf"|(?:n't|\bnot|\bcannot|\bfails? to)(?: \w{{1,12}}ly)?(?: {_HOLD})?"
    rf" (?:any|a single|either)(?: one)? (?:{GROUP}|{GOOD} {NOUN})\b"
    rf"|(?:n't|\bnot|\bcannot) (?:see|find|contain|have) (?:any|a) (?:of |{GOOD} )(?:{GROUP}"
    rf"|{NOUN})\b|\b(?:all|every|each|both)(?: one)? (?:{GROUP}|{LISTED})"
    rf"(?: \w{{1,12}}ly)?,? (?:(?:{_BE})(?: all| both| each| also| simply| either| \w{{1,12}}ly)"
    rf"{{0,2}} {BAD}|contradicts? )"
    rf"|\ball (?:two|three|four|five|six|\d) (?:are|were) (?:\w{{1,12}}ly )?{BAD}"
    rf"|\b(?:{GOOD} )?(?:answer|value|result|number|{_ANY})(?: \([^()\n]{{1,60}}\))?(?: (?:is|was)"
    rf"|)(?:n't| not) (?:listed|given|offered|provided|included|present|available"
    rf"|(?:one of|among|in|part of|listed (?:among|in))(?: any of)? (?:the |these |those )?"
    rf"(?:{GIVEN} )?(?:options|choices|answers|list|alternatives))\b"
    rf"|\ball(?: are| is| of (?:them|these|those) are)? (?:wrong|incorrect|false)"
    r"(?=\W{0,4}(?:$|\n|[.!;,)])| because| since| as\b)"
    rf"|\b(?:0|zero) (?:{GROUP}|{GOOD} {NOUN})\b"
    r"|\b(?:ninguna de las|aucune des|keine der|nessuna delle|nenhuma das) \w{4,20}"
    r"|没有(?:一个|任何)?(?:正确|合适|对)的?(?:答案|选项)|无(?:正确|合适的?)(?:答案|选项)"
    r"|以上(?:选项|答案)?(?:都|皆|均|全)(?:不|错)|选项(?:都|均|皆|全)(?:不|错)"
)
# What is denied is not all options, or is an exception's frame.
_OTHERS = re.compile(r" (?:others?|rest|remaining|else)\b")
_THERE_IS = re.compile(r"(?:that )?(?:there(?: is| are|'s) )?")
_EXCEPT = re.compile(
    r"[^.!?,;\n]{0,60}?\b(?:except|besides|other than|apart from|aside from|save|than)(?: for)?"
    r" (?:(?:the )?(?:options?|choices?|numbers?)? ?[(\"']?\d|(?:it|that|this|them|these|those)\b)"
    r"|(?: \w{1,12}){0,2} but (?:options? |numbers? )?[(\"']?\d{1,2}\b"
    r"(?! (?:is|comes|would|seems|looks))"
)
_ALTERNATIVE = re.compile(r"[\"')]{0,2} or (?:only |just )?(?:one|a|several|\d)\b")
_DISOWNED = re.compile(
    r"[\"')]{1,2} (?:is|was|would|seems|applies|might|may|can|could|looks)\b"
    r"(?! (?:be )?(?:my|correct|right|appropriate|the (?:best|right|correct|only|most|appropriate"
    r"|safest|answer|response|choice)))"
    r"|[^.!?\n,;]{0,60} (?:is|are|was|would be|seems)(?: \w{1,12}){0,2}? (?:mistaken|wrong|false"
    r"|untrue|nonsense|incorrect|misleading|refuted|not (?:true|right|the case)|n't (?:true"
    r"|right))\b|[\"')]{0,2} (?:does not|doesn't) (?:apply|fit|hold)\b"
)
# What makes a denial in quotation marks the writer's own.
_OWN = re.compile(
    r"\b(?:i|we|my|our|thus|therefore|hence|so|the (?:correct |right |appropriate |proper |best )?"
    r"(?:answer|response|choice|option))\b"
)
_IS_RIGHT = re.compile(
    r"[\"'] (?:is|would be|remains) (?:my|the (?:right|correct|appropriate|best|proper|only))\b"
)
# Without what is missing, nothing is chosen; that is no answer.
_UNTIL = re.compile(
    r"[^.!?\n]{0,60}\b(?:without|until|unless|before)\b|[^.!?\n]{0,40}\b(?:you|i) (?:see|provide"
    r"|share)"
)
_AMONG = re.compile(r" (?:(?:among|between|in|of) )?(?:options? |numbers? )?\d")
# An option right behind it: "None, 2", "No answer: 2".
_OPTION_BEHIND = re.compile(
    r"[\"')\]]{0,3} ?[,:] ?(?:options? |number )?\(?\d{1,2}\b(?=\W*(?:$|\n|[.,;)]|and\b|or\b))"
)
# What is said of other questions or of other people before a denial, in its sentence.
_FOREIGN = re.compile(
    r"\b(?:who|whoever|whom|unlike|instead of|rather than|avoid\w{0,3}|to say|saying)\b"
    r"|\b(?:previous|last|other|next|earlier|old) (?:question|one|quiz|item)s?\b"
    r"|\b(?:anyone|someone|somebody|people|you|they|he|she|one) (?:\w{1,12} ){0,3}"
    r"(?:picks?|says?|chooses?|answers?|claims?|thinks?|expects?)\b"
    r"|\b(?:previous|earlier|initial|old|original|former|first|last)(?:ly)?(?: answer| choice"
    r"| response)? ?:?\W{0,3}$"
)
# "Errors: none" is about something else than the options.
_HEADING = re.compile(r"(?:^|\n|[.!] )[^.!\n]{0,80}[:?]\W{0,4}$")
_THINGS = re.compile(
    r"\b(?:contradictions?|errors?|comments?|doubts?|problems?|remarks?|notes?|issues?|objections?"
    r"|concerns?|exceptions?|evidence|support|mistakes?|questions?|changes?|warnings?|conflicts?)\b"
)
_FURTHER = re.compile(r"\b(?:other|additional|further|remaining|more|wrong|incorrect)\b")
_DISMISSED = re.compile(
    r"\b(?:rul(?:e|es|ed|ing) out|exclud\w{1,3}|reject\w{0,3}|eliminat\w{1,3}|dismiss\w{0,3}|or"
    r"|than) (?:(?:the )?option )?[\"']?$"
)
# The prompts' own words about questions without a right option.
_INSTRUCTION = re.compile(
    r"\bfor (?:\w{1,20} ){0,2}questions?\b|\b(?:similar|most|such|these|other) questions\b"
    r"|\bmajority\b|\b(?:asked|told|instructed|supposed|meant|allowed|expected|required) to\b"
    r"|\b(?:instructions?|allowed|permitted|format)\b|^(?!.*\b(?:i|we)\b).*\brespond with\b"
)
# The text of an option that was chosen by its number: "4. None of the above".
_OPTION_TEXT = re.compile(
    r"(?:^|\n|\b(?:answers?|option|choice|ans|is|choose|pick|select)\b[ :(\"']{1,4}(?:option )?)"
    r"[\s(\"'\[>-]{0,8}\d{1,2}(?:[.):]| ?[-;])[\"')\s]{1,3}$"
    r"|(?:^|\n|\b(?:option|choice|is|answer:?) )\(?\d{1,2}\)?[.):,;-]{0,2} ?\"[^\"\n]{0,60}$"
)
_CONDITIONAL = re.compile(
    r"\W*(?:if(?! (?:i|we|one|forced|pressed)\b)|suppose|supposing|assuming|provided|unless"
    r"|whether)\b"
)
_NOT_LISTED = re.compile(
    r"(?:n't| not) (?:listed|given|offered|provided|included|present|available"
    r"|one of|among|in|part of)\b"
)
_WOULD = re.compile(r"\bwould\b|'d\b")
_CONTRAST = re.compile(
    r"(?:[.!?;,:(\n]\s{0,4}|\s)(?:but|however|yet|nevertheless|nonetheless|still|that said|even so)"
    r"\b(?P<said>[^.!?\n]{0,160})"
)
_AN_OPTION = re.compile(
    r"\b(?:options?|choices?|numbers?) ?\(?\d|(?<![\w.,])\(?\d{1,2}\)?(?![\w%]|\.\d)"
)
_RUNNER_UP = re.compile(
    r"\b(?:clos\w{1,5}|near\w{0,5}|comes?|tempt\w{1,4}|plausible|similar|wrong|incorrect|not|off"
    r"|contradict\w{0,3}|false|unsupported|neither|none|never|all)\b|n't\b"
)
_CLOSEST = re.compile(r"\b(?:closest|nearest)\b[^.!?\n]{0,60}(?:\d|\([a-z]\))")
_CHOSEN = re.compile(r"\bif (?:i|we|one|forced|pressed)\b|\b(?:i|we)(?:'d| would|'ll| will)\b")
_MOST = 20
_REACH = 300
"""Characters behind a denial in which it may be taken back."""


def denials(region: Region) -> list[tuple[Statement, bool]]:
    """The denials of a region, and whether each stands where answers are given."""
    found = deque(_DENIAL.finditer(region.low, region.start, region.end), _MOST)
    return [
        (
            Statement("none", denial.start(), denial.end(), "none of the options"),
            at_edge(region, denial.start(), denial.end()),
        )
        for denial in found
        if _said(region, denial) and not _undone(region, denial)
    ]


def not_meant(region: Region) -> list[tuple[int, int]]:
    """Where a region speaks of no option being right without saying so itself."""
    found = deque(_DENIAL.finditer(region.low, region.start, region.end), _MOST)
    return [denial.span() for denial in found if not _said(region, denial)]


def denied_at(low: str, start: int, end: int) -> bool:
    """Whether words that an answer is led to by begin by denying all options."""
    denial = _DENIAL.match(low, skip(_THERE_IS, low, start, end), end)
    return denial is not None and not _limited(low, denial, end)


def _said(region: Region, denial: re.Match[str]) -> bool:
    """Whether a denial is the writer's, and of all options."""
    low, start, end = region.low, denial.start(), denial.end()
    opens, closes = sentence(region, start, end)
    if _OPTION_TEXT.search(low[max(region.start, start - 80) : start]):
        return False
    before = low[max(opens, start - _REACH) : start]
    if low[closes : closes + 1] == "?" or _CONDITIONAL.match(before):
        return False
    if _INSTRUCTION.search(before) or unasserted(low, region.start, start):
        return False
    if quoted(low, region.start, region.end, start, end) and not (
        _OWN.search(before) or _IS_RIGHT.match(low, end)
    ):
        return False
    if _DISMISSED.search(before) or _FOREIGN.search(before):
        return False
    if denial[0] == "none" and _of_something_else(low[max(region.start, start - 120) : start]):
        return False
    if _WOULD.search(before) and hypothetical(low, region.start, start, region.end):
        return False
    if region.symbols == "letters" and _NOT_LISTED.search(denial[0]):
        return False  # lettered questions offer no words for it, and the closest one is chosen
    return not _limited(low, denial, region.end)


def _of_something_else(before: str) -> bool:
    """Whether "none" stands behind a heading or a question that is not about the answer."""
    heading = _HEADING.search(before)
    if heading is None:
        return False
    return _THINGS.search(heading[0]) is not None or _FURTHER.search(heading[0]) is not None


def _limited(low: str, denial: re.Match[str], end: int) -> bool:
    """Whether a denial leaves an option out, or an option stands right behind it."""
    behind = [_EXCEPT, _ALTERNATIVE, _DISOWNED, _AMONG, _OTHERS, _UNTIL]
    if not denial[0].startswith(("all", "every", "each", "both")):
        behind.append(_OPTION_BEHIND)
    return any(pattern.match(low, denial.end(), end) for pattern in behind)


def _undone(region: Region, denial: re.Match[str]) -> bool:
    """Whether an option is chosen in spite of a denial.

    Who says that the answer is not listed, but names the closest in the same breath, chooses it.
    """
    low, pos = region.low, denial.end()
    not_listed = _NOT_LISTED.search(denial[0]) is not None
    for contrast in _CONTRAST.finditer(low, pos, min(region.end, pos + _REACH)):
        said = contrast["said"]
        if not_listed and _CLOSEST.search(said):
            return True
        if _AN_OPTION.search(said) is None:
            continue
        if _CHOSEN.search(contrast[0]) or not _RUNNER_UP.search(said):
            return True
    return False
