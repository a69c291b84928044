"""`bias-tasks results` on logs of both frameworks: metrics, description of runs, skipped files."""

import json
import math
import re
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
from bias_tasks.binary_qa_tasks import binaryqa_qa, binaryqa_sc
from bias_tasks.instruction_boundary_tasks import conformity, vanilla
from bias_tasks.results.answers import complete_run, load_all_metrics
from bias_tasks.results.caveats import find_caveats
from bias_tasks.results.find import read_answers, read_runs
from bias_tasks.results.frames import average_models, build_metric_rows, describe_run
from bias_tasks.results.run import Problem, Run, UnusableRunError
from bias_tasks.results.run_pairing import find_differences
from bias_tasks.statistics.estimate import Estimate
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.inspect_runs import values
from tests.bias_tasks.mocks import mock
from tests.bias_tasks.results.runs import (
    crash,
    edit_log,
    harness_results,
    make_record,
    replace_answers,
    run_inspect,
    write_harness_results,
)

NONE_MISSING = {"samples_failed": 0, "samples_unscored": 0, "samples_missing": 0}


@task
def other_task():
    return Task(dataset=[Sample(input="Say x", target="x")], scorer=exact())


def always(answer):
    return mock(lambda prompt: answer)


@pytest.fixture(scope="module")
def log_path(tmp_path_factory):
    folder = tmp_path_factory.mktemp("conformity")
    return run_inspect(folder, conformity(data="synthetic", n=12), always("Final Answer: 1"))


@pytest.fixture
def folder(log_path, tmp_path):
    """Return a folder with one log of bias-tasks, to which tests add other files."""
    shutil.copy(log_path, tmp_path / "conformity.eval")
    return tmp_path


def read_run(path):
    [answers] = read_answers(Path(path))
    return answers.run


def test_an_inspect_log_has_metrics_with_intervals_and_p_values(log_path):
    rows = json.loads(typed("results", "--format=json", "--all", log_path).stdout)
    metrics = {row["metric"]: row for row in rows}
    log = read_eval_log(log_path)
    expected = {
        **{"task": "conformity", "framework": "inspect", "model": "mockllm/model"},
        **{"items": 12, "protocol": "corrected", "data": "synthetic", "samples_total": 24},
        **{"task_args": '{"data": "synthetic", "n": 12}', **NONE_MISSING},
        "digest": log.eval.metadata["bias_tasks"]["digest"],
        "created": log.eval.created,
        "log": log_path,
    }
    assert all(expected.items() <= row.items() for row in rows)
    assert [row["metric"] for row in rows if row["headline"]] == ["moved_to_suggestion"]
    versions = {"inspect_ai": version("inspect_ai"), "bias-tasks": version("bias-tasks")}
    assert json.loads(rows[0]["versions"]) == versions
    logged = values(log)
    frame = results_df(log_path).set_index("metric")
    for name in ("judging/acc", "vanilla/choice/gr_none", "delta_acc", "adopted_suggestion"):
        parts = [logged[name + suffix] for suffix in ("", "_ci_low", "_ci_high", "_n")]
        shown = [metrics[name][key] for key in ("value", "ci_low", "ci_high", "n")]
        assert shown == [None if math.isnan(part) else part for part in parts]
        assert metrics[name].get("p_adjusted") == logged.get(f"{name}_p")
    assert frame.loc["delta_acc", "p_adjusted"] == logged["delta_acc_p"]


def test_data_frames_have_the_documented_columns(log_path):
    assert list(results_df(log_path)) == [
        *("task", "model", "framework", "run_id", "created", "log", "metric", "headline", "value"),
        *("ci_low", "ci_high", "n", "p_adjusted", "stderr", "family", "protocol", "data"),
        *("task_args", "digest", "items", "samples_total", *NONE_MISSING),
        *("settings", "versions", "notes"),
    ]


def test_the_overview_has_one_row_per_run_and_truncates_nothing(log_path, tmp_path):
    estimate = load_all_metrics(read_run(log_path)).metrics["moved_to_suggestion"]
    done = typed("results", log_path)
    assert done.exit_code == 0
    text = " ".join(done.stdout.split())
    bounds = f"{estimate.ci_low:.3f} to {estimate.ci_high:.3f}"
    count = f"{round(estimate.value * estimate.n)} of {estimate.n}"
    assert (
        f"mockllm/model {estimate.value:.3f} ({bounds}) INCONCLUSIVE {count}; unparsed: 0%" in text
    )
    assert "conformity (data=synthetic, n=12): moved_to_suggestion ↓" in text
    other = tmp_path / "other.eval"
    edit_log(log_path, other, lambda log: setattr(log.eval, "model", "lab/a_long/name_of-a-model"))
    for columns, *arguments in (
        (80, "--all", log_path),
        (80, log_path, other),
        (40, log_path, other),
    ):
        done = typed("results", *arguments, columns=columns)
        assert max(map(len, done.stdout.splitlines())) <= columns
        assert "…" not in done.stdout


