"""`bias-tasks outputs-from-csv`: a wide table of recorded answers becomes data and replay files."""

import csv
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from bias_tasks.commands.outputs_from_csv import outputs_from_csv
from bias_tasks.output_format.data.files import read_format_file

WRAPPINGS = (
    "special_character", "bolding", "italicizing", "brackets", "parentheses", "placeholder",
    "quoting",
)  # fmt: skip


@pytest.fixture
def run(tmp_path):
    data, outputs = tmp_path / "items.jsonl", tmp_path / "outputs.jsonl"

    def run(file, *arguments):
        result = CliRunner().invoke(
            outputs_from_csv,
            [str(file), *arguments, "--data-out", str(data), "--outputs-out", str(outputs)],
        )
        if result.exit_code:
            assert not data.exists()
            assert not outputs.exists()
            return result.output
        items, _ = read_format_file(data)
        recorded = [json.loads(line) for line in outputs.read_text(encoding="utf-8").splitlines()]
        return items, {row["id"]: row["output"] for row in recorded}

    return run


def table(path, *rows):
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(rows)
    return path


@pytest.fixture
def small(tmp_path):
    rows = [["q", "gold", "b", "i"], ["1 + 1?", "2", "**2**", "*2*"], ["2 + 2?", "4", "", "*5*"]]
    return table(tmp_path / "wide.csv", *rows)


def real(shared_data, name):
    (path,) = Path(shared_data, "WING-NUS", "FormatEval").glob(f"*/src/output/{name}.csv")
    return path


def by_header(prefix, formats):
    spelt = {"special_character": "free_form", "parentheses": "parenthesis"}
    return [
        f"--column={name}={prefix}_{spelt.get(name, name)}_result"
        for name in formats
    ]  # fmt: skip


def test_a_small_table(run, small):
    items, outputs = run(
        small, "--column=bolding=b", "--column=italicizing=#4", "--answer=gold", "--input=q",
        "--answer-type=number",
    )  # fmt: skip
    assert [(item.id, item.input, item.answer) for item in items] == [
        ("row-1", "1 + 1?", "2"),
        ("row-2", "2 + 2?", "4"),
    ]
    assert outputs == {
        "row-1/bolding": "**2**",
        "row-1/italicizing": "*2*",
        "row-2/bolding": "",
        "row-2/italicizing": "*5*",
    }


def test_an_input_that_is_not_given_says_so(run, small):
    items, _ = run(small, "--column=bolding=b", "--answer=gold")
    assert items[1].input == "row-2 of wide.csv, whose input was not given"
    assert items[1].answer_type == "text"


def test_options(run, tmp_path):
    path = table(tmp_path / "wide.csv", ["gold", "choices", "t"], ["B", "['yes', 'no']", "no"])
    items, _ = run(
        path, "--column=text=t", "--answer=gold", "--options=choices", "--answer-type=option_letter"
    )
    assert items[0].options == ("yes", "no")


def test_an_answer_longer_than_the_reader_allows(run, tmp_path):
    long = "*" * 300_000
    path = table(tmp_path / "wide.csv", ["gold", "b"], ["2", long])
    before = csv.field_size_limit()
    assert run(path, "--column=bolding=b", "--answer=gold")[1] == {"row-1/bolding": long}
    assert csv.field_size_limit() == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--column=bold=b", "--answer=gold"], "unknown format 'bold' (did you mean 'bolding'?)"),
        (["--column=bolding=bold", "--answer=gold"], "'bold' is not there; the header is q, gold"),
        (["--column=bolding=#9", "--answer=gold"], "line 2 has no cell in the column #9"),
        (["--column=bolding=#0", "--answer=gold"], "'#0' is not there"),
        (["--column=bolding", "--answer=gold"], "expected FORMAT=COLUMN"),
        (["--column=bolding=b", "--column=bolding=i", "--answer=gold"], "has a column already"),
        (["--column=json=b", "--answer=gold"], "line 2: the format json can't hold a text"),
        (["--column=bolding=b"], "give either --answer, or --relevant and --others"),
        (["--column=bolding=b", "--relevant=q"], "give either --answer, or --relevant and"),
        (["--column=bolding=b", "--relevant=q", "--others=i"], "need --answer-type binary_list"),
        (
            ["--column=json=b", "--answer=gold", "--answer-type=mapping"],
            "line 2: column gold: expected a mapping, found '2'",
        ),
        (
            ["--column=bolding=b", "--answer=q", "--answer-type=number"],
            "line 2: column answer: expected a number, found '1 + 1?'",
        ),
    ],
)
def test_one_clear_error(run, small, arguments, message):
    assert message in run(small, *arguments)


def test_a_repeated_id(run, tmp_path):
    path = table(tmp_path / "wide.csv", ["id", "gold", "b"], ["x", "2", "y"], ["x", "3", "z"])
    told = run(path, "--column=bolding=b", "--answer=gold", "--id=id")
    assert "line 3: the id 'x' occurs a second time" in told


def test_the_table_is_never_written_over(small):
    arguments = ["--column=bolding=b", "--answer=gold", "--outputs-out", str(small) + ".jsonl"]
    before = small.read_bytes()
    result = CliRunner().invoke(
        outputs_from_csv, [str(small), *arguments, "--data-out", str(small)]
    )
    assert "must be three files" in result.output
    assert small.read_bytes() == before


@pytest.mark.parametrize(
    "cell",
    ["{[]: 1}", "{{}: 1}", "{{1}: 2}", "{**{}}", "[*[1]]", "{'a': b}", "'a' 'b", "\0", "(" * 300],
)
def test_a_cell_that_is_no_mapping_is_told_in_one_line(run, tmp_path, cell, recwarn):
    path = table(tmp_path / "wide.csv", ["gold", "j"], [cell, "{}"])
    told = run(path, "--column=json=j", "--answer=gold", "--answer-type=mapping")
    assert "line 2: column gold: expected a mapping, found" in told
    assert told.count("\n") == 1
    assert not recwarn.list


