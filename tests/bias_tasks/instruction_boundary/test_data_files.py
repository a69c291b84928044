"""The user's own items: every kind of file, every kind of mistake."""

import csv
import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bias_tasks.data.errors import DataError
from bias_tasks.instruction_boundary.data.files import read_file
from bias_tasks.instruction_boundary.items import ChoiceItem, JudgingItem

CHOICE = {"id": "mine", "question": "Which?", "options": ["a", "b", "c"], "answer": [2, 0]}
JUDGING = {"context": "It rains.", "question": "It is wet.", "answer": "Unknown"}
COLUMNS = ["id", "question", "context", "options", "answer"]


def _cell(value):
    return json.dumps(value) if isinstance(value, list) else value


def _write(path, rows):
    """The rows as the file's ending says; mixed kinds leave cells empty."""
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    elif path.suffix == ".csv":
        with path.open("w", newline="") as stream:
            writer = csv.DictWriter(stream, COLUMNS)
            writer.writeheader()
            writer.writerows({key: _cell(value) for key, value in row.items()} for row in rows)
    else:
        cells = [{key: _cell(row.get(key)) for key in COLUMNS} for row in rows]
        pq.write_table(pa.Table.from_pylist(cells), path)
    return path


def _error(path):
    with pytest.raises(DataError) as caught:
        read_file(path)
    return str(caught.value)


@pytest.fixture(params=["jsonl", "csv", "parquet"])
def path(request, tmp_path):
    return tmp_path / f"mine.{request.param}"


def test_both_kinds_in_one_file(path):
    items, sha256 = read_file(_write(path, [CHOICE, JUDGING]))
    choice, judging = items
    assert choice == ChoiceItem(
        id="mine",
        question="Which?",
        options=("a", "b", "c"),
        answer=(0, 2),
        source="file",
        cluster="mine",
    )
    assert judging == JudgingItem(
        id="file-89fe7e5efb",  # the same in every kind of file
        context="It rains.",
        question="It is wet.",
        answer="Unknown",
        source="file",
        cluster="file-9eb90d8aca",
    )
    assert len(sha256) == 64


def test_items_about_one_context_share_a_cluster(path):
    about = {**CHOICE, "context": "It rains."}
    items, _ = read_file(_write(path, [about, JUDGING, {**JUDGING, "context": "It snows."}]))
    assert items[0].cluster == items[1].cluster != items[2].cluster


def test_wrong_rows_are_named_with_what_was_expected_and_found(path):
    rows = [
        CHOICE,
        {**CHOICE, "id": "one option", "options": ["a"], "answer": [0]},
        {**CHOICE, "id": "out of range", "answer": [1, 3]},
        {**CHOICE, "id": "twice", "answer": [1, 1]},
        {**JUDGING, "answer": "maybe"},
        {**JUDGING, "context": ""},
        {**CHOICE, "id": "a/b"},
        CHOICE,
    ]
    place, first = {"jsonl": ("line", 1), "csv": ("line", 2), "parquet": ("row", 1)}[
        path.suffix[1:]
    ]
    lines = _error(_write(path, rows)).split("\n  ")
    assert lines[0].endswith("wrong rows")
    assert str(path) in lines[0]
    assert lines[1] == (
        f"{place} {first + 1}: column options: List should have at least 2 items after "
        "validation, not 1, found ['a']"
    )
    expected = "column answer: expected different positions from 0 to 2"
    assert lines[2] == f"{place} {first + 2}: {expected}, found [1, 3]"
    assert lines[3] == f"{place} {first + 3}: {expected}, found [1, 1]"
    assert lines[4] == (
        f"{place} {first + 4}: column answer: expected 'True', 'False' or 'Unknown', found 'maybe'"
    )
    assert lines[5] == f"{place} {first + 5}: column context: expected a value, found nothing"
    assert lines[6] == "and 2 more"


def test_a_repeated_id_names_the_first_row(path):
    told = _error(_write(path, [CHOICE, JUDGING, {**CHOICE, "question": "Who?"}]))
    assert "column id: 'mine' is the id of" in told


def test_a_repeated_row_without_an_id_is_an_error(path):
    assert "already (a row without an id is known by its content)" in _error(
        _write(path, [JUDGING, JUDGING])
    )


@pytest.mark.parametrize("kind", ["jsonl", "csv"])
def test_another_encoding_is_named_by_line(tmp_path, kind):
    path = tmp_path / f"mine.{kind}"
    path.write_bytes("id,question\nüber\n".encode("latin-1"))
    assert _error(path) == f"{path}: line 2 is not UTF-8; save the file as UTF-8"


