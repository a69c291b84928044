"""Fixtures of the tests of judges."""

import json

import pytest


@pytest.fixture
def write_rows(tmp_path):
    """Writes rows to a file, and returns its path."""

    def write_rows(*rows):
        path = tmp_path / "items.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return str(path)

    return write_rows
