"""Parquet of every type and size: what can't be read is named, and not unpacked first."""

import datetime
import tracemalloc
from decimal import Decimal
from random import Random

import pyarrow as pa
import pytest

from bias_tasks.data import parquet
from bias_tasks.data import row_files as row
from bias_tasks.data.errors import DataError
from tests.bias_tasks.data.rows import packed, read, write_parquet
from tests.bias_tasks.effort import cpu_limit

READABLE = {
    "text": (pa.array(["a", None]), "a"),
    "large text": (pa.array(["a"], pa.large_string()), "a"),
    "text of a dictionary": (pa.array(["a", "b", "a"]).dictionary_encode(), "a"),
    "whole": (pa.array([2**64 - 1], pa.uint64()), 2**64 - 1),
    "whole of a dictionary": (pa.array([7, 7]).dictionary_encode(), 7),
    "number": (pa.array([0.5], pa.float32()), 0.5),
    "half": (pa.array([0.5], pa.float16()), 0.5),
    "truth": (pa.array([True]), True),
    "decimal": (pa.array([Decimal("1.50")]), "1.50"),
    "long decimal": (pa.array([Decimal(10**60)], pa.decimal256(70, 1)), "1" + "0" * 60 + ".0"),
    "list": (pa.array([["a", "b"]]), ["a", "b"]),
    "large list": (pa.array([[["a"]]], pa.large_list(pa.list_(pa.string()))), [["a"]]),
    "list of a size": (pa.array([[1, 2]], pa.list_(pa.int32(), 2)), [1, 2]),
    "list of decimals": (pa.array([[Decimal("0.10")]]), ["0.10"]),
    "object": (pa.array([{"a": {"b": ["x"]}}]), {"a": {"b": ["x"]}}),
    "objects": (pa.array([[{"a": "x", "b": 1}]]), [{"a": "x", "b": 1}]),
}
UNREADABLE = {
    "bytes": pa.array([b"\xff"]),
    "bytes of a size": pa.array([b"ab"], pa.binary(2)),
    "lists of bytes": pa.array([[b"a"]]),
    "time": pa.array([datetime.datetime(2020, 1, 1)]),
    "time in a zone": pa.array([1], pa.timestamp("ns", "Nowhere/Nothing")),
    "time out of range": pa.array([2**62], pa.timestamp("us")),
    "date": pa.array([datetime.date(2020, 1, 1)]),
    "time of day": pa.array([1], pa.time64("ns")),
    "duration": pa.array([1], pa.duration("ns")),
    "map": pa.array([[("a", "b")]], pa.map_(pa.string(), pa.string())),
    "object with a name twice": pa.StructArray.from_arrays([pa.array([1]), pa.array([2])], "aa"),
}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "mine.parquet"


@pytest.mark.parametrize("kind", READABLE)
def test_types_that_json_has_values_for(path, kind):
    cells, first = READABLE[kind]
    rows = read(
        write_parquet(path, {"question": ["q"] * len(cells), "options": cells, "more": cells})
    )
    assert rows[0] == ({"question": "q", "options": first}, {"more": first})


@pytest.mark.parametrize("kind", UNREADABLE)
def test_other_types_are_left_out_where_nobody_asks_and_refused_where_somebody_does(path, kind):
    cells = UNREADABLE[kind]
    assert read(write_parquet(path, {"question": ["q"], "more": cells})) == [
        ({"question": "q"}, {})
    ]
    with pytest.raises(DataError) as caught:
        read(write_parquet(path, {"question": cells}))
    told = str(caught.value)
    assert told.startswith(f"{path}: column question: expected texts, numbers, truth values, or li")
    assert "\n" not in told
    assert len(told) < len(str(path)) + 250


def test_a_column_of_nulls_is_not_there(path):
    rows = read(write_parquet(path, {"question": ["q"], "id": pa.array([None]), "x": [None]}))
    assert rows == [({"question": "q"}, {})]


def test_a_text_that_is_not_utf8_is_named_by_row_and_column(path):
    offsets = pa.array(["ab", "cd"]).buffers()[1]
    damaged = pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"ab\xff\xfe")])
    with pytest.raises(DataError, match=r"wrong rows\n  row 2: column question: it is not UTF-8$"):
        read(write_parquet(path, {"question": damaged}))