@pytest.mark.parametrize("kind", ["jsonl", "csv"])
def test_what_spreadsheets_write(tmp_path, kind):
    path = _write(tmp_path / f"mine.{kind}", [CHOICE, JUDGING])
    unmarked = path.read_bytes().replace(b"\r\n", b"\n")
    path.write_bytes(b"\xef\xbb\xbf" + unmarked.replace(b"\n", b"\r\n") + b"\r\n")
    assert len(read_file(path)[0]) == 2


WRONG_LINES = [
    ("{", "expected one JSON object, but"),
    ("[" * 100_000, "expected one JSON object, but"),
    ("[1]", "expected a JSON object, found list"),
    (
        '{"question": "q", "contxt": "c", "answer": "True"}',
        "not known: 'contxt' (is it 'context'",
    ),
    ('{"context": "c", "answer": "True"}', "column question: expected a value, found nothing"),
    ('{"context": "c", "question": " ", "answer": "True"}', "column question: expected a text"),
    ('{"context": "c", "question": NaN, "answer": "True"}', "column question: expected a val"),
    ('{"context": "c", "question": 7, "answer": "True"}', "expected a valid string, found 7"),
    ('{"context": "c", "question": "q", "answer": 2}', "'Unknown', found 2"),
    ('{"question": "q", "options": ["a", "b"], "answer": [true]}', "answer[0]: expected a val"),
    ('{"question": "q", "options": ["a", "b"], "answer": [1.0]}', "answer[0]: expected a vali"),
    ('{"question": "q", "options": ["a", "b"], "answer": [-1]}', "positions from 0 to 1"),
    ('{"question": "q", "options": ["a", "b"], "answer": 1}', "answer: expected a valid list"),
    ('{"question": "q", "options": ["a", " "], "answer": []}', "options[1]: expected a text"),
    ('{"question": "q", "options": "a;b", "answer": [0]}', "options: expected a valid list"),
    ('{"question": "q", "answer": [0]}', "column options: expected a value, found nothing"),
    ('{"id": "a/b", "context": "c", "question": "q", "answer": "True"}', "id has no '/'"),
    ('{"id": "a\\n", "context": "c", "question": "q", "answer": "True"}', "no control charact"),
    ('{"id": true, "context": "c", "question": "q", "answer": "True"}', "column id: expected"),
    (
        '{"context": "\\ud800", "question": "q", "answer": "True"}',
        "column context: expected a text without half of a surrogate pair",
    ),
]


def test_wrong_lines(tmp_path):
    path = tmp_path / "mine.jsonl"
    for line, expected in WRONG_LINES:
        path.write_text(f"\n{line}\n")
        told = _error(path)
        assert "line 2: " in told, line
        assert expected in told, line
        assert len(told) < 500


def test_whole_numbers_are_ids(path):
    (item,), _ = read_file(_write(path, [{**JUDGING, "id": 7}]))
    assert item.id == "7"


def _csv(tmp_path, *rows):
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    path = tmp_path / "mine.csv"
    path.write_text(text.getvalue())
    return path


def test_csv_headers(tmp_path):
    told = _error(_csv(tmp_path, ["question", "answr"], ["q", "True"]))
    assert "(beside columns that are not known: 'answr' (is it 'answer'?))" in told
    assert "the column id occurs more than once" in _error(_csv(tmp_path, ["id", "id"]))


def test_csv_cells(tmp_path):
    header = ["question", "options", "answer"]
    assert "line 2: expected 3 cells, found 4" in _error(_csv(tmp_path, header, list("abcd")))
    told = _error(_csv(tmp_path, header, ["q", '["a", "b"', "[0]"]))
    assert "line 2: column options: expected a JSON list, but" in told
    assert "options: expected a valid list, found 'a;b'" in _error(
        _csv(tmp_path, header, ["q", "a;b", "[0]"])
    )


def test_parquet_with_real_lists_and_missing_numbers(tmp_path):
    path = tmp_path / "mine.parquet"
    columns = {
        "id": ["x", None],
        "question": ["q", "r"],
        "options": [["a", "b"], ["c", "d"]],
        "answer": [[0], []],
        "context": pa.array([float("nan"), None]),
    }
    pq.write_table(pa.table(columns), path)
    items, _ = read_file(path)
    assert [(item.options, item.answer, item.context) for item in items] == [
        (("a", "b"), (0,), None),
        (("c", "d"), (), None),
    ]
