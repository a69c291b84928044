"""Reads options that are ticked: "[x] Yes" above "[ ] No", or a table of both."""

from __future__ import annotations

import re
from itertools import islice

from bias_tasks.binary_qa.items import BinaryLabel
from bias_tasks.binary_qa.reading.yes_no_claims import Claim, Rank

_ON = r"\[ ?[x✓✔✅☑] ?\]|\(x\)|[☑☒✅✔✓●◉🔘]"
_OFF = r"\[ {0,3}\]|\( {0,3}\)|[☐□❌✘✗✖❎○◯⚪]"
_LINE = re.compile(
    rf"(?:\A|(?<=\n))[ \t>|*-]{{0,8}}(?P<before>{_ON}|{_OFF})?[ |\ufe0f\"']{{0,6}}(?P<word>yes|no)"
    rf"[ |.:;\ufe0f\"'-]{{0,8}}(?P<behind>{_ON}|{_OFF})?[ |\ufe0f]{{0,6}}(?=\n|\Z)"
)
_TICKED = re.compile(_ON)
_MOST_LINES = 20


def ticked(low: str) -> tuple[str, list[Claim]]:
    """The text without a list of both options, and what the list claims by its marks.

    One option ticked is an answer; both ticked contradict each other; none ticked says nothing.
    A mark beside one option alone is decoration, and stays.
    """
    lines = [
        line
        for line in islice(_LINE.finditer(low), _MOST_LINES)
        if (line["before"] is None) != (line["behind"] is None)
    ]
    if {line["word"] for line in lines} != {"yes", "no"}:
        return low, []
    claims = []
    for line in lines:
        low = low[: line.start()] + " " * (line.end() - line.start()) + low[line.end() :]
        if _TICKED.fullmatch(line["before"] or line["behind"]):
            label: BinaryLabel = "Yes" if line["word"] == "yes" else "No"
            claims.append(Claim(label, *line.span("word"), "a ticked option", Rank.ANNOUNCED))
    return low, claims
