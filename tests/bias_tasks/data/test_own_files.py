"""Files as users write them: the items of each, or the message that refuses it."""

import json
import re
from decimal import Decimal

import pyarrow
import pyarrow.parquet
import pytest

from bias_tasks.binary_qa.data.files import read_binary_file
from bias_tasks.data.errors import DataError
from bias_tasks.data.files import MAX_BYTES
from bias_tasks.data.tables import to_json_value
from bias_tasks.instruction_boundary.data.files import read_file
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.paper_coverage import ROOT

ABC = ("a", "b", "c")


def jsonl(*rows):
    return "\n".join(map(json.dumps, rows)) + "\n"


CHOICE = {"question": "Which?", "options": list(ABC)}
JUDGING = {"context": "It rains.", "question": "It is wet."}
ANSWERS = {
    "choices.jsonl": (jsonl({"question": "Which?", "choices": list(ABC), "answer": [1]}), (1,)),
    "position.jsonl": (jsonl({**CHOICE, "answer": 0}), (0,)),
    "letter.jsonl": (jsonl({**CHOICE, "answer": "c"}), (2,)),
    "text.jsonl": (jsonl({**CHOICE, "answer": " B "}), (1,)),
    "several.jsonl": (jsonl({**CHOICE, "answer": ["C", 0]}), (0, 2)),
    "none.jsonl": (jsonl({**CHOICE, "answer": []}), ()),
    "framework.jsonl": (jsonl({"input": "Which?", "choices": list(ABC), "target": "B"}), (1,)),
    "with a passage.jsonl": (jsonl({**JUDGING, "choices": list(ABC), "answer": 0}), (0,)),
    "bar.csv": ("question,options,answer\nWhich?,a|b|c,2\n", (2,)),
    "python.csv": ("question,options,answer\nWhich?,\"['a', 'b', 'c']\",b\n", (1,)),
    "json.csv": ('question,options,answer\nWhich?,"[""a"",""b"",""c""]","[0, 2]"\n', (0, 2)),
    "columns.csv": ("question,A,B,C,answer\nWhich?,a,b,c,C\n", (2,)),
    "capitals.csv": ("Question,OPTIONS,Answer\nWhich?,a|b|c,A\n", (0,)),
    "semicolon.csv": ("frage;question;options;answer\nja;Which?;a|b|c;A\n", (0,)),
    "mark.csv": ("\ufeffquestion;options;answer\nWhich?;a|b|c;A\n", (0,)),
    "declared separator.csv": ("sep=;\r\nquestion;options;answer\r\nWhich?;a|b|c;A\r\n", (0,)),
    "tab.csv": ("question\toptions\tanswer\nWhich?\ta|b|c\tA\n", (0,)),
    "lines.csv": ('question,options,answer\n"Which\none?",a|b|c,B\n', (1,)),
    "statement.csv": ("context,question,answer\nIt rains.,It is wet.,Y\n", "True"),
    "unknown.csv": ("context,question,answer\nIt rains.,It is wet.,unknown\n", "Unknown"),
    "number.jsonl": (jsonl({**JUDGING, "answer": 0}), "False"),
}
TWO_OPTIONS = {"question": "Is it?", "options": ["no", "yes"]}
REFUSED = {
    "two.jsonl": (
        jsonl({**TWO_OPTIONS, "answer": 1}),
        "row 1: column answer: of two options, 1 may",
    ),
    "digits.csv": ("question,options,answer\nHow many?,1|2|3,2\n", "write the option's letter"),
    "beyond.csv": ("question,options,answer\nWhich?,a|b|c,7\n", "a letter from A to C, or a pos"),
    "twice.jsonl": (jsonl({**CHOICE, "answer": [0, "A"]}), "expected different options"),
    "gap.csv": ("question,A,B,D,answer\nWhich?,a,b,d,A\n", "columns A, B, ...: D exists, but"),
    "neither.csv": ("context,question,answer\nx,y,maybe\n", "'True', 'False' or 'Unknown', found"),
    "no answer.jsonl": (jsonl(CHOICE), "row 1: column answer: expected a value, found nothing"),
    "second.jsonl": (jsonl({**CHOICE, "answer": 0}, {"question": 3}), "row 2: column question"),
    "ids.jsonl": (
        jsonl(
            {**CHOICE, "id": "x", "answer": 0}, {**CHOICE, "id": "x", "answer": 0, "context": "y"}
        ),
        "row 2: column id: 'x' is already the id of row 1: write another",
    ),
    "path.jsonl": (jsonl({**CHOICE, "id": "../x", "answer": 0}), "an id has no '/'"),
    "empty.csv": ("", "it has no row"),
    "header.csv": ("question,answer\n", "it has no row"),
    "cells.csv": ("question,options,answer\nWhich?,a|b,A,more\n", "row 1: it has 4 cells"),
    "quote.csv": ('question,answer\n"open,1\n', "not a readable CSV file"),
    "columns twice.csv": ("answer,answer\n1,2\n", "the column answer occurs more than once"),
    "latin.csv": ("question,answer\ncafé,1\n".encode("latin-1"), "line 2 is not UTF-8"),
    "list.jsonl": ("[1]\n", "row 1: expected a JSON object, found list"),
    "keys.jsonl": ('{"question": "a", "question": "b"}\n', "the key 'question' occurs twice"),
    "deep.jsonl": ("[" * 100_000 + "\n", "row 1: expected one JSON object, but it is nested"),
    "not.parquet": (b"PAR1", "not a readable Parquet file"),
    "rows.xlsx": (b"PK", "a file that ends in .jsonl, .csv, .parquet"),
    "papr": (b"", r"data='.*papr'.* is neither 'core' nor 'paper'"),
}


