"""Writes the tables of parameters and figures into the families' pages, from what they declare.

A page has `<!-- figures -->` or `<!-- parameters -->` where a table begins and `<!-- end -->` where
it ends. Run by `make tables`; with `--check` it changes nothing and fails where a page is stale.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from bias_tasks.families import FAMILY_NAMES, load_family
from bias_tasks.family import Family
from bias_tasks.figures import Figure
from bias_tasks.parameters import Parameter

DOCS = Path(__file__).parents[1] / "docs"
_TABLE = re.compile(r"<!-- (figures|parameters) -->\n.*?<!-- end -->", re.DOTALL)
_BETTER = {None: "", "higher": "higher", "lower": "lower"}


def figures(family: Family) -> str:
    """Every figure with its meaning, unit, range, better direction and source."""
    rows = (
        (f"`{_path(each)}`", each.meaning, _unit(each), _BETTER[each.better], each.source)
        for each in family.figures
    )
    return _table(("figure", "meaning", "unit and range", "better", "defined in"), rows)


def parameters(family: Family) -> str:
    """Every parameter with its values, default, meaning, and the tasks that take it."""
    tasks: dict[str, list[str]] = {}
    meant: dict[str, Parameter] = {}
    for spec in family.tasks.values():
        for each in spec.parameters:
            tasks.setdefault(each.name, []).append(spec.name)
            meant.setdefault(each.name, each)
    rows = (
        (
            f"`{name}`",
            meant[name].expected,
            _default(meant[name]),
            meant[name].meaning,
            _who(own, family),
        )
        for name, own in tasks.items()
    )
    return _table(("parameter", "values", "default", "meaning", "tasks"), rows)


def page(family: Family, text: str) -> str:
    """The page with its tables made anew."""
    makers: dict[str, Callable[[Family], str]] = {"figures": figures, "parameters": parameters}
    return _TABLE.sub(
        lambda found: f"<!-- {found[1]} -->\n{makers[found[1]](family)}\n<!-- end -->", text
    )


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    heads = list(head)
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(
        f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines
    )


def _path(figure: Figure) -> str:
    """A figure's name with a place for each part that follows it."""
    least, most = min(figure.parts), max(figure.parts)
    return figure.name + "/…" * least + ("[/…]" if most > least else "")


def _unit(figure: Figure) -> str:
    low, high = ("" if math.isinf(bound) else f"{bound:g}" for bound in (figure.low, figure.high))
    if low and high:
        return f"{figure.unit}, {low} to {high}"
    return f"{figure.unit}, from {low}" if low else figure.unit


def _default(parameter: Parameter) -> str:
    return "" if parameter.default is None else f"`{parameter.default}`"


def _who(own: list[str], family: Family) -> str:
    return "all" if len(own) == len(family.tasks) else ", ".join(f"`{name}`" for name in own)


def main() -> int:
    """Write the pages, or check them."""
    stale = []
    for name in FAMILY_NAMES:
        path = DOCS / f"{name}.md"
        text = path.read_text(encoding="utf-8")
        made = page(load_family(name), text)
        if made == text:
            continue
        stale.append(path.name)
        if "--check" not in sys.argv:
            path.write_text(made, encoding="utf-8")
    if stale:
        print(f"{'stale' if '--check' in sys.argv else 'made anew'}: {', '.join(stale)}")
    return int(bool(stale) and "--check" in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
