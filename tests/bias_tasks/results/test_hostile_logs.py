"""Logs that name a module, links, FIFOs, repeated runs, newer versions, and outputs that fail."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log

from bias_tasks.families import FAMILIES_VARIABLE, import_family, load_family
from bias_tasks.results.find import read_runs
from bias_tasks.results.run import Run, split_problems
from bias_tasks.results.text import to_json
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.results.runs import (
    copy_as_other_run,
    crash,
    edit_log,
    harness_results,
    write_harness_results,
)

TASK = "ib_vanilla_choice"
COMMAND = [sys.executable, "-c", "from bias_tasks.cli import main; main()"]


def write_results(path, **record):
    """Write a results file of lm-eval whose record has other values."""
    content = harness_results()
    content["configs"][TASK]["metadata"]["bias_tasks"] |= record
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def edit_record(path, to, **values):
    return edit_log(path, to, lambda log: log.eval.metadata["bias_tasks"].update(values))


def name_family_in_scores(log, name):
    for sample in log.samples:
        for score in sample.scores.values():
            score.metadata["outcome"]["family"] = name


def test_reading_a_log_imports_no_module_that_it_names(logs, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("evil_record", "evil_score", "evil_lm_eval"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('executed')\n", encoding="utf-8")
    folder = tmp_path / "logs"
    folder.mkdir()
    edit_record(logs[0], folder / "record.eval", family="evil_record")
    edit_log(logs[0], folder / "score.eval", lambda log: name_family_in_scores(log, "evil_score"))
    write_results(folder / "results_a.json", family="evil_lm_eval")
    shutil.copy(logs[1], folder / "good.eval")
    for command in (["results"], ["compare"], ["score", "--out", tmp_path / "out"]):
        done = typed(*command, folder)
        assert done.exit_code in (1, 3), done.output
        assert "executed" not in done.output
        lines = [line for line in done.stderr.splitlines() if "there is no family" in line]
        # `score` leaves logs of Inspect to Inspect, before it reads what they say of their scores.
        assert len(lines) == (2 if command[0] == "score" else 3), done.stderr
        assert sum(f"{FAMILIES_VARIABLE}=MODULE" in line for line in lines) >= 2
        assert "incomplete or damaged" not in done.stderr
    assert not [name for name in sys.modules if name.startswith("evil_")]


def test_a_family_that_the_user_names_is_imported(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    toy = "from tests.bias_tasks.contract.toy_family import Sums\n"
    for name in ("named_in_task", "named_for_command"):
        text = f"{toy}FAMILY = type('Named', (Sums,), {{'name': {name!r}}})()\n"
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
        with pytest.raises(ValueError, match=f"there is no family '{name}'"):
            load_family(name)
    assert import_family("named_in_task") is load_family("named_in_task")
    monkeypatch.setenv(FAMILIES_VARIABLE, "named_for_command")
    assert typed("list").exit_code == 0
    assert load_family("named_for_command").name == "named_for_command"
    monkeypatch.setenv(FAMILIES_VARIABLE, "no_such_module")
    done = typed("list")
    assert (done.exit_code, len(done.stderr.splitlines())) == (1, 1)
    assert "there is no family 'no_such_module'" in done.stderr


@pytest.fixture
def make_pipe():
    """Return a function that makes a FIFO with bytes, which a reader gets instead of blocking."""
    descriptors = []

    def make(path):
        os.mkfifo(path)
        descriptors.append(os.open(path, os.O_RDWR))
        os.write(descriptors[-1], b"x" * 1000)
        return path

    yield make
    for descriptor in descriptors:
        os.close(descriptor)


def test_a_path_that_is_no_file_is_refused(folder, tmp_path, make_pipe):
    pipe, zero = make_pipe(folder / "pipe.eval"), Path("/dev/zero")
    for paths, refused in (([folder], [pipe]), ([folder, pipe, zero], [pipe, zero])):
        done = typed("results", *paths)
        assert (done.exit_code, "binaryqa_qa" in done.stdout) == (1, True), done.output
        reasons = [f"{path}: cannot be read (it is not a file)" for path in refused]
        assert done.stderr.splitlines() == reasons
    path = write_results(tmp_path / "results_a.json")
    samples = make_pipe(tmp_path / f"samples_{TASK}_a.jsonl")
    assert f"cannot read {samples}: it is not a file" in typed("results", path).stderr


def test_links_to_folders_are_followed_once(logs, tmp_path):
    folder, elsewhere = tmp_path / "logs", tmp_path / "elsewhere"
    (folder / "sub").mkdir(parents=True)
    elsewhere.mkdir()
    shutil.copy(logs[0], elsewhere / "linked.eval")
    shutil.copy(logs[1], tmp_path / "above.eval")
    for link, target in {
        "a": elsewhere,
        "b": elsewhere,
        "sub/loop": folder,
        "up": tmp_path,
    }.items():
        (folder / link).symlink_to(target)
    (elsewhere / "back").symlink_to(folder)
    results = read_runs([folder])
    assert [result.path for result in results] == [folder / "a" / "linked.eval"]
    assert typed("results", folder, elsewhere).stderr == ""


@pytest.mark.parametrize("command", ["results", "report", "compare"])
def test_a_repeated_run_in_one_folder_is_named_and_used(logs, folder, tmp_path, command):
    copy_as_other_run(logs[0], folder / "later")
    second = folder / "later" / logs[0].name
    page = ["--out", tmp_path / "page.html"] if command == "report" else []
    done = typed(command, folder, *page, columns=1000)
    assert done.exit_code == 0, done.output
    [line] = done.stderr.splitlines()
    assert line.startswith(f"{second}: repeats {folder / 'good.eval'} (same model")
    if command == "compare":
        heading = f"one model, two runs (first / second): {folder / 'good.eval'} / {second}"
        assert heading in " ".join(done.stdout.split())
        assert typed("compare", "--strict", folder).exit_code == 0
    if command == "report":
        text = (tmp_path / "page.html").read_text(encoding="utf-8")
        assert "two runs: " in text
        assert ": repeats " in text


def test_runs_that_differ_or_are_in_two_paths_repeat_nothing(logs, folder, tmp_path):
    after = copy_as_other_run(logs[0], tmp_path / "after")
    assert typed("compare", folder, after).stderr == ""

    def warm(log):
        log.eval.eval_id = "warm"
        log.plan.config.temperature = 0.9

    edit_log(logs[0], folder / "warm.eval", warm)
    assert typed("results", folder).stderr == ""


def test_an_intact_log_that_cannot_be_read_gets_the_true_reason(logs, folder):
    edit_record(logs[0], folder / "task.eval", task="binaryqa_next")
    edit_record(logs[0], folder / "package.eval", package="99.1.dev2", protocol=None)
    edit_record(logs[0], folder / "version.eval", version=99)
    write_results(folder / "results_package.json", package="99.1")
    reasons = {
        "task.eval": "binary_qa has no task 'binaryqa_next'",
        "package.eval": "it is of bias-tasks '99.1.dev2', and 0.",
        "version.eval": "it is of binary_qa version 99, and ",
        "results_package.json": f"{TASK} cannot be read: it is of bias-tasks '99.1', and 0.",
    }
    done = typed("results", folder)
    assert (done.exit_code, "binaryqa_qa" in done.stdout) == (1, True)
    lines = {Path(line.partition(": ")[0]).name: line for line in done.stderr.splitlines()}
    assert lines.keys() == reasons.keys()
    assert not [name for name, reason in reasons.items() if reason not in lines[name]]
    assert "damaged" not in done.stderr
    assert lines["version.eval"].endswith(": upgrade the package")


def test_a_newer_task_does_not_hide_the_others_in_its_file(tmp_path):
    content = harness_results()
    known = content["configs"][TASK]
    record = {**known["metadata"]["bias_tasks"], "version": 99}
    content["configs"]["ib_next"] = {**known, "metadata": {"bias_tasks": record}}
    path = tmp_path / "results_a.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    runs, problems = split_problems(read_runs([path]))
    assert [run.task for run in runs] == [TASK]
    assert [problem.failed for problem in problems if "ib_next" in problem.reason] == [True]


def test_versions_of_any_form_since_0_17_are_read(tmp_path):
    for index, package in enumerate(("0.17", "?", "0.17.0.dev3+local", "0.9.0", "9" * 5000)):
        path = write_results(tmp_path / f"results_{index}.json", package=package, version="3+a")
        result = read_runs([path])[0]
        assert isinstance(result, Run) == (index < 3)


@pytest.mark.parametrize(("command", "status"), [("compare", 3), ("task-configs", 1)])
def test_output_that_cannot_be_written_is_one_line_and_no_regression(logs, command, status):
    words = [*COMMAND, command, *(map(str, logs) if command == "compare" else ())]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == status
    assert done.stderr.strip() == "Error: cannot write the output: No space left on device"
    if command != "compare":  # which takes seconds to start, and treats both errors alike
        reader, writer = os.pipe()
        os.close(reader)  # a reader that has gone
        assert subprocess.run(words, stdout=writer).returncode == status
        os.close(writer)


def test_strict_fails_on_unfinished_and_skipped_logs(logs, folder):
    shutil.copy(logs[1], folder / "other.eval")
    assert typed("compare", "--strict", folder).exit_code == 0
    shutil.copy(logs[1], folder / "other_copy.eval")
    assert [typed("compare", *strict, folder).exit_code for strict in ([], ["--strict"])] == [0, 3]
    (folder / "other_copy.eval").unlink()

    def interrupt(log):
        crash(log)
        log.eval.task_id = log.eval.eval_id = "third"

    edit_log(logs[1], folder / "unfinished.eval", interrupt)
    done = [typed("compare", *strict, folder) for strict in ([], ["--strict"])]
    assert [result.exit_code for result in done] == [0, 3]
    assert all("unfinished.eval: bias_tasks/binaryqa_qa did not" in r.stderr for r in done)


def refuse(constant):
    raise AssertionError(constant)


def test_json_has_null_for_numbers_that_do_not_exist(logs, tmp_path):
    values = {"a": [float("nan"), (float("inf"),)], "b": Path("x"), "\x9b": "\ud800"}
    expected = {"a": [None, [None]], "b": "x", "\x9b": "\ud800"}
    assert json.loads(to_json(values), parse_constant=refuse) == expected
    assert to_json(values, ascii_only=True).isascii()
    content = harness_results()
    content["configs"][TASK]["generation_kwargs"]["temperature"] = float("nan")
    path = write_harness_results(tmp_path / "results_a.json", content)
    [row, *_] = json.loads(typed("results", path, "--format", "json").stdout, parse_constant=refuse)
    assert json.loads(row["settings"])["temperature"] is None
    for log, name in zip(logs, ("a", "b"), strict=True):

        def change(log, name=name):
            log.eval.metadata["bias_tasks"]["parameters"]["extra"] = float("nan")
            log.eval.model_args["x"] = float("inf" if name == "a" else "nan")

        edit_log(log, tmp_path / f"{name}.eval", change)
    assert read_eval_log(str(tmp_path / "a.eval"), header_only=True).eval.model_args
    done = typed("compare", tmp_path / "a.eval", tmp_path / "b.eval", "--format", "json")
    assert json.loads(done.stdout, parse_constant=refuse)
    typed("export", "eee", path, "--out", tmp_path / "eee")
    [record] = (tmp_path / "eee").rglob("*.json")
    assert "NaN" not in record.read_text(encoding="utf-8")


def count_calls(function):
    """Return the number of calls of Python functions."""
    count = 0

    def count_call(frame, event, argument):
        nonlocal count
        count += event == "call"

    sys.setprofile(count_call)
    try:
        function()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize(
    ("command", "kind"), [("report", "models"), ("results", "repeats"), ("compare", "parameters")]
)
def test_the_work_grows_with_the_number_of_logs(logs, tmp_path, command, kind):
    def change(log, number):
        log.eval.eval_id = log.eval.task_id = f"run{number}"
        record = log.eval.metadata["bias_tasks"]
        if kind == "models":
            log.eval.model = f"maker/{number}"
        elif kind == "parameters":
            record["parameters"]["seed"] = record["task_args"]["seed"] = number
            record["digest"] = str(number)

    page = ["--out", tmp_path / "page.html"] if command == "report" else []
    paths = [
        edit_log(logs[0], tmp_path / f"{n:02}.eval", lambda log, n=n: change(log, n))
        for n in range(8)
    ]
    typed(command, *paths[:3], *page)  # imports and caches
    few, some, many = (
        count_calls(lambda n=n: typed(command, *paths[:n], *page)) for n in (2, 4, 8)
    )
    assert many - some < 1.1 * 2 * (some - few)
