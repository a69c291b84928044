"""Writes blocks of pages that summarize other files.

`docs/results.md` lists all tasks with their cost, and `docs/validity.md` summarizes the results
that the benchmarks write to `docs/reference/`. A block is between `<!-- NAME -->` and
`<!-- end -->`. `plan_tables.py` has the tables of calls and costs. Run by `tools/tables.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from plan_tables import PAGES as PLAN_PAGES
from plan_tables import planned_tasks

from bias_tasks.contract.family import Family
from bias_tasks.contract.parameters import TaskSpec
from bias_tasks.families import FAMILY_NAMES, load_family

DOCS = Path(__file__).parents[1] / "docs"
_REPRODUCED_CELLS = re.compile(r"^(\d+) of (\d+) printed cells come out", re.MULTILINE)
_EXTREMES = re.compile(r"^## Extremes.*?(?=^## )", re.DOTALL | re.MULTILINE)
_SHARE = re.compile(r"\*{0,2}(\d{2,3}\.\d)\*{0,2}")
_FIRST_FAMILY = "Instruction Boundary"
"""The family with which the page of coverage begins, without a heading of its own."""
_SUBSECTIONS = ("Simulated models drawn from a range", "Single simulated models")
"""Headings within the first family."""
_ROW_LABELS = ("simulated model", "judge")
"""First column of the tables whose cells are shares of intervals that cover the truth."""


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
    shares = [share for rows in _read_shares().values() for _, share in rows]
    inside = sum(93 <= share <= 97 for share in shares)
    below = sum(share < 93 for share in shares)
    return (
        f"- **Published outputs.** {reproduced} of {printed} printed cells come out of the outputs "
        "that FormatEval's authors published,\n  read by the rules of their public code. The page "
        "names the reason for each of the others.\n"
        f"- **Intervals.** {inside:,} of {len(shares):,} metrics of simulated models have a "
        "95 % interval that covers the\n  planted truth in 93 to 97 % of data sets; "
        f"{len(shares) - inside - below} are covered more often, {below} less often, the least in "
        f"{min(shares):.1f} %."
    )


def coverage() -> str:
    """Return how often intervals cover the truth, one row per family."""
    lines = [
        "| family | metrics in all settings | within 93 to 97 % | above | below | lowest |",
        "| --- | ---: | ---: | ---: | ---: | --- |",
    ]
    for family, shares in _read_shares().items():
        above = sum(share > 97 for _, share in shares)
        below = sum(share < 93 for _, share in shares)
        metric, lowest = min(shares, key=lambda row: (row[1], row[0]))
        lines.append(
            f"| {family} | {len(shares)} | {len(shares) - above - below} | {above} | {below} "
            f"| {lowest:.1f} ({metric}) |"
        )
    return "\n".join(lines)


def _read_shares() -> dict[str, list[tuple[str, float]]]:
    """Return by family each metric and share of its tables on the page of coverage.

    Raises:
        SystemExit: A family has no table whose first column is one of `_ROW_LABELS`.
    """
    by_family: dict[str, list[tuple[str, float]]] = {_FIRST_FAMILY: []}
    family, metrics = _FIRST_FAMILY, list[str]()
    for line in _EXTREMES.sub("", _page("reference/coverage")).splitlines():
        if line.startswith("## ") and line[3:] not in _SUBSECTIONS:
            family = line[3:]
            by_family[family] = []
        if not line.startswith("|"):
            metrics = []
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0] in _ROW_LABELS:
            metrics = cells
        elif metrics:
            for metric, cell in zip(metrics, cells, strict=True):
                if match := _SHARE.fullmatch(cell):
                    by_family[family].append((metric, float(match[1])))
    if missing := [name for name, shares in by_family.items() if not shares]:
        raise SystemExit(f"reference/coverage.md: no table of shares of {', '.join(missing)}")
    return by_family


def tasks() -> str:
    """Return all tasks with their headline, and what they cost by default."""
    lines = [
        "| task | headline | calls | USD |",
        "| --- | --- | ---: | ---: |",
    ]
    for family in map(load_family, FAMILY_NAMES):
        lines += [_task_row(family, spec) for spec in family.tasks.values()]
    return "\n".join(lines)


def _task_row(family: Family, spec: TaskSpec) -> str:
    _, calls, _, _, cost = planned_tasks()[spec.name]
    link = f"[`{spec.name}`]({family.name}.md)"
    return f"| {link} | `{spec.headline[0]}` | {calls} | {cost} |"


def _page(name: str) -> str:
    return (DOCS / f"{name}.md").read_text(encoding="utf-8")


PAGES: Mapping[str, Mapping[str, Callable[[], str]]] = {
    "results": {"tasks": tasks},
    "validity": {"evidence": evidence, "coverage": coverage},
    **PLAN_PAGES,
}
"""The functions that write the blocks of each page, by block."""