def test_the_option_task_shows_the_headline_and_secondary_metrics(log_path):
    done = typed("results", log_path, "--task", "conformity")
    assert done.exit_code == 0
    *_, rows = done.stdout.rpartition("──")
    rows = rows.split("\n")[1:]
    names = [line.split()[0] for line in rows if line.strip()]
    assert names == ["moved_to_suggestion", *list(read_run(log_path).block)[1:]]
    for option, value, status, message in (
        ("--task", "conformty", 1, "'conformty' (did you mean 'conformity'?)"),
        ("--metric", "choice/ac", 2, "no run has a metric 'choice/ac' (did you mean 'choice/acc'"),
    ):
        done = typed("results", log_path, option, value)
        assert (done.exit_code, done.stdout, message in done.stderr) == (status, "", True)


def test_files_of_other_packages_are_skipped_with_a_note(folder):
    any_task = run_inspect(folder / "other", other_task(), always("x"))
    assert typed("results", folder).stderr == "", "a note only if the file is named"
    done = typed("results", "--format=json", folder, any_task)
    assert done.exit_code == 0
    assert len({row["log"] for row in json.loads(done.stdout)}) == 1
    message = "skipped: its task other_task is not a task of bias-tasks"
    assert message in done.stderr.replace("tests/", "")
    for content in (b"", b"\xff\xfe", b'{"version": "1.0"}'):
        (folder / "other.json").write_bytes(content)
        done = typed("results", folder, folder / "other.json")
        assert done.exit_code == 0
        assert "other.json: skipped: neither an Inspect log nor results" in done.stderr
    (folder / "empty").mkdir()
    done = typed("results", folder / "empty")
    assert done.exit_code == 1
    assert "empty: holds no Inspect log and no results of lm-eval" in done.stderr


def test_a_results_file_of_lm_eval_has_one_run_per_task_of_bias_tasks(tmp_path):
    path = tmp_path / "results_now.json"
    run, note = read_runs([write_harness_results(path, harness_results())])
    settings = {
        "temperature": 0.0,
        "until": [],
        "max_gen_toks": 2048,
        "do_sample": False,
        "limit": 4,
    }
    values = {"task": run.task, "model": run.model, "date": run.date, **describe_run(run)}
    assert values == {
        **{"task": "ib_vanilla_choice", "model": "my/model", "date": "1970-01-01T00:00:00+00:00"},
        **{"family": "instruction_boundary", "protocol": "corrected", "data": "core"},
        **{"digest": "1727ae5db5459d8e", "items": 0, "samples_total": 4, **NONE_MISSING},
        "task_args": '{"form": "choice", "data": "core", "n": 4}',
        "settings": values["settings"],
        "notes": "recorded with bias-tasks 0.15.0, converted to the layout of 0.17",
        "versions": '{"lm_eval": "0.4.13", "bias-tasks": "0.17.0"}',
    }
    model_args = {"model": "my/model", "api_key": "***"}
    assert json.loads(values["settings"]) == {**settings, "model_args": model_args}
    assert note == Problem(path, "skipped: its task hellaswag is not a task of bias-tasks")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"generation_kwargs": {"until": []}}, "not set, lm-eval's default of 0"),
        (
            {"generation_kwargs": None, "output_type": "multiple_choice"},
            "none, likelihoods are compared",
        ),
    ],
)
def test_the_temperature_of_lm_eval_is_always_said(tmp_path, changes, said):
    content = harness_results()
    content["configs"]["ib_vanilla_choice"] |= changes
    path = tmp_path / "results_now.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    run, _ = read_runs([path])
    assert run.settings["temperature"] == said


def test_a_run_is_described_by_its_parameters_settings_and_versions(tmp_path):
    options = {
        **{"limit": 3, "epochs": 2, "temperature": 0.0, "max_tokens": 50, "max_connections": 1},
        **{"model_args": {"accuracy": 0.5}, "model_roles": {"grader": "simulated/grader"}},
    }
    task = binaryqa_qa(data="synthetic", n=4, answer_order="no_yes")
    run = read_run(run_inspect(tmp_path, task, "simulated/perfect", options=options))
    names = ("max_tokens", "temperature", "limit", "epochs", "model_args")
    assert run.settings == {
        **{name: options[name] for name in names},
        **{"solver": "bias_tasks/ask", "role grader": "simulated/grader"},
    }
    assert (run.samples.total, run.n) == (6, 3)
    other = replace(run, settings={**run.settings, "limit": 2})
    assert [difference.name for difference in find_differences(run, other)] == ["limit"]
    lines = typed("results", "--all", tmp_path, columns=2000).stdout.splitlines()
    assert lines[:3] == [
        "bias_tasks/binaryqa_qa (inspect), simulated/perfect",
        "protocol corrected, data synthetic, 3 items",
        "parameters: data=synthetic, answer_order=no_yes, n=4",
    ]
    settings = 'grader=simulated/grader, solver=bias_tasks/ask, model_args={"accuracy": 0.5}'
    assert settings in lines[3]
    assert lines[4].startswith("from: synthetic")
    assert f"digest {run.record.digest}, inspect_ai " in lines[5]
    assert lines[6] == f"log {run.path}"


