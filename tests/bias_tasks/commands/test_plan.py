"""A plan counts the calls that a run makes, and the tokens that the model reports."""

import json
from pathlib import Path

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.log import read_eval_log

from bias_tasks import probe
from bias_tasks.commands.plan import (
    MESSAGE_TOKENS,
    build_plan_rows,
    estimate_tokens,
    plan_task,
)
from bias_tasks.contract.record import MAX_QUIET_CALLS
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.contract.runs import inspect_task, small
from tests.bias_tasks.harness_runs import load

TASKS = [
    "instruction_boundary/multi_turn",
    "binary_qa/binaryqa",
    "complex_eval/complexeval_basic",
    "judge_bias/self_preference",
]
MODEL = "simulated/wavering"
ROLES = {"judge_bias/self_preference": dict.fromkeys(("other", "jury"), "simulated/author")}
"""The other models of tasks that need some."""
SMALL = ("-T", "data=synthetic", "-T", "n=4", "--no-power", "--format", "json")
SUMS = f"{Path(__file__).parents[3]}/examples/sums.py@sums"


def plan_without_power(task, parameters, **options):
    return plan_task(task.partition("/")[2], parameters, power=False, **options)


def run_task(task, parameters, tmp_path, **options):
    quiet = {"log_dir": str(tmp_path), "display": "none", "score": False}
    [log] = inspect_eval(inspect_task(task, **parameters), model=MODEL, **quiet, **options)
    return read_eval_log(log.location, resolve_attachments=True)


def model_calls(log, model=None):
    events = (event for sample in log.samples for event in sample.events)
    return [event for event in events if event.event == "model" and model in (None, event.model)]


@pytest.mark.parametrize("task", TASKS)
def test_a_plan_s_calls_and_tokens_are_those_of_a_run(task, tmp_path):
    parameters = small(task)
    calls = model_calls(
        run_task(task, parameters, tmp_path, model_roles=ROLES.get(task, {})), MODEL
    )
    tokens_in = [sum(estimate_tokens(m.text) for m in call.input) for call in calls]
    tokens_out = sum(estimate_tokens(call.output.completion) for call in calls)
    plan = plan_without_power(task, parameters, answer_tokens=round(tokens_out / len(calls)))
    assert plan.calls.calls == len(calls)
    assert plan.calls.tokens_in == pytest.approx(
        sum(tokens_in) + MESSAGE_TOKENS * len(calls), rel=0.1
    )
    assert plan.calls.tokens_out == pytest.approx(tokens_out, abs=0.5 * len(calls))


def test_tokens_by_hand():
    words, capitalized, punctuation = 3 * 0.905, 5 * 0.264, 2 * 0.64
    others = 2 * 1.81 + 1.65 + 0.85 + 0.31 + 0.45  # 123 and 45, newlines, 中, ж, é
    total = words + capitalized + punctuation + others
    assert estimate_tokens("Nebraska's iPod\n\n12345 中жé.") == pytest.approx(total)


def test_rounds_epochs_and_a_polisher_are_counted(tmp_path):
    multi = "instruction_boundary/multi_turn"
    # 4 items: a vanilla call and four rounds each, twice.
    assert (
        plan_without_power(multi, {**small(multi), "rounds": 4}, epochs=2).calls.calls == 4 * 5 * 2
    )
    polishing = "instruction_boundary/prompt_polishing"
    parameters = {**small(polishing), "polish": "live"}
    polisher = "simulated/polisher"
    log = run_task(polishing, parameters, tmp_path, model_roles={"polisher": polisher})
    plan = plan_without_power(polishing, parameters)
    assert plan.calls.calls == len(model_calls(log, MODEL)) == 8
    assert plan.by_role["polisher"].calls == len(model_calls(log, polisher)) == 4
    rows = build_plan_rows([plan])
    assert [(row["role"], row["calls"]) for row in rows] == [(None, 8), ("polisher", 4)]


