"""Fixtures of the tests of judges."""

import json

import pytest

from bias_tasks.complex_eval.data import core
from tests.bias_tasks.complex_eval.runs import ROWS


@pytest.fixture
def write(tmp_path):
    """Return a function that writes rows to a file and returns its path."""

    def write(*rows):
        path = tmp_path / "items.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return str(path)

    return write


@pytest.fixture
def rows(monkeypatch):
    """Replace each part of the core with one short row."""
    monkeypatch.setattr(core, "core_rows", lambda part: ({**ROWS[part], "columns": {}},))