def test_names_with_dots_are_names(path):
    nested = pa.array([{"b": "inner"}])
    rows = read(write_parquet(path, {"question": ["q"], "a.b": ["outer"], "a": nested}))
    assert rows == [({"question": "q"}, {"a.b": "outer", "a": {"b": "inner"}})]


def test_a_name_that_occurs_twice(path):
    path.write_bytes(packed(pa.table([pa.array(["q"]), pa.array(["r"])], names=["question"] * 2)))
    with pytest.raises(DataError, match="the column question occurs more than once"):
        read(path)


def _dictionary(count, length):
    """So many rows of one text, which is packed once."""
    return pa.DictionaryArray.from_arrays(
        pa.array([0] * count, pa.int32()), pa.array(["x" * length])
    )


def _listed(count, length):
    """One row that lists one text so often."""
    return pa.ListArray.from_arrays(pa.array([0, count], pa.int32()), _dictionary(count, length))


BOMBS = {
    "rows": (pa.array(["q"] * 3_000_000), "it has 3,000,000 rows, of which at most 1,000,000 are"),
    "one long text": (
        pa.array(["q" * 300_000_000]),
        "unpacked bytes, of which at most 268,435,456",
    ),
    "one text often": (
        _dictionary(100_000, 1_000_000),
        "it has more than 268,435,456 unpacked byt",
    ),
    "one text often in a list": (_listed(20_000, 100_000), "it has more than 268,435,456 unpacked"),
}


@pytest.mark.parametrize("schema", [True, False])
@pytest.mark.parametrize("kind", BOMBS)
def test_a_few_kilobytes_that_stand_for_gigabytes_are_refused_before_they_are_unpacked(
    path, kind, schema
):
    cells, message = BOMBS[kind]
    path.write_bytes(packed(pa.table({"question": cells}), compression="zstd", store_schema=schema))
    assert path.stat().st_size < 100_000
    pool = pa.default_memory_pool()
    before = pool.bytes_allocated()
    tracemalloc.start()
    try:
        with cpu_limit(60, kind), pytest.raises(DataError) as caught:
            read(path)
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()
    assert pool.bytes_allocated() - before < 10_000_000
    assert message in str(caught.value)
    assert str(caught.value).endswith(": split the file")


def test_rows_up_to_the_limit(path, monkeypatch):
    for module in (parquet, row):
        monkeypatch.setattr(module, "MOST_ROWS", 2500)
    assert len(read(write_parquet(path, {"question": ["q"] * 2500}))) == 2500
    with pytest.raises(DataError, match="it has 2,501 rows, of which at most 2,500 are read"):
        read(write_parquet(path, {"question": ["q"] * 2501}))


def test_many_columns(path):
    with pytest.raises(DataError, match="it has 5,000 columns, of which at most 1,000 are read"):
        read(write_parquet(path, {f"c{number}": ["x"] for number in range(5000)}))


def test_lists_within_lists(path):
    kind, cell = pa.string(), "x"
    for _ in range(40):
        kind, cell = pa.list_(kind), [cell]
    told = None
    try:
        ((_, further),) = read(
            write_parquet(path, {"question": ["q"], "x": pa.array([cell], kind)})
        )
    except DataError as error:  # later versions of the library limit the depth themselves
        told = str(error)
    assert further == {"x": cell} if told is None else "not a readable Parquet file" in told


def test_damaged_files_are_told_in_one_line(path):
    rng = Random(0)
    columns = {"question": ["q", "r"] * 50, "options": [["a", "b"]] * 100, "more": list(range(100))}
    whole = packed(pa.table(columns), compression="none")
    for number in range(300):
        damaged = bytearray(whole)
        for _ in range(1 + number % 4):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        path.write_bytes(damaged[: rng.randrange(len(damaged))] if number % 5 == 0 else damaged)
        try:
            read(path)
        except DataError as error:
            assert len(str(error)) < len(str(path)) + 1500  # noqa: PT017 - it need not be raised
