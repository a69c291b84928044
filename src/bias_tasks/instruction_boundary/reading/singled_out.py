"""Finds options that words single out: "only 2 fits", "that leaves option 3", "the text supports
option 1", "the correct answers are helium (2) and neon (3)"."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator

from bias_tasks.instruction_boundary.reading.asserted import unasserted
from bias_tasks.instruction_boundary.reading.forms import Form
from bias_tasks.instruction_boundary.reading.groups import HOLDS
from bias_tasks.instruction_boundary.reading.mentioned import MAX_MENTIONS, MENTION, last_blank
from bias_tasks.instruction_boundary.reading.stated import stated
from bias_tasks.instruction_boundary.reading.statement import Region, Statement

ONLY_IF = re.compile(r"(?: only)? (?:if|when|unless)\b")
_ONLY = re.compile(
    r"\bonly (?=(?:the )?(?:options?|choices?|statements?)? ?[(\"]?[\da-z][\w)]{0,8} )"
)
_ALONE_HOLDS = re.compile(
    r" (?:is|are)(?: \w{1,12}ly)? (?:left|correct|right|true|supported|consistent|valid|stated"
    r"|mentioned|confirmed"
    rf"|backed|given|described|accurate)\b| (?:{HOLDS}|mentions?|says?|states?|can be|answers?)\b"
)
_LEAVES = re.compile(
    r"\b(?:leaves?|leaving|left with|what (?:remains|is left) is)(?: (?:us|me|you|only|just|with"
    r"|behind|open)){0,3} "
    r"(?=(?:the )?(?:options?|choices?|statements?|numbers?|answers?|first|second|third|fourth)?"
    r" ?[(\"]?[\da-z])"
)
_REMAINS = re.compile(r" (?:is the only (?:one|option) (?:left|remaining)|remains(?=[.!\n]|$))")
_BACKED = re.compile(
    r"\b(?:facts?|passage|text|evidence|information|premises?|sentences?|context)(?: \w{1,12}){0,3}"
    r" (?:supports?|confirms?|favou?rs?|points? (?:to|towards?)|leads? to|backs?"
    r"|(?:is|are) (?:\w{1,12} )?(?:consistent with|in line with))"
    r"(?: (?:only|just|the|clearly)){0,2} {1,4}(?=(?:options?|choices?|statements?) ?[(\"]?[\da-z]"
    r"|\d{1,2} {0,2}(?:[.!;]|,? {0,2}and {1,4}\d|$))"
)
_ONES_THAT = re.compile(
    r"\b(?:options?|choices?|statements?|answers?|ones?) (?:that|which) (?P<what>[^.!?\n]{1,80}?)"
    r" (?:is|are)(?: (?:therefore|thus|clearly|then|only|hence|numbers?)){0,2}:? (?=[(\"]?\d)"
)
# "The correct answers are helium (2) and neon (3)."
_GLOSSED = re.compile(
    r"\b(?:answers?|correct (?:ones?|options?|statements?)|i (?:choose|pick|select))"
    r"(?:(?: (?:is|are)|:| =)|(?<=choose)|(?<=pick)|(?<=select)) (?P<words>[^.!?\n:]{1,160})"
)
_IN_PARENTHESES = re.compile(
    r"(?<= )(?<!\bin )(?<!\bfrom )(?<!\bsee )\((?:option |number )?(\d{1,2})\)"
)
# "which makes option 3 the correct choice"
_MAKES = re.compile(r"\b(?:makes|making|leaves|leaving) (?=(?:options? )?[(\"]?[\da-z])")
_THE_ANSWER = re.compile(
    r" (?:as )?the (?:only |single |best |right |correct |most \w{3,12} |valid |remaining ){0,3}"
    r"(?:answer|choice|option|one)s?\b(?! (?:that|which|to)\b)"
)
_NEGATIVE = re.compile(
    r"\b(?:not|incorrect|wrong|false|eliminated?|ruled? out|excluded?|unsupported|rejected"
    r"|contradict\w{0,3}|no|fail\w{0,3}|lack\w{0,3})\b|n't\b"
)


def singled_out(region: Region) -> list[Statement]:
    """Options that are said to be the only ones, the answer, or left."""
    found = _behind(region, _ONLY, _ALONE_HOLDS)
    found += _behind(region, _MAKES, _THE_ANSWER)
    return found + _left(region)


def supported(region: Region) -> list[Statement]:
    """Options that the text is said to support."""
    return _behind(region, _BACKED, None)


def described(region: Region, form: Form) -> list[Statement]:
    """Options told by what is right about them, or named in parentheses behind their texts."""
    return _behind(region, _ONES_THAT, None) + list(_glossed(region, form))


def _behind(
    region: Region, lead: re.Pattern[str], predicate: re.Pattern[str] | None
) -> list[Statement]:
    """Options behind words that single them out, before a predicate where one must follow."""
    found = []
    for words in deque(lead.finditer(region.low, region.start, region.end), MAX_MENTIONS):
        options = region.options(words.end())
        if options is None or unasserted(region.low, region.start, words.start()):
            continue
        if _NEGATIVE.search(words[0]) or ONLY_IF.match(region.low, options.after, region.end):
            continue
        at = last_blank(region, options.after)
        if predicate is None or predicate.match(region.low, at, region.end):
            found.append(stated(region, options, "the option singled out"))
    return found


def _glossed(region: Region, form: Form) -> Iterator[Statement]:
    """Answers by their texts, with the options' numbers in parentheses behind these."""
    if region.symbols == "letters":
        return
    for answer in deque(_GLOSSED.finditer(region.low, region.start, region.end), MAX_MENTIONS):
        numbers = tuple(
            sorted({int(number) for number in _IN_PARENTHESES.findall(answer["words"])})
        )
        if not numbers or not set(numbers) <= set(form.offered):
            continue
        denied = unasserted(region.low, region.start, answer.start())
        if not denied and _NEGATIVE.search(answer["words"]) is None:
            yield Statement(numbers, *answer.span("words"), "an option in parentheses")


def _left(region: Region) -> list[Statement]:
    """Options that are left when the others are ruled out."""
    found = []
    for words in deque(_LEAVES.finditer(region.low, region.start, region.end), MAX_MENTIONS):
        options = region.options(words.end())
        if options is not None and not unasserted(region.low, region.start, words.start()):
            found.append(stated(region, options, "the option that is left", concluding=True))
    for mention in deque(MENTION.finditer(region.low, region.start, region.end), MAX_MENTIONS):
        options = region.options(mention.start())
        if options is not None and _REMAINS.match(region.low, options.after, region.end):
            found.append(stated(region, options, "the option that is left", concluding=True))
    return found