def write(folder, name, content):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_every_kind_of_file_is_read(tmp_path):
    items_by_name = {
        name: read_file(write(tmp_path, name, text))[0] for name, (text, _) in ANSWERS.items()
    }
    assert {name: [item.answer for item in items] for name, items in items_by_name.items()} == {
        name: [answer] for name, (_, answer) in ANSWERS.items()
    }
    for name, [item] in items_by_name.items():
        assert item.form == "judging" or tuple(map(str.lower, item.options)) == ABC, name


def test_a_refusal_names_row_and_column_and_a_valid_value(tmp_path):
    for name, (text, message) in REFUSED.items():
        with pytest.raises(DataError, match=message.replace("(", r"\(")) as error:
            read_file(write(tmp_path, name, text))
        assert len(str(error.value)) < 700, name


def test_the_error_that_a_page_shows_is_the_real_one(tmp_path, monkeypatch):
    pages = [page.read_text(encoding="utf-8") for page in ROOT.glob("docs/*.md")]
    [shown] = re.findall(r"^```text\n(Error: .*?)^```", "".join(pages), re.M | re.S)
    item = {"question": "Which?", "options": [*ABC, "d"]}
    write(tmp_path, "mine.jsonl", jsonl({**item, "answer": "A"}, {**item, "answer": "E"}))
    monkeypatch.chdir(tmp_path)
    assert typed("plan", "conformity", "-T", "data=mine.jsonl").output == shown


def test_yes_and_no_are_read_in_any_spelling(tmp_path):
    text = "INPUT,Target,domain\n" + "".join(
        f"Q{n}?,{answer},d\n"
        for n, answer in enumerate(["Yes", "no", "Y", "N", "TRUE", "f", "1", "0"])
    )
    records, _ = read_binary_file(write(tmp_path, "own.csv", text))
    answers = [record.answer for record in records]
    assert answers == ["Yes", "No"] * 4


def test_parquet_can_have_lists_numbers_and_other_values(tmp_path, caplog):
    table = {
        "question": ["Which?", "Who?"],
        "options": [list(ABC), list(ABC)],
        "answer": [[0, 2], [1]],
        "price": [Decimal("1.50"), None],
        "rating": [4.5, float("nan")],
    }
    path = tmp_path / "own.parquet"
    pyarrow.parquet.write_table(pyarrow.table(table), path)
    first, second = read_file(path)[0]
    assert (first.answer, second.answer) == ((0, 2), (1,))
    assert (first.columns, second.columns) == ({"price": "1.50", "rating": 4.5}, {})
    assert "unknown columns are kept" in caplog.text


