"""The published outputs, read as the paper read them, follow their formats as often as printed."""

import ast
import csv
import json
import sys

import pytest

from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.items import FormatItem

WRAPPING = (
    "special_character",
    "bolding",
    "italicizing",
    "brackets",
    "parentheses",
    "placeholder",
    "quoting",
)
LISTS = {
    "python": "zs_python_answer",
    "bullet": "zs_bullet_answer",
    "sep": "zs_special_answer",
    "newline": "zs_newline_answer",
}
MAPPINGS = {"json": "python_output", "yaml": "yaml_output"}


@pytest.fixture
def outputs(shared_data):
    """Reads a file of published outputs as rows of cells, the first its header."""
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))

    def rows(name):
        (path,) = shared_data.glob(f"WING-NUS/FormatEval/*/src/output/{name}.csv")
        with path.open(encoding="utf-8", newline="") as file:
            return list(csv.reader(file))

    return rows


@pytest.fixture
def printed(golden):
    """The printed FI of each cell."""
    tables = json.loads((golden / "output_format_tables.json").read_text(encoding="utf-8"))
    return {
        (cell["task"], cell["model"], cell["prompting"], cell["format"]): cell["value"]
        for kind in ("wrapping", "list", "mapping")
        for cell in tables[kind]
        if cell["metric"] == "FI"
    }


def _fi(name, rows, protocol="published"):
    """Percent of `(item, text)` that follow the format."""
    follows = [FORMATS[name].follows(text, item, protocol) for item, text in rows]
    return 100 * sum(follows) / len(follows)


def _columns(rows, fields, answer_type, answer):
    """`(item, text)` of each format, by the header's names."""
    header, *cells = rows
    records = [dict(zip(header, row, strict=True)) for row in cells]
    return {
        name: [
            (FormatItem(str(n), "d", "q", answer(record), answer_type, "c"), record[field])
            for n, record in enumerate(records)
        ]
        for name, field in fields.items()
    }


@pytest.mark.parametrize(
    ("file", "task", "prompting", "answer_type", "shift"),
    [
        ("chatgpt_gsm8k_zs_Wrapping_200", "GSM8K", "zs", "number", 0),
        ("chatgpt_gsm8k_cot_Wrapping_200", "GSM8K", "zs_cot", "number", 0),
        ("chatgpt_fairytaleqa_zs_Wrapping_200", "FairytaleQA", "zs", "text", 7),
    ],
)
def test_wrapping(outputs, printed, file, task, prompting, answer_type, shift):
    rows = outputs(file)[1:]
    assert len(rows) == 200
    for place, name in enumerate(WRAPPING):
        cells = [
            (FormatItem(str(n), "d", "q", row[2], answer_type, "c"), row[4 + shift + 2 * place])
            for n, row in enumerate(rows)
        ]
        expected = printed[task, "ChatGPT", prompting, name]
        assert _fi(name, cells) == pytest.approx(expected, abs=0.01), name
        assert _fi(name, cells, "corrected") <= expected + 0.01, name


def test_scidocs(outputs, printed):
    rows = _columns(
        outputs("mistral_zs_scidocs_15Apr"),
        LISTS,
        "binary_list",
        lambda record: (0,) * len(ast.literal_eval(record["positive"])),
    )
    found = {name: _fi(name, rows[name]) for name in LISTS}
    assert found == pytest.approx(
        {"python": 74.5, "bullet": 0, "sep": 0, "newline": 23.5}, abs=0.01
    )
    names = {"sep": "special_character"}
    assert found == {
        name: printed["SciDocsRR", "Mistral", "zs", names.get(name, name)] for name in LISTS
    }
    # Corrected: hardly any answer has as many elements as there are candidates.
    assert _fi("python", rows["python"], "corrected") == 1.0


def test_semeval(outputs, printed):
    """The printed columns of bullet and special character are swapped."""
    rows = _columns(
        outputs("mistral_zs_semeval2017_15Apr"),
        LISTS,
        "string_list",
        lambda record: tuple(ast.literal_eval(record["keyphrases"])),
    )
    found = {name: _fi(name, rows[name]) for name in LISTS}
    swapped = {"bullet": "special_character", "sep": "bullet"}
    assert found == {
        name: printed["SemEval2017", "Mistral", "zs", swapped.get(name, name)] for name in LISTS
    }
    assert found == {"python": 97.5, "bullet": 0, "sep": 100, "newline": 100}
    corrected = {name: _fi(name, rows[name], "corrected") for name in LISTS}
    assert corrected == {"python": 97.5, "bullet": 100, "sep": 86.5, "newline": 4.5}


@pytest.mark.parametrize(
    ("level", "json_fi", "yaml_fi", "corrected"),
    [("easy", 39.39, 0.0, (72.73, 0.0)), ("medium", 80.30, 6.06, (100.0, 4.55))],
)
def test_scirex(outputs, printed, level, json_fi, yaml_fi, corrected):
    """Corrected, a lead or a fence costs a dictionary nothing."""
    rows = _columns(
        outputs(f"mistral_dictionary_{level}"),
        MAPPINGS,
        "mapping",
        lambda record: ast.literal_eval(record["answer"]),
    )
    found = {name: _fi(name, rows[name]) for name in MAPPINGS}
    assert found == pytest.approx({"json": json_fi, "yaml": yaml_fi}, abs=0.01)
    read = tuple(_fi(name, rows[name], "corrected") for name in MAPPINGS)
    assert read == pytest.approx(corrected, abs=0.01)
    task = f"SciREX {level.title()}"
    for name, value in found.items():
        assert value == pytest.approx(printed[task, "Mistral-7B-it", "zs", name], abs=0.01)
