"""The user's own items: every kind of file, every kind of mistake."""

import csv
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


def test_a_repeated_id_names_the_first_row(path):
    told = _error(_write(path, [CHOICE, JUDGING, {**CHOICE, "question": "Who?"}]))
    assert "column id: 'mine' is the id of" in told


def test_a_repeated_row_without_an_id_is_an_error(path):
    assert "already (a row without an id is known by its content)" in _error(
        _write(path, [JUDGING, JUDGING])
    )


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
