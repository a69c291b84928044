"""A file belongs to one process at a time, and its lines are whole whatever breaks."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bias_tasks.commands.model_calls import alone as module
from bias_tasks.commands.model_calls.alone import alone
from bias_tasks.commands.model_calls.lines import append, put_in_order
from bias_tasks.commands.model_calls.other_models import other_models
from bias_tasks.data.errors import DataError
from tests.bias_tasks.full_disk import full_disk

HOLDS = """
import fcntl, sys, time
held = open(sys.argv[1], "a")
fcntl.flock(held, fcntl.LOCK_EX)
print("held", flush=True)
time.sleep(600)
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "out.jsonl"


def refused(path):
    with pytest.raises(DataError) as told, alone(path):
        pass
    return str(told.value)


def test_the_lock_of_a_process_ends_with_it_however_it_ends(path):
    with subprocess.Popen([sys.executable, "-c", HOLDS, path], stdout=subprocess.PIPE) as other:
        other.stdout.readline()
        told = refused(path)
        other.kill()
    assert told == f"another process writes {path}: wait for it to end, or give another --out"
    with alone(path):
        assert "another process writes" in refused(path)
    with alone(path):
        pass


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP])
def test_a_file_system_without_locks_is_told_apart(path, monkeypatch, number):
    def flock(*given):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(module.fcntl, "flock", flock)
    told = refused(path)
    assert told.startswith(f"cannot lock {path} ({os.strerror(number)})")
    assert "another, such as a local disk" in told
    assert "another process" not in told


def replaced_while_locking(monkeypatch, path, times):
    flock = module.fcntl.flock
    left = iter(range(times))

    def late(*given):
        flock(*given)
        if next(left, None) is not None:
            other = path.with_name("other")
            other.write_bytes(b"whole\n")
            other.replace(path)

    monkeypatch.setattr(module.fcntl, "flock", late)


def test_a_file_that_was_replaced_meanwhile_is_locked_anew(path, monkeypatch):
    replaced_while_locking(monkeypatch, path, 3)
    with alone(path):
        assert "another process writes" in refused(path)
    assert path.read_bytes() == b"whole\n"


def test_a_file_that_is_replaced_for_ever_is_given_up(path, monkeypatch):
    replaced_while_locking(monkeypatch, path, 1000)
    assert "is replaced time and again" in refused(path)


@pytest.mark.parametrize("written", [b"", b"a row\n"])
def test_what_is_made_to_be_locked_goes_unless_it_was_written(path, written):
    with alone(path):
        append(path, written)
    assert path.exists() == bool(written)
    path.touch()
    with alone(path):
        pass
    assert path.exists()


def test_a_line_that_does_not_fit_leaves_nothing(path):
    append(path, b"first\n")
    with full_disk(9), pytest.raises(DataError, match="cannot write"):
        append(path, b"second\n")
    append(path, b"third\n")
    assert path.read_bytes() == b"first\nthird\n"


def test_rows_that_cannot_be_put_in_order_stay(path):
    append(path, b"2\n1\n")
    with full_disk(2), pytest.raises(DataError, match=r"What was made stands in .*not in order"):
        put_in_order(path, [b"1\n", b"2\n"])
    assert path.read_bytes() == b"2\n1\n"
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_other_models_of_a_file_are_named():
    makers = ["a", "b", "b", "c"]
    told = other_models(Path("out"), makers, "a")
    assert told.startswith("out keeps what other models made: b (2), c (1). ")
    assert other_models(Path("out"), makers[:1], "a") is None
    assert other_models(Path("out"), makers, None) is None