def test_failed_and_unscored_samples_are_counted(tmp_path):
    options = {"fail_on_error": False, "model_roles": {"grader": always("no verdict")}}
    task = vanilla(data="synthetic", form="judging", n=6)
    # Two of six requests fail, since the mock runs out of replies, and two answers are unparsable.
    replies = iter(["Hm.", "Final Answer: True"] * 2)
    path = run_inspect(tmp_path, task, mock(lambda prompt: next(replies)), options=options)
    done = typed("results", "--all", path)
    assert done.exit_code == 0
    assert (
        "4 of 6 samples are in no metric: 2 failed, 2 without a verdict of the grader"
        in done.stdout
    )


def test_a_finished_retry_replaces_the_crashed_log(tmp_path):
    task = vanilla(data="synthetic", form="judging", n=6)
    whole = run_inspect(tmp_path / "whole", task, "simulated/perfect")
    (tmp_path / "logs").mkdir()
    crashed = edit_log(whole, tmp_path / "logs" / "crashed.eval", crash)
    done = typed("results", tmp_path / "logs")
    assert done.exit_code == 1
    message = "did not finish (status error, 2 of 6 samples answered): no answer"
    assert f"crashed.eval: bias_tasks/vanilla {message}" in done.stderr
    [retry] = eval_retry(str(crashed), log_dir=str(tmp_path / "logs"), display="none")
    assert retry.status == "success", retry.error
    done = typed("results", tmp_path / "logs")
    assert (done.exit_code, done.stderr) == (0, "")
    assert read_run(tmp_path / "logs").metrics == read_run(whole).metrics
    assert isinstance(read_runs([crashed])[0], Problem)


def test_a_server_that_varies_at_temperature_0_is_named_instead_of_the_construction(tmp_path):
    log = run_inspect(tmp_path, binaryqa_sc(data="synthetic", n=20), "simulated/perfect")
    [answers] = read_answers(Path(log))
    assert answers.run.settings["temperature"] == 0
    caveat = "at temperature 0 a deterministic model has 1 by construction: sc,"

    def find(answers):
        return list(find_caveats(complete_run(answers)))

    assert any(caveat in text for text in find(answers))
    warm = replace(answers, run=replace(answers.run, settings={"temperature": 0.7}))
    assert not any(caveat in text for text in find(warm))
    kept = [a for a in answers.answers if a.outcome.variant == "original"]
    repeats = [a for a in answers.answers if a.outcome.variant != "original"]
    # An unparsed repeat is neither equal nor different.
    for index, words in enumerate(({"Yes": "No", "No": "Yes"},) * 3 + ({},)):
        outcome = repeats[index].outcome
        outcome = replace(outcome, answer=words.get(outcome.answer))
        repeats[index] = replace(repeats[index], outcome=outcome)
    varying = find(replace_answers(answers, [*kept, *repeats]))
    assert (
        "this server is not deterministic: at temperature 0, 3 of 39 repeats of a prompt get "
        "another answer"
    ) in varying
    assert not any("by construction" in text for text in varying)


def test_means_over_models_have_the_means_of_the_confidence_bounds(log_path):
    record = make_record("binary_qa", "binaryqa_qa")
    estimates = Estimate(0.5, 0.25, math.nan, 4), Estimate(1, 0.75, 1, 3)
    first, second = (
        Run("qa", "inspect", f"api/{name}", record, 4, {"acc": estimate})
        for name, estimate in enumerate(estimates)
    )

    def average(*runs):
        return average_models(build_metric_rows({run: run.metrics for run in runs}))

    [mean] = average(first, second)
    numbers = [mean[name] for name in ("models", "n", "value", "ci_low", "ci_high")]
    assert repr(numbers) == "[2, 3, 0.75, 0.5, nan]"
    [mean] = average(first, replace(second, metrics={**second.metrics, "f1": estimates[1]}))
    assert mean["metric"] == "acc", "what one model lacks has no mean"
    assert len(average(first, replace(second, record=replace(record, digest="1")))) == 2
    with pytest.raises(UnusableRunError, match="has two runs with the same prompts"):
        average(first, replace(first, path=Path("again.eval")))
    words = "results", log_path, "--mean-over", "model", "--metric", "unparsed"
    assert typed(*words, "--format", "csv").stdout.splitlines()[1].startswith("conformity,")
    text = " ".join(typed(*words, columns=200).stdout.split())
    assert "metric value ci_low ci_high n models" in text
    assert re.search(r" unparsed 0\.000 0\.000 0\.\d+ 12 1 ", text)
