"""Finds options that are mentioned, and tells which mentions are choices."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator

from bias_tasks.instruction_boundary.reading.asserted import unasserted
from bias_tasks.instruction_boundary.reading.groups import HOLDS
from bias_tasks.instruction_boundary.reading.options import Options
from bias_tasks.instruction_boundary.reading.stated import stated
from bias_tasks.instruction_boundary.reading.statement import Region

# "option 2", or a bare subject "2 is", "(B) and (C) are".
MENTION = re.compile(
    r"\bnot only (?=(?:the )?(?:options?|choices?|statements?|\d))"
    r"|\b(?:options?|choices?|statements?|numbers?"
    r"|answers?(?= \(?\d{1,2}\)?(?:,? and \d{1,2})? (?:is|are)\b)|(?:those"
    r"|ones) numbered)(?= {0,2}[(\"'\[]{0,3}[a-z\d])|选项(?= ?\d)"
    r"|\b(?:first|second|third|fourth|fifth)(?=,? )"
)
_FITS = re.compile(rf" (?:{HOLDS}|seems|appears|looks)\b")
_ENDS = re.compile(r" {0,2}(?:$|[.!,;\n]| (?:because|since|as|based|given)\b)")
# What leads to an option at the end of its sentence: "this corresponds to option 2".
_LEADS_TO = re.compile(
    r"(?:^|\b(?:is|are|to|as|for|supports|under|with|namely|matches|choose|go with|so|hence|thus"
    r"|therefore|select)|[:→]|\d \(\w{1,6}\)|\" ?\()\W{0,4}$"
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
_BEFORE = 160
"""Characters of a sentence before an option that are looked at."""
MAX_MENTIONS = 40
"""Mentions of options looked at, the last ones."""


def mentions(region: Region) -> Iterator[tuple[Options, bool]]:
    """Options that are mentioned and not rejected, and whether the mention is a choice."""
    for mention in deque(MENTION.finditer(region.low, region.start, region.end), MAX_MENTIONS):
        options = region.options(mention.start())
        if options is None or _REJECTED.match(region.low, options.after, region.end):
            continue
        before = sentence_before(region, mention.start())
        weighed = _WEIGHED.search(before) or _ADDRESSED.search(before)
        placed = _ENDS.match(region.low, options.after, region.end) and _LEADS_TO.search(before)
        fits = _FITS.match(region.low, options.after, region.end) or placed
        single = stated(region, options, "an option mentioned").answer is not None
        denied = unasserted(region.low, region.start, mention.start())
        yield options, fits is not None and weighed is None and single and not denied


def last_blank(region: Region, pos: int) -> int:
    """The last of the blanks at a position, as marks around an option leave several."""
    while region.low.startswith("  ", pos, region.end):
        pos += 1
    return pos


def sentence_before(region: Region, pos: int) -> str:
    """The sentence up to a position, as far as it is looked at."""
    before = region.low[max(region.start, pos - _BEFORE) : pos]
    return before[max(map(before.rfind, ".!?\n")) + 1 :]
