"""Folders of logs and files."""

import pytest


@pytest.fixture
def out(tmp_path, monkeypatch):
    monkeypatch.setenv("INSPECT_LOG_DIR", str(tmp_path / "logs"))
    return tmp_path / "out.jsonl"
