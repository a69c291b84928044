"""Writes what the README tells of other pages: what was checked, and what each task asks.

A block begins with `<!-- evidence -->` or `<!-- tasks -->` and ends with `<!-- end -->`. Numbers
are taken from the pages that the benchmarks write. Run by `tools/tables.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from bias_tasks.families import FAMILY_NAMES, load_family
from bias_tasks.family import Family
from bias_tasks.parameters import TaskSpec

DOCS = Path(__file__).parents[1] / "docs"
_CELLS = re.compile(r"^(\d+) of (\d+) printed cells come out", re.MULTILINE)
_EXTREMES = re.compile(r"^## Extremes.*?(?=^## )", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"^#", re.MULTILINE)
_SHARE = re.compile(r"\*{0,2}(\d{2,3}\.\d)\*{0,2}")
_PLANNED = re.compile(r"^\| `(\w+)` \| ([\d,]+) \| ([\d,]+) \| [\d,]+ \| [\d,]+ \| (\d+\.\d\d) \|")


def front(text: str) -> str:
    """The README with its blocks made anew."""
    makers: dict[str, Callable[[], str]] = {"evidence": evidence, "tasks": tasks}
    for name, make in makers.items():
        marks = re.compile(rf"<!-- {name} -->\n.*?<!-- end -->", re.DOTALL)
        if len(marks.findall(text)) != 1:
            raise SystemExit(f"README.md: expected one block <!-- {name} --> … <!-- end -->")
        made = f"<!-- {name} -->\n{make()}\n<!-- end -->"
        text = marks.sub(lambda _, made=made: made, text)
    return text


def evidence() -> str:
    """How many printed cells come out, and how often intervals cover what was planted."""
    cells = [tuple(map(int, found)) for found in _CELLS.findall(_page("output_format_published"))]
    right, printed = (sum(column) for column in zip(*cells, strict=True))
    shares = list(_coverage(_EXTREMES.sub("", _page("coverage"))))
    inside = sum(93 <= share <= 97 for share in shares)
    below = sum(share < 93 for share in shares)
    least, outside = min(shares), len(shares) - inside
    return (
        f"- **{right} of {printed} printed cells** come out of the outputs that a paper's authors "
        "published, by the paper's\n"
        "  protocol. The others are printed ratios that are not those of the printed figures\n"
        "  ([published outputs scored again](docs/output_format_published.md)).\n"
        f"- **Intervals cover what was planted**: of {len(shares):,} figures of simulated "
        f"respondents, {inside:,} have a 95 % interval that\n"
        f"  covers the truth in 93 to 97 % of data sets; {outside - below} cover it more often and "
        f"{below} less, the least in {least:.1f} %\n"
        "  ([coverage](docs/coverage.md), which also shows the extremes, where it does not hold)."
    )


def _coverage(text: str) -> Iterator[float]:
    """The shares in the tables whose columns are figures: those with a respondent or a judge."""
    wanted = False
    for line in text.splitlines():
        if not line.startswith("|"):
            wanted = False
        elif line.startswith(("| respondent |", "| judge |")):
            wanted = True
        elif wanted:
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            yield from (float(found[1]) for cell in cells if (found := _SHARE.fullmatch(cell)))


def tasks() -> str:
    """What each task asks, and what that costs by default."""
    planned = {
        found[1]: found for line in _page("plan").splitlines() if (found := _PLANNED.match(line))
    }
    lines = ["| task | what it asks | calls | dollars |", "| --- | --- | ---: | ---: |"]
    for family in map(load_family, FAMILY_NAMES):
        lines += [_row(family, spec, planned) for spec in family.tasks.values()]
    return "\n".join(lines)


def _row(family: Family, spec: TaskSpec, planned: Mapping[str, re.Match[str]]) -> str:
    known = planned.get(spec.name)
    calls, dollars = (known[3], known[4]) if known else (_by_item(family, spec), "")
    summary = re.sub(r" \((?:eq|section)[^)]*\)", "", spec.summary).rstrip(".").replace("|", r"\|")
    return f"| [`{spec.name}`](docs/{family.name}.md) | {summary} | {calls} | {dollars} |"


def _by_item(family: Family, spec: TaskSpec) -> str:
    """At most how many of the paper's items are asked, and the calls of each."""
    questions = family.plan(spec.name, spec.values({"data": "synthetic", "n": 1})).questions
    asked = "" if spec.paper_n is None else f"{spec.paper_n:,} "
    return f"{asked}× {len({question.variant for question in questions})}"


def _page(name: str) -> str:
    return (DOCS / f"{name}.md").read_text(encoding="utf-8")
