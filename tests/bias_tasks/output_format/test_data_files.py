"""The user's own questions in several formats."""

import csv
import json

import pytest

from bias_tasks.data.errors import DataError
from bias_tasks.output_format.data.files import read_format_file
from bias_tasks.output_format.data.load import load_formats

ROWS = [
    {
        "input": "Q A. x | B. y",
        "answer": "B",
        "answer_type": "option_letter",
        "options": ["x", "y"],
    },
    {"input": "Q? x or y", "answer": "y", "answer_type": "option_text", "options": ["x", "y"]},
    {"input": "Pick a letter", "answer": "C", "answer_type": "option_letter"},
    {"input": "Who?", "answer": "[Ann]", "answer_type": "text", "id": 7, "cluster": "story"},
    {"input": "1 + 1", "answer": "1,875.5", "answer_type": "number"},
    {"input": "1. a\n2. b", "answer": [0, 1], "answer_type": "binary_list"},
    {"input": "doc", "answer": ["a b", "c"], "answer_type": "string_list"},
    {"input": "doc", "answer": {"Task": ["a"], "Method": []}, "answer_type": "mapping"},
]
GOLD = [
    "B",
    "B",
    "C",
    "[Ann]",
    "1,875.5",
    (0, 1),
    ("a b", "c"),
    {"Task": ("a",), "Method": ()},
]


def jsonl(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture(params=["jsonl", "csv"])
def mixed(request, tmp_path):
    path = tmp_path / f"mine.{request.param}"
    if request.param == "jsonl":
        return jsonl(path, *ROWS)
    columns = ["id", "input", "answer", "answer_type", "options", "cluster"]
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(columns)
        for row in ROWS:
            cells = (row.get(column, "") for column in columns)
            writer.writerow(c if isinstance(c, (str, int)) else json.dumps(c) for c in cells)
    return path


def test_answers_are_typed(mixed):
    items, sha256 = read_format_file(mixed)
    assert [item.answer for item in items] == GOLD
    assert [item.answer_type for item in items] == [row["answer_type"] for row in ROWS]
    assert (items[3].id, items[3].cluster) == ("7", "story")
    assert items[0].options == ("x", "y")
    assert items[-1].keys == ("Task", "Method")
    assert len(sha256) == 64


def test_answer_types_take_turns(tmp_path):
    numbers = [{"input": f"n{i}", "answer": i, "answer_type": "number"} for i in range(20)]
    texts = [{"input": f"t{i}", "answer": "a", "answer_type": "text"} for i in range(5)]
    loaded = load_formats(str(jsonl(tmp_path / "mine.jsonl", *numbers, *texts)), n=8)
    types = [item.answer_type for item in loaded.items]
    assert types.count("text") == types.count("number") == 4
    assert loaded.provenance[0]["n"] == 8


def test_rows_that_no_format_can_hold_are_left_out_and_counted(mixed):
    loaded = load_formats(str(mixed), formats=["bullet", "json"])
    assert {item.answer_type for item in loaded.items} == {"binary_list", "string_list", "mapping"}
    assert (loaded.provenance[0]["n"], loaded.provenance[0]["left_out"]) == (3, 5)


def test_a_key_that_parquet_filled_in_is_not_asked_for(tmp_path):
    import pyarrow
    import pyarrow.parquet

    rows = [
        {"input": "a", "answer_type": "mapping", "answer": {"Task": ["x"]}},
        {"input": "b", "answer_type": "mapping", "answer": {"Method": ["y"]}},
    ]
    path = tmp_path / "mine.parquet"
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    assert [item.keys for item in read_format_file(path)[0]] == [("Task",), ("Method",)]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"answer": "C", "answer_type": "option_letter", "options": ["x", "y"]}, "from A to B"),
        ({"answer": "AB", "answer_type": "option_letter"}, "one letter from A to Z"),
        ({"answer": "z", "answer_type": "option_text", "options": ["x", "y"]}, "the text of one"),
        ({"answer": ["x"], "answer_type": "text"}, "column answer: expected a text"),
        ({"answer": "eleven", "answer_type": "number"}, "column answer: expected a number"),
        ({"answer": True, "answer_type": "number"}, "column answer: expected a number"),
        ({"answer": "nan", "answer_type": "number"}, "column answer: expected a number"),
        ({"answer": [0, 2], "answer_type": "binary_list"}, "a list of 0 and 1"),
        ({"answer": ["maybe"], "answer_type": "binary_list"}, "a list of 0 and 1"),
        ({"answer": [], "answer_type": "binary_list"}, "a list of 0 and 1"),
        ({"answer": "a, b", "answer_type": "string_list"}, "a list of texts"),
        ({"answer": "[" * 100_000, "answer_type": "string_list"}, "a list of texts"),
        ({"answer": {}, "answer_type": "mapping"}, "an object with a list of texts"),
        ({"answer": {"Task": "a"}, "answer_type": "mapping"}, "an object with a list of texts"),
        ({"answer": "a", "answer_type": "list"}, "column answer_type: expected 'option_letter'"),
        ({"answer": "x", "answer_type": "text", "options": ["x", "x"]}, "different options"),
        ({"answer": '{"a": [], "a": []}', "answer_type": "mapping"}, "key 'a' stands there twice"),
        ({"answer": "x", "answer_type": "text", "id": "a/b"}, "column id: an id has no '/'"),
        ({"answer_type": "text"}, "column answer: expected a value, found nothing"),
    ],
)  # fmt: skip
def test_a_wrong_row_is_told_by_line_and_column(tmp_path, row, message):
    good = {"input": "1 + 1", "answer": 2, "answer_type": "number"}
    path = jsonl(tmp_path / "mine.jsonl", good, {"input": "Q", **row})
    with pytest.raises(DataError, match=rf"line 2: .*{message}") as error:
        read_format_file(path)
    assert len(str(error.value)) < len(str(path)) + 400


def test_a_repeated_row_is_told(tmp_path):
    row = {"input": "1 + 1", "answer": 2, "answer_type": "number"}
    with pytest.raises(DataError, match=r"line 2: .*is the id of line 1 already"):
        read_format_file(jsonl(tmp_path / "mine.jsonl", row, row))
