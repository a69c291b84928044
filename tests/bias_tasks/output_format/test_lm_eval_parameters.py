"""What lm-eval's metadata may say to the tasks of output formats."""

import json

import pytest

from bias_tasks.output_format.family import FAMILY
from bias_tasks.output_format.formats import FORMATS
from tests.bias_tasks.harness_runs import load, run, values
from tests.bias_tasks.output_format.answers import in_format, question_of

TASK = "format_wrapping_synthetic"
PARAMETERS = FAMILY.tasks["format_wrapping"].parameters
NAMES = [parameter.name for parameter in PARAMETERS]
ROWS = [
    {"input": "What is 2 + 3?", "answer": "5", "answer_type": "number"},
    {"input": "Who wrote Emma?", "answer": "Jane Austen", "answer_type": "text"},
    {"input": "Which keys?", "answer": ["a", "b"], "answer_type": "string_list"},
]


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


@pytest.fixture
def own(tmp_path):
    """A file of a user's questions."""
    return write(tmp_path / "mine.jsonl", ROWS)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("format", "formats"),
        ("prompt", "prompting"),
        ("repeats", "repeat"),
        ("demo", "demos"),
        ("demo_from", "demos_from"),
        ("protocl", "protocol"),
        ("alphas", "alpha"),
    ],
)
def test_a_misspelt_parameter_is_named(wrong, right):
    with pytest.raises(ValueError, match=f"'{wrong}'.*did you mean '{right}'"):
        load(TASK, n=4, **{wrong: "x"})


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"prompting": "cot"}, "expected one of zs, zs_cot"),
        ({"prompting": 3}, "expected one of zs, zs_cot"),
        ({"protocol": "strict"}, "expected one of corrected, published"),
        ({"repeat": 0}, "repeat=0: expected a whole number from 1"),
        ({"repeat": "twice"}, "repeat='twice': expected a whole number"),
        ({"demos": -1}, "demos=-1: expected a whole number"),
        ({"demos": 1.5}, "demos=1.5: expected a whole number"),
        ({"demos_from": "synthetic"}, "says nothing without demos="),
        ({"moe": 5}, "moe=5: expected a number between 0 and 1"),
        ({"alpha": "5%"}, "alpha='5%': expected a number between 0 and 1"),
        ({"seed": "x"}, "a whole number"),
        ({"n": "8"}, "a whole number"),
        ({"n": 0}, "n=0: expected a whole number from 1"),
        ({"formats": "bolding,json"}, "'json': format_wrapping takes some of special_character"),
        ({"formats": [3]}, "a name or a list of names"),
    ],
)
def test_a_wrong_value_gives_one_clear_error(parameters, said):
    with pytest.raises((ValueError, RuntimeError), match=said):
        load(TASK, **{"n": 4} | parameters)


@pytest.mark.parametrize("name", ["dataset", "data"])
@pytest.mark.parametrize("task", [TASK, f"{TASK}_bolding", "format_wrapping_gsm8k"])
def test_a_task_named_after_its_data_takes_no_other(task, name):
    data = "gsm8k" if "gsm8k" in task else "synthetic"
    said = f"the task's name says {name}='{data}': leave `{name}` out"
    with pytest.raises(ValueError, match=said):
        load(task, n=4, **{name: "hotpotqa"})


@pytest.mark.parametrize("name", ["dataset", "data"])
def test_what_the_name_says_may_be_said_again(name):
    """As `data` is for tasks of another family in the same run."""
    assert len(load(TASK, n=4, **{name: "synthetic"}).task_docs) == 4 * 7


