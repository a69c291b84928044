"""`bias-tasks results` on logs of both hosts, of our tasks and of others."""

import json
import math
import shutil
from importlib.metadata import version
from pathlib import Path

import pytest
from click.testing import CliRunner
from inspect_ai import Task, eval, task
from inspect_ai.dataset import Sample
from inspect_ai.log import read_eval_log, write_eval_log
from inspect_ai.scorer import exact

from bias_tasks.results.command import results
from bias_tasks.results.find import read_runs
from bias_tasks.results.run import Problem, Run
from bias_tasks.tasks.instruction_boundary import conformity
from tests.bias_tasks.inspect_runs import values
from tests.bias_tasks.mocks import mock
from tests.bias_tasks.results.results_file import harness_results


@task
def elsewhere():
    return Task(dataset=[Sample(input="Say x", target="x")], scorer=exact())


def evaluate(folder, tested, log_format="eval"):
    """The path of the log of a run in which every answer is the same."""
    log = eval(
        tested,
        model=mock(lambda prompt: "Final Answer: 1"),
        log_dir=str(folder),
        log_format=log_format,
        display="none",
        log_realtime=False,
    )[0]
    assert log.status == "success"
    return log.location


@pytest.fixture(scope="module")
def ours(tmp_path_factory):
    return evaluate(tmp_path_factory.mktemp("ours"), conformity(data="synthetic", n=12))


@pytest.fixture(scope="module")
def foreign(tmp_path_factory):
    return evaluate(tmp_path_factory.mktemp("foreign"), elsewhere())


@pytest.fixture
def folder(ours, tmp_path):
    """A folder of logs with one of ours in it, to put others beside."""
    shutil.copy(ours, tmp_path / "ours.eval")
    return tmp_path


def invoke(*arguments, columns="80"):
    return CliRunner().invoke(results, [str(part) for part in arguments], env={"COLUMNS": columns})


def test_an_inspect_log_gives_its_figures_with_their_intervals(ours):
    [run] = json.loads(invoke("--format=json", "--all", ours).stdout)
    metrics = {figure["name"]: figure for figure in run.pop("metrics")}
    log = read_eval_log(ours, header_only=True)
    record = log.eval.metadata["bias_tasks"]
    assert run == {
        "task": "bias_tasks/conformity",
        "host": "inspect",
        "model": "mockllm/model",
        "protocol": "corrected",
        "data": "synthetic",
        "parameters": {"data": "synthetic", "n": 12},
        "settings": {
            "temperature": 0.0,
            "solver": "bias_tasks/ask",
            "model_args": {"custom_outputs": None},
        },
        "n": 12,
        "samples": {"asked": 24, "failed": 0, "unscored": 0},
        "headline": "delta_acc",
        "note": None,
        "digest": record["digest"],
        "date": log.eval.created,
        "versions": {
            "inspect_ai": version("inspect_ai"),
            "bias-tasks": version("bias-tasks"),
        },
        "log": ours,
    }
    every = values(read_eval_log(ours))
    for name in ("judging/acc", "vanilla/choice/gr_none", "delta_acc", "adopted"):
        logged = [every[name + suffix] for suffix in ("", "_ci_low", "_ci_high", "_n")]
        assert [metrics[name][key] for key in ("value", "ci_low", "ci_high", "n")] == [
            None if math.isnan(value) else value for value in logged
        ]
    assert not [name for name in metrics if name.endswith(("_ci_low", "_ci_high", "_n", "_p"))]


def test_a_run_is_one_line_with_its_headline(ours):
    done = invoke(ours, columns="160")
    assert done.exit_code == 0
    [row] = [line for line in done.stdout.splitlines() if "conformity" in line]
    [run] = read_runs([Path(ours)])
    assert row.split()[:2] == ["conformity", "mockllm/model"]
    assert "data=synthetic" in row
    assert f"delta_acc ↑ {run.headline.value:.3f} {run.headline.ci_low:.3f} to" in " ".join(
        row.split()
    )


def test_a_task_s_runs_show_the_headline_and_what_stands_beside_it(ours):
    done = invoke(ours, "--task", "conformity")
    assert done.exit_code == 0
    [run] = read_runs([Path(ours)])
    shown = [line.split("│")[1].strip() for line in done.stdout.splitlines() if line[:1] == "│"]
    assert shown == [figure.name for figure in run.block]
    assert shown[0] == "delta_acc"
    assert invoke(ours, "--task", "vagueness").exit_code == 1


