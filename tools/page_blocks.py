"""Writes what pages tell of others: what each task asks (`docs/tasks.md`), and what was checked.

`docs/validity.md` condenses what the benchmarks write to `docs/reference/`. A block begins with
`<!-- NAME -->` and ends with `<!-- end -->`. Run by `tools/tables.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from bias_tasks.contract.family import Family
from bias_tasks.contract.parameters import TaskSpec
from bias_tasks.families import FAMILY_NAMES, load_family

DOCS = Path(__file__).parents[1] / "docs"
_CELLS = re.compile(r"^(\d+) of (\d+) printed cells come out", re.MULTILINE)
_EXTREMES = re.compile(r"^## Extremes.*?(?=^## )", re.DOTALL | re.MULTILINE)
_SHARE = re.compile(r"\*{0,2}(\d{2,3}\.\d)\*{0,2}")
_PLANNED = re.compile(r"^\| `(\w+)` \| ([\d,]+) \| ([\d,]+) \| [\d,]+ \| [\d,]+ \| (\d+\.\d\d) \|")
_FIRST = "Instruction Boundary"
"""The family with which the page of coverage begins."""
_KINDS = (
    "Respondents drawn from a range",
    "Single respondents",
    "Extremes, where it does not hold",
)


def with_blocks(text: str, makers: Mapping[str, Callable[[], str]]) -> str:
    """A page with its blocks made anew."""
    for name, make in makers.items():
        marks = re.compile(rf"<!-- {name} -->\n.*?<!-- end -->", re.DOTALL)
        if len(marks.findall(text)) != 1:
            raise SystemExit(f"expected one block <!-- {name} --> … <!-- end -->")
        made = f"<!-- {name} -->\n{make()}\n<!-- end -->"
        text = marks.sub(lambda _, made=made: made, text)
    return text


def evidence() -> str:
    """How many printed cells come out, and how often intervals cover what was planted."""
    cells = [tuple(map(int, found)) for found in _CELLS.findall(_page("reference/published"))]
    right, printed = (sum(column) for column in zip(*cells, strict=True))
    shares = [share for *_, share in _shares()]
    inside = sum(93 <= share <= 97 for share in shares)
    below = sum(share < 93 for share in shares)
    return (
        f"- **Published outputs.** {right} of {printed} printed cells come out of the outputs that "
        "FormatEval's authors published,\n  read by the rules of their public code. The page names "
        "the reason for each of the others.\n"
        f"- **Intervals.** {inside:,} of {len(shares):,} figures of simulated respondents have a "
        "95 % interval that covers the\n  planted truth in 93 to 97 % of data sets; "
        f"{len(shares) - inside - below} are covered more often, {below} less often, the least in "
        f"{min(shares):.1f} %."
    )


def coverage() -> str:
    """How often intervals cover the truth, a row a family."""
    found: dict[str, list[tuple[float, str]]] = {}
    for family, figure, share in _shares():
        found.setdefault(family, []).append((share, figure))
    lines = [
        "| family | figures in all settings | within 93 to 97 % | above | below | lowest |",
        "| --- | ---: | ---: | ---: | ---: | --- |",
    ]
    for family, told in found.items():
        above, below = (sum(beyond(each) for each, _ in told) for beyond in (_above, _below))
        share, figure = min(told)
        lines.append(
            f"| {family} | {len(told)} | {len(told) - above - below} | {above} | {below} "
            f"| {share:.1f} ({figure}) |"
        )
    return "\n".join(lines)


def _above(share: float) -> bool:
    return share > 97


def _below(share: float) -> bool:
    return share < 93


def _shares() -> Iterator[tuple[str, str, float]]:
    """Family, figure and share of the tables that have a respondent or a judge a row."""
    family, figures = _FIRST, list[str]()
    for line in _EXTREMES.sub("", _page("reference/coverage")).splitlines():
        if line.startswith("## ") and line[3:] not in _KINDS:
            family = line[3:]
        if not line.startswith("|"):
            figures = []
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0] in ("respondent", "judge"):
            figures = cells
        elif figures:
            for figure, cell in zip(figures, cells, strict=True):
                if found := _SHARE.fullmatch(cell):
                    yield family, figure, float(found[1])


def tasks() -> str:
    """What each task asks, its headline, and what it costs by default."""
    planned = {
        found[1]: found
        for line in _page("reference/plan").splitlines()
        if (found := _PLANNED.match(line))
    }
    lines = [
        "| task | what it asks | headline | calls | dollars |",
        "| --- | --- | --- | ---: | ---: |",
    ]
    for family in map(load_family, FAMILY_NAMES):
        lines += [_row(family, spec, planned) for spec in family.tasks.values()]
    return "\n".join(lines)


def _row(family: Family, spec: TaskSpec, planned: Mapping[str, re.Match[str]]) -> str:
    known = planned.get(spec.name)
    calls, dollars = (known[3], known[4]) if known else (_by_item(family, spec), "")
    summary = re.sub(r" \((?:eq|section)[^)]*\)", "", spec.summary).rstrip(".").replace("|", r"\|")
    link = f"[`{spec.name}`]({family.name}.md)"
    return f"| {link} | {summary} | `{spec.headline[0]}` | {calls} | {dollars} |"


def _by_item(family: Family, spec: TaskSpec) -> str:
    """At most how many of the paper's items are asked, and the calls of each."""
    questions = family.plan(spec.name, spec.values({"data": "synthetic", "n": 1})).questions
    asked = "" if spec.paper_n is None else f"{spec.paper_n:,} "
    return f"{asked}× {len({question.variant for question in questions})}"


def _page(name: str) -> str:
    return (DOCS / f"{name}.md").read_text(encoding="utf-8")


PAGES: Mapping[str, Mapping[str, Callable[[], str]]] = {
    "tasks": {"tasks": tasks},
    "validity": {"evidence": evidence, "coverage": coverage},
}
"""The pages with such blocks, and who makes each."""
