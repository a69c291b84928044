"""`bias-tasks compare` on finished runs of both frameworks."""

import csv
import io
import json
from pathlib import Path

import pytest

from bias_tasks.simulated.lm_eval_model import SimulatedLM
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.results.runs import copy_as_other_run, run_inspect, run_lm_eval

TRAITS = {"weak": {"accuracy": 0.6, "adopt": 0.9}, "strong": {"accuracy": 0.95, "adopt": 0.05}}
TASK, PARAMETERS = "instruction_boundary/conformity", {"data": "synthetic", "n": 24}


def compare(*arguments):
    done = typed("compare", *arguments, "--format", "json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def run_model(folder, task, traits, **parameters):
    form, options = {"form": "judging"} if task == TASK else {}, {"model_args": traits}
    parameters = PARAMETERS | form | parameters
    return run_inspect(folder, task, "simulated/steadfast", options=options, **parameters)


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """Return a log of `conformity` by model."""
    folder = tmp_path_factory.mktemp("runs")
    return {name: run_model(folder / name, TASK, traits) for name, traits in TRAITS.items()}


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """Return lm-eval's results and samples of the same task by model."""
    folder, task = tmp_path_factory.mktemp("outputs"), "ib_conformity_judging"
    models = {name: SimulatedLM("steadfast", **traits) for name, traits in TRAITS.items()}
    return {name: run_lm_eval(folder / name, task, models[name], **PARAMETERS) for name in models}


def test_comparisons_are_the_same_in_and_across_both_frameworks(logs, outputs):
    selected = ("--metric", "[ad]*")
    [in_inspect] = compare(logs["weak"], logs["strong"], *selected)["comparisons"]
    [in_lm_eval] = compare(outputs["weak"], outputs["strong"], *selected)["comparisons"]
    [across] = compare(logs["weak"], outputs["strong"], *selected)["comparisons"]
    for pair in (in_lm_eval, across):
        for metric, other in zip(in_inspect["metrics"], pair["metrics"], strict=True):
            assert metric == pytest.approx(other, abs=1e-12)
    frameworks = across["first"]["framework"], across["second"]["framework"]
    assert frameworks == ("inspect", "lm-eval")
    [pair] = compare(logs["weak"], outputs["weak"], "--all")["comparisons"]
    assert {metric["verdict"] for metric in pair["metrics"]} == {"INCONCLUSIVE"}
    assert {metric["difference"] for metric in pair["metrics"]} == {0.0}
    assert "framework" in [difference["name"] for difference in pair["differences"]]


def test_the_table_and_other_formats_have_the_same_metrics(logs, tmp_path):
    arguments = logs["weak"], logs["strong"], "--all"
    done = typed("compare", *arguments)
    assert done.exit_code == 0, done.output
    assert max(map(len, done.stdout.splitlines())) <= 80
    text = " ".join(done.stdout.split())
    assert "…" not in text
    assert "24 items that both have" in text
    assert "Other metrics, adjusted separately:" in text
    assert "MDE: minimum detectable effect" in text
    out = tmp_path / "out.json"
    options = "--margin", "0.02", "--format", "json", "--out", out
    assert typed("compare", *arguments, *options).stdout == ""
    comparison = json.loads(out.read_text(encoding="utf-8"))
    assert comparison["tests"] == 1
    [pair] = comparison["comparisons"]
    assert all(f"{metric['first']:.3f}" in done.stdout for metric in pair["metrics"])
    shares = [metric for metric in pair["metrics"] if metric["unit"] in ("share", "difference")]
    assert {metric["margin"] for metric in shares} == {0.02}
    for metric in pair["metrics"]:
        assert metric["p_adjusted"] is None or metric["p_adjusted"] >= metric["p_value"]
        assert metric["mde"] is None or metric["mde"] >= 0
    rows = list(csv.DictReader(io.StringIO(typed("compare", *arguments, "--format", "csv").stdout)))
    assert [row["metric"] for row in rows] == [metric["metric"] for metric in pair["metrics"]]
    assert float(rows[0]["ci_low"]) == pytest.approx(pair["metrics"][0]["ci_low"])


def test_runs_with_another_n_are_compared_and_the_items_left_out_are_counted(logs, tmp_path):
    fewer = run_model(tmp_path, TASK, TRAITS["strong"], n=20)
    [pair] = compare(logs["weak"], fewer)["comparisons"]
    assert (pair["items"], pair["first_only"], pair["second_only"]) == (20, 4, 0)
    text = " ".join(typed("compare", logs["weak"], fewer).stdout.split())
    assert "20 items that both have" in text
    assert "left out: answers to 4 items of the first run and 0 of the second" in text


def test_fail_on_exits_with_status_1_for_the_named_verdicts(logs):
    for first, second, fail_on, status in (
        ("strong", "weak", "worse", 1),
        ("weak", "strong", "worse", 0),
        ("weak", "strong", "different", 1),
        ("weak", "strong", "inconclusive", 0),
    ):
        options = "--metric", "adopted_suggestion", "--fail-on", fail_on
        done = typed("compare", logs[first], logs[second], *options)
        assert done.exit_code == status, (first, fail_on, done.output)
        assert ("--fail-on" in done.stderr) == (status == 1)


def test_a_run_without_parsed_answers_is_worse_with_its_reason(logs, tmp_path):
    mute = run_inspect(tmp_path, TASK, "simulated/mute", **PARAMETERS, form="judging")
    reason = "48 of 48 answers are unparsed"
    for fail_on in ("worse", "inconclusive", "different"):
        done = typed("compare", logs["strong"], mute, "--fail-on", fail_on)
        assert done.exit_code == 1, done.output
        assert f"simulated/mute (WORSE: {reason})" in done.stderr
    done = typed("compare", logs["strong"], mute)
    assert done.exit_code == 0
    before_table, _ = done.stdout.split("conformity: simulated/mute against")
    assert f"WORSE: {reason} (conformity of simulated/mute)" in before_table
    assert f"{reason}: " in before_table.split("WORSE: ")[0]
    [pair] = compare(logs["strong"], mute)["comparisons"]
    assert pair["regressions"] == [reason]
    assert pair["first"]["caveats"] == []
    assert pair["second"]["caveats"][0].startswith(f"{reason}: ")
    [row] = csv.DictReader(
        io.StringIO(typed("compare", logs["strong"], mute, "--format", "csv").stdout)
    )
    assert row["regressions"] == reason
    # The baseline need not be better: nothing can be concluded from a run without answers.
    again = copy_as_other_run(Path(mute), tmp_path / "again")
    done = typed("compare", mute, again / Path(mute).name, "--fail-on", "worse")
    assert done.exit_code == 1, done.output


def test_constant_answers_are_stated_before_the_table(tmp_path):
    task, parameters = "binary_qa/binaryqa_qa", {"data": "synthetic", "n": 24}
    paths = [
        run_inspect(tmp_path / name, task, f"simulated/{name}", **parameters)
        for name in ("always_no", "perfect")
    ]
    before_table, _ = typed("compare", *paths).stdout.split(
        "binaryqa_qa: simulated/perfect against"
    )
    sentence = "the model answers No to every prompt: 24 of 24 parsed answers"
    assert f"{sentence} (binaryqa_qa of simulated/always_no)" in " ".join(before_table.split())
    [pair] = compare(*paths)["comparisons"]
    assert (pair["first"]["caveats"], pair["second"]["caveats"]) == ([sentence], [])


def test_a_mistyped_value_is_refused_with_the_nearest_one(logs):
    for option, value, message in (
        ("--margin", "delta_ac=0.05", "'delta_ac' (did you mean 'delta_acc'?)"),
        ("--metric", "adopted_sugestion", "(did you mean 'adopted_suggestion'?)"),
        ("--task", "conformty", "'conformty' (did you mean 'conformity'?)"),
        ("--baseline", "nobody", "no run of conformity matches --baseline nobody"),
    ):
        done = typed("compare", logs["weak"], logs["strong"], option, value)
        assert done.exit_code == 3
        assert message in done.stderr
        assert done.stderr.count("\n") == 1


def test_runs_that_are_not_compared_are_reported_and_a_baseline_among_them_fails(logs, tmp_path):
    other = run_model(tmp_path / "other", TASK, TRAITS["weak"], seed=1)
    single = run_model(tmp_path / "single", "binary_qa/binaryqa_qa", {})
    done = typed("compare", logs["weak"], logs["strong"], other, single)
    assert done.exit_code == 0, done.output
    reason = "its parameters differ from those of the compared runs of conformity"
    assert f"not compared: {other}: {reason}" in done.stderr
    assert "seed 1 / 0" in done.stderr
    assert f"not compared: {single}: there is no other run of binaryqa_qa" in done.stderr
    done = typed("compare", logs["weak"], logs["strong"], other, "--baseline", other)
    assert (done.exit_code, "there is nothing to compare" in done.stderr) == (3, True)
    for paths in ((other, logs["weak"], logs["strong"]), (single, logs["weak"], logs["strong"])):
        done = typed("compare", *paths)
        assert done.exit_code == 3
        assert "moved_to_" in done.stdout
        assert f"not compared: {paths[0]}: " in done.stderr
    # What is not compared does not hide a regression.
    options = "--metric", "adopted_suggestion", "--fail-on", "worse"
    done = typed("compare", single, logs["strong"], logs["weak"], *options)
    assert (done.exit_code, f"not compared: {single}: " in done.stderr) == (1, True)


def test_exit_statuses_tell_a_wrong_command_from_runs_that_cannot_be_compared(logs, tmp_path):
    (tmp_path / "empty").mkdir()
    broken = tmp_path / "broken.eval"
    broken.write_bytes(Path(logs["weak"]).read_bytes()[:2000])
    for status, arguments in (
        (2, [tmp_path / "absent"]),
        (2, [logs["weak"], logs["strong"], "--fail-on", "better"]),
        (2, [logs["weak"], logs["strong"], "--all", "--metric", "rs"]),
        (3, [logs["weak"]]),
        (3, [tmp_path / "empty"]),
        (3, [logs["weak"], broken]),
        (3, [logs["weak"], logs["strong"], broken]),
        (3, [logs["weak"], logs["strong"], "--metric", "nothing"]),
        (0, [logs["weak"], logs["strong"]]),
    ):
        assert typed("compare", *arguments).exit_code == status, arguments
    described = typed("compare", "--help").stdout.partition("Exit status:")[2].splitlines()[1:5]
    assert [line.split()[0] for line in described] == ["0", "1", "2", "3"]