def test_the_table_fits_80_columns(ours):
    done = invoke("--all", ours)
    assert done.exit_code == 0
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "bias_tasks/conformity (inspect), mockllm/model" in done.stdout
    assert "protocol corrected, data synthetic, 12 items" in done.stdout
    assert "…" not in done.stdout


def test_another_project_s_log_is_skipped_with_a_note(folder, foreign):
    shutil.copy(foreign, folder / "foreign.eval")
    assert "foreign" not in invoke(folder).stderr  # nobody asked for it by name
    done = invoke("--format=json", "--all", folder, folder / "foreign.eval")
    assert done.exit_code == 0
    assert len(json.loads(done.stdout)) == 1
    assert "foreign.eval: skipped: its task" in done.stderr
    assert "elsewhere" in done.stderr


@pytest.mark.parametrize("status", ["started", "error", "cancelled"])
def test_a_run_that_did_not_finish_is_named_and_fails_the_command(folder, status):
    log = read_eval_log(str(folder / "ours.eval"))
    log.status = status
    log.results = None
    write_eval_log(log, str(folder / "failed.eval"))
    done = invoke("--format=json", "--all", folder)
    assert done.exit_code == 1
    assert len(json.loads(done.stdout)) == 1
    said = f"bias_tasks/conformity did not finish (status {status}, 24 of 24 samples answered)"
    assert f"failed.eval: {said}" in done.stderr


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("cut.eval", b"PK\x03\x04 and no more"),
        ("empty.eval", b""),
        ("cut.json", b'{"version": 2, "status": "success", "eval": {'),
        ("results_cut.json", b'{"results": {"ib_vanilla_choice": {'),
        ("results_bare.json", b'{"results": {}}'),
        ("results_odd.json", b'{"results": {}, "configs": [1]}'),
    ],
)
def test_a_broken_file_is_named_and_fails_the_command(folder, name, content):
    (folder / name).write_bytes(content)
    done = invoke(folder)
    assert done.exit_code == 1
    assert f"{name}: cannot be read as" in done.stderr
    assert "conformity" in done.stdout


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[1]", b'{"version": "1.0"}', b"not json"])
def test_any_other_file_is_skipped_with_a_note(folder, content):
    (folder / "other.json").write_bytes(content)
    assert invoke(folder).stderr == ""
    done = invoke(folder, folder / "other.json")
    assert done.exit_code == 0
    assert "other.json: skipped: neither an Inspect log nor results of lm-eval" in done.stderr


def test_a_folder_without_runs_is_an_error(tmp_path):
    done = invoke(tmp_path)
    assert done.exit_code == 1
    assert f"{tmp_path}: holds no Inspect log and no results of lm-eval" in done.stderr
    assert "no finished run of bias-tasks was found" in done.stderr


def test_a_results_file_of_lm_eval_gives_our_tasks_alone(tmp_path):
    path = tmp_path / "results_now.json"
    path.write_text(json.dumps(harness_results()), encoding="utf-8")
    run, note = read_runs([tmp_path])
    assert isinstance(run, Run)
    assert run.to_dict() == {
        "task": "ib_vanilla_choice",
        "host": "lm-eval",
        "model": "my/model",
        "protocol": "published",
        "data": "mine.csv",
        "parameters": {"protocol": "published"},
        "settings": {
            "temperature": 0.0,
            "until": [],
            "limit": 4,
            "model_args": {"model": "my/model", "api_key": "***"},
        },
        "n": 4,
        "samples": {"asked": 4, "failed": 0, "unscored": 0},
        "headline": "choice/acc",
        "note": None,
        "digest": "0123456789abcdef",
        "date": "1970-01-01T00:00:00+00:00",
        "versions": {"lm_eval": "0.4.13", "bias-tasks": "0.3.0"},
        "log": str(path),
        "metrics": [
            {"name": "choice/acc", "value": 0.5, "ci_low": 0.2, "ci_high": None, "n": 4},
            {"name": "items", "value": 4.0, "ci_low": None, "ci_high": None, "n": 4},
        ],
    }
    assert note == Problem(path, "skipped: its task hellaswag is none of bias-tasks")


def test_a_figure_that_no_run_has_is_told_with_the_nearest(ours):
    done = invoke("--figures", "choice/ac", ours)
    assert done.exit_code == 2
    assert "no run has a figure 'choice/ac' (did you mean 'choice/acc'?)" in done.stderr
    assert done.stdout == ""
