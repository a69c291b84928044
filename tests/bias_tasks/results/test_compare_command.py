"""`bias-tasks compare` on finished runs of both hosts."""

import csv
import io
import json

import pytest

from bias_tasks.simulated.lm_eval_model import SimulatedLM
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.results.runs import evaluated, harness

PLANTED = {"weak": {"accuracy": 0.6, "adopt": 0.9}, "strong": {"accuracy": 0.95, "adopt": 0.05}}
ASKED = {"data": "synthetic", "n": 24}


def told(*arguments):
    done = typed("compare", *arguments, "--format", "json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def logged(folder, task, planted, **given):
    options = {"model_args": planted}
    return evaluated(folder, task, "simulated/steadfast", options=options, **given)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def logs(folder):
    """Of each model a log of `conformity`."""
    task = "instruction_boundary/conformity"
    return {n: logged(folder / n, task, p, form="judging", **ASKED) for n, p in PLANTED.items()}


@pytest.fixture(scope="module")
def outputs(folder):
    """Of each model lm-eval's results of the same task, with samples beside them."""
    found = {}
    for name, planted in PLANTED.items():
        model = SimulatedLM("steadfast", **planted)
        [found[name]] = harness(
            folder / f"lm_{name}", "ib_conformity_judging", model, **ASKED
        ).rglob("results_*.json")
    return found


def test_both_hosts_and_either_way_round_say_the_same(logs, outputs):
    chosen = ("--figures", "[ad]*")
    [by_inspect] = told(logs["weak"], logs["strong"], *chosen)["comparisons"]
    [by_harness] = told(outputs["weak"], outputs["strong"], *chosen)["comparisons"]
    [across] = told(logs["weak"], outputs["strong"], *chosen)["comparisons"]
    inspect, lm_eval, both = (
        [{n: round(v, 12) if isinstance(v, float) else v for n, v in each.items()} for each in pair]
        for pair in (by_inspect["figures"], by_harness["figures"], across["figures"])
    )
    assert inspect == lm_eval == both
    assert (across["first"]["host"], across["second"]["host"]) == ("inspect", "lm-eval")
    [pair] = told(logs["weak"], outputs["weak"], "--all")["comparisons"]
    assert {each["verdict"] for each in pair["figures"]} == {"INCONCLUSIVE"}
    assert {each["difference"] for each in pair["figures"]} == {0.0}


def test_the_table_and_other_formats_hold_the_same_figures(logs, tmp_path):
    both = logs["weak"], logs["strong"], "--all"
    done = typed("compare", *both)
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert "…" not in done.stdout
    row = next(line for line in lines if line.startswith("abandoned ↓"))
    assert row.split().count("BETTER") == 1
    said = " ".join(done.stdout.split())
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


def test_what_is_not_compared_is_named_and_a_baseline_among_it_fails(logs, folder):
    """A folder holds other parameters: nothing is left out without a word."""
    task = "instruction_boundary/conformity"
    other = logged(folder / "other", task, PLANTED["weak"], form="judging", seed=1, **ASKED)
    alone = logged(folder / "alone", "binary_qa/binaryqa_qa", {}, **ASKED)
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
