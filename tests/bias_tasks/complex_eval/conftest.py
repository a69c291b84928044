"""What the tests of judges share."""

import json

import pytest


@pytest.fixture
def write(tmp_path):
    """Writes rows to a file, and gives its path."""

    def write(*rows):
        path = tmp_path / "items.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return str(path)

    return write
