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
    """Return the rows of a comparison, one per metric."""
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


def test_comparisons_are_the_same_in_and_across_both_frameworks(logs, tmp_path):
    outputs = {
        name: run_lm_eval(
            tmp_path / name, "ib_conformity_judging", SimulatedLM("steadfast", **t), **PARAMETERS
        )
        for name, t in TRAITS.items()
    }
    about_the_runs = {"first_model", "second_model", "first_log", "second_log", "differences"}
    in_inspect, in_lm_eval, across = (
        [
            {name: value for name, value in row.items() if name not in about_the_runs}
            for row in compare(first["weak"], second["strong"], "--metric", "[ad]*")
        ]
        for first, second in ((logs, logs), (outputs, outputs), (logs, outputs))
    )
    for rows in (in_lm_eval, across):
        for row, other in zip(in_inspect, rows, strict=True):
            assert row == pytest.approx(other, abs=1e-12)
    rows = compare(logs["weak"], outputs["weak"], "--all")
    assert {(row["verdict"], row["difference"]) for row in rows} == {("INCONCLUSIVE", 0.0)}
    assert "framework inspect / lm-eval" in rows[0]["differences"]


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
    metrics = json.loads(out.read_text(encoding="utf-8"))
    assert [row["headline"] for row in metrics].count(True) == 1
    assert all(f"{row['first']:.3f}" in done.stdout for row in metrics)
    shares = [row for row in metrics if row["unit"] in ("share", "difference")]
    assert {row["margin"] for row in shares} == {0.02}
    for row in metrics:
        assert row["p_adjusted"] is None or row["p_adjusted"] >= row["p_value"]
        assert row["mde"] is None or row["mde"] >= 0
    table = typed("compare", *arguments, "--margin", "0.02", "--format", "csv").stdout
    rows = list(csv.DictReader(io.StringIO(table)))
    assert [list(row) for row in rows] == [list(row) for row in metrics]
    for name in ("metric", "verdict", "first_log"):
        assert [row[name] for row in rows] == [row[name] for row in metrics]
    assert float(rows[0]["ci_low"]) == pytest.approx(metrics[0]["ci_low"])


def test_runs_with_another_n_are_compared_and_the_items_left_out_are_counted(logs, tmp_path):
    fewer = run_model(tmp_path, TASK, TRAITS["strong"], n=20)
    [row] = compare(logs["weak"], fewer)
    assert (row["items"], row["first_only"], row["second_only"]) == (20, 4, 0)
    text = " ".join(typed("compare", logs["weak"], fewer).stdout.split())
    assert "20 items that both have" in text
    assert "left out: answers to 4 items of the first run and 0 of the second" in text


@pytest.mark.parametrize(
    ("first", "second", "fail_on", "status"),
    [
        ("strong", "weak", "worse", 1),
        ("weak", "strong", "worse", 0),
        ("weak", "strong", "different", 1),
        ("weak", "strong", "inconclusive", 0),
    ],
)
def test_fail_on_exits_with_status_1_for_the_named_verdicts(logs, first, second, fail_on, status):
    options = "--metric", "adopted_suggestion", "--fail-on", fail_on
    done = typed("compare", logs[first], logs[second], *options)
    assert (done.exit_code, "--fail-on" in done.stderr) == (status, status == 1), done.output


def test_a_run_without_parsed_answers_is_worse_with_its_reason(logs, tmp_path):
    mute = run_inspect(tmp_path, TASK, "simulated/mute", **PARAMETERS, form="judging")
    reason = "48 of 48 answers are unparsed"
    for fail_on in ("worse", "inconclusive", "different"):
        done = typed("compare", logs["strong"], mute, "--fail-on", fail_on)
        assert done.exit_code == 1, done.output
        assert f"simulated/mute (WORSE: {reason})" in done.stderr
    before_table, _ = done.stdout.split("conformity: simulated/mute against")
    assert f"WORSE: {reason} (conformity of simulated/mute)" in before_table
    assert f"{reason}: " in before_table.split("WORSE: ")[0]
    [row] = compare(logs["strong"], mute)
    assert row["regressions"] == reason
    # The baseline need not be better: nothing can be concluded from a run without answers.
    again = copy_as_other_run(Path(mute), tmp_path / "again")
    done = typed("compare", mute, again / Path(mute).name, "--fail-on", "worse")
    assert done.exit_code == 1, done.output


