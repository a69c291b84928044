"""The file that commands which call models write to."""

import signal

import pytest


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out.jsonl"


@pytest.fixture
def ctrl_c():
    """Let SIGINT interrupt this process, although a shell starts background jobs without it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
