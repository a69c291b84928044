"""Bold and italics, as Markdown has them: runs of asterisks that touch the text they enclose."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from bias_tasks.output_format.formats.types import NotFollowedError

_RUN = re.compile(r"\\.|\*++")


def _runs(text: str) -> Iterator[tuple[int, int, bool, bool]]:
    """Start and end of each run, and whether it may open and may close emphasis.

    A run that stands free (`3 * 4`, a bullet) does neither and is left out, as is an asterisk
    behind a back slash.
    """
    for match in _RUN.finditer(text):
        start, end = match.span()
        opens = end < len(text) and not text[end].isspace()
        closes = start > 0 and not text[start - 1].isspace()
        if text[start] == "*" and (opens or closes):
            yield start, end, opens, closes


def emphasised(text: str, length: int) -> str:
    """What two runs of exactly `length` asterisks enclose, over lines.

    Args:
        text: the answer.
        length: 1, where longer runs have no part in it (bold is not italics), or 2, where single
            asterisks have none. A longer run makes bold ambiguous: `***x***`, `****`.

    Raises:
        NotFollowedError: there are not exactly two, the first of which opens, the second closes.
    """
    runs = (run for run in _runs(text) if (run[1] - run[0] == 1) == (length == 1))
    pair = list(islice(runs, 3))
    if (
        len(pair) != 2
        or any(end - start != length for start, end, _, _ in pair)
        or not (pair[0][2] and pair[1][3])
    ):
        token = "*" * length
        raise NotFollowedError(f"{token}...{token} does not occur once and well formed")
    return text[pair[0][1] : pair[1][0]]
