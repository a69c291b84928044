"""`bias-tasks results` on logs of both hosts: figures, what was run, and what is left out."""

import json
import math
import shutil
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import pytest
from inspect_ai import Task, eval_retry, task
from inspect_ai.dataset import Sample
from inspect_ai.log import read_eval_log
from inspect_ai.scorer import exact

from bias_tasks import results_df
from bias_tasks.results.differences import differences
from bias_tasks.results.find import read_runs
from bias_tasks.results.run import Problem, Run, Samples, UnusableRunError, over_models
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.tasks.binary_qa import binaryqa_qa, binaryqa_sc
from bias_tasks.tasks.instruction_boundary import conformity, vanilla
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.inspect_runs import values
from tests.bias_tasks.mocks import mock
from tests.bias_tasks.results.runs import changed, evaluated, harness_results


@task
def elsewhere():
    return Task(dataset=[Sample(input="Say x", target="x")], scorer=exact())


def always(answer):
    return mock(lambda prompt: answer)


@pytest.fixture(scope="module")
def ours(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ours")
    return evaluated(folder, conformity(data="synthetic", n=12), always("Final Answer: 1"))


@pytest.fixture
def folder(ours, tmp_path):
    """A folder of logs with one of ours in it, to put others beside."""
    shutil.copy(ours, tmp_path / "ours.eval")
    return tmp_path


def found_in(log):
    [run] = read_runs([Path(log)])
    assert isinstance(run, Run), run
    return run


def test_an_inspect_log_gives_its_figures_with_intervals_and_p_values(ours):
    [run] = json.loads(typed("results", "--format=json", "--all", ours).stdout)
    metrics = {figure["name"]: figure for figure in run.pop("metrics")}
    log = read_eval_log(ours)
    expected = {
        **{"task": "bias_tasks/conformity", "host": "inspect", "model": "mockllm/model", "n": 12},
        **{"protocol": "corrected", "data": "synthetic"},
        "parameters": {"data": "synthetic", "n": 12},
        "samples": {"asked": 24, "failed": 0, "unscored": 0},
        "headline": "moved_to_suggestion",
        "digest": log.eval.metadata["bias_tasks"]["digest"],
        "date": log.eval.created,
        "versions": {"inspect_ai": version("inspect_ai"), "bias-tasks": version("bias-tasks")},
        "log": ours,
    }
    assert {name: run[name] for name in expected} == expected
    every = values(log)
    frame = results_df(ours).set_index("figure")
    for name in ("judging/acc", "vanilla/choice/gr_none", "delta_acc", "adopted"):
        logged = [every[name + suffix] for suffix in ("", "_ci_low", "_ci_high", "_n")]
        told = [metrics[name][key] for key in ("value", "ci_low", "ci_high", "n")]
        assert told == [None if math.isnan(value) else value for value in logged]
        assert metrics[name].get("p") == every.get(f"{name}_p")
    assert frame.loc["delta_acc", "p"] == every["delta_acc_p"]


def test_the_overview_has_a_line_a_run_and_cuts_nothing(ours, tmp_path):
    figure = found_in(ours).metrics["moved_to_suggestion"]
    done = typed("results", ours)
    assert done.exit_code == 0
    shown = " ".join(done.stdout.split())
    told = f"{figure.n} {figure.value:.3f} {figure.ci_low:.3f} to {figure.ci_high:.3f}"
    assert f"mockllm/model {told} 0.0% of the setting's" in shown
    assert "conformity (data=synthetic, n=12): moved_to_suggestion ↓" in shown
    other = tmp_path / "other.eval"
    changed(ours, other, lambda log: setattr(log.eval, "model", "lab/a_long/name_of-a-model"))
    for columns, *arguments in ((80, "--all", ours), (80, ours, other), (40, ours, other)):
        done = typed("results", *arguments, columns=columns)
        assert max(map(len, done.stdout.splitlines())) <= columns
        assert "…" not in done.stdout


def test_a_task_s_runs_show_the_headline_and_what_stands_beside_it(ours):
    done = typed("results", ours, "--task", "conformity")
    assert done.exit_code == 0
    rows = done.stdout[done.stdout.index("──") :].split("\n")[1:]
    shown = [line.split()[0] for line in rows if line.strip()]
    assert shown == ["moved_to_suggestion", *list(found_in(ours).block)[1:]]
    for option, value, status, said in (
        ("--task", "conformty", 1, "'conformty' (did you mean 'conformity'?)"),
        ("--figures", "choice/ac", 2, "no run has a figure 'choice/ac' (did you mean 'choice/acc'"),
    ):
        done = typed("results", ours, option, value)
        assert (done.exit_code, done.stdout, said in done.stderr) == (status, "", True)


def test_what_is_not_ours_is_skipped_with_a_note(folder):
    foreign = evaluated(folder / "foreign", elsewhere(), always("x"))
    assert typed("results", folder).stderr == ""  # nobody asked for it by name
    done = typed("results", "--format=json", folder, foreign)
    assert done.exit_code == 0
    assert len(json.loads(done.stdout)) == 1
    assert "skipped: its task elsewhere is none" in done.stderr.replace("tests/", "")
    for content in (b"", b"\xff\xfe", b'{"version": "1.0"}'):
        (folder / "other.json").write_bytes(content)
        done = typed("results", folder, folder / "other.json")
        assert done.exit_code == 0
        assert "other.json: skipped: neither an Inspect log nor results" in done.stderr
    (folder / "empty").mkdir()
    done = typed("results", folder / "empty")
    assert done.exit_code == 1
    assert "empty: holds no Inspect log and no results of lm-eval" in done.stderr


def test_a_results_file_of_lm_eval_gives_our_tasks_alone(tmp_path):
    path = tmp_path / "results_now.json"
    path.write_text(json.dumps(harness_results()), encoding="utf-8")
    run, note = read_runs([tmp_path])
    told = run.to_dict()
    arguments = {"model": "my/model", "api_key": "***"}
    expected = {
        **{"task": "ib_vanilla_choice", "host": "lm-eval", "model": "my/model", "n": 4},
        **{"protocol": "published", "data": "mine.csv", "parameters": {"protocol": "published"}},
        "samples": {"asked": 4, "failed": 0, "unscored": 0},
        "settings": {"temperature": 0.0, "until": [], "limit": 4, "model_args": arguments},
        **{"headline": "choice/acc", "note": None, "digest": "0123456789abcdef"},
        "date": "1970-01-01T00:00:00+00:00",
        "versions": {"lm_eval": "0.4.13", "bias-tasks": "0.9.0"},
        "log": str(path),
    }
    assert {name: told[name] for name in expected} == expected
    acc = {"name": "choice/acc", "value": 0.5, "ci_low": 0.2, "ci_high": None, "n": 4}
    assert told["metrics"][0] == acc
    assert note == Problem(path, "skipped: its task hellaswag is none of bias-tasks")


def test_the_header_says_what_the_host_was_told(tmp_path):
    options = {
        **{"limit": 3, "epochs": 2, "temperature": 0.0, "max_tokens": 50, "max_connections": 1},
        **{"model_args": {"accuracy": 0.5}, "model_roles": {"grader": "simulated/judge"}},
    }
    asked = binaryqa_qa(data="synthetic", n=4, order="no_yes")
    found = found_in(evaluated(tmp_path, asked, "simulated/perfect", options=options))
    told = ("max_tokens", "temperature", "limit", "epochs", "model_args")
    assert found.settings == {
        **{name: options[name] for name in told},
        **{"solver": "bias_tasks/ask", "role grader": "simulated/judge"},
    }
    assert (found.samples.asked, found.n) == (6, 3)
    other = replace(found, settings={**found.settings, "limit": 2})
    assert [each.name for each in differences(found, other)] == ["limit"]
    lines = typed("results", "--all", tmp_path, columns=2000).stdout.splitlines()
    assert lines[:3] == [
        "bias_tasks/binaryqa_qa (inspect), simulated/perfect",
        "protocol corrected, data synthetic, 3 items",
        "parameters: data=synthetic, order=no_yes, n=4",
    ]
    assert 'grader=simulated/judge, solver=bias_tasks/ask, model_args={"accuracy": 0.5}' in lines[3]
    assert lines[4].startswith("from: synthetic")
    assert f"digest {found.record['digest']}, inspect_ai " in lines[5]
    assert lines[6] == f"log {found.path}"


def test_failed_and_unscored_samples_are_counted(tmp_path):
    options = {"fail_on_error": False, "model_roles": {"grader": always("no verdict")}}
    asked = vanilla(data="synthetic", form="judging", n=6)
    # Two requests fail, for there is nothing left to say, and two answers can't be read.
    said = iter(["Hm.", "Final Answer: True"] * 2)
    path = evaluated(tmp_path, asked, mock(lambda prompt: next(said)), options=options)
    done = typed("results", "--all", path)
    assert done.exit_code == 0
    assert "4 of 6 samples are in no figure: 2 failed, 2 unscored" in done.stdout


def test_a_finished_retry_takes_the_place_of_the_log_that_broke_off(tmp_path):
    def break_off(log):
        log.samples, log.status, log.results = log.samples[:2], "error", None
        log.error = {"message": "no answer", "traceback": "", "traceback_ansi": ""}

    asked = vanilla(data="synthetic", form="judging", n=6)
    whole = evaluated(tmp_path / "whole", asked, "simulated/perfect")
    (tmp_path / "logs").mkdir()
    broken = changed(whole, tmp_path / "logs" / "broken.eval", break_off)
    done = typed("results", tmp_path / "logs")
    assert done.exit_code == 1
    said = "did not finish (status error, 2 of 6 samples answered): no answer"
    assert f"broken.eval: bias_tasks/vanilla {said}" in done.stderr
    [again] = eval_retry(str(broken), log_dir=str(tmp_path / "logs"), display="none")
    assert again.status == "success", again.error
    done = typed("results", tmp_path / "logs")
    assert (done.exit_code, done.stderr) == (0, "")
    assert found_in(tmp_path / "logs").metrics == found_in(whole).metrics
    assert isinstance(read_runs([broken])[0], Problem)


def test_what_needs_noise_is_said_at_temperature_0(tmp_path):
    for temperature, said in ((None, True), (0.7, False)):
        asked, options = binaryqa_sc(data="synthetic", n=2), {"temperature": temperature}
        log = evaluated(tmp_path, asked, "simulated/perfect", options=options)
        told = " ".join(typed("results", "--all", log).output.split())
        assert ("at temperature 0 a deterministic model has 1 by construction: sc," in told) is said


def test_means_over_models_have_the_means_of_their_limits():
    record = {"family": "binary_qa", "task": "binaryqa_qa", "digest": "0"}
    one, other = (
        Run("qa", "inspect", f"api/{name}", record, 4, {"acc": figure}, samples=Samples(4, 1))
        for name, figure in enumerate((Estimate(0.5, 0.25, math.nan, 4), Estimate(1, 0.75, 1, 3)))
    )
    [mean] = over_models([one, other])
    assert (mean.model, mean.samples) == ("mean of 2 models", (8, 2, 0))
    assert repr(mean.metrics) == repr({"acc": Estimate(0.75, 0.5, math.nan, 3)})
    assert len(over_models([one, replace(other, record=record | {"digest": "1"})])) == 2
    with pytest.raises(UnusableRunError, match="asked the same twice"):
        over_models([one, replace(one, path=Path("again.eval"))])
