"""Files as users write them: the items of each, or the message that refuses it."""

import json
import re
from decimal import Decimal
from functools import partial
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest
import yaml

from bias_tasks.binary_qa.data.files import read_binary_file
from bias_tasks.complex_eval.data.files import read_judged_file, read_responses
from bias_tasks.complex_eval.items import JUDGED_KINDS
from bias_tasks.data.errors import DataError
from bias_tasks.data.files import MAX_BYTES
from bias_tasks.data.tables import to_json_value
from bias_tasks.instruction_boundary.data.files import read_file
from bias_tasks.judge_bias.data.load import load_items
from bias_tasks.output_format.data.files import load_items_from_file
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.paper_coverage import ROOT

FILES = yaml.safe_load(Path(__file__).with_name("user_files.yaml").read_text(encoding="utf-8"))
READERS = {
    "instruction_boundary": read_file,
    "binary_qa": read_binary_file,
    "output_format": load_items_from_file,
    "judge_bias": lambda path: load_items(str(path)),
    "responses": read_responses,
    **{f"complex_eval_{kind}": partial(read_judged_file, family=kind) for kind in JUDGED_KINDS},
}
EXAMPLES = {"complex_eval_creative_writing": "complex_eval_writing"}
IMPOSSIBLE_IDS = ("x" * 70_000, "..", "../a", "a/b", "a\\b", "a\nb", "a\0b", "\x1b[2J", "\ud800")
ABC = ["a", "b", "c"]
CHOICE = {"question": "Which?", "options": ABC, "answer": 0}
UNREADABLE = {
    "latin.csv": ("question,answer\ncafé,1\n".encode("latin-1"), "line 2 is not UTF-8"),
    "list.jsonl": (b"[1]\n", "row 1: expected a JSON object, found list"),
    "deep.jsonl": (b"[" * 100_000, "row 1: expected one JSON object, but it is nested"),
    "open.jsonl": (b'{"question": "a"', "row 1: expected one JSON object, but Expecting"),
    "list.csv": (b'question,options\na,"[""a"""\n', "column options: expected a list, such as"),
    "nest.csv": (b"question,options\na," + b"[" * 100_000, "column options: it is nested too"),
    "object.csv": (b'question,options\na,"{1"\n', "column options: expected a JSON object, but"),
    "not.parquet": (b"PAR1", "not a readable Parquet file"),
    "rows.xlsx": (b"PK", "a file that ends in .jsonl, .csv, .parquet"),
    "papr": (b"", "papr' is neither 'core' nor 'paper'"),
}


def write(folder, name, content):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def write_rows(folder, *rows):
    return write(folder, "rows.jsonl", "".join(json.dumps(row) + "\n" for row in rows))


def write_case(folder, case):
    return (
        write(folder, "rows.csv", case["csv"])
        if "csv" in case
        else write_rows(folder, *case["rows"])
    )


def refusal(read, path):
    with pytest.raises(DataError) as error:
        read(path)
    assert str(path) in str(error.value)
    assert len(str(error.value)) < len(str(path)) + 600
    return str(error.value)


@pytest.mark.parametrize("case", FILES["accepted"], ids=lambda case: case["layout"])
def test_every_layout_is_read(tmp_path, case):
    [item], _ = read_file(write_case(tmp_path, case))
    assert item.answer == (case["answer"] if item.form == "judging" else tuple(case["answer"]))
    assert item.form == "judging" or [*map(str.lower, item.options)] == ABC


@pytest.mark.parametrize("name", FILES["refused"])
def test_a_refusal_names_row_and_column_and_a_valid_value(tmp_path, name):
    for case in FILES["refused"][name]:
        message = refusal(READERS[name], write_case(tmp_path, case))
        assert all(text in message for text in case["message"]), (case, message)


@pytest.mark.parametrize("name", UNREADABLE)
def test_an_unreadable_file_or_row_is_refused(tmp_path, name):
    content, message = UNREADABLE[name]
    assert message in refusal(read_file, write(tmp_path, name, content))


@pytest.mark.parametrize("name", READERS)
def test_repeated_keys_impossible_ids_and_missing_files_are_refused(tmp_path, name):
    assert "cannot read" in refusal(READERS[name], tmp_path / "none.jsonl")
    row = {"id": "a", "response": "x"}
    if name != "responses":
        example = ROOT / "examples" / f"{EXAMPLES.get(name, name)}.jsonl"
        row = json.loads(example.read_text(encoding="utf-8").partition("\n")[0])
    for key in row:
        twice = f"\n{json.dumps(row)[:-1]}, {json.dumps(key)}: 1}}\n"
        path = write(tmp_path, "rows.jsonl", twice)
        assert f"the key {key!r} occurs twice" in refusal(READERS[name], path)
    for identifier in IMPOSSIBLE_IDS:
        message = refusal(READERS[name], write_rows(tmp_path, {**row, "id": identifier}))
        assert "\n  row 1: column id: " in message
        assert message.replace("\n", "").isprintable()


