"""CSV files as spreadsheets and programs write them, and as nobody should."""

import csv
import tracemalloc

import pytest

from bias_tasks.data import row_files as row
from bias_tasks.data.errors import DataError
from bias_tasks.data.row_files import LONGEST_CELL
from tests.bias_tasks.data.rows import read
from tests.bias_tasks.effort import cpu_limit

ROWS = [["id", "question", "answer"], ["a", 'say "x; y, z\tw"\nor not', "1"], ["b", "q", "-2"]]
READ = [
    ({"id": "a", "question": 'say "x; y, z\tw"\nor not', "answer": 1}, {}),
    ({"id": "b", "question": "q", "answer": -2}, {}),
]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "mine.csv"


def write(path, rows, **dialect):
    with path.open("w", encoding=dialect.pop("encoding", "utf-8"), newline="") as stream:
        csv.writer(stream, **dialect).writerows(rows)
    return path


def error(path):
    with pytest.raises(DataError) as caught:
        read(path)
    return str(caught.value)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_what_separates_the_cells_is_told_by_the_header(path, separator, encoding, quoting, end):
    dialect = {"delimiter": separator, "quoting": quoting, "lineterminator": end}
    assert read(write(path, ROWS, encoding=encoding, **dialect)) == READ


def test_blanks_around_the_names_of_columns(path):
    assert read(write(path, [["id ", " question"], ["a", "q"]])) == [
        ({"id": "a", "question": "q"}, {})
    ]


def test_a_file_of_other_columns_names_them_and_those_that_are_known(path):
    told = error(write(path, [["frage", "antwort"], ["q", "a"]]))
    assert told == (
        f"{path}: none of its columns is known: found 'frage', 'antwort'; known are id, question, "
        "answer, options"
    )
    for cell in ("a", "a, b"):  # the second makes two cells of what the header has as one
        told = error(write(path, [["question", "answer"], ["q", cell]], delimiter="|"))
        assert "none of its columns is known: found 'question|answer'; known are id" in told


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_first_line_that_says_what_separates_the_cells(path, separator):
    write(path, ROWS, delimiter=separator)
    rows = path.read_text(encoding="utf-8")
    path.write_text(f"sep={separator}\n{rows}", encoding="utf-8")
    assert read(path) == READ
    path.write_text(f"SEP={separator}\r\nid\n\nx\n", encoding="utf-8")
    assert "line 4: column question" in error(path)


@pytest.mark.parametrize("length", [131_073, LONGEST_CELL])
def test_cells_up_to_the_bound(path, length):
    before = csv.field_size_limit()
    text = "q" * length
    assert read(write(path, [["question"], [text]])) == [({"question": text}, {})]
    assert csv.field_size_limit() == before


def test_a_cell_beyond_the_bound_is_named_by_line(path):
    before = csv.field_size_limit()
    told = error(write(path, [["question"], ["fine"], ["q" * (LONGEST_CELL + 1)]]))
    assert told == (
        f"{path}: line 3: a cell has more than 10,000,000 characters, the most that are read"
    )
    assert csv.field_size_limit() == before


def test_a_million_columns(path):
    write(path, [[f"c{number}" for number in range(1_000_000)], ["x"]])
    tracemalloc.start()
    try:
        with cpu_limit(100, "a million columns"):
            told = error(path)
        assert tracemalloc.get_traced_memory()[1] < 500_000_000
    finally:
        tracemalloc.stop()
    assert told == (
        f"{path}: it has 1,000,000 columns, of which at most 1,000 are read: leave out those that "
        "are not needed"
    )


def test_a_million_cells_in_a_row(path):
    assert "line 2: expected 2 cells, found 1000000" in error(
        write(path, [["id", "question"], ["x"] * 1_000_000])
    )


def test_columns_without_a_name_are_left_out(path, caplog):
    rows = read(
        write(path, [["", "question", "more", ""], ["0", "q", "m", ""], ["1", "r", "", ""]])
    )
    assert rows == [({"question": "q"}, {"more": "m"}), ({"question": "r"}, {})]
    (record,) = caplog.records
    assert "columns that are not known are left out: ''" in record.message


@pytest.mark.parametrize("name", ["question", "more"])
def test_a_name_that_occurs_twice(path, name):
    told = error(write(path, [["question", name, name], ["q", "a", "b"]]))
    assert told == f"{path}: the column {name} occurs more than once"


@pytest.mark.parametrize(
    ("cell", "answer"), [("7", 7), (" 7 ", 7), ("+1", 1), ("7.0", "7.0"), ("x", "x")]
)
def test_whole_numbers_where_they_are_asked_for(path, cell, answer):
    ((cells, _),) = read(write(path, [["question", "answer"], ["7", cell]]))
    assert cells == {"question": "7", "answer": answer}


def test_a_key_twice_in_a_cell_of_json(path):
    told = error(write(path, [["question", "options"], ["q", '[{"a": 1, "a": 2}]']]))
    assert told.endswith(
        "line 2: column options: expected a JSON list, but the key 'a' stands there twice"
    )


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_more_rows_than_are_read(tmp_path, kind, monkeypatch):
    monkeypatch.setattr(row, "MOST_ROWS", 3)
    path = tmp_path / f"mine.{kind}"
    lines = ["question"] if kind == "csv" else []
    lines += ["q" if kind == "csv" else '{"question": "q"}'] * 3
    path.write_text("\n".join(lines))
    assert len(read(path)) == 3
    path.write_text("\n".join([*lines, lines[-1]]))
    assert error(path) == f"{path}: it has more than 3 rows: split the file"


def test_every_row_wrong_costs_no_more_than_the_rows(path):
    write(path, [["question", "id"], *[["", "x"]] * 100_000])
    told = error(path)
    assert told.count("\n") == 6
    assert told.endswith("and 99995 more")
