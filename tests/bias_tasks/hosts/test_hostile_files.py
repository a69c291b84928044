"""Whatever reads or writes a user's file: no pipes, no devices, no key twice, no impossible ids."""

import json
import os
import shutil
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner
from inspect_ai import eval as inspect_eval

import bias_tasks
from bias_tasks.binary_qa.data.files import read_binary_file
from bias_tasks.cli import main
from bias_tasks.complex_eval.data.files import read_judged_file, read_responses
from bias_tasks.instruction_boundary.data.files import read_file
from bias_tasks.output_format.data.files import read_format_file
from bias_tasks.output_format.data.training import training_items
from bias_tasks.solvers.replay import read_outputs
from tests.bias_tasks.data.places import PLACES, told
from tests.bias_tasks.harness_runs import load

EXAMPLES = Path(__file__).parents[3] / "examples"
JUDGED = {
    "basic": "complex_eval_basic",
    "math": "complex_eval_math",
    "role_playing": "complex_eval_role_playing",
    "creative_writing": "complex_eval_writing",
}
ITEMS = {
    "instruction_boundary": (read_file, "instruction_boundary"),
    "binary_qa": (read_binary_file, "binary_qa"),
    "output_format": (read_format_file, "output_format"),
    **{
        family: (lambda path, family=family: read_judged_file(path, family), name)
        for family, name in JUDGED.items()
    },
}
"""Each kind of item's reader, and the name of its example."""
ROWS = {"responses": {"id": "a", "response": "x"}, "replay": {"id": "a", "output": "x"}}
READERS = {
    **{name: read for name, (read, _) in ITEMS.items()},
    "responses": read_responses,
    "replay": lambda path: read_outputs(str(path)),
    "demonstrations": lambda path: training_items("bbh", demos_from=str(path)),
}


def first_row(name):
    if name in ROWS:
        return ROWS[name]
    example = ITEMS[name][1] if name in ITEMS else "output_format"
    lines = (EXAMPLES / f"{example}.jsonl").read_text(encoding="utf-8").splitlines()
    return json.loads(lines[0])


def error(name, path):
    with pytest.raises((RuntimeError, ValueError)) as caught:
        READERS[name](path)
    return str(caught.value)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "mine.jsonl"


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", READERS)
def test_what_is_no_file_is_not_read(path, name, place):
    PLACES[place](path)
    message = error(name, path)
    assert message.endswith(f"cannot read {path}: it is {told(place)}, not a file")
    assert "\n" not in message


@pytest.mark.parametrize("name", READERS)
def test_a_key_that_stands_twice_is_named_with_its_line(path, name):
    row = first_row(name)
    for key in row:
        line = json.dumps(row)
        path.write_text(f"\n{line[:-1]}, {json.dumps(key)}: 1}}\n", encoding="utf-8")
        message = error(name, path)
        assert str(path) in message
        assert (
            f"line 2: expected one JSON object, but the key {key!r} stands there twice" in message
        )


@pytest.mark.parametrize("name", [name for name in READERS if name != "replay"])
@pytest.mark.parametrize(
    "identifier",
    [
        "x" * 70_000,
        "..",
        "a/../b",
        "../a",
        "a/b",
        "a\\b",
        "a\nb",
        "a\0b",
        "\x1b[2J",
        "\ud800",
        " a",
    ],
)
def test_an_id_that_no_file_can_have_is_refused(path, name, identifier):
    path.write_text(json.dumps({**first_row(name), "id": identifier}) + "\n", encoding="utf-8")
    message = error(name, path)
    assert "\n  line 1: column id: " in message
    assert message.count("\n") == 1
    assert len(message) < len(str(path)) + 300
    assert message.replace("\n", "").isprintable()


@pytest.mark.parametrize("name", ITEMS)
def test_further_columns_are_kept_with_the_item(path, name, caplog):
    row = {**first_row(name), "mine": {"a": [1]}}
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    (found,), _ = READERS[name](path)
    item = getattr(found, "item", found)
    assert item.further["mine"] == {"a": [1]}
    assert "'mine'" in caplog.text


