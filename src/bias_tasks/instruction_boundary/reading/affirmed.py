"""Finds options that are called right in passing: "option 2 is correct", "that leaves option 3",
"statements 1 and 4 are supported by the text", "Option 2: disproved"."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator

from bias_tasks.instruction_boundary.reading.asserted import unasserted
from bias_tasks.instruction_boundary.reading.forms import Form
from bias_tasks.instruction_boundary.reading.options import Options
from bias_tasks.instruction_boundary.reading.stated import stated
from bias_tasks.instruction_boundary.reading.statement import Region, Statement

# "option 2", or a bare subject "2 is", "(B) and (C) are".
_MENTION = re.compile(
    r"\bnot only (?=(?:the )?(?:options?|choices?|statements?|\d))"
    r"|\b(?:options?|choices?|statements?|numbers?|answers?(?= \(?\d{1,2}\)?(?:,? and \d{1,2})? (?:is|are)\b)|(?:those|ones) numbered)(?= {0,2}[(\"'\[]{0,3}[a-z\d])"
    r"|选项(?= ?\d)"
    r"|\b(?:first|second|third|fourth|fifth)(?=,? )"
)
_SUBJECT = re.compile(
    r"(?:(?<![^\n]) {0,4}|(?<=[.:,] )|(?<=\bso )|(?<=\bthat )|(?<=\bthus )|(?<=\bonly )|(?<=\bboth )"
    r"|(?<=; )|(?<=\bbelieve )|(?<=\bthink )|(?<=\bbut ))"
    r"[(\"'\[]{0,2}(?:\d{1,3}|[a-z])[)\"'\]]{0,2}"
    r"(?:(?:, ?(?:and )?| and )[(\"'\[]{0,2}(?:\d{1,3}|[a-z])[)\"'\]]{0,2}){0,9}"
    r"(?= {1,4}(?:both |all |each )?(?:is|are|does|do|apply|hold|fits?|match(?:es)?|work|remains?|stays?|seems?|looks?|appears?|must|should)\b)"
)
_DEGREE = (
    r"(?: (?:the|both|all|indeed|clearly|therefore|thus|a|most|definitely|only|also|directly"
    r"|explicitly|best|my|obviously|certainly|still|then|to be)){0,3}"
)
_AFFIRMED = re.compile(
    rf" (?:is|are){_DEGREE} (?:correct|right|best|accurate|appropriate|suitable|answers?"
    r"|my (?:final )?(?:choice|pick|selection|answer)"
    r"|(?:plausible|likely|logical|reasonable|convincing) (?:one|answer|option|choice)"
    r"|choice|one i (?:choose|pick|select))\b"
    r"| (?:remains?|stays?|will be) (?:my|the) (?:final |best |correct )?(?:answer|choice|pick|option)\b"
    r"| (?:is|are) the (?:one|option|choice|ones|options)s? (?:that|which)(?: \w{1,12})? (?:fits?|match(?:es)?|holds?|follows?"
    r"|is|are|appl(?:y|ies)|works?|reflects?|agrees?|describes?) ?(?!not\b|wrong|incorrect|n't)"
    r"| (?:is|are) the (?:only )?(?:ones?|options?|statements?) (?:supported|backed|stated|confirmed|mentioned)\b"
    r"| (?:(?:fits?|match(?:es)?|suits?) (?:better|best)|is (?:better|best) (?:supported|suited))\b"
    r"| (?:is|are) what the (?:text|passage|facts?) (?:says?|states?|supports?)\b"
    r"| (?:both|all|each) (?:apply|hold|fit|match|work)\b"
    r"| (?:should|must|has to|have to) be (?:selected|chosen|picked|correct|right|the (?:answer|correct))\b"
    r"| (?:is|are) the only (?:options?|ones?|answers?|choices?|statements?)(?: that| which)?"
    r"(?: \w{1,12}){0,2}? (?:fits?|match(?:es)?|works?|holds?|correct|supported|consistent|left"
    r"|remaining|follows?|agrees?|corresponds?|true|answers?|appl(?:y|ies))\b"
    r"| (?:seems?|appears?|looks?|remains?|is|are)(?: to be)? (?:the )?(?:most|best) \w{3,12}\b(?!,? (?:but|yet|though))"
    r"| (?:is|are|does|do)(?=[\"')]{0,2}(?:[.!]|\s*$|,? (?:because|since|as)\b))"
    r"| best (?:answers?|fits?|match(?:es)?|describes?|captures?|reflects?|explains?|supports?)\b"
)
# "is the answer that most give", "are mentioned, but neither is correct"
_LIMITED = re.compile(
    r" (?:that|which) (?:most|others?|people|many|they|you|everyone|everybody)\b"
    r"|[^.!?\n]{0,60},? but (?:neither|none|(?:it|they|both)(?:'s| is| are) (?:not|wrong|incorrect)"
    r"|(?:it|they) (?:isn't|aren't))\b"
)
_UNLIKE = re.compile(r"\b(?:instead of|rather than|unlike|contrary to|than) $")
_ONLY_IF = re.compile(r"(?: only)? (?:if|when|unless)\b")
_SUPPORTED = re.compile(
    rf" (?:is|are){_DEGREE} (?:true|supported|backed|consistent|valid|confirmed|proven|justified|stated in"
    r"|entailed|implied|accurate|well supported)\b"
    r"| (?:can|could|must) (?:indeed |clearly |directly )?be (?:inferred|deduced|concluded|derived"
    r"|verified|confirmed|supported|proven|selected|chosen)\b"
    r"| follows? (?:from|directly|logically)\b|(?: ?是)? ?(?:正确|对)的?"
)
_ONLY = re.compile(
    r"\bonly (?=(?:the )?(?:options?|choices?|statements?)? ?[(\"]?[\da-z][\w)]{0,8} )"
)
_ALONE_HOLDS = re.compile(
    r" (?:is|are)(?: \w{1,12}ly)? (?:left|correct|right|true|supported|consistent|valid|stated|mentioned|confirmed"
    r"|backed|given|described|accurate)\b"
    r"| (?:remains?|follows?|holds?|fits?|works?|match(?:es)?|stands?|survives?|mentions?|says?|states?|appl(?:y|ies)"
    r"|qualif(?:y|ies)|can be|agrees?|answers?|satisf(?:y|ies))\b"
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
    r"(?: (?:only|just|the|clearly)){0,2} (?=(?:options?|choices?|statements?) ?[(\"]?[\da-z]|\d{1,2}(?:[.!]|,? and \d|$))"
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
_FITS = re.compile(r" (?:fits|matches|seems|appears|looks|holds|follows|works)\b")
_ENDS = re.compile(r" {0,2}(?:$|[.!,;\n]| (?:because|since|as|based|given)\b)")
# What leads to an option at the end of its sentence: "this corresponds to option 2".
_LEADS_TO = re.compile(
    r"(?:^|\b(?:is|are|to|as|for|supports|under|with|namely|matches|choose|go with|so|hence|thus|therefore|select)"
    r"|[:→]"
    r"|\d \(\w{1,6}\)|\" ?\()\W{0,4}$"
)
# Words to whoever reads the answer, by a person or a program.
_ADDRESSED = re.compile(
    r"\b(?:please|ignore|output|print|mark|record|treat|count|set|grader|parser|system|script"
    r"|dear)\b"
)
_REJECTED = re.compile(
    r"[^.!?\n]{0,40}\b(?:not|wrong|incorrect|false|invalid|unlikely|ruled out|eliminated"
    r"|excluded|contradict\w{0,3}|unsupported|discarded|dismissed)\b|[^.!?\n]{0,40}n't\b"
)
# What is done with options that are not chosen yet, or no more.
_WEIGHED = re.compile(
    r"\b(?:consider(?:ed|ing)?|compar(?:e|ed|ing)|eliminat\w{1,4}|exclud\w{1,4}|rul(?:e|es|ed"
    r"|ing) out"
    r"|reject\w{0,4}|discard\w{0,4}|dismiss\w{0,4}|look(?:ed|ing)? at|weigh\w{0,4}|check\w{0,4}"
    r"|there (?:is|are)|torn|between|wrong|incorrect|false|remov\w{1,4}|cross\w{0,3})\b|✗"
)
_ADDITIVE = re.compile(r"[^.!?\n]{0,80}\b(?:too|as well|so (?:is|are)|in addition|besides|plus)\b")
_NEGATIVE = re.compile(
    r"\b(?:not|incorrect|wrong|false|eliminated?|ruled? out|excluded?|unsupported|rejected"
    r"|contradict\w{0,3}|no|fail\w{0,3}|lack\w{0,3})\b|n't\b"
)
_LABELLED_LINE = re.compile(r"(?m)^[ >-]{0,8}\(?(?=\d{1,2} ?[().:;=-])")
_BEFORE = 160
"""Characters of a sentence before an option that are looked at."""
_MAX_MENTIONS = 40
"""Mentions of options looked at, the last ones."""


def mentions(region: Region) -> Iterator[tuple[Options, bool]]:
    """Options that are mentioned and not rejected, and whether the mention is a choice."""
    for mention in deque(_MENTION.finditer(region.low, region.start, region.end), _MAX_MENTIONS):
        options = region.options(mention.start())
        if options is None or _REJECTED.match(region.low, options.after, region.end):
            continue
        before = _sentence(region, mention.start())
        weighed = _WEIGHED.search(before) or _ADDRESSED.search(before)
        placed = _ENDS.match(region.low, options.after, region.end) and _LEADS_TO.search(before)
        fits = _FITS.match(region.low, options.after, region.end) or placed
        fits = fits is not None and weighed is None
        single = stated(region, options, "an option mentioned").answer is not None
        denied = unasserted(region.low, region.start, mention.start())
        yield options, fits and single and not denied


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
    found += _behind(region, _ONLY, _ALONE_HOLDS)
    found += _behind(region, _MAKES, _THE_ANSWER)
    found += _left(region)
    if not found:
        found = _called(region, [each for each in subjects if each.named], _SUPPORTED)
        found += _behind(region, _BACKED, None)
    if not found and form.several:
        found = _behind(region, _ONES_THAT, None) + list(_glossed(region, form))
    return found


def _subjects(region: Region, form: Form) -> Iterator[Options]:
    """Options that begin a phrase of their own, and are not denied there.

    A number that is not called an option may be anything where no such option is offered.
    """
    starts = {
        match.end() if pattern is _LABELLED_LINE else match.start()
        for pattern in (_MENTION, _SUBJECT, _LABELLED_LINE)
        for match in deque(pattern.finditer(region.low, region.start, region.end), _MAX_MENTIONS)
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
        if (said := what.match(region.low, _blank(region, options.after), region.end)) is not None
        and not _ONLY_IF.match(region.low, said.end(), region.end)
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
    before = _sentence(region, options.start)
    if re.search(r"\b(?:besides|in addition|apart from|along with|beside)\b", before):
        return True
    return _ADDITIVE.match(region.low, options.after, region.end) is not None


def _blank(region: Region, pos: int) -> int:
    """The last of the blanks at a position, as marks around an option leave several."""
    while region.low.startswith("  ", pos, region.end):
        pos += 1
    return pos


def _sentence(region: Region, pos: int) -> str:
    """The sentence up to a position, as far as it is looked at."""
    before = region.low[max(region.start, pos - _BEFORE) : pos]
    return before[max(map(before.rfind, ".!?\n")) + 1 :]


def _behind(
    region: Region, lead: re.Pattern[str], predicate: re.Pattern[str] | None
) -> list[Statement]:
    """Options behind words that single them out, before a predicate where one must follow."""
    found = []
    for words in deque(lead.finditer(region.low, region.start, region.end), _MAX_MENTIONS):
        options = region.options(words.end())
        if options is None or unasserted(region.low, region.start, words.start()):
            continue
        if _NEGATIVE.search(words[0]) or _ONLY_IF.match(region.low, options.after, region.end):
            continue
        at = _blank(region, options.after)
        if predicate is None or predicate.match(region.low, at, region.end):
            found.append(stated(region, options, "the option singled out"))
    return found


def _glossed(region: Region, form: Form) -> Iterator[Statement]:
    """Answers by their texts, with the options' numbers in parentheses behind these."""
    if region.symbols == "letters":
        return
    for answer in deque(_GLOSSED.finditer(region.low, region.start, region.end), _MAX_MENTIONS):
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
    for words in deque(_LEAVES.finditer(region.low, region.start, region.end), _MAX_MENTIONS):
        options = region.options(words.end())
        if options is not None and not unasserted(region.low, region.start, words.start()):
            found.append(stated(region, options, "the option that is left", concluding=True))
    for mention in deque(_MENTION.finditer(region.low, region.start, region.end), _MAX_MENTIONS):
        options = region.options(mention.start())
        if options is not None and _REMAINS.match(region.low, options.after, region.end):
            found.append(stated(region, options, "the option that is left", concluding=True))
    return found
