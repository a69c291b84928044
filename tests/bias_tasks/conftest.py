"""Fixtures for the tests that read material kept outside the project."""

import os
from pathlib import Path

import pytest


def _folder(variable: str, what: str) -> Path:
    value = os.environ.get(variable)
    if not value:
        pytest.skip(f"{variable} is not set: it names the folder with {what}")
    folder = Path(value)
    if not folder.is_dir():
        pytest.fail(f"{variable} names {folder}, which is not a folder")
    return folder


@pytest.fixture
def shared_data() -> Path:
    """The folder of real upstream files, laid out as the data cache."""
    return _folder("BIAS_TASKS_DATA", "the real upstream files")


@pytest.fixture
def golden() -> Path:
    """The folder of the papers' printed tables and test cases."""
    return _folder("BIAS_TASKS_GOLDEN", "the papers' printed tables and test cases")
