"""Files are read bounded and written whole; JSON is read strictly; labels as people write them."""

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.complex_eval.data.files import as_truth
from bias_tasks.data.columns import labels, truth
from bias_tasks.data.errors import DataError
from bias_tasks.data.files import open_to_read, parsed_json, read_whole, replacing

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def test_what_is_no_file_is_refused_and_not_waited_for(tmp_path):
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
            replacing(tmp_path / name),
        ):
            pass


def test_no_more_is_read_than_is_allowed(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_whole(path, most=5) == b"12345"
    with pytest.raises(DataError, match="more than 4 bytes"):
        read_whole(path, most=4)


def write_half(path):
    with replacing(path) as stream:
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
    with replacing(link) as stream:
        stream.write(b"new")
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert link.is_symlink()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["file", "link"]


@given(st.text(), JSON, JSON)
def test_json_is_read_and_a_key_that_stands_twice_refused_at_any_depth(key, one, other):
    assert parsed_json(json.dumps([one, {key: other}])) == [one, {key: other}]
    name = json.dumps(key)
    twice = f"{{{name}: {json.dumps(one)}, {name}: {json.dumps(other)}}}"
    for text in (twice, f"[1, {twice}]", f'{{"a": {{"b": [{twice}]}}}}'):
        with pytest.raises(ValueError, match="stands there twice"):
            parsed_json(text)


def test_labels_as_people_write_them():
    said = {True: (True, 1, 1.0, "1", "TRUE", " yes "), False: (False, 0, "0", "false", "No")}
    for meant, ways in {**said, None: (2, "y es")}.items():
        assert [truth(way) for way in ways] == [meant] * len(ways)
    assert labels("Yes", "No")("1") == "Yes"
    label = labels("True", "False", "Unknown")
    assert [label("unknown"), label("maybe"), label(2)] == ["Unknown", "maybe", 2]
    assert [as_truth("other"), as_truth("no")] == ["other", False]
