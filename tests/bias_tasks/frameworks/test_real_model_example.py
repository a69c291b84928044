"""The example that serves a real model on this machine, without the model."""

import os
import runpy
import sys
from pathlib import Path
from types import ModuleType

import pytest

SERVE = Path(__file__).parents[3] / "examples" / "real_model" / "serve.py"


@pytest.fixture
def parse_arguments(monkeypatch):
    monkeypatch.setitem(sys.modules, "xllamacpp", ModuleType("xllamacpp"))
    return runpy.run_path(str(SERVE))["parse_arguments"]


def test_the_number_of_threads_is_an_option(parse_arguments, monkeypatch):
    assert parse_arguments(["chat", "folder", "80", "--threads", "3"]).threads == 3
    for n_cores, n_threads in ((8, 4), (2, 1), (1, 1), (None, 1)):
        monkeypatch.setattr(os, "cpu_count", lambda n_cores=n_cores: n_cores)
        assert parse_arguments(["chat", "folder", "80"]).threads == n_threads