def test_a_task_named_after_its_format_takes_no_other():
    with pytest.raises(ValueError, match="the task's name says formats='bolding'"):
        load(f"{TASK}_bolding", n=4, formats="quoting")


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({}, "expected your own file .*found none"),
        ({"dataset": " , "}, "found none"),
        ({"dataset": "gsm8k"}, "found 'gsm8k'; other data sets have tasks of their own"),
        ({"dataset": ["a.jsonl", "synthetic"]}, "found 'synthetic'"),
        ({"dataset": "missing.jsonl"}, "missing.jsonl"),
        ({"data": "mine.jsonl"}, "given as `dataset` here"),
    ],
)
def test_a_task_of_one_s_own_file_needs_one(parameters, said):
    with pytest.raises((ValueError, RuntimeError), match=said):
        load("format_wrapping_file", **parameters)


def test_one_s_own_file_is_asked_in_the_category_s_formats(own):
    results = run(["format_wrapping_file"], in_format, dataset=own, formats="quoting,bolding")
    figures = values(results, "format_wrapping_file")
    assert (figures["items"], figures["fi/quoting"], figures["sys/bolding"]) == (2, 1, 1)
    record = results["configs"]["format_wrapping_file"]["metadata"]["bias_tasks"]
    assert (record["data"], record["parameters"]["formats"]) == (own, "quoting,bolding")
    asked = [sample["doc"]["id"] for sample in results["samples"]["format_wrapping_file"]]
    assert [name.rpartition("/")[2] for name in asked] == ["bolding", "quoting"] * 2
    assert (record["provenance"][0]["n"], record["provenance"][0]["left_out"]) == (2, 1)
    assert len(record["provenance"][0]["sha256"]) == 64


def test_a_file_that_no_format_can_hold_is_refused(own):
    with pytest.raises(RuntimeError, match="json, yaml can hold an answer"):
        load("format_mapping_file", dataset=own)


def test_several_files_are_one_data_set(own, tmp_path):
    more = write(tmp_path / "more.jsonl", [{**ROWS[0], "input": "What is 1 + 4?"}])
    for given in (f"{own}, {more}", [own, more]):
        results = run(["format_wrapping_file"], in_format, dataset=given)
        assert values(results, "format_wrapping_file")["items"] == 3


def test_parameters_reach_the_prompts_and_are_logged():
    parameters = {"prompting": "zs_cot", "repeat": 3, "seed": 4, "moe": 0.1, "alpha": 0.2, "n": 6}
    task = load("format_list_synthetic", **parameters, formats="bullet", demos=2)
    for doc in task.task_docs:
        question = question_of(doc)
        request = FORMATS["bullet"].instruction(question.item, prompting="zs_cot")
        assert doc["prompt"].count(request) == 3
        assert doc["prompt"].count(question.item.input) == 1
        assert "<ANSWER>" in doc["prompt"]
    record = task.config.metadata["bias_tasks"]
    logged = record["parameters"]
    assert {name: logged[name] for name in parameters} == parameters
    assert (logged["demos"], logged["formats"], record["protocol"]) == (2, "bullet", "corrected")
    bare = load("format_list_synthetic", **parameters, formats="bullet")
    assert [doc["id"] for doc in bare.task_docs] == [doc["id"] for doc in task.task_docs]
    pairs = zip(bare.task_docs, task.task_docs, strict=True)
    assert all(doc["prompt"] in shown["prompt"] for doc, shown in pairs)
    assert all(len(doc["prompt"]) < len(shown["prompt"]) for doc, shown in pairs)


@pytest.mark.parametrize(("moe", "reliable"), [(0.01, 0), (0.45, 1)])
def test_the_margin_decides_what_is_reliable(moe, reliable):
    def half_right_half_silent(doc):
        place = sum(doc["id"].encode()) % 4
        return "" if place < 2 else in_format(doc) if place == 2 else "**none of them**"

    figures = values(
        run([f"{TASK}_bolding"], half_right_half_silent, n=40, moe=moe), f"{TASK}_bolding"
    )
    assert figures["reliable/bolding"] == reliable


def test_null_is_not_said():
    for task, formats in [(TASK, 7), (f"{TASK}_bolding", 1)]:
        assert len(load(task, **dict.fromkeys([*NAMES, "data"]) | {"n": 4}).task_docs) == (
            4 * formats
        )
