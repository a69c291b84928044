"""Fine-tuning rows, and the command that writes them."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from bias_tasks.cli import main
from bias_tasks.commands.finetune import (
    allocate_training_rows,
    build_chat_rows,
    load_training_split,
    split_items,
)
from bias_tasks.output_format.items import FormatParams
from bias_tasks.output_format_tasks import format_wrapping
from bias_tasks.results.run import UnusableRunError
from tests.bias_tasks.output_format.runs import (
    make_items,
    numbers,
    simulate_run,
    training_file,
    write_log,
)

ITEMS = numbers(300)
FEW = ITEMS[:60]
TRAINING = numbers(150, 1000)


def invoke(*arguments):
    return CliRunner().invoke(main, [str(part) for part in arguments], env={"COLUMNS": "80"})


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return training_file(tmp_path_factory.mktemp("data") / "evaluated.jsonl", ITEMS[:20])


@pytest.fixture(scope="module")
def log(tmp_path_factory, data):
    """A log in which prompts have the instruction three times."""
    task = format_wrapping(data=str(data), repeat=3, formats="bolding,brackets,placeholder")
    return write_log(task, tmp_path_factory.mktemp("runs"), "format_blind")


def test_finetune_data_writes_rows_and_prints_their_numbers(log, tmp_path):
    train = training_file(tmp_path / "train.jsonl", numbers(100, 1000))
    written = {}
    for name, seed in (("first", 0), ("again", 0), ("other", 1)):
        out = tmp_path / f"{name}.jsonl"
        options = ("--data", train, "--out", out, "--total", 90, "--seed", seed)
        done = invoke("finetune-data", log, *options)
        assert "90 rows in " in done.output
        written[name] = out.read_bytes()
    assert written["first"] == written["again"] != written["other"]
    rows = [json.loads(line)["messages"] for line in written["other"].splitlines()]
    # As in the run, prompts have the instruction three times.
    prompts = [prompt["content"].splitlines() for prompt, _ in rows]
    assert {lines.count(lines[-1]) for lines in prompts} == {3}
    begins = ("**", "[[", "So the answer is: ")
    assert all(answer["content"].startswith(begins) for _, answer in rows)
    wording = {"bolding": "in bold", "brackets": "square", "placeholder": "filling"}
    found = {name: sum(words in lines[-1] for lines in prompts) for name, words in wording.items()}
    cells = [line.split() for line in done.output.splitlines()]
    assert {row[0]: int(row[2]) for row in cells if row and row[0] in found} == found


def test_rows_by_hand():
    """The inverses of 0.6, 0.3 and 0.2 are in proportion 1 to 2 to 3."""
    assert allocate_training_rows({"a": 0.6, "b": 0.3, "c": 0.2}, 12) == {"a": 2, "b": 4, "c": 6}
    assert allocate_training_rows({"a": 1.0, "b": 0.0}, 11) == {"a": 1, "b": 10}
    assert allocate_training_rows({"a": 1, "b": 1, "c": 1}, 4) == {"a": 2, "b": 1, "c": 1}


def test_validation_rows_are_of_other_items_in_the_same_proportions(log, tmp_path):
    """The paper's training rows are in proportions of its Sys, and so are those for validation."""
    train, out = training_file(tmp_path / "train.jsonl", TRAINING), tmp_path / "rows.jsonl"
    options = ("--data", train, "--out", out, "--total", 100, "--validation", 50)
    done = invoke("finetune-data", log, *options)
    assert done.exit_code == 0, done.output
    contents = {}
    for path, size in ((out, 100), (tmp_path / "rows-validation.jsonl", 50)):
        assert f"{size} rows in " in done.output
        rows = [json.loads(line)["messages"] for line in path.read_text().splitlines()]
        starts = [answer["content"][:2] for _, answer in rows]
        counts = {start: starts.count(start) / size for start in ("**", "[[", "So")}
        contents[path] = {prompt["content"].splitlines()[1] for prompt, _ in rows}, counts
    (items, counts), (held_out, held_counts) = contents.values()
    assert not items & held_out
    assert held_counts == pytest.approx(counts, abs=0.015)
    parts = split_items(TRAINING, [100, 50], seed=0)
    assert [len(part) for part in parts] == [100, 50]
    assert {item.id for part in parts for item in part} == {item.id for item in TRAINING}
    assert split_items(TRAINING, [100], seed=0) == [TRAINING]  # the rows of earlier versions
    few = ("--data", train, "--out", out, "--total", 9, "--validation", 450)
    assert "training items: give more items" in invoke("finetune-data", log, *few).output
    taken = ("--data", tmp_path / "rows-validation.jsonl", "--out", out, "--total", 1)
    assert "also an input" in invoke("finetune-data", log, *taken, "--validation", 1).output


def test_an_answer_that_a_format_cannot_express_is_skipped():
    item = make_items("string_list", 1, 100)[0]
    broken = replace(item, id="broken", answer=("a\nb", "c"))
    params = FormatParams()
    assert len(build_chat_rows(params, [broken, item], {"bullet": 1, "python": 2}, seed=0)) == 3
    with pytest.raises(UnusableRunError, match="bullet needs 2 rows, but supports only 1 training"):
        build_chat_rows(params, [broken, item], {"bullet": 2}, seed=0)


def test_an_evaluated_item_is_rejected(tmp_path):
    run = simulate_run(FEW, "format_blind")
    path = training_file(tmp_path / "train.jsonl", TRAINING)
    assert [item.input for item in load_training_split(path, [run])] == [
        item.input for item in TRAINING
    ]
    leaked = FEW[7]
    for leak in (
        replace(leaked, id="another"),
        replace(leaked, input="A question of its own?"),
        replace(leaked, id="x", input=f" {leaked.input.upper()}".replace(" ", "\n ")),
    ):
        leaking = training_file(tmp_path / "leaking.jsonl", [*TRAINING, leak])
        with pytest.raises(UnusableRunError, match=f"evaluated: {leak.id}; take"):
            load_training_split(leaking, [run])
