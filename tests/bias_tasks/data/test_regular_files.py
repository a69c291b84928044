"""Files alone are read and written; anything else is refused in one line, without waiting."""

import os

import pytest

from bias_tasks.commands.model_calls.lines import append, repair, replace_with
from bias_tasks.data import regular_files
from bias_tasks.data.errors import DataError
from tests.bias_tasks.data.places import PLACES, told

USES = {
    "read": regular_files.read_whole,
    "read on": regular_files.open_to_read,
    "look": regular_files.stands_there,
    "write": regular_files.open_to_write,
    "append": append,
    "replace": lambda path: replace_with(path, [b"new"]),
    "repair": repair,
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("place", PLACES)
def test_what_is_no_file_is_refused(tmp_path, place, use):
    path = tmp_path / "rows.jsonl"
    PLACES[place](path)
    before = path.lstat()
    with pytest.raises(DataError) as caught:
        USES[use](path)
    what = "write" if use in ("write", "append", "replace") else "read"
    assert str(caught.value) == f"cannot {what} {path}: it is {told(place)}, not a file"
    assert path.lstat() == before


def test_what_becomes_a_fifo_once_it_was_looked_at(tmp_path, monkeypatch):
    path = tmp_path / "rows.jsonl"
    os.mkfifo(path)
    really = regular_files._refuse_others
    looks = iter([lambda *_: None, really])
    monkeypatch.setattr(regular_files, "_refuse_others", lambda *seen: next(looks)(*seen))
    with pytest.raises(DataError, match="it is a FIFO, not a file"):
        regular_files.open_to_read(path)


def test_a_link_to_a_file_is_followed_and_stays(tmp_path):
    (tmp_path / "rows.jsonl").write_bytes(b"old")
    link = tmp_path / "link.jsonl"
    link.symlink_to("rows.jsonl")
    replace_with(link, [b"n", b"ew"])
    append(link, b"er")
    assert link.is_symlink()
    assert regular_files.read_whole(tmp_path / "rows.jsonl") == b"newer"


def test_a_file_in_the_way_of_the_temporary_one(tmp_path):
    os.mkfifo(tmp_path / "rows.jsonl.tmp")
    (tmp_path / "rows.jsonl").write_bytes(b"old")
    with pytest.raises(DataError, match=r"rows\.jsonl\.tmp: it is a FIFO"):
        replace_with(tmp_path / "rows.jsonl", [b"new"])
    assert (tmp_path / "rows.jsonl").read_bytes() == b"old"


def test_a_circle_of_links(tmp_path):
    path = tmp_path / "a"
    path.symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(path)
    for use in USES.values():
        with pytest.raises(DataError, match="symbolic links"):
            use(path)


def test_a_file_is_read_up_to_a_size(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b"12345")
    assert regular_files.read_whole(path, most=5) == b"12345"
    with pytest.raises(DataError, match="it holds more than 4 bytes, the most allowed"):
        regular_files.read_whole(path, most=4)


def test_a_larger_file_than_is_read_costs_no_memory(tmp_path):
    path = tmp_path / "rows.jsonl"
    with path.open("wb") as stream:
        stream.truncate(2**40)  # a hole, which takes no place on the disk
    with pytest.raises(DataError, match="it holds more than 268,435,456 bytes"):
        regular_files.read_whole(path)


@pytest.mark.parametrize("name", ["\udcff.jsonl", "a\0b.jsonl", "~nobody-of-this-name/a.jsonl"])
def test_names_that_are_none(name):
    with pytest.raises(DataError) as caught:
        regular_files.read_whole(regular_files.as_path(name))
    assert str(caught.value).isprintable() or "\0" in name
    assert "\n" not in str(caught.value)