def test_an_item_is_the_same_whatever_further_columns_say(path):
    rows = [{**first_row("binary_qa"), "mine": mine} for mine in (1, [2])]
    items = []
    for row in rows:
        path.write_text(json.dumps(row) + "\n", encoding="utf-8")
        items.append(read_binary_file(path)[0][0].item)
    assert items[0] == items[1]
    assert hash(items[0]) == hash(items[1])


def test_columns_of_the_other_layout_are_further_columns_too(path):
    pair = {**first_row("basic"), "label": "gold", "steps": 3}
    path.write_text(json.dumps(pair) + "\n", encoding="utf-8")
    (item,), _ = read_judged_file(path, "basic")
    assert (item.further["label"], item.further["steps"]) == ("gold", 3)
    solution = {**first_row("math"), "query": "mine"}
    path.write_text(json.dumps(solution) + "\n", encoding="utf-8")
    (item,), _ = read_judged_file(path, "math")
    assert item.further["query"] == "mine"


@pytest.mark.parametrize("written", [True, "yes", "TRUE", 1, "1", "Yes", 1.0])
@pytest.mark.parametrize("kind", ["jsonl", "csv"])
def test_labels_that_say_yes_however_they_are_written(tmp_path, written, kind):
    path = tmp_path / f"mine.{kind}"
    cells = {"question": "Is it?", "context": "It is.", "answer": written}
    if kind == "jsonl":
        path.write_text(json.dumps(cells) + "\n", encoding="utf-8")
    elif written == 1.0 and isinstance(written, float):
        pytest.skip("CSV has no numbers")
    else:
        path.write_text(f"question,context,answer\nIs it?,It is.,{written}\n", encoding="utf-8")
    (record,), _ = read_binary_file(path)
    (item,), _ = read_file(path)
    assert (record.item.answer, item.answer) == ("Yes", "True")
    assert record.item.id == f"file-{record.item.id[5:]}" != item.id


