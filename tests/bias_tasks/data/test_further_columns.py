"""Columns that nobody asks about: handed on as logs can hold them, and named once."""

import json
import logging

import pytest

from bias_tasks.data.errors import DataError
from bias_tasks.data.further import noted, plain
from bias_tasks.data.tables import Layout
from tests.bias_tasks.data.rows import LAYOUT, read, write_parquet


def jsonl(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def path(tmp_path):
    return tmp_path / "mine.jsonl"


def error(path):
    with pytest.raises(DataError) as caught:
        read(path)
    return str(caught.value)


def test_they_are_handed_on_and_named_in_one_warning(path, caplog):
    rows = [{"question": "q", "topic": "sky", "tags": ["a"]}, {"question": "r", "level": 3}]
    assert read(jsonl(path, *rows)) == [
        ({"question": "q"}, {"topic": "sky", "tags": ["a"]}),
        ({"question": "r"}, {"level": 3}),
    ]
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert record.message == (
        f"{path}: columns that are not known are kept in the log of each sample, under 'columns': "
        "'topic', 'tags', 'level'"
    )
    read(path)
    assert len(caplog.records) == 1  # a group's tasks read the same file one after the other


def test_a_file_of_known_columns_warns_of_nothing(path, caplog):
    read(jsonl(path, {"question": "q", "id": "a"}))
    assert not caplog.records


def test_a_name_like_a_known_one_is_asked_about(path, caplog):
    read(jsonl(path, {"question": "q", "optoins": ["a"]}))
    assert "'optoins' (is it 'options'?)" in caplog.text
    told = error(jsonl(path, {"qestion": "q", "id": "a"}))
    assert "wrong rows (beside columns that are not known: 'qestion' (is it 'question'?))" in told


def test_where_they_are_of_no_use_they_are_left_out(path, caplog):
    layout = Layout(LAYOUT.columns, LAYOUT.json_columns, keeps_further=False)
    read(jsonl(path, {"question": "q", "topic": "sky"}), layout)
    (record,) = caplog.records
    assert record.message == f"{path}: columns that are not known are left out: 'topic'"


def test_those_that_are_not_read_are_named_too(tmp_path, caplog):
    columns = {"question": ["q"], "topic": ["sky"], "image": [b"\x00"]}
    assert read(write_parquet(tmp_path / "mine.parquet", columns))[0][1] == {"topic": "sky"}
    (record,) = caplog.records
    assert "under 'columns': 'topic'; columns that are not known are left out: 'image'" in (
        record.message
    )


def test_many_names_are_cut(path, caplog):
    read(jsonl(path, {"question": "q", **{f"c{number}": 1 for number in range(500)}}))
    assert "'c9' and 490 more" in caplog.text
    assert "line 1: it has 1,002 columns, of which at most 1,000 are read" in (
        error(jsonl(path, {"question": "q", **{f"c{number}": 1 for number in range(1001)}}))
    )


def test_what_no_log_can_hold(path):
    path.write_text(
        '{"question": "q", "a": "x\\ud800", "\\udfff": [{"\\ud800": NaN}], "b": [Infinity, 1.5]}\n'
    )
    ((_, further),) = read(path)
    assert further == {"a": "x\ufffd", "\ufffd": [{"\ufffd": None}], "b": [None, 1.5]}
    json.dumps(further, ensure_ascii=False, allow_nan=False).encode()


def test_lists_within_lists_are_bounded(path):
    deep = "[" * 400 + "]" * 400
    path.write_text(f'{{"question": "q", "more": {deep}}}\n')
    told = error(path)
    assert "line 1: column 'more': it has more than 50 lists and objects within each other" in told


def test_what_is_told_of_a_wrong_row_is_short(path):
    path.write_text(json.dumps({"x" * 1_000_000: 1, "y" * 1_000_000: "z"}) + "\n")
    assert len(error(path)) < len(str(path)) + 300


def test_they_stand_under_one_name_or_not_at_all():
    assert noted({"columns": 1}) == {"columns": {"columns": 1}}
    assert noted({}) == {}


def test_plain_values_stay():
    value = {"a": [1, 0.5, "x", None, True, {"b": []}]}
    assert plain(value) == value
