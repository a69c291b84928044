"""What a plan counts is what a run then asks: calls, and tokens as the model reports them."""

import json
from pathlib import Path

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.log import read_eval_log

from bias_tasks import probe
from bias_tasks.commands.plan import MESSAGE, estimated, plan_task
from bias_tasks.contract.record import MANY
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.contract.runs import inspect_task, small
from tests.bias_tasks.harness_runs import load

TASKS = [
    "instruction_boundary/multi_turn",
    "binary_qa/binaryqa",
    "complex_eval/complexeval_basic",
    "judging/self_preference",
]
MODEL = "simulated/wavering"
ROLES = {"judging/self_preference": dict.fromkeys(("other", "jury"), "simulated/author")}
"""What tasks need that ask further models."""
SMALL = ("-T", "data=synthetic", "-T", "n=4", "--no-effect", "--format", "json")
SUMS = f"{Path(__file__).parents[3]}/examples/sums.py@sums"


def planned(task, given, **options):
    return plan_task(task.partition("/")[2], given, effect=False, **options)


def asked(task, given, tmp_path, **options):
    quiet = {"log_dir": str(tmp_path), "display": "none", "score": False}
    [log] = inspect_eval(inspect_task(task, **given), model=MODEL, **quiet, **options)
    return read_eval_log(log.location, resolve_attachments=True)


def calls_made(log, model=None):
    events = (event for sample in log.samples for event in sample.events)
    return [e for e in events if e.event == "model" and model in (None, e.model)]


@pytest.mark.parametrize("task", TASKS)
def test_a_plan_s_calls_are_those_made_and_its_tokens_those_of_their_prompts(task, tmp_path):
    given = small(task)
    made = calls_made(asked(task, given, tmp_path, model_roles=ROLES.get(task, {})), MODEL)
    said = [sum(estimated(each.text) for each in call.input) for call in made]
    written = sum(estimated(call.output.completion) for call in made)
    plan = planned(task, given, answer_tokens=round(written / len(made)))
    assert plan.calls.calls == len(made)
    assert plan.calls.tokens_in == pytest.approx(sum(said) + MESSAGE * len(made), rel=0.1)
    assert plan.calls.tokens_out == pytest.approx(written, abs=0.5 * len(made))


def test_rounds_epochs_and_a_polisher_are_counted(tmp_path):
    multi = "instruction_boundary/multi_turn"
    # 4 items: a vanilla call and four rounds each, twice.
    assert planned(multi, {**small(multi), "rounds": 4}, epochs=2).calls.calls == 4 * 5 * 2
    polishing = "instruction_boundary/prompt_polishing"
    given = {**small(polishing), "polish": "live"}
    polisher = "simulated/polisher"
    log = asked(polishing, given, tmp_path, model_roles={"polisher": polisher})
    plan = planned(polishing, given)
    assert plan.calls.calls == len(calls_made(log, MODEL)) == 8
    assert plan.of_roles["polisher"].calls == len(calls_made(log, polisher)) == 4


def test_the_command_prices_what_it_counts():
    arguments = ["conformity", "binaryqa", *SMALL]
    priced = [*arguments, "--price-in", "2", "--price-out", "10", "--tokens-out", "100"]
    plans = json.loads(typed("plan", *priced).output)
    assert [(plan["task"], plan["items"]) for plan in plans] == [("conformity", 4), ("binaryqa", 4)]
    for plan, made in zip(plans, (8, 32), strict=True):
        calls = plan["calls"]
        assert (calls["calls"], calls["tokens_out"]) == (made, 100 * made)
        assert plan["dollars"] == pytest.approx((2 * calls["tokens_in"] + 1000 * made) / 1e6)
    assert json.loads(typed("plan", *arguments).output)[0]["dollars"] is None
    assert "--price-in" in typed("plan", *arguments[:-2]).output


def test_what_can_be_mistyped_is_one_line():
    wrong = {
        "conformty": "did you mean 'conformity'?",
        "conformity -T from=2": "unknown parameter 'from'",
        "conformity -T n": "expected NAME=VALUE",
        "conformity -T data=synthetic -T n=0": "a whole number from 1 on, or all",
        "conformity --price-in 3": "are given together",
        "conformity -T data=nowhere.jsonl": "nowhere.jsonl",
        "conformity -T shard=0/3": "shard='0/3': expected which part of how many",
        "probe": "name the task to probe",
    }
    for arguments, said in wrong.items():
        found = typed("plan", *arguments.split())
        assert found.exit_code != 0, arguments
        assert said in found.output, arguments
        assert found.output.count("\n") == 1, arguments


def test_a_run_of_thousands_of_calls_says_so_at_its_start(caplog):
    with caplog.at_level("WARNING"):
        inspect_task("instruction_boundary/conformity", data="synthetic", n=MANY // 2)
        load("binaryqa_qa_ll", data="synthetic", n=MANY // 2)
        assert "calls" not in caplog.text
        inspect_task("instruction_boundary/multi_turn", data="synthetic", n=MANY // 2)
    assert "multi_turn: 3,000 calls" in caplog.text
    with caplog.at_level("WARNING", logger="lm_eval.bias_tasks"):
        load("binaryqa_qa_ll", data="synthetic", n=MANY // 2 + 2)
    assert "2,004 calls" in caplog.text


def test_a_probe_s_calls_are_those_that_a_run_makes(tmp_path):
    probes = "order,reflect,paraphrase,polish,few_shot"
    plan = plan_task("probe", {"task": SUMS, "probes": probes, "n": 5})
    task = probe(task=SUMS, probes=probes, n=5)
    [log] = inspect_eval(
        task, model="simulated/examples/sums.py@Calculator", log_dir=str(tmp_path), display="none"
    )
    assert plan.of_roles["polisher"].calls == 5
    assert plan.calls.calls + 5 == len(calls_made(log)) == 5 * (3 + 1 + 2 + 2 + 1)
    assert (plan.items, plan.precision) == (5, None)
    assert any("paraphrase of 5" in note for note in plan.notes)
    given = {"task": SUMS.replace("@sums", "@right_sums"), "n": 4, "probes": "system"}
    assert plan_task("probe", given).calls.calls == 4 * 4
    with pytest.raises(ValueError, match="unknown parameter 'm'"):
        plan_task("probe", {**given, "m": 3})
