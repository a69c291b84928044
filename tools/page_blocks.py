"""Writes blocks of pages that summarize other files.

`docs/validity.md` summarizes the results that the benchmarks write to `docs/reference/`. A block is
between `<!-- NAME -->` and `<!-- end -->`. `plan_tables.py` has the tables of calls and costs. Run
by `tools/tables.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from plan_tables import PAGES as PLAN_PAGES

DOCS = Path(__file__).parents[1] / "docs"
_REPRODUCED_CELLS = re.compile(r"^(\d+) of (\d+) printed cells are reproduced", re.MULTILINE)
_EXTREMES = re.compile(r"^## Extremes.*?(?=^## )", re.DOTALL | re.MULTILINE)
_PERCENT = re.compile(r"\d{2,3}\.\d")
_FIRST_FAMILY = "Instruction Boundary"
"""The family with which the page of coverage begins, without a heading of its own."""
_SUBSECTIONS = ("Simulated models drawn from a range", "Single simulated models")
"""Headings within the first family."""


class MetricCoverage(NamedTuple):
    """How often the intervals of a metric cover the truth, in one table of the page of coverage."""

    metric: str
    lowest: float
    """In percent of the data sets."""
    below: int
    """Settings below 93 %."""
    above: int
    """Settings above 97 %."""
    settings: int


def with_blocks(text: str, makers: Mapping[str, Callable[[], str]]) -> str:
    """Return a page with its blocks written anew."""
    for name, make in makers.items():
        block = re.compile(rf"<!-- {name} -->\n.*?<!-- end -->", re.DOTALL)
        if len(block.findall(text)) != 1:
            raise SystemExit(f"expected one block <!-- {name} --> … <!-- end -->")
        new_block = f"<!-- {name} -->\n{make()}\n<!-- end -->"
        text = block.sub(lambda _, new_block=new_block: new_block, text)
    return text


def evidence() -> str:
    """Return how many printed cells are reproduced, and how often intervals cover the truth."""
    counts = _REPRODUCED_CELLS.findall(_page("reference/published"))
    cells = [tuple(map(int, numbers)) for numbers in counts]
    reproduced, printed = (sum(column) for column in zip(*cells, strict=True))
    rows = [row for rows in _read_coverage().values() for row in rows]
    settings = sum(row.settings for row in rows)
    below, above = sum(row.below for row in rows), sum(row.above for row in rows)
    return (
        f"- **Published outputs.** `protocol=published` reproduces {reproduced} of {printed} table "
        "cells of FormatEval's paper from its published outputs.\n  "
        f"[Published outputs](reference/published.md) explains the other {printed - reproduced}.\n"
        f"- **Intervals.** In {settings - below - above:,} of {settings:,} cases "
        "(combinations of metric, model and number of items), the 95 %\n  interval covers the "
        f"planted truth in 93 to 97 % of data sets. Coverage is higher in {above} cases and "
        f"lower in {below};\n  the lowest is {min(row.lowest for row in rows):.1f} % (excluding "
        "[three extreme models](#coverage-of-the-intervals))."
    )


def coverage() -> str:
    """Return how often intervals cover the truth, one row per family."""
    lines = [
        "| task suite | cases | 93 to 97 % | above | below | lowest |",
        "| --- | ---: | ---: | ---: | ---: | --- |",
    ]
    for family, rows in _read_coverage().items():
        settings = sum(row.settings for row in rows)
        below, above = sum(row.below for row in rows), sum(row.above for row in rows)
        lowest = min(rows, key=lambda row: (row.lowest, row.metric))
        lines.append(
            f"| {family} | {settings} | {settings - above - below} | {above} | {below} "
            f"| {lowest.lowest:.1f} ({lowest.metric}) |"
        )
    return "\n".join(lines)


def _read_coverage() -> dict[str, list[MetricCoverage]]:
    """Return by family the rows of its tables on the page of coverage.

    Raises:
        SystemExit: A family has no table whose first column is "metric".
    """
    by_family: dict[str, list[MetricCoverage]] = {_FIRST_FAMILY: []}
    family = _FIRST_FAMILY
    is_coverage = False
    for line in _EXTREMES.sub("", _page("reference/coverage")).splitlines():
        if line.startswith("## ") and line[3:] not in _SUBSECTIONS:
            family = line[3:]
            by_family[family] = []
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            is_coverage = False
        elif cells[0] == "metric":
            is_coverage = True
        elif is_coverage and cells[0].startswith("`"):
            metric, *ranges, below, above, settings = cells
            lowest = min(float(share) for share in _PERCENT.findall(" ".join(ranges)))
            by_family[family].append(
                MetricCoverage(metric, lowest, int(below), int(above), int(settings))
            )
    if missing := [name for name, rows in by_family.items() if not rows]:
        raise SystemExit(f"reference/coverage.md: no table of coverage of {', '.join(missing)}")
    return by_family


def _page(name: str) -> str:
    return (DOCS / f"{name}.md").read_text(encoding="utf-8")


PAGES: Mapping[str, Mapping[str, Callable[[], str]]] = {
    "validity": {"evidence": evidence, "coverage": coverage},
    **PLAN_PAGES,
}
"""The functions that write the blocks of each page, by block."""
