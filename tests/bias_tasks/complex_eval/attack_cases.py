"""The attacked responses that were labelled by hand, one file a kind of items."""

import json
from pathlib import Path
from typing import NamedTuple

import yaml

from bias_tasks.complex_eval.attacks.layout import steps_text
from bias_tasks.complex_eval.items import JudgedItem

_FOLDER = Path(__file__).parent / "attack_cases"


class Case(NamedTuple):
    """One attacked response."""

    item: JudgedItem
    name: str
    text: str
    keep: bool
    why: str


def cases(family):
    """The labelled attacks of a family, in their order."""
    told = yaml.safe_load((_FOLDER / f"{family}.yaml").read_text(encoding="utf-8"))
    return [_case(family, told["items"], row) for row in told["cases"]]


def _case(family, items, row):
    source = items[row["item"]]
    response = _response(family, source)
    item = JudgedItem(
        id=row["item"],
        family=family,
        domain="d",
        source="s",
        cluster=row["item"],
        query=source.get("query", "q"),
        responses=(
            {"chosen": source["chosen"], "rejected": response}
            if family == "basic"
            else {"original": response}
        ),
        reference=source.get("reference"),
    )
    name = row.get("name", "format")
    return Case(item, name, _attacked(family, source, row), row["label"] == "keep", row["why"])


def _response(family, source):
    if family == "math":
        return steps_text(source["steps"])
    if family == "role_playing":
        return _dialogue(source["turns"])
    return source["rejected" if family == "basic" else "text"]


def _attacked(family, source, row):
    if "text" in row:
        return row["text"]
    if family == "role_playing":
        return _dialogue(_turns(source["turns"], row))
    return _edited(_response(family, source), row["edits"])


def _turns(turns, row):
    roles = row.get("roles", [role for role, _ in turns])
    contents = [content for _, content in turns]
    for old, new in row["edits"]:
        (place,) = (i for i, content in enumerate(contents) if old in content)
        contents[place] = _edited(contents[place], [(old, new)])
    turns = list(zip(roles, contents, strict=True))
    return [turn for i, turn in enumerate(turns) if i != row.get("drop")]


def _edited(text, edits):
    for old, new in edits:
        assert text.count(old) == 1, (old, text.count(old))
        text = text.replace(old, new)
    return text


def _dialogue(turns):
    return json.dumps([{"role": role, "content": content} for role, content in turns])