def test_a_gate_that_measured_nothing_has_its_own_status(tmp_path):
    """Neither model has an `mbs`, and neither is worse than the other."""
    logs = [
        run_inspect(tmp_path / name, "binary_qa/binaryqa", f"simulated/{name}", n=5)
        for name in ("always_no", "always_yes")
    ]
    for status, *options in (
        (0,),
        (3, "--fail-on", "worse"),
        (3, "--fail-on", "different"),
        (1, "--fail-on", "inconclusive"),
        (3, "--fail-on", "worse", "--metric", "mbs*"),
        (0, "--fail-on", "worse", "--metric", "acc/original"),
    ):
        done = typed("compare", *logs, *options, columns=200)
        assert done.exit_code == status, options
        assert ("mbs is not measured" in done.stderr) == (status == 3)
        assert ("a domain lacks answers Yes or No" in done.stdout) == (
            "acc/original" not in options
        )


def test_constant_answers_are_stated_before_the_table(tmp_path):
    task, parameters = "binary_qa/binaryqa_qa", {"data": "synthetic", "n": 10}
    models = ("simulated/always_no", "simulated/perfect")
    paths = [run_inspect(tmp_path, task, model, **parameters) for model in models]
    stdout = typed("compare", *paths, columns=200).stdout
    before_table, _ = stdout.split("binaryqa_qa: simulated/perfect against")
    sentence = "answers No to all 10 prompts: 50 % right, as by chance"
    assert f"{sentence} (binaryqa_qa of simulated/always_no)" in before_table


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--margin", "delta_ac=0.05", "'delta_ac' (did you mean 'delta_acc'?)"),
        ("--metric", "adopted_sugestion", "(did you mean 'adopted_suggestion'?)"),
        ("--task", "conformty", "'conformty' (did you mean 'conformity'?)"),
        ("--baseline", "nobody", "no run of conformity matches --baseline nobody"),
    ],
)
def test_a_mistyped_value_is_refused_with_the_nearest_one(logs, option, value, message):
    done = typed("compare", logs["weak"], logs["strong"], option, value)
    assert (done.exit_code, done.stderr.count("\n")) == (3, 1)
    assert message in done.stderr


def test_runs_that_are_not_compared_are_reported_and_a_baseline_among_them_fails(logs, tmp_path):
    weak, strong = logs.values()
    other = run_model(tmp_path / "other", TASK, TRAITS["weak"], seed=1)
    single = run_model(tmp_path / "single", "binary_qa/binaryqa_qa", {})
    done = typed("compare", weak, strong, other, single)
    assert done.exit_code == 0, done.output
    reason = "its parameters differ from those of the compared runs of conformity"
    assert f"not compared: {other}: {reason}" in done.stderr
    assert "seed 1 / 0" in done.stderr
    assert f"not compared: {single}: there is no other run of binaryqa_qa" in done.stderr
    done = typed("compare", weak, strong, other, "--baseline", other)
    assert (done.exit_code, "there is nothing to compare" in done.stderr) == (3, True)
    for first in (other, single):
        done = typed("compare", first, weak, strong)
        assert (done.exit_code, "moved_to_" in done.stdout) == (3, True)
        assert f"not compared: {first}: " in done.stderr
    # What is not compared does not hide a regression.
    options = "--metric", "adopted_suggestion", "--fail-on", "worse"
    done = typed("compare", single, strong, weak, *options)
    assert (done.exit_code, f"not compared: {single}: " in done.stderr) == (1, True)


def test_exit_statuses_tell_a_wrong_command_from_runs_that_cannot_be_compared(logs, tmp_path):
    (tmp_path / "empty").mkdir()
    broken = tmp_path / "broken.eval"
    broken.write_bytes(Path(logs["weak"]).read_bytes()[:2000])
    both = list(logs.values())
    for status, arguments in (
        (2, [tmp_path / "absent"]),
        (2, [*both, "--fail-on", "better"]),
        (2, [*both, "--all", "--metric", "rs"]),
        (3, [logs["weak"]]),
        (3, [tmp_path / "empty"]),
        (3, [logs["weak"], broken]),
        (3, [*both, broken]),
        (3, [*both, "--metric", "nothing"]),
    ):
        assert typed("compare", *arguments).exit_code == status, arguments
    described = typed("compare", "--help").stdout.partition("Exit status:")[2].splitlines()[1:5]
    assert [line.split()[0] for line in described] == ["0", "1", "2", "3"]