def test_rows_that_repeat_or_contradict_another_are_named(tmp_path):
    row, other = (
        {**CHOICE, "answer": "A"},
        {"question": "Who?", "options": ["x", "y"], "answer": "x"},
    )
    same = "row 3: it repeats row 1: the same question and options; remove one of them"
    contrary = "row 3: it contradicts row 1: the same question and options, another answer"
    for second, message in (
        (row, same),
        ({**row, "answer": "a"}, same),
        ({**row, "answer": "B"}, contrary),
        ({**row, "answer": ["A", "B"], "id": "x"}, contrary),
        ({**row, "options": ["c", "b", "a"], "answer": [0]}, contrary),
    ):
        with pytest.raises(DataError, match=message):
            read_file(write(tmp_path, "rows.jsonl", jsonl(row, other, second)))
    for second in (
        {**row, "id": "x"},
        {**row, "options": ["c", "b", "a"], "answer": [2]},
        {**row, "context": "It rains.", "answer": "B"},
    ):
        assert len(read_file(write(tmp_path, "rows.jsonl", jsonl(row, second)))[0]) == 2
    text = "context,question,answer\nIt rains.,It is wet.,yes\nIt rains.,It is wet.,unknown\n"
    with pytest.raises(DataError, match="row 2: it contradicts row 1: the same question, another"):
        read_file(write(tmp_path, "rows.csv", text))


def test_a_note_says_how_numbers_are_counted_if_they_could_mean_either(tmp_path):
    def note(*answers, name="rows.csv"):
        lines = [f"Which {n}?,a|b|c,{answer}\n" for n, answer in enumerate(answers)]
        path = write(tmp_path, name, "question,options,answer\n" + "".join(lines))
        output = typed("plan", "vanilla", "--no-power", "-T", f"data={path}").output
        return re.findall(r"numbers in the column .*?write letters", " ".join(output.split()))

    assert note(1, 2, 1) == [
        "numbers in the column answer are counted from 0, so that 1 in row 1 is the option 'b'. No "
        "answer is 0: if you counted from 1, write letters"
    ]
    assert note(1, "[2]")
    assert note("a", 1)
    assert note(1, 2, 0) == note("A", "b") == []
    subject = {
        "question": "Which?",
        "choices": ABC,
        "subject": "botany",
        "answer": 1,
    }  # MMLU's answers count from 0
    assert "note" not in read_file(write(tmp_path, "mmlu.jsonl", jsonl(subject)))[1]


@pytest.mark.parametrize("nested", [False, True])
def test_a_parquet_file_is_refused_by_the_size_of_its_rows(tmp_path, nested):
    n_rows = MAX_BYTES // 10_000 + 1
    codes = pyarrow.array([0] * n_rows, pyarrow.int32())
    texts = pyarrow.DictionaryArray.from_arrays(codes, pyarrow.array(["x" * 10_000]))
    path = tmp_path / "rows.parquet"
    column = pyarrow.StructArray.from_arrays([texts], ["text"]) if nested else texts
    pyarrow.parquet.write_table(pyarrow.table({"question": column}), path)
    assert path.stat().st_size < 100_000
    with pytest.raises(DataError, match="its rows have more than 268,435,456 bytes: split it"):
        read_file(path)


def test_a_parquet_file_is_refused_by_the_number_of_its_rows(tmp_path):
    path = tmp_path / "rows.parquet"
    column = pyarrow.nulls(MAX_BYTES // 4 + 1, pyarrow.bool_())
    pyarrow.parquet.write_table(pyarrow.table({"question": column}), path)
    with pytest.raises(DataError, match="its rows have more than 268,435,456 bytes: split it"):
        read_file(path)


@pytest.mark.parametrize("url", ["https://x.org/a.csv", "s3://x/a.jsonl", "hf://datasets/x/y"])
def test_a_url_is_refused_as_such(url):
    for task in (
        "conformity",
        "judge_pairwise",
        "format_wrapping",
        "complexeval_basic",
        "binaryqa",
    ):
        message = " ".join(typed("plan", task, "-T", f"data={url}").output.split())
        expected = f"cannot read the URL {url}: download the file and give its path"
        assert message == f"Error: {expected}"


def test_unknown_columns_are_kept_and_listed_with_similar_ones(tmp_path, caplog):
    row = {**CHOICE, "answer": 0, "answr": 1, "topic": "\ud800x", "deep": {"a": [1, float("inf")]}}
    [item] = read_file(write(tmp_path, "further.jsonl", jsonl(row)))[0]
    assert item.columns == {"answr": 1, "topic": "\ufffdx", "deep": {"a": [1, "inf"]}}
    assert "'answr' (did you mean 'answer'?), 'topic', 'deep'" in caplog.text
    json.dumps(to_json_value({"a": (1, Decimal(2))}))
