"""Tables of an answer: lines of cells between bars, under a line of heads."""

from __future__ import annotations

import re
from typing import NamedTuple

from bias_tasks.complex_eval.reading.fields import bare

MOST_ROWS = 600
"""Lines of cells that are looked at."""
LONGEST = 100_000
"""Characters at the end of a text in which tables are looked for."""
_BAR = re.compile(r"(?<!\\)\|")
_RULE = " \t|:+-"
"""What the line between a table's head and its rows is made of."""
_MARKS = " \t*_`"


class Table(NamedTuple):
    """Rows of cells, without the marks around their texts, and where they stand."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    start: int
    end: int

    def column(self, *names: str) -> int | None:
        """The one column whose head has one of these bare names."""
        found = [place for place, head in enumerate(self.heads) if bare(head) in names]
        return found[0] if len(found) == 1 else None


class _Line(NamedTuple):
    cells: tuple[str, ...]
    start: int
    end: int


def tables(text: str) -> list[Table]:
    """The tables of a text; each has a head and at least a row."""
    groups: list[list[_Line]] = [[]]
    place = offset = max(0, len(text) - LONGEST)
    for line in text[offset:].splitlines(keepends=True)[:MOST_ROWS]:
        stripped = line.strip()
        rule = "--" in stripped and not stripped.strip(_RULE)
        if line.count("|") >= 2 and not rule:
            inner = stripped.removeprefix("|").removesuffix("|")
            cells = tuple(cell.replace("\\|", "|").strip(_MARKS) for cell in _BAR.split(inner))
            groups[-1].append(_Line(cells, place, place + len(line)))
        elif not rule:
            groups.append([])
        place += len(line)
    return [
        Table(head.cells, tuple(row.cells for row in rows), head.start, rows[-1].end)
        for head, *rows in filter(None, groups)
        if rows
    ]
