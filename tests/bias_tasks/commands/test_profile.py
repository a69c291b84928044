"""A profile: small frozen tasks, one per family, whose run can be resumed."""

import re
from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log, write_eval_log

from bias_tasks.commands.plan import plan_task
from bias_tasks.commands.profile import _plan_tasks, _share_for_calls, read_profile
from bias_tasks.results.answers import load_all_metrics
from bias_tasks.results.find import read_runs
from bias_tasks.results.run import split_problems
from tests.bias_tasks.command_line import typed

PROFILE = read_profile()
TASKS = {
    task: row | {"n": row["n"] // 5, "calls": row["calls"] // 5}
    for task, row in PROFILE["tasks"].items()
}
"""The tasks of the profile with few items."""


@pytest.fixture(autouse=True)
def tasks(monkeypatch, few_draws):
    """Return the tasks of the profile, from which a test may take some."""
    small = PROFILE | {"tasks": dict(TASKS)}
    monkeypatch.setattr("bias_tasks.commands.profile.read_profile", lambda: small)
    return small["tasks"]


def keep(tasks, *names):
    for task in {*tasks} - {*names}:
        del tasks[task]


def run(*words):
    return typed(*words, "--display", "none", columns=200)


def test_models_are_called_once_and_shown_side_by_side(tmp_path, tasks, monkeypatch):
    keep(tasks, "conformity", "binaryqa_nrc", "format_wrapping")
    models = "simulated/perfect,simulated/conformist"
    arguments = ("--model", models, "--calls", 100, "--base-model", "--max-tokens", 7)
    result = run("profile", *arguments, "--log-dir", tmp_path)
    assert result.exit_code == 0, result.output
    name = PROFILE["name"]
    first = rf"\d+% of the items of {name}, which is not comparable: (\d+) calls per model\n"
    [calls] = re.findall(first, result.output)
    assert 90 < int(calls) <= 100  # each task has a whole number of items
    paths = set(tmp_path.glob("*.eval"))
    logs = [read_eval_log(str(log), header_only=True) for log in paths]
    assert [log.plan.config.max_tokens for log in logs] == [7] * 6
    with_base_model = {
        log.eval.task.partition("/")[2] for log in logs if log.eval.task_args.get("base_model")
    }
    assert with_base_model == {"conformity", "binaryqa_nrc"}
    runs = {
        (one.model, one.record.task): one.metrics[one.headline]
        for one in map(load_all_metrics, split_problems(read_runs([tmp_path]))[0])
    }
    assert runs["simulated/perfect", "conformity"].value == 0
    monkeypatch.setattr("bias_tasks.commands.profile.render_page", lambda runs: "")
    again = run("profile", *arguments, "--log-dir", tmp_path)
    assert again.exit_code == 0, again.output
    assert set(tmp_path.glob("*.eval")) == paths  # no call is repeated
    assert again.output.split("unparsed")[1:] == result.output.split("unparsed")[1:]


def test_calls_tokens_and_cost_are_printed_before_the_first_call(tmp_path, tasks, monkeypatch):
    def refuse(*_, **__):
        raise ValueError("the first call")

    monkeypatch.setattr("inspect_ai.eval_set", refuse)
    words = ("profile", "--model", "simulated/perfect", "--log-dir", tmp_path)
    priced = (*words, "--price-in", 150, "--price-out", 600)
    result = run(*priced)
    rows = {task: row["parameters"] | {"n": row["n"]} for task, row in TASKS.items()}
    plans = [plan_task(task, values, power=False) for task, values in rows.items()]
    calls, tokens_in, tokens_out = (
        sum(round(getattr(plan.calls, name)) for plan in plans)
        for name in ("calls", "tokens_in", "tokens_out")
    )
    cost = (150 * tokens_in + 600 * tokens_out) / 1e6
    sums = [
        "all",
        f"{sum(plan.items for plan in plans):,}",
        f"{calls:,}",
        f"{tokens_in:,}",
        f"{tokens_out:,}",
        f"${cost:,.2f}",
    ]
    assert sums in [line.split() for line in result.output.splitlines()]
    assert result.output.splitlines()[-1] == "Error: the first call"
    assert "too few" not in result.output
    keep(tasks, "format_wrapping")
    assert "No price is known: give --price-in and --price-out" in run(*words).output


def test_a_part_shows_scaled_differences_of_two_models_without_a_simulation(tasks, monkeypatch):
    monkeypatch.setattr("bias_tasks.commands.plan._plan_power", None)
    [whole, part] = (_plan_tasks(share, base_model=False)[0] for share in (1, 0.25))
    assert part.pair_mde == {name: 2 * value for name, value in whole.pair_mde.items()}
    assert part.power is None
    monkeypatch.setattr("inspect_ai.eval_set", lambda *_, **__: (True, []))
    output = run("profile", "--model", "simulated/perfect", "--calls", 180).output
    assert output.splitlines()[0] == f"{PROFILE['name']}: counting the calls"
    assert len(output.splitlines()) <= 20, output


def test_the_recorded_calls_are_those_of_the_page_which_is_generated():
    page = (Path(__file__).parents[3] / "docs/core.md").read_text("utf-8")
    for task, row in PROFILE["tasks"].items():
        assert re.search(rf"`{task}` \| [\d,]+ \| {row['calls']:,} \|", page), task


def test_no_more_calls_are_announced_than_allowed():
    plans = _plan_tasks(base_model=False)
    total = sum(plan.calls.calls for plan in plans)
    for calls in (250, 400, 10_000):
        share = _share_for_calls(calls)
        announced = sum(plan.calls.calls for plan in _plan_tasks(share, base_model=False))
        assert 0.9 * min(calls, total) <= announced <= 1.05 * calls, calls


def test_fresh_items_replace_the_generated_ones_and_are_another_profile(tmp_path, tasks):
    tasks |= {task: row | {"n": 12} for task, row in tasks.items()}
    frozen, fresh = (
        {plan.task: plan.parameters for plan in _plan_tasks(base_model=False, seed=seed)}
        for seed in (None, 7)
    )
    for task, values in frozen.items():
        is_generated = values.get("data") == "hard"
        assert fresh[task] == ({**values, "seed": 7} if is_generated else values), task
    keep(tasks, "binaryqa_nrc")
    words = ("--model", "simulated/perfect", "--items", "fresh:7", "--log-dir", tmp_path)
    output = run("profile", *words).output
    assert f"{PROFILE['name']} with items of seed 7, which is not comparable" in output
    [log] = [read_eval_log(str(log), header_only=True) for log in tmp_path.glob("*.eval")]
    assert log.eval.task_args["seed"] == 7


def test_runs_of_two_profiles_are_not_compared(tmp_path, tasks):
    keep(tasks, "format_wrapping")
    for name in ("old", "new"):
        words = ("--model", "simulated/perfect", "--calls", 50, "--log-dir", tmp_path / name)
        assert run("profile", *words).exit_code == 0
    [path] = (tmp_path / "old").glob("*.eval")
    log = read_eval_log(str(path))
    log.eval.tags = ["bias-profile-2"]
    write_eval_log(log, str(path))
    result = typed("compare", tmp_path / "old", tmp_path / "new")
    assert "two versions of the bias profile (bias-profile-2 / bias-profile-3)" in result.output
    assert "run both with one version of bias-tasks" in result.output


def test_what_can_be_mistyped_is_one_line(tmp_path, tasks):
    keep(tasks, "format_wrapping")
    for arguments, message in {
        "": "Missing option '--model'",
        "--model simulated/conformst": "did you mean 'conformist'?",
        "--model nobody/knows": "nobody",
        "--model openai-api/keyless/m": "Simulated models need no key: --model simulated/",
        "--model simulated/perfect --calls 30": "30 calls are too few: give --calls",
        "--model simulated/perfect --price-in 1": "give both --price-in and --price-out",
        "--model simulated/perfect --items fresh:x": "expected fresh:SEED, such as fresh:7",
        "--model simulated/perfect -M adopt": "expected NAME=VALUE",
        "--model simulated/perfect -M adopt=7": "adopt",
    }.items():
        result = run("profile", *arguments.split(), "--log-dir", tmp_path)
        assert result.exit_code != 0, arguments
        assert message in result.output, arguments
        assert result.output.splitlines()[-1].startswith("Error: "), arguments
