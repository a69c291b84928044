"""What options that are named somewhere state: themselves, or nothing that can be read.

Alternatives ("2 or 3"), options that are rejected, corrected or taken out again at once, a number
whose words say another one ("1 (disproved)"), and the first item of a list are no answer. A value
that an option is said to hold ("12 (option 3)") is that option.
"""

from __future__ import annotations

import re

from bias_tasks.instruction_boundary.reading.options import Options
from bias_tasks.instruction_boundary.reading.statement import Region, Statement

# "1. Solar 3. Wind", "1) Solar, 3) Wind": an item, its text, and another numbered item.
_MORE_NUMBERS = re.compile(
    r"\.[^\n]{1,200}?(?<!fact)(?<!facts)(?<!rule)(?<!step)(?<!premise)[ ,;]\d{1,2}\. ?(?:[^\W\d]"
    r"|\"\w)"
    r"|(?:[.):]| -)[^\n]{1,200}?(?:[,;] ?(?:and )?|\n ?)\(?\d{1,2} ?(?:[.):]| -) ?(?:[^\W\d]|\"\w)"
)
_MORE_LETTERS = re.compile(r"[.):][^\n]{1,200}?(?:[,;] ?(?:and )?|\n ?)\(?[a-z][.):] ?[^\W\d]")
# "12 (option 3)", "6, which is option 2": a value, and the option that holds it.
_HELD_BY = re.compile(
    r"[\"')\]}$]{0,4}(?: ?[(\[,;:=→-]){0,2} ?"
    r"(?:(?P<so>so|hence|thus|therefore)|i\.?e\.?|that is|that's|namely|meaning"
    r"|which (?:is|corresponds to|matches|equals|makes it)|corresponding to|matching)?"
    r",? ?(?:the )?(?=(?:option|choice|number) ?[(\"]?(?:\d|[a-z]\b))"
)
_HELD = re.compile(r"[\s\"')\]}$]*(?:$|[.;!\n])")
_REJECTED = re.compile(
    r"[\"')\]}]{0,3}(?: as | (?:is|are|was|were) (?:all |both |each |clearly |also ){0,2}"
    r"|[:;,-]{1,2} ?(?:all |both |each )(?:of (?:them|these|which) )?(?:are )?)"
    r"(?:wrong|incorrect|false|not\b|invalid|unsupported|ruled out|eliminated|excluded)"
)
# What is taken out of a list again: "1, 2, 4 (ignore the 4)".
# "1, 3.5", "0, 1/2": values.
_GOES_ON = re.compile(r"\s?[,;&]\s?-?\d(?!\d{0,2} ?%)")
_EDITED = re.compile(
    r" ?(?:\(|-|\[) ?(?:edit|corrected|correction|update|typo|sorry|should (?:be|read)|i meant|no,)"
)
_MINUS = re.compile(
    r"[ ,(;-]{1,4}(?:minus|without|except(?: for)?|excluding|ignor(?:e|ing)|less|not counting|drop)"
    r" (?:the )?(?:options? )?(?P<number>\d{1,2})\b"
)
_PERHAPS = re.compile(
    r"[ ,(]{0,3}but (?:it |that )?(?:could|might|may)(?: also| well)? be\b"
    r"|[ ,(]{0,3}(?:and|but) not [^.!?\n]{1,20}, or (?:options? )?\(?\d"
    r"|[ ,(]{0,3}(?:and|or|but) (?:maybe|perhaps|possibly|potentially|arguably|none\b|no\b)"
)


def stated(region: Region, options: Options, rule: str, *, concluding: bool = False) -> Statement:
    """The statement that these options make; its answer is None if it leaves a choice open."""
    low, end = region.low, region.end
    named = region.words.number_named(low, options.after, end)
    more = _MORE_NUMBERS if region.symbols == "numbers" else _MORE_LETTERS
    kept = _unrejected(region, options)
    broken = kept is options and _GOES_ON.match(low, options.after, end) is not None
    options = kept
    holder, problem = _holder(region, options), None
    if options.alternative or _PERHAPS.match(low, options.after, end):
        problem = "alternatives are named"
    elif _EDITED.match(low, options.after, end):
        problem = "an option is named and corrected"
    elif _takes_out(region, options):
        problem = "an option is named and taken out again"
    elif named is not None and options.numbers != (named,):
        problem = "number and words disagree"
    elif holder is not None and holder.numbers != options.numbers:
        problem = "a value and another option"
    elif broken:
        problem = "a list that goes on with something else"
    elif _REJECTED.match(low, options.after, end):
        problem = "the options named are rejected"
    elif more.match(low, options.end, end):
        problem = "a numbered list, not an option"
    answer = options.numbers if problem is None else None
    stop = options.end if holder is None else holder.end
    return Statement(answer, options.start, stop, problem or rule, concluding, options.alternative)


def _takes_out(region: Region, options: Options) -> bool:
    out = _MINUS.match(region.low, options.after, region.end)
    return out is not None and int(out["number"]) in options.numbers


def _unrejected(region: Region, options: Options) -> Options:
    """The options before a semicolon, where what is behind is rejected: "2; 1 and 3 are wrong"."""
    mark = region.low.find(";", options.start, options.end)
    if mark < 0 or not _REJECTED.match(region.low, options.after, region.end):
        return options
    return region.part(region.start, mark).options(options.start) or options


def held(region: Region, options: Options) -> Options:
    """The option that a bare value is said to be ("12 (option 3)"), or the options themselves."""
    holder = _holder(region, options)
    if holder is None:
        return options
    link = _HELD_BY.match(region.low, options.end, region.end)
    drawn = link is not None and link["so"] is not None
    return options if drawn else holder


def _holder(region: Region, options: Options) -> Options | None:
    """The option named right behind a bare number, which may be the value that it holds."""
    if options.named or len(options.numbers) > 1 or region.symbols == "letters":
        return None
    link = _HELD_BY.match(region.low, options.end, region.end)
    holder = None if link is None else region.options(link.end())
    if holder is None or not _HELD.match(region.low, holder.after, region.end):
        return None
    return holder
