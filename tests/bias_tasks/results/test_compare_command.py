"""`bias-tasks compare` on finished runs of both hosts."""

import csv
import io
import json

import pytest

from bias_tasks.simulated.lm_eval_model import SimulatedLM
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.results.runs import evaluated, harness

PLANTED = {"weak": {"accuracy": 0.6, "adopt": 0.9}, "strong": {"accuracy": 0.95, "adopt": 0.05}}
TASK, ASKED = "instruction_boundary/conformity", {"data": "synthetic", "n": 24}


def told(*arguments):
    done = typed("compare", *arguments, "--format", "json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def logged(folder, task, planted, **given):
    form, options = {"form": "judging"} if task == TASK else {}, {"model_args": planted}
    asked = ASKED | form | given
    return evaluated(folder, task, "simulated/steadfast", options=options, **asked)


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """Of each model a log of `conformity`."""
    folder = tmp_path_factory.mktemp("runs")
    return {name: logged(folder / name, TASK, planted) for name, planted in PLANTED.items()}


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """Of each model lm-eval's results of the same task, with samples beside them."""
    folder, task = tmp_path_factory.mktemp("outputs"), "ib_conformity_judging"
    models = {name: SimulatedLM("steadfast", **planted) for name, planted in PLANTED.items()}
    return {name: harness(folder / name, task, models[name], **ASKED) for name in models}


def test_both_hosts_and_either_way_round_say_the_same(logs, outputs):
    chosen = ("--figures", "[ad]*")
    [by_inspect] = told(logs["weak"], logs["strong"], *chosen)["comparisons"]
    [by_harness] = told(outputs["weak"], outputs["strong"], *chosen)["comparisons"]
    [across] = told(logs["weak"], outputs["strong"], *chosen)["comparisons"]
    for pair in (by_harness, across):
        for one, other in zip(by_inspect["figures"], pair["figures"], strict=True):
            assert one == pytest.approx(other, abs=1e-12)
    assert (across["first"]["host"], across["second"]["host"]) == ("inspect", "lm-eval")
    [pair] = told(logs["weak"], outputs["weak"], "--all")["comparisons"]
    assert {each["verdict"] for each in pair["figures"]} == {"INCONCLUSIVE"}
    assert {each["difference"] for each in pair["figures"]} == {0.0}


def test_the_table_and_other_formats_hold_the_same_figures(logs, tmp_path):
    both = logs["weak"], logs["strong"], "--all"
    done = typed("compare", *both)
    assert done.exit_code == 0, done.output
    assert max(map(len, done.stdout.splitlines())) <= 80
    said = " ".join(done.stdout.split())
    assert "…" not in said
    assert "24 items that both have" in said
    assert "Further figures, adjusted apart:" in said
    out = tmp_path / "out.json"
    assert (
        typed("compare", *both, "--margin", "0.02", "--format", "json", "--out", out).stdout == ""
    )
    found = json.loads(out.read_text(encoding="utf-8"))
    assert found["tests"] == 1
    [pair] = found["comparisons"]
    assert all(f"{each['first']:.3f}" in done.stdout for each in pair["figures"])
    shares = [each for each in pair["figures"] if each["unit"] in ("share", "difference")]
    assert {each["margin"] for each in shares} == {0.02}
    rows = list(csv.DictReader(io.StringIO(typed("compare", *both, "--format", "csv").stdout)))
    assert [row["figure"] for row in rows] == [each["figure"] for each in pair["figures"]]
    assert float(rows[0]["ci_low"]) == pytest.approx(pair["figures"][0]["ci_low"])


def test_a_gate_fails_on_what_it_is_told_to(logs):
    for one, other, on, status in (
        ("strong", "weak", "worse", 2),
        ("weak", "strong", "worse", 0),
        ("weak", "strong", "different", 2),
        ("weak", "strong", "inconclusive", 0),
    ):
        done = typed("compare", logs[one], logs[other], "--figures", "adopted", "--fail-on", on)
        assert done.exit_code == status, (one, on, done.output)
        assert ("--fail-on" in done.stderr) == (status == 2)


def test_what_is_mistyped_is_refused_with_the_nearest(logs):
    for option, value, said in (
        ("--margin", "delta_ac=0.05", "'delta_ac' (did you mean 'delta_acc'?)"),
        ("--figures", "adoptd", "'adoptd' (did you mean 'adopted'?)"),
        ("--task", "conformty", "'conformty' (did you mean 'conformity'?)"),
        ("--baseline", "nobody", "no run of conformity is the baseline nobody"),
    ):
        done = typed("compare", logs["weak"], logs["strong"], option, value)
        assert done.exit_code == 1
        assert said in done.stderr
        assert done.stderr.count("\n") == 1


def test_what_is_not_compared_is_named_and_a_baseline_among_it_fails(logs, tmp_path):
    """A folder holds other parameters: nothing is left out without a word."""
    other = logged(tmp_path / "other", TASK, PLANTED["weak"], seed=1)
    alone = logged(tmp_path / "alone", "binary_qa/binaryqa_qa", {})
    done = typed("compare", logs["weak"], logs["strong"], other, alone)
    assert done.exit_code == 0, done.output
    assert f"not compared: {other}: it asked otherwise than the runs of conformity" in done.stderr
    assert "seed 1 / 0" in done.stderr
    assert f"not compared: {alone}: no other run is of binaryqa_qa" in done.stderr
    for order in ((other, logs["weak"], logs["strong"]), (alone, logs["weak"], logs["strong"])):
        done = typed("compare", *order)
        assert done.exit_code == 1
        assert "moved_to_" in done.stdout
        assert f"not compared: {order[0]}: " in done.stderr
