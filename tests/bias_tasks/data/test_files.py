"""Files are read bounded and written whole; JSON is parsed strictly; labels have many spellings."""

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.data.columns import label_parser, parse_bool
from bias_tasks.data.errors import DataError
from bias_tasks.data.files import open_to_read, open_to_replace, parse_json, read_whole

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def test_other_things_than_files_are_refused_and_never_block(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "folder").mkdir()
    (tmp_path / "device").symlink_to("/dev/zero")
    for name in ("fifo", "folder", "device", "nothing", "nothing/below"):
        path = tmp_path / name
        for read in (open_to_read, read_whole):
            with pytest.raises(DataError, match=f"cannot read .*{name}: "):
                read(path)
    for name in ("fifo", "folder", "device"):
        with (
            pytest.raises(DataError, match=f"cannot write .*{name}: it is not a file"),
            open_to_replace(tmp_path / name),
        ):
            pass


def test_a_file_over_the_maximum_size_is_refused(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_whole(path, max_bytes=5) == b"12345"
    with pytest.raises(DataError, match="more than 4 bytes"):
        read_whole(path, max_bytes=4)


def write_half(path):
    with open_to_replace(path) as stream:
        stream.write(b"half")
        raise RuntimeError


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with pytest.raises(RuntimeError):
        write_half(path)
    assert path.read_bytes() == b"old"
    link = tmp_path / "link"
    link.symlink_to(path)
    with open_to_replace(link) as stream:
        stream.write(b"new")
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert link.is_symlink()
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["file", "link"]


@given(st.text(), JSON, JSON)
def test_json_is_parsed_and_a_repeated_key_is_refused_at_any_depth(key, first, second):
    assert parse_json(json.dumps([first, {key: second}])) == [first, {key: second}]
    name = json.dumps(key)
    repeated = f"{{{name}: {json.dumps(first)}, {name}: {json.dumps(second)}}}"
    for text in (repeated, f"[1, {repeated}]", f'{{"a": {{"b": [{repeated}]}}}}'):
        with pytest.raises(ValueError, match="occurs twice"):
            parse_json(text)


def test_labels_are_parsed_in_any_spelling():
    spellings = {True: (True, 1, 1.0, "1", "TRUE", " yes "), False: (False, 0, "0", "false", "No")}
    for truth, cells in {**spellings, None: (2, "y es")}.items():
        assert [parse_bool(cell) for cell in cells] == [truth] * len(cells)
    assert label_parser("Yes", "No")("1") == "Yes"
    label = label_parser("True", "False", "Unknown")
    assert [label("unknown"), label("maybe"), label(2)] == ["Unknown", "maybe", 2]
