"""`bias-tasks compare` on finished runs of both hosts."""

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from inspect_ai import eval as inspect_eval
from inspect_ai.log import read_eval_log, write_eval_log
from lm_eval.loggers import EvaluationTracker

from bias_tasks.cli import main
from bias_tasks.simulated.lm_eval_model import SimulatedLM
from bias_tasks.tasks.instruction_boundary import conformity
from tests.bias_tasks.harness_runs import run

PLANTED = {
    "weak": {"accuracy": 0.6, "adopt": 0.9},
    "strong": {"accuracy": 0.95, "adopt": 0.05},
}
ASKED = {"data": "synthetic", "n": 24}


def invoke(*arguments):
    return CliRunner().invoke(
        main, ["compare", *map(str, arguments)], env={"COLUMNS": "80", "NO_COLOR": "1"}
    )


def told(*arguments):
    done = invoke(*arguments, "--format", "json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def logged(task, folder, planted):
    [log] = inspect_eval(
        task,
        model="simulated/steadfast",
        model_args=planted,
        log_dir=str(folder),
        display="none",
        log_realtime=False,
    )
    assert log.status == "success", log.error
    return log.location


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def logs(folder):
    """Of each model a log of `conformity`."""
    return {
        name: logged(conformity(form="judging", **ASKED), folder / name, planted)
        for name, planted in PLANTED.items()
    }


@pytest.fixture(scope="module")
def outputs(folder):
    """Of each model lm-eval's results of the same task, with samples beside them."""
    found = {}
    for name, planted in PLANTED.items():
        results = run(["ib_conformity_judging"], SimulatedLM("steadfast", **planted), **ASKED)
        tracker = EvaluationTracker(output_path=str(folder / f"lm_{name}"))
        tracker.general_config_tracker.model_name_sanitized = name
        tracker.general_config_tracker.model_name = name
        samples = results.pop("samples")
        tracker.save_results_aggregated(results, samples=samples)
        for task, rows in samples.items():
            tracker.save_results_samples(task, rows)
        [found[name]] = (folder / f"lm_{name}").rglob("results_*.json")
    return found


@pytest.mark.parametrize("host", ["logs", "outputs"])
def test_the_table_says_which_model_is_better(host, request):
    runs = request.getfixturevalue(host)
    done = invoke(runs["weak"], runs["strong"])
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    row = next(line for line in lines if "adopted" in line)
    assert "BETTER" in row
    assert max(map(len, lines)) <= 80
    assert "conformity, 24 items that both have" in done.stdout
    assert "no --margin was given" in " ".join(done.stdout.split())


def test_both_hosts_and_either_way_round_say_the_same(logs, outputs):
    [by_inspect] = told(logs["weak"], logs["strong"])["comparisons"]
    [by_harness] = told(outputs["weak"], outputs["strong"])["comparisons"]
    [across] = told(logs["weak"], outputs["strong"])["comparisons"]
    assert by_inspect["figures"] == by_harness["figures"] == across["figures"]
    assert (across["first"]["host"], across["second"]["host"]) == ("inspect", "lm-eval")


def test_the_same_answers_of_both_hosts_are_equivalent(logs, outputs):
    [pair] = told(logs["weak"], outputs["weak"])["comparisons"]
    assert {each["verdict"] for each in pair["figures"]} == {"EQUIVALENT"}
    assert {each["ci_low"] for each in pair["figures"]} == {0.0}


def test_other_formats_hold_the_same_figures(logs, tmp_path):
    both = logs["weak"], logs["strong"]
    [pair] = told(*both, "--margin", "0.02")["comparisons"]
    rows = list(csv.DictReader(io.StringIO(invoke(*both, "--format", "csv").stdout)))
    assert [row["figure"] for row in rows] == [each["figure"] for each in pair["figures"]]
    assert float(rows[0]["ci_low"]) == pytest.approx(pair["figures"][0]["ci_low"])
    text = invoke(*both, "--format", "markdown").stdout
    assert text.count("\n| conformity |") == len(rows)
    assert {each["margin"] for each in pair["figures"]} == {0.02}
    out = tmp_path / "out.json"
    assert invoke(*both, "--format", "json", "--out", out).stdout == ""
    assert json.loads(out.read_text(encoding="utf-8"))["tests"] == len(rows)


@pytest.mark.parametrize(
    ("order", "on", "status"),
    [
        (("strong", "weak"), "worse", 2),
        (("weak", "strong"), "worse", 0),
        (("weak", "strong"), "different", 2),
        (("weak", "strong"), "inconclusive", 0),
    ],
)
def test_a_gate_fails_on_what_it_is_told_to(logs, order, on, status):
    done = invoke(*(logs[name] for name in order), "--figures", "adopted", "--fail-on", on)
    assert done.exit_code == status, done.output
    assert ("--fail-on" in done.stderr) == (status == 2)


def test_broken_logs_are_one_line(logs, tmp_path):
    cut = tmp_path / "cut.eval"
    cut.write_bytes(Path(logs["weak"]).read_bytes()[:3000])
    log = read_eval_log(logs["strong"])
    log.status = "cancelled"
    stopped = tmp_path / "stopped.eval"
    write_eval_log(log, str(stopped))
    log = read_eval_log(logs["strong"])
    for sample in log.samples:
        for score in sample.scores.values():
            score.metadata["outcome"]["own"] = {}
    bare = tmp_path / "bare.eval"
    write_eval_log(log, str(bare))
    for path, message in (
        (cut, "cannot be read"),
        (stopped, "did not finish"),
        (bare, "not as conformity logs them"),
    ):
        done = invoke(logs["weak"], path)
        assert done.exit_code == 1
        assert done.stderr.startswith("Error: ")
        assert message in done.stderr
        assert str(path) in done.stderr
        assert done.stderr.count("\n") == 1
