"""All commands that read finished runs skip the same files, and exit with the same status."""

import shutil
from pathlib import Path

import pytest
from inspect_ai.log import convert_eval_logs

from bias_tasks import results_df
from bias_tasks.results.find import read_runs
from bias_tasks.results.run import Run, split_problems
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.harness_runs import gold
from tests.bias_tasks.results.runs import (
    copy_as_other_run,
    crash,
    edit_log,
    run_commands,
    run_inspect,
    run_lm_eval,
)

PARAMETERS = {"data": "synthetic", "n": 6}
JUDGING = "instruction_boundary/vanilla"
OTHER = "binary_qa/binaryqa_qa"


def run_task(folder, task, model):
    form = {"form": "judging"} if task == JUDGING else {}
    return Path(run_inspect(folder, task, model, **PARAMETERS, **form))


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Return the logs of two models by task."""
    folder = tmp_path_factory.mktemp("finished")
    models = ("simulated/coin", "simulated/perfect")
    return {task: [run_task(folder, task, model) for model in models] for task in (JUDGING, OTHER)}


@pytest.fixture
def folders(finished, tmp_path):
    """Return two folders: both have `vanilla`, and an unfinished log of another task."""
    folders = []
    for index, (judging, other) in enumerate(zip(*finished.values(), strict=True)):
        folder = tmp_path / f"model{index}"
        folder.mkdir()
        shutil.copy(judging, folder / "vanilla.eval")
        edit_log(other, folder / "unfinished.eval", crash)
        folders.append(folder)
    return folders


def _failure(command):
    """Return the exit status of a command for runs that cannot be read."""
    return 3 if command == "compare" else 1


@pytest.mark.parametrize("task", [None, "vanilla"])
def test_an_unfinished_log_in_a_folder_is_named_and_does_not_fail(folders, tmp_path, task):
    arguments = (*folders, "--task", task) if task else folders
    for name, done in run_commands(tmp_path, *arguments).items():
        assert done.exit_code == 0, (name, done.output)
        lines = [line for line in done.stderr.splitlines() if "did not finish" in line]
        assert [line.partition(": ")[0] for line in lines] == [
            str(folder / "unfinished.eval") for folder in folders
        ], name
    done = typed("compare", *arguments)
    assert "vanilla: simulated/perfect against simulated/coin" in " ".join(done.stdout.split())


def test_an_unfinished_log_that_is_asked_for_fails(folders, finished, tmp_path):
    unfinished = folders[0] / "unfinished.eval"
    (folders[1] / "unfinished.eval").unlink()
    only = tmp_path / "only"
    only.mkdir()
    shutil.copy(unfinished, only)
    shutil.copy(finished[OTHER][1], folders[1] / "qa.eval")
    for arguments in (
        (*folders, unfinished.rename(tmp_path / "named.eval")),
        (*folders, only),
        (only, folders[1], "--task", "binaryqa_qa"),
    ):
        for name, done in run_commands(tmp_path, *arguments).items():
            assert done.exit_code == _failure(name), (name, done.output)
            assert "did not finish" in done.stderr, name
    named = tmp_path / "named.eval"
    for name, done in run_commands(tmp_path, *folders, named, "--task", "vanilla").items():
        assert done.exit_code == 0, (name, done.output)
        assert "named.eval: bias_tasks/binaryqa_qa did not finish" in done.stderr


def test_a_broken_file_fails_every_command_after_it_has_shown_the_rest(folders, tmp_path):
    (folders[1] / "short.eval").write_bytes(b"PK")
    for name, done in run_commands(tmp_path, *folders).items():
        assert (done.exit_code, bool(done.stdout)) == (_failure(name), True), (name, done.output)
        unreadable = (
            "short.eval: cannot be read as an Inspect log: the file is incomplete or damaged"
        )
        assert unreadable in done.stderr


def test_data_frames_warn_of_an_unfinished_log(folders):
    with pytest.warns(UserWarning, match=r"unfinished.eval: .* did not finish"):
        frame = results_df(folders[0])
    assert set(frame["task"]) == {"vanilla"}


def test_a_run_in_several_files_is_read_once(finished, tmp_path):
    log = finished[JUDGING][0]
    folder = tmp_path / "logs"
    shutil.copytree(log.parent, folder / "copy", ignore=lambda _, names: {*names} - {log.name})
    shutil.copy(log, folder)
    convert_eval_logs(str(log), to="json", output_dir=str(folder / "converted"))
    runs, problems = split_problems(read_runs([folder]))
    assert len(runs) == 1
    assert len(problems) == 2
    assert {problem.failed for problem in problems} == {False}
    for name, done in run_commands(tmp_path, folder, finished[JUDGING][1]).items():
        assert done.exit_code == 0, (name, done.output)
        assert done.stderr.count(f"skipped: it has the same run as {runs[0].path}") == 2, name


def test_a_repeated_run_and_other_answers_under_the_same_id_are_other_runs(finished, tmp_path):
    log = finished[JUDGING][0]
    repeated = copy_as_other_run(log, tmp_path / "repeated")

    def change_answer(log):
        for sample in log.samples:
            sample.output.completion += " (edited)"

    edited = edit_log(log, tmp_path / "edited.eval", change_answer)
    results = read_runs([log, repeated, edited])
    assert [type(result) for result in results] == [Run] * 3


@pytest.mark.parametrize("samples", [True, False])
def test_a_copy_of_results_of_lm_eval_is_the_same_run(tmp_path, samples):
    folder = run_lm_eval(tmp_path / "run", "ib_vanilla_judging", gold, **PARAMETERS)
    if not samples:
        next(folder.rglob("samples_*.jsonl")).unlink()
    shutil.copytree(folder, tmp_path / "copy")
    [path] = folder.rglob("results_*.json")
    copy_as_other_run(path, tmp_path / "repeated")
    runs, problems = split_problems(read_runs([tmp_path]))
    [copy] = [problem for problem in problems if not problem.is_notice]
    assert len(runs) == 2
    assert not copy.failed
