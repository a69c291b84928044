"""Words that deny every option: "none of the above", "no correct answer" and their kin."""

import re

RIGHT = (
    "(?:correct|right|true|accurate|valid|suitable|supported|appropriate|applicable|possible|best"
    "|acceptable|proper)"
)
THING = "(?:answers?|options?|choices?|statements?|ones?|alternatives?)"
_NUMBER = r"(?:\d+|two|three|four|five|six|seven|eight|nine|ten)"
# Options as a group; what the passage says is about something else, and exceptions are exceptions.
_OPTIONS = (
    r"of (?:them|(?:the|these|those)"
    r"(?! (?:facts?|premises?|information|evidence|passages?|texts?|others?|rest)\b)"
    r"(?: [\w'-]+){0,4}?)"
)
_LOCATIONS = "(?:above|given|listed|provided|offered|shown|available|here)"
_REMARK = r"(?: ?\([^()\n]{1,80}\))?"
# The rest of a sentence that makes no exception.
_REST = (
    r"(?![^.\n]*\b(?:but|except|others?|although|though|closest|nearest|rest|unless)\b)"
    r"(?:[^.\n]|\.(?=\w)){0,200}"
)
_PHRASES = (
    # "no correct answer", "no right option among A, B and C"
    rf"no (?:{_LOCATIONS} )?(?:{RIGHT} )?{THING}(?: (?:is|are) (?:{RIGHT}|{_LOCATIONS}))?"
    rf"(?: (?:{_LOCATIONS}|among [^.,;\n]{{1,20}}(?:, [A-Z\d])*(?:,? and [A-Z\d])?))*",
    rf"no {RIGHT}(?! answer)",
    # "none", "none correct", "none of these cities (A, B)"
    rf"none {_OPTIONS}(?: {_LOCATIONS})?{_REMARK}",
    rf"none(?: {RIGHT})?",
    # "neither A, B nor C", "none of A, B or C", "neither", "neither of the two"
    r"(?:neither|none of)(?: options?)? \(?[A-Z\d]\)?(?:,? (?:(?:nor|or|and) )?\(?[A-Z\d]\)?){1,9}"
    r"(?![\w-])",
    rf"neither(?: of (?:them|(?:these|those|the two|the)(?: {THING})?)| one| {THING})?",
    rf"(?:zero|0|not (?:a single|any)(?: one)?) (?:of the )?(?:{RIGHT} )?{THING}",
)
# Statements that deny all options wherever they are.
_STATEMENTS = (
    rf"none {_OPTIONS}{_REMARK} {_REST}",
    rf"there(?: is|'s) no {RIGHT} {THING}",
    rf"no {THING} (?:fits?|matche?s?|appl(?:y|ies)|can be|works?)\b{_REST}",
    r"(?:i )?(?:do not|don't|cannot|can't) (?:think|believe|find|see|consider)(?: that)? any "
    rf"{_OPTIONS} {_REST}",
    rf"(?:do not|don't|cannot|can't) (?:find|see) an? {RIGHT} {THING}",
    rf"(?:does not|doesn't|do not|don't) (?:support|match|contain|mention) any {_OPTIONS}",
    rf"there (?:is not|isn't|are not|aren't) (?:an?|any) (?:{RIGHT} )?{THING}{_REST}",
    rf"(?:all|every)(?: (?:of )?(?:the|these|those))?(?: {_NUMBER})?(?: {THING})?"
    rf"(?: {_LOCATIONS})? (?:is|are) (?:all )?(?:incorrect|wrong|false|invalid|untrue)",
    rf"which (?:is|are|was)(?: not|n't) (?:{_LOCATIONS} )?(?:among|one of|in|listed) "
    r"(?:the|these|those|any of the) (?:\w+ )?(?:options|choices|list|answers|alternatives)\b"
    r"(?!,? but)",
    rf"(?:the )?{RIGHT} {THING} is(?: not|n't) {_LOCATIONS}\b",
)
DENIAL_STATEMENT = re.compile(rf"\b(?:{'|'.join(_STATEMENTS)})", re.I)
"""Matches a statement that denies every option."""
DENIAL = re.compile(
    rf"\[\]|(?:there (?:is|are|was) |there's )?(?:{'|'.join(_PHRASES)})"
    r"(?: (?:is|are|fits?|match(?:es)?|appl(?:y|ies))(?: (?:fully|really|the))?"
    rf"(?: {RIGHT})?(?: {THING})?)?(?![\w-])",
    re.I,
)
"""Matches words that deny every option."""
