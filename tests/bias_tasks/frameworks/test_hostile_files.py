"""A user's file of items: no key twice, no impossible ids, further columns kept with the item."""

import json
from pathlib import Path

import pytest

from bias_tasks.binary_qa.data.files import read_binary_file
from bias_tasks.complex_eval.data.files import read_judged_file, read_responses
from bias_tasks.instruction_boundary.data.files import read_file
from bias_tasks.output_format.data.files import load_items_from_file

EXAMPLES = Path(__file__).parents[3] / "examples"
JUDGED = {"basic": "basic", "math": "math", "role_playing": "role_playing"}
JUDGED |= {"creative_writing": "writing"}
ITEMS = {
    "instruction_boundary": read_file,
    "binary_qa": read_binary_file,
    "output_format": load_items_from_file,
    **{
        f"complex_eval_{name}": lambda path, family=family: read_judged_file(path, family)
        for family, name in JUDGED.items()
    },
}
"""Each kind of item's reader, by the name of its example."""
ROWS = {"responses": {"id": "a", "response": "x"}}
READERS = {**ITEMS, "responses": read_responses}
IMPOSSIBLE = ("x" * 70_000, "..", "../a", "a/b", "a\\b", "a\nb", "a\0b", "\x1b[2J", "\ud800", " a")


def first_row(name):
    if name in ROWS:
        return ROWS[name]
    lines = (EXAMPLES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return json.loads(lines[0])


def error(name, path):
    with pytest.raises((RuntimeError, ValueError)) as caught:
        READERS[name](path)
    assert str(path) in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("name", READERS)
def test_a_wrong_file_or_row_is_named(tmp_path, name):
    path = tmp_path / "mine.jsonl"
    assert "cannot read" in error(name, path) or "can't read" in error(name, path)
    row = first_row(name)
    for key in row:
        path.write_text(f"\n{json.dumps(row)[:-1]}, {json.dumps(key)}: 1}}\n", encoding="utf-8")
        assert f"the key {key!r} occurs twice" in error(name, path)
    for identifier in IMPOSSIBLE:
        path.write_text(json.dumps({**row, "id": identifier}) + "\n", encoding="utf-8")
        message = error(name, path)
        assert "\n  row 1: column id: " in message
        assert len(message) < len(str(path)) + 300
        assert message.replace("\n", "").isprintable()
