"""The file that commands which call models write to."""

import pytest


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out.jsonl"