def test_the_command_prices_what_it_counts():
    arguments = ["conformity", "binaryqa", *SMALL]
    priced = [*arguments, "--price-in", "2", "--price-out", "10", "--tokens-out", "100"]
    plans = json.loads(typed("plan", *priced).output)
    assert [(plan["task"], plan["items"]) for plan in plans] == [("conformity", 4), ("binaryqa", 4)]
    for plan, n_calls in zip(plans, (8, 32), strict=True):
        assert (plan["calls"], plan["tokens_out"]) == (n_calls, 100 * n_calls)
        assert plan["cost_usd"] == pytest.approx((2 * plan["tokens_in"] + 1000 * n_calls) / 1e6)
    without_price = json.loads(typed("plan", *arguments).output)
    assert [list(row) for row in without_price] == [list(row) for row in plans]
    assert without_price[0]["cost_usd"] is without_price[0]["power_mde"] is None
    assert "--price-in" in typed("plan", *arguments[:-2]).output


def test_what_can_be_mistyped_is_one_line():
    wrong = {
        "conformty": "did you mean 'conformity'?",
        "conformity -T from=2": "unknown parameter 'from'",
        "conformity -T n": "expected NAME=VALUE",
        "conformity -T data=synthetic -T n=0": "an integer of at least 1, or all",
        "conformity --price-in 3": "give both --price-in and --price-out, or neither",
        "conformity -T data=nowhere.jsonl": "nowhere.jsonl",
        "conformity -T shard=0/3": "shard='0/3': expected which part of how many",
        "probe": "name the task to probe",
        "probe -T task=inspect_evals/nope": "package (pip install 'bias-tasks[evals]'): name one",
    }
    for arguments, message in wrong.items():
        result = typed("plan", *arguments.split())
        assert result.exit_code != 0, arguments
        assert message in result.output, arguments
        assert result.output.count("\n") == 1, arguments


def test_a_run_of_thousands_of_calls_reports_it_at_its_start(caplog):
    with caplog.at_level("WARNING"):
        inspect_task("instruction_boundary/conformity", data="synthetic", n=MAX_QUIET_CALLS // 2)
        load("binaryqa_qa_ll", data="synthetic", n=MAX_QUIET_CALLS // 2)
        assert "calls" not in caplog.text
        inspect_task("instruction_boundary/multi_turn", data="synthetic", n=MAX_QUIET_CALLS // 2)
    assert "multi_turn: 3,000 calls" in caplog.text
    with caplog.at_level("WARNING", logger="lm_eval.bias_tasks"):
        load("binaryqa_qa_ll", data="synthetic", n=MAX_QUIET_CALLS // 2 + 2)
    assert "2,004 calls" in caplog.text


def test_a_probe_s_calls_are_those_that_a_run_makes(tmp_path):
    probes = "order,reflect,paraphrase,polish,few_shot"
    plan = plan_task("probe", {"task": SUMS, "probes": probes, "n": 5})
    task = probe(task=SUMS, probes=probes, n=5)
    [log] = inspect_eval(
        task, model="simulated/examples/sums.py@Calculator", log_dir=str(tmp_path), display="none"
    )
    assert plan.by_role["polisher"].calls == 5
    assert plan.calls.calls + 5 == len(model_calls(log)) == 5 * (3 + 1 + 2 + 2 + 1)
    assert (plan.items, plan.power) == (5, None)
    assert any("paraphrase for 5" in note for note in plan.notes)
    parameters = {"task": SUMS.replace("@sums", "@right_sums"), "n": 4, "probes": "system"}
    assert plan_task("probe", parameters).calls.calls == 4 * 4
    with pytest.raises(ValueError, match="unknown parameter 'm'"):
        plan_task("probe", {**parameters, "m": 3})


@pytest.mark.filterwarnings("error")
def test_a_file_of_one_row_has_a_plan_without_a_warning_of_numpy(tmp_path):
    path = tmp_path / "one.jsonl"
    path.write_text('{"question": "Is water wet?", "answer": "Yes"}\n', encoding="utf-8")
    plan = plan_task("binaryqa", {"data": str(path)})
    assert (plan.items, plan.power) == (1, None)