@pytest.mark.parametrize(
    "cell", ['{"a": ["x"], "a": ["y"]}', "{'a': ['x'], 'a': ['y']}", "{'b': {'a': 1, \"a\": 2}}"]
)
def test_a_key_twice_in_either_notation(run, tmp_path, cell):
    path = table(tmp_path / "wide.csv", ["gold", "j"], [cell, "{}"])
    told = run(path, "--column=json=j", "--answer=gold", "--answer-type=mapping")
    assert "line 2: column gold: the key 'a' stands there twice" in told


@pytest.mark.parametrize("separator", [";", "\t"])
@pytest.mark.parametrize("column", ["b", "#2"])
def test_another_separator_is_named(run, tmp_path, separator, column):
    path = tmp_path / "wide.csv"
    path.write_text(f"gold{separator}b\n2{separator}**2**\n", encoding="utf-8")
    told = run(path, f"--column=bolding={column}", "--answer=#1")
    assert f"; it looks separated by {separator!r}: save it with ','" in told


def test_a_header_without_end_is_cut(run, tmp_path):
    path = table(tmp_path / "wide.csv", ["x" * 1000] * 100_000, ["y"])
    told = run(path, "--column=bolding=b", "--answer=gold")
    assert "and 99,950 more" in told
    assert len(told) < 10_000


@pytest.mark.parametrize("cell", ["[" * 100_000, "__import__('os').getcwd()", "-" * 50_000 + "1"])
def test_cells_are_never_evaluated(run, tmp_path, cell):
    path = table(tmp_path / "wide.csv", ["gold", "p"], [cell, "[]"])
    told = run(path, "--column=python=p", "--answer=gold", "--answer-type=string_list")
    assert "line 2: column gold: expected a list, found" in told
    assert len(told) < 300 + len(str(path))


@pytest.mark.parametrize(("prompting", "follow"), [("zs", 199), ("cot", 192)])
def test_gsm8k(run, shared_data, prompting, follow):
    items, outputs = run(
        real(shared_data, f"chatgpt_gsm8k_{prompting}_Wrapping_200"),
        *by_header(f"raw_{prompting}", WRAPPINGS),
        "--answer=answer", "--input=input_data", "--answer-type=number",
    )  # fmt: skip
    assert (len(items), len(outputs)) == (200, 1400)
    assert (items[0].answer, items[0].input[:15]) == ("150", "Question: Kenny")
    assert "<ANSWER>" in outputs["row-1/special_character"]
    bold = [text for name, text in outputs.items() if name.endswith("/bolding")]
    assert sum(len(re.findall(r"\*\*(.*?)\*\*", text)) == 1 for text in bold) == follow


def test_fairytaleqa_needs_numbers_as_its_header_is_too_short(run, shared_data):
    path = real(shared_data, "chatgpt_fairytaleqa_zs_Wrapping_200")
    told = run(path, *by_header("raw_zs", WRAPPINGS), "--answer=answer")
    assert "line 2 has 25 cells under 18 headers" in told
    assert "give every column by its number, such as #1" in told
    columns = [f"--column={name}=#{12 + 2 * i}" for i, name in enumerate(WRAPPINGS)]
    assert "line 2 has 25 cells" in run(path, *columns, "--answer=answer")
    items, outputs = run(path, *columns, "--answer=#3", "--input=#11")
    assert (len(items), len(outputs)) == (200, 1400)
    assert items[0].answer == "very sad ."
    assert outputs["row-1/bolding"] == "**The three little doves looked very sad.**"
    assert outputs["row-1/quoting"] == '""""very sad""""'


def test_scidocs_gold_comes_from_the_two_columns_of_candidates(run, shared_data):
    items, outputs = run(
        real(shared_data, "mistral_zs_scidocs_15Apr"),
        "--column=python=zs_python_answer", "--column=sep=zs_special_answer",
        "--column=bullet=zs_bullet_answer", "--column=newline=zs_newline_answer",
        "--relevant=positive", "--others=negative", "--input=query", "--answer-type=binary_list",
    )  # fmt: skip
    assert (len(items), len(outputs)) == (200, 800)
    # the column of relevant papers repeats all the others, which the data set itself does not
    assert items[0].answer == (1,) * 5 + (0,) * 25
    assert {len(item.answer) for item in items} == {27, 28, 29, 30}


@pytest.mark.parametrize(("level", "keys"), [("easy", ("Task",)), ("medium", ("Task", "Method"))])
def test_scirex(run, shared_data, level, keys):
    items, outputs = run(
        real(shared_data, f"mistral_dictionary_{level}"),
        "--column=json=python_output", "--column=yaml=yaml_output",
        "--answer=answer", "--input=input_data", "--id=doc_id", "--answer-type=mapping",
    )  # fmt: skip
    assert (len(items), len(outputs)) == (66, 132)
    assert {item.keys for item in items} == {keys}
    assert items[0].answer["Task"][0] == "Label Ambiguity"
    assert set(outputs) == {f"{item.id}/{name}" for item in items for name in ("json", "yaml")}


def test_semeval(run, shared_data):
    items, outputs = run(
        real(shared_data, "mistral_zs_semeval2017_15Apr"),
        "--column=python=zs_python_answer", "--column=sep=zs_special_answer",
        "--answer=keyphrases", "--input=document", "--id=id", "--answer-type=string_list",
    )  # fmt: skip
    assert (len(items), len(outputs)) == (200, 400)
    assert items[0].answer[:2] == ("Earth’s magnetic field", "Geomagnetic jerks")