def test_half_a_surrogate_pair_is_refused(tmp_path):
    row = {"question": "Is it?", "answer": "No", "context": "\ud800"}
    message = refusal(read_binary_file, write_rows(tmp_path, row))
    assert "column context: expected a text without half of a surrogate pair" in message


def test_the_error_that_a_page_shows_is_the_real_one(tmp_path, monkeypatch):
    pages = [page.read_text(encoding="utf-8") for page in ROOT.glob("docs/*.md")]
    [shown] = re.findall(r"^```text\n(Error: .*?)^```", "".join(pages), re.M | re.S)
    item = {"question": "Which?", "options": [*ABC, "d"]}
    write_rows(tmp_path, {**item, "answer": "A"}, {**item, "answer": "E"}).rename(
        tmp_path / "mine.jsonl"
    )
    monkeypatch.chdir(tmp_path)
    assert typed("plan", "conformity", "-T", "data=mine.jsonl").output == shown


def test_yes_and_no_are_read_in_any_spelling(tmp_path):
    spellings = enumerate(["Yes", "no", "Y", "N", "TRUE", "f", "1", "0"])
    rows = "".join(f"Q{n}?,{answer},d\n" for n, answer in spellings)
    records, _ = read_binary_file(write(tmp_path, "own.csv", f"INPUT,Target,domain\n{rows}"))
    assert [record.answer for record in records] == ["Yes", "No"] * 4


def test_parquet_can_have_lists_numbers_and_other_values(tmp_path, caplog):
    table = {
        "question": ["Which?", "Who?"],
        "options": [ABC, ABC],
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


@pytest.mark.parametrize(
    "other",
    [
        {"id": "x"},
        {"options": [*reversed(ABC)], "answer": [2]},
        {"context": "It rains.", "answer": "B"},
    ],
)
def test_rows_that_only_resemble_another_are_read(tmp_path, other):
    assert len(read_file(write_rows(tmp_path, CHOICE, {**CHOICE, **other}))[0]) == 2


def test_a_note_says_how_numbers_are_counted_if_they_could_mean_either(tmp_path):
    def note(*answers):
        lines = [f"Which {n}?,a|b|c,{answer}\n" for n, answer in enumerate(answers)]
        path = write(tmp_path, "rows.csv", "question,options,answer\n" + "".join(lines))
        output = typed("plan", "vanilla", "--no-power", "-T", f"data={path}").output
        return re.findall(r"numbers in the column .*?write letters", " ".join(output.split()))

    assert note(1, 2, 1) == [
        "numbers in the column answer are counted from 0, so that 1 in row 1 is the option 'b'. No "
        "answer is 0: if you counted from 1, write letters"
    ]
    assert note(1, "[2]")
    assert note("a", 1)
    assert note(1, 2, 0) == note("A", "b") == []
    subject = {"question": "Which?", "choices": ABC, "subject": "botany", "answer": 1}
    assert "note" not in read_file(write_rows(tmp_path, subject))[1]  # MMLU counts from 0


@pytest.mark.parametrize("kind", ["text", "nested text", "null"])
def test_a_parquet_file_is_refused_by_the_size_or_number_of_its_rows(tmp_path, kind):
    codes = pyarrow.array([0] * (MAX_BYTES // 10_000 + 1), pyarrow.int32())
    texts = pyarrow.DictionaryArray.from_arrays(codes, pyarrow.array(["x" * 10_000]))
    column = {
        "text": texts,
        "nested text": pyarrow.StructArray.from_arrays([texts], ["text"]),
        "null": pyarrow.nulls(MAX_BYTES // 4 + 1, pyarrow.bool_()),
    }[kind]
    path = tmp_path / "rows.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"question": column}), path)
    assert path.stat().st_size < 500_000
    assert "its rows have more than 268,435,456 bytes: split it" in refusal(read_file, path)


@pytest.mark.parametrize("url", ["https://x.org/a.csv", "s3://x/a.jsonl", "hf://datasets/x/y"])
def test_a_url_is_refused_as_such(url):
    tasks = ("conformity", "judge_pairwise", "format_wrapping", "complexeval_basic", "binaryqa")
    for task in tasks:
        message = " ".join(typed("plan", task, "-T", f"data={url}").output.split())
        expected = f"cannot read the URL {url}: download the file and give its path"
        assert message == f"Error: {expected}"


def test_unknown_columns_are_kept_and_listed_with_similar_ones(tmp_path, caplog):
    further = {"answr": 1, "topic": "\ud800x", "deep": {"a": [1, float("inf")]}}
    [item] = read_file(write_rows(tmp_path, {**CHOICE, **further}))[0]
    assert item.columns == {"answr": 1, "topic": "\ufffdx", "deep": {"a": [1, "inf"]}}
    assert "'answr' (did you mean 'answer'?), 'topic', 'deep'" in caplog.text
    json.dumps(to_json_value({"a": (1, Decimal(2))}))
