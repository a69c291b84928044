"""Writes worked cases: how the parser of each format reads an answer, and why.

The cases are in YAML files next to the tests, which check the parsers against them. `columns` names
the printed fields, `code` those of them that are printed as code, and `cases` are the rows. The
table is on the family's page between `<!-- worked formats -->` and `<!-- end -->`, or else in
`docs/reference/FAMILY.md`. Run by `tools/tables.py`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[1]
CASES = {"output_format": "tests/bias_tasks/output_format/worked_formats.yaml"}
"""The file of a family's cases."""
MARK = "<!-- worked formats -->"
_BLOCK = re.compile(rf"{MARK}\n.*?<!-- end -->", re.DOTALL)
_NOTHING = "–"
_TICKS = re.compile(r"`+")


def with_worked_cases(family: str, text: str) -> str:
    """Return a family's page with its table of worked cases, if it has one, written anew."""
    if family not in CASES or MARK not in text:
        return text
    new_block = f"{MARK}\n{_cases(family)}\n<!-- end -->"
    return _BLOCK.sub(lambda _: new_block, text)


def build_reference(family: str, page: str) -> str:
    """Return the table of worked cases of a family whose page does not have it."""
    if family not in CASES or MARK in page:
        return ""
    return (
        "\n## How answers are read\n\nA dash: the answer does not follow its format. If the "
        'published parser scores a value\nanyway, the value follows "takes".\n\n'
        f"{_cases(family)}\n"
    )


def _cases(family: str) -> str:
    return table(yaml.safe_load((ROOT / CASES[family]).read_text(encoding="utf-8")))


def table(file: Mapping[str, Any]) -> str:
    """Return the cases as a table of Markdown."""
    columns, code = file["columns"], file.get("code", ())
    rows = [
        [_cell(case[column], code=column in code) for column in columns] for case in file["cases"]
    ]
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(value: Any, *, code: bool) -> str:
    """Return a value as a cell: a dash for None, a dash and the value for {taken: value}."""
    if value is None:
        return _NOTHING
    if isinstance(value, Mapping) and list(value) == ["taken"]:
        return f"{_NOTHING} (takes {_cell(value['taken'], code=code)})"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return (_code(text) if code else text).replace("|", r"\|")


def _code(text: str) -> str:
    """Return a text as code in one line, with signs for its line breaks."""
    line = text.replace("\n", " ⏎ ")
    if not line.strip():
        return "(empty)"
    longest = max(map(len, _TICKS.findall(line)), default=0)
    ticks = "`" * (longest + 1)
    pad = " " if longest or line[0] == " " or line[-1] == " " else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"