def test_a_math_file_in_csv(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(
        'problem;steps;label;final_answer_correct\n1 + 1?;"[""It is 3.""]";0;no\n',
        encoding="utf-8",
    )
    (item,), _ = read_judged_file(path, "math")
    assert item.first_error == 0


def test_an_answer_with_half_of_a_surrogate_pair_is_refused(path):
    row = '{"input": "q", "answer_type": "text", "answer": "\\ud800"}\n'
    path.write_text(row, encoding="utf-8")
    assert "half of a surrogate pair" in error("output_format", path)


@pytest.mark.parametrize("place", PLACES)
def test_a_task_tells_it_in_one_line(path, place):
    PLACES[place](path)
    with pytest.raises(ValueError, match="not a file") as caught:
        bias_tasks.vanilla(data=str(path))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("place", [place for place in PLACES if place != "a folder"])
def test_the_round_before_is_no_pipe(tmp_path, place):
    samples = tmp_path / "samples_ib_multi_turn_judging_round1_x.jsonl"
    PLACES[place](samples)
    with pytest.raises(ValueError, match="not a file"):
        load("ib_multi_turn_judging", data="synthetic", n=2, first_round=str(tmp_path))
    with pytest.raises(ValueError, match="there is no such file or folder"):
        load("ib_multi_turn_judging", data="synthetic", n=2, first_round=str(samples))


# What writes


@pytest.fixture(scope="module")
def format_log(tmp_path_factory):
    """A finished run of a format task, on the example's first item."""
    folder = tmp_path_factory.mktemp("run")
    data = folder / "evaluated.jsonl"
    data.write_text(json.dumps({"input": "1 + 1", "answer": 2, "answer_type": "number"}) + "\n")
    [log] = inspect_eval(
        bias_tasks.format_wrapping(dataset=str(data), formats="bolding,brackets"),
        model="simulated/perfect",
        log_dir=str(folder),
        display="none",
        log_realtime=False,
    )
    return Path(urlsplit(log.location).path)


@pytest.fixture
def commands(tmp_path, format_log):
    return {
        "reformulate": [
            *("reformulate", EXAMPLES / "binary_qa.csv"),
            *("--kinds", "polite,contradictory,false", "--out"),
        ],
        "attack": ["attack", "math", "--data", EXAMPLES / "complex_eval_math.jsonl", "--out"],
        "finetune-data": [
            *("finetune-data", format_log, "--data", EXAMPLES / "output_format.jsonl"),
            *("--total", 2, "--out"),
        ],
    }


def invoke(*words):
    return CliRunner().invoke(main, [str(word) for word in words])


NAMES = ["reformulate", "attack", "finetune-data"]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", NAMES)
def test_what_is_no_file_is_not_written(tmp_path, commands, name, place):
    out = tmp_path / "out.jsonl"
    PLACES[place](out)
    before = out.lstat()
    done = invoke(*commands[name], out)
    assert done.exit_code == 1
    assert done.output == f"Error: cannot write {out}: it is {told(place)}, not a file\n"
    assert out.lstat() == before


@pytest.mark.parametrize("place", PLACES)
def test_a_log_is_no_pipe(tmp_path, format_log, place):
    log = tmp_path / "run.eval"
    PLACES[place](log)
    data = EXAMPLES / "output_format.jsonl"
    for words in (
        ["compare", log, format_log],
        ["compare", format_log, log],
        ["finetune-data", log, "--data", data, "--out", tmp_path / "out.jsonl", "--total", 2],
    ):
        done = invoke(*words)
        if log.is_dir() and words[0] == "compare":  # which takes folders of logs
            assert f"{log}: holds no Inspect log" in done.output
        else:
            assert done.output == f"Error: cannot read {log}: it is {told(place)}, not a file\n"


def test_what_stands_beside_an_attacked_file_is_looked_at_first(tmp_path, commands):
    os.mkfifo(tmp_path / "out.jsonl.manifest.json")
    done = invoke(*commands["attack"], tmp_path / "out.jsonl")
    assert done.exit_code == 1
    assert done.output.count("\n") == 1
    assert "it is a FIFO, not a file" in done.output


@pytest.mark.parametrize("name", NAMES)
def test_a_link_to_a_file_is_written_through(tmp_path, commands, name):
    (tmp_path / "behind").mkdir()
    out = tmp_path / "out.jsonl"
    out.symlink_to(tmp_path / "behind" / "real.jsonl")
    done = invoke(*commands[name], out)
    assert done.exit_code == 0, done.output
    assert out.is_symlink()
    assert (tmp_path / "behind" / "real.jsonl").read_text(encoding="utf-8").strip()


@pytest.mark.parametrize("name", NAMES)
def test_a_circle_of_links_is_told_in_one_line(tmp_path, commands, name):
    out = tmp_path / "out.jsonl"
    out.symlink_to(tmp_path / "again.jsonl")
    (tmp_path / "again.jsonl").symlink_to(out)
    done = invoke(*commands[name], out)
    assert done.exit_code == 1
    assert done.output.count("\n") == 1


@pytest.mark.parametrize("name", ["reformulate", "attack"])
def test_further_columns_are_carried_on(tmp_path, commands, name):
    out = tmp_path / "out.jsonl"
    assert invoke(*commands[name], out).exit_code == 0
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    column = "difficulty" if name == "reformulate" else "level"
    assert all(row[column] for row in rows)
    again = read_binary_file(out)[0] if name == "reformulate" else read_judged_file(out, "math")[0]
    assert [getattr(each, "item", each).further for each in again] == [
        {column: row[column]} for row in rows
    ]


def test_a_run_goes_on_over_a_file_with_further_columns(tmp_path, commands):
    out = tmp_path / "out.jsonl"
    for _ in range(2):
        assert invoke(*commands["reformulate"], out).exit_code == 0
    shutil.copy(out, tmp_path / "before.jsonl")
    assert invoke(*commands["reformulate"], out).exit_code == 0
    assert out.read_bytes() == (tmp_path / "before.jsonl").read_bytes()


def test_a_key_twice_in_what_a_run_goes_on_from(tmp_path, commands):
    out = tmp_path / "out.jsonl"
    assert invoke(*commands["attack"], out).exit_code == 0
    manifest = tmp_path / "out.jsonl.manifest.json"
    manifest.write_text('{"run": {}, "run": {}}', encoding="utf-8")
    done = invoke(*commands["attack"], out)
    assert (done.exit_code, "no manifest that can be read" in done.output) == (1, True)
