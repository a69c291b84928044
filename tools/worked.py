"""Writes worked cases into the pages: how each answer is read, and why.

The cases stand in YAML beside the tests, which hold the readers to them: `columns` names the
fields that are shown, `code` those of them that are shown as they stand, `cases` are the rows. A
page has `<!-- worked NAME -->` where the table begins, NAME being the file's own behind
`worked_`, and `<!-- end -->` where it ends. Run by `tools/tables.py`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[1]
WORKED = (("tests/bias_tasks/output_format/worked_formats.yaml", "docs/output_format.md"),)
"""Where cases stand, and the page that shows them."""
_NOTHING = "–"
_TICKS = re.compile(r"`+")


def with_worked(page: str, text: str) -> str:
    """A page's text with its tables of worked cases made anew.

    Args:
        page: its path from the root of the project.
        text: its text.
    """
    for source, shown_on in WORKED:
        if shown_on != page:
            continue
        name = Path(source).stem.removeprefix("worked_")
        marks = re.compile(rf"<!-- worked {name} -->\n.*?<!-- end -->", re.DOTALL)
        if len(marks.findall(text)) != 1:
            raise SystemExit(f"{page}: expected one table <!-- worked {name} --> … <!-- end -->")
        made = table(yaml.safe_load((ROOT / source).read_text(encoding="utf-8")))
        text = marks.sub(lambda _, made=made, name=name: _marked(name, made), text)
    return text


def table(worked: Mapping[str, Any]) -> str:
    """The cases as a table of Markdown."""
    columns, code = worked["columns"], worked.get("code", ())
    rows = [
        [_cell(case[column], code=column in code) for column in columns] for case in worked["cases"]
    ]
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _marked(name: str, made: str) -> str:
    return f"<!-- worked {name} -->\n{made}\n<!-- end -->"


def _cell(value: Any, *, code: bool) -> str:
    """A value as a cell: nothing is a dash, and {taken: value} a dash and the value."""
    if value is None:
        return _NOTHING
    if isinstance(value, Mapping) and list(value) == ["taken"]:
        return f"{_NOTHING} (takes {_cell(value['taken'], code=code)})"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return (_code(text) if code else text).replace("|", r"\|")


def _code(text: str) -> str:
    """A text as code in one line, its line breaks shown."""
    shown = text.replace("\n", " ⏎ ")
    if not shown.strip():
        return "(empty)"
    longest = max(map(len, _TICKS.findall(shown)), default=0)
    ticks = "`" * (longest + 1)
    pad = " " if longest or shown[0] == " " or shown[-1] == " " else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}"
