"""Fixtures of the tests of judges."""

import pytest

from bias_tasks.complex_eval.data import core
from tests.bias_tasks.complex_eval.runs import ROWS


@pytest.fixture
def rows(monkeypatch):
    """Replace each part of the core with one short row."""
    monkeypatch.setattr(core, "core_rows", lambda part: ({**ROWS[part], "columns": {}},))
