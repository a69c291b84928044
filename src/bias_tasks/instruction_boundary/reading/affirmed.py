"""Finds options that are called right in passing: "option 2 is correct", "that leaves option 3",
"statements 1 and 4 are supported by the text", "Option 2: disproved"."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator

from bias_tasks.instruction_boundary.reading.asserted import unasserted
from bias_tasks.instruction_boundary.reading.forms import Form
from bias_tasks.instruction_boundary.reading.groups import HOLDS
from bias_tasks.instruction_boundary.reading.mentioned import (
    MAX_MENTIONS,
    MENTION,
    last_blank,
    sentence_before,
)
from bias_tasks.instruction_boundary.reading.options import Options
from bias_tasks.instruction_boundary.reading.singled_out import (
    ONLY_IF,
    described,
    singled_out,
    supported,
)
from bias_tasks.instruction_boundary.reading.stated import stated
from bias_tasks.instruction_boundary.reading.statement import Region, Statement

_SUBJECT = re.compile(
    r"(?:(?<![^\n]) {0,4}|(?<=[.:,] )|(?<=\bso )|(?<=\bthat )|(?<=\bthus )|(?<=\bonly )"
    r"|(?<=\bboth )|(?<=\bhence )|(?<=\btherefore )"
    r"|(?<=; )|(?<=\bbelieve )|(?<=\bthink )|(?<=\bbut ))"
    r"[(\"'\[]{0,2}(?:\d{1,3}|[a-z])[)\"'\]]{0,2}"
    r"(?:(?:, ?(?:and )?| and )[(\"'\[]{0,2}(?:\d{1,3}|[a-z])[)\"'\]]{0,2}){0,9}"
    rf"(?= {{1,4}}(?:both |all |each )?(?:is|are|does|do|{HOLDS}"
    r"|stays?|seems?|looks?|appears?|must|should)\b)"
)
_DEGREE = (
    r"(?: (?:the|both|all|indeed|clearly|therefore|thus|a|most|definitely|only|also|directly"
    r"|explicitly|best|my|obviously|certainly|still|then|to be)){0,3}"
)
_AFFIRMED = re.compile(
    rf" (?:is|are){_DEGREE} (?:correct|right|best|accurate|appropriate"
    rf"|suitable|answers?"
    r"|my (?:final )?(?:choice|pick|selection|answer)"
    r"|(?:plausible|likely|logical|reasonable|convincing) (?:one|answer|option|choice)"
    r"|choice|one i (?:choose|pick|select))\b"
    r"| (?:remains?|stays?|will be) (?:my|the) (?:final |best |correct )?(?:answer|choice|pick"
    r"|option)\b"
    r"| (?:is|are) the (?:one|option|choice|ones|options)s? (?:that|which)(?: \w{1,12})? (?:fits?"
    r"|match(?:es)?|holds?|follows?"
    r"|is|are|appl(?:y|ies)|works?|reflects?|agrees?|describes?) ?(?!not\b|wrong|incorrect|n't)"
    r"| (?:is|are) the (?:only )?(?:ones?|options?|statements?) (?:supported|backed|stated"
    r"|confirmed|mentioned)\b"
    r"| (?:(?:fits?|match(?:es)?|suits?) (?:better|best)|is (?:better|best) (?:supported|suited))\b"
    r"| (?:is|are) what the (?:text|passage|facts?) (?:says?|states?|supports?)\b"
    rf"| (?:both|all|each) {HOLDS}\b| are (?:both|all|each) (?:supported|stated|mentioned|true)\b"
    r"| (?:should|must|has to|have to) be (?:selected|chosen|picked|correct|right|the (?:answer"
    r"|correct))\b"
    r"| (?:is|are) the only (?:options?|ones?|answers?|choices?|statements?)(?: that| which)?"
    r"(?: \w{1,12}){0,2}? (?:fits?|match(?:es)?|works?|holds?|correct|supported|consistent|left"
    r"|remaining|follows?|agrees?|corresponds?|true|answers?|appl(?:y|ies))\b"
    r"| (?:seems?|appears?|looks?|remains?|is|are)(?: to be)? (?:the )?(?:most"
    r"|best) \w{3,12}\b(?!,? (?:but|yet|though))"
    r"| (?:is|are|does|do)(?=[\"')]{0,2}(?:[.!]|\s*$|,? (?:because|since|as)\b))"
    r"| best (?:answers?|fits?|match(?:es)?|describes?|captures?|reflects?|explains?|supports?)\b"
)
# "is the answer that most give", "are mentioned, but neither is correct"
_LIMITED = re.compile(
    r"[^.!?\n]{0,20}\bat first\b|"
    r" (?:that|which) (?:most|others?|people|many|they|you|everyone|everybody)\b"
    r"|[^.!?\n]{0,60},? but (?:neither|none|(?:it|they|both)(?:'s| is| are) (?:not|wrong|incorrect)"
    r"|(?:it|they) (?:isn't|aren't))\b"
)
_UNLIKE = re.compile(r"\b(?:instead of|rather than|unlike|contrary to|than) $")
_SUPPORTED = re.compile(
    rf" (?:is|are){_DEGREE} (?:true|supported|backed|consistent|valid|confirmed|proven|justified"
    rf"|stated in"
    r"|entailed|implied|accurate|well supported)\b"
    r"| (?:can|could|must) (?:indeed |clearly |directly )?be (?:inferred|deduced|concluded|derived"
    r"|verified|confirmed|supported|proven|selected|chosen)\b"
    r"| follows? (?:from|directly|logically)\b|(?: ?是)? ?(?:正确|对)的?"
)
_HOLDS = re.compile(
    rf" {HOLDS}(?=\W*(?:$|[.,;!\n])| (?:up|true|best|here|from|with|while|and|but|because|since"
    rf"|as)\b)"
    r"| is the one\b"
)
_CONCLUDED = re.compile(
    r"(?:\b(?:so|thus|hence|therefore|consequently)|\b(?:of|among) (?:the|these"
    r"|those)[^,.;\n]{0,30},)(?:,| both| only)?[ (\"'\[]{1,6}$"
)
_ADDITIVE = re.compile(r"[^.!?\n]{0,80}\b(?:too|as well|so (?:is|are)|in addition|besides|plus)\b")
_LABELLED_LINE = re.compile(r"(?m)^[ >-]{0,8}\(?(?=\d{1,2} ?[().:;=-])")


def affirmed(region: Region, form: Form) -> list[Statement]:
    """Options called right, or named together with their label; those only said to be supported
    where no others are called right."""
    subjects = list(_subjects(region, form))
    found = [
        stated(region, options, "an option with its label")
        for options in subjects
        if region.words.number_named(region.low, options.after, region.end) == options.numbers[0]
        and len(options.numbers) == 1
    ]
    found += _called(region, subjects, _AFFIRMED)
    found += singled_out(region)
    drawn = [
        each
        for each in subjects
        if _CONCLUDED.search(region.low[max(region.start, each.start - 60) : each.start])
    ]
    found += _called(region, drawn, _HOLDS)
    if not found:
        found = _called(
            region, [each for each in subjects if each.named or each in drawn], _SUPPORTED
        )
        found += supported(region)
    if not found and form.several:
        found = described(region, form)
    return found


def _subjects(region: Region, form: Form) -> Iterator[Options]:
    """Options that begin a phrase of their own, and are not denied there.

    A number that is not called an option may be anything where no such option is offered.
    """
    starts = {
        match.end() if pattern is _LABELLED_LINE else match.start()
        for pattern in (MENTION, _SUBJECT, _LABELLED_LINE)
        for match in deque(pattern.finditer(region.low, region.start, region.end), MAX_MENTIONS)
    }
    last = -1
    for start in sorted(starts):
        options = None if start < last else region.options(start)
        if options is None or unasserted(region.low, region.start, start):
            continue
        if _UNLIKE.search(region.low, max(region.start, start - 20), start):
            last = options.start + 1
            continue
        if options.named or set(options.numbers) <= set(form.offered):
            yield options
            last = options.end


def _called(region: Region, subjects: list[Options], what: re.Pattern[str]) -> list[Statement]:
    """Options that are called so; all of them together where one is so `as well`."""
    called = [
        options
        for options in subjects
        if (said := what.match(region.low, last_blank(region, options.after), region.end))
        is not None
        and not ONLY_IF.match(region.low, said.end(), region.end)
        and not _LIMITED.match(region.low, said.end(), region.end)
    ]
    rule = "an option called correct"
    others = [_with_others(region, options) for options in called]
    if not any(others):
        return [stated(region, options, rule) for options in called]
    if all(others):
        return []
    numbers = {number for options in called for number in options.numbers}
    return [Statement(tuple(sorted(numbers)), called[0].start, called[-1].end, rule)]


def _with_others(region: Region, options: Options) -> bool:
    """Whether its sentence says that others are right beside these options."""
    before = sentence_before(region, options.start)
    if re.search(r"\b(?:besides|in addition|apart from|along with|beside)\b", before):
        return True
    return _ADDITIVE.match(region.low, options.after, region.end) is not None
