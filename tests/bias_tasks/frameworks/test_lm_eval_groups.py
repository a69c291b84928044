"""Groups of lm-eval: the bias profile, a row per task, and requests that several tasks share."""

import math
from collections import Counter
from itertools import count

import pytest
from lm_eval.evaluator import evaluate as run_loaded
from lm_eval.tasks._yaml_loader import load_yaml

import bias_tasks
from bias_tasks.contract.record import RECORD, RECORD_HEADLINE
from bias_tasks.data.files import read_yaml
from bias_tasks.harness.link import task_configs_folder
from bias_tasks.simulated.lm_eval_model import SimulatedLM
from tests.bias_tasks.harness_runs import Answering, manager, run
from tests.bias_tasks.inspect_runs import evaluate

PROFILE = read_yaml("bias_tasks.commands", "profile")
IN_LM_EVAL = {task: row for task, row in PROFILE["tasks"].items() if task != "pushback"}
TRAITS = {"accuracy": 0.7, "adopt": 0.4, "negation": 0.3, "accuracy_italicizing": 0.4, "seed": 5}
TRAITS |= {"reference_pull": 0.4, "authority_pull": 0.4, "length_pull": 0.3, "noise": 0.06}
SHARING = ["ib_vanilla_choice", "ib_conformity_choice", "ib_few_shot_choice"]


def rows(results):
    """The metrics of each row of the table of groups, by the name of the row."""
    return {
        name: [key.removesuffix(",none") for key in row if key.endswith(",none")]
        for name, row in results["groups"].items()
    }


def headlines(results):
    return {
        task: config["metadata"][RECORD][RECORD_HEADLINE]
        for task, config in results["configs"].items()
    }


def counting():
    """A model that answers with the number of the call, so that no two answers are equal."""
    calls = count()
    return Answering(lambda doc: f"Final Answer: {next(calls)}")


def baselines(results, task):
    """The answers to the baseline prompts of a task by prompt."""
    samples = results["samples"][task]
    return {s["doc"]["prompt"]: s["resps"] for s in samples if s["doc"]["id"].endswith("/vanilla")}


def test_the_profile_of_lm_eval_is_the_profile():
    files = {path.stem: path for path in task_configs_folder().rglob("bias_profile*.yaml")}
    group = load_yaml(files.pop("bias_profile"))
    assert f"bias profile {group['metadata']['version']}" == PROFILE["name"]
    assert [name for row in group["task"] for name in row["task"]] == [
        f"bias_profile_{task}" for task in IN_LM_EVAL
    ]
    assert len(files) == len(IN_LM_EVAL)
    for row, (task, declared) in zip(group["task"], IN_LM_EVAL.items(), strict=True):
        fixed = {"task": task, "n": declared["n"], **declared["parameters"]}
        assert load_yaml(files[f"bias_profile_{task}"])["dataset_kwargs"] == fixed
        assert row["metadata"] == {"version": group["metadata"]["version"]}


def test_the_profile_has_the_figures_of_inspect(tmp_path, caplog):
    model = SimulatedLM(**TRAITS)
    results = run(["bias_profile"], model, n=10)
    assert len(rows(results)) == len(IN_LM_EVAL)
    for task, row in IN_LM_EVAL.items():
        built = getattr(bias_tasks, task)(**row["parameters"], n=10)
        log = evaluate(built, tmp_path, model_args=TRAITS, max_samples=1)
        metrics = log.results.scores[0].metrics
        headline = next(iter(metrics))
        shown = results["groups"][f"bias_profile::{task}_headline"]
        assert rows(results)[f"bias_profile::{task}_headline"] == [headline, f"{headline}_stderr"]
        assert shown[f"{headline},none"] == pytest.approx(metrics[headline].value)
        assert shown[f"{headline}_stderr,none"] == pytest.approx(metrics["stderr"].value)
        assert math.isfinite(metrics["stderr"].value), task
    said = Counter(caplog.messages)
    assert said[f"bias_profile with n=10 is not comparable with {PROFILE['name']}"] == 1
    [lacks] = [message for message in said if "lacks the profile's task `pushback`" in message]
    assert said[lacks] == 1


def test_a_profile_is_not_larger_and_has_no_other_parameters():
    # The task of the second one has a default `n`, which is not that of the profile.
    for task, given in (("format_wrapping", {"n": 1000}), ("judge_pairwise", {})):
        [loaded] = manager(**given).load([f"bias_profile_{task}"])["tasks"].values()
        assert loaded.config.metadata[RECORD]["parameters"]["n"] == IN_LM_EVAL[task]["n"]
        assert not any("not comparable" in notice for notice in loaded._run_notices)
    with pytest.raises(ValueError, match="the task's name says data='core'"):
        manager(data="paper").load(["bias_profile_format_wrapping"])
    changed = manager(seed=4).load(["bias_profile_format_wrapping"])["tasks"].values()
    assert "seed=4 is not comparable" in next(iter(changed))._run_notices[-1]


def test_every_task_of_a_group_has_a_row_with_its_headline():
    groups = ["ib_judging", "output_format", "complexeval"]
    results = run(groups, lambda doc: "Final Answer: A", data="core", n=2)
    assert not [key for row in results["results"].values() for key in row if "_stderr_std" in key]
    shown = rows(results)
    assert shown.pop("complexeval") == ["asr_excess", "asr_excess_stderr"]
    tasks_by_group = results["group_subtasks"].items()
    by_task = {
        task: shown[name] for name, tasks in tasks_by_group for task in tasks if name in shown
    }
    assert {task: metrics[0] for task, metrics in by_task.items()} == headlines(results)
    assert by_task["format_mcq"] == ["format_std", "format_std_stderr"]


@pytest.mark.parametrize("limit", [None, 3])
def test_a_baseline_is_asked_once_in_a_run(limit, tmp_path):
    options = {"limit": limit, "use_cache": str(tmp_path / "answers")}
    model, given = counting(), {"data": "core", "n": 4}
    results = run(SHARING, model, options=options, **given)
    asked = [request.args[0] for request in model.requests]
    assert len(asked) == len(set(asked))
    first, *others = (baselines(results, task) for task in SHARING)
    n_docs = sum(len(results["samples"][task]) for task in SHARING)
    shared = [prompt for other in others for prompt in other if prompt in first]
    assert len(asked) == n_docs - len(shared) < n_docs
    for other in others:
        assert other
        assert other == {prompt: first[prompt] for prompt in other}
    # What is copied is no other request in the cache.
    again = counting()
    repeated = run(SHARING, again, options=options, **given)
    assert again.requests == []
    for task, samples in results["samples"].items():
        assert [s["resps"] for s in repeated["samples"][task]] == [s["resps"] for s in samples]


def test_tasks_that_run_again_ask_the_other_model():
    loaded = manager(data="core", n=4).load(SHARING)
    models = [counting(), Answering(lambda doc: "Final Answer: B")]
    _, second = (run_loaded(model, loaded) for model in models)
    assert len(models[0].requests) == len(models[1].requests)
    for task in SHARING:
        assert {row["resps"][0][0] for row in second["samples"][task]} == {"Final Answer: B"}
    alone = Answering(lambda doc: "Final Answer: C")
    run_loaded(alone, {"tasks": {SHARING[1]: loaded["tasks"][SHARING[1]]}})
    assert len(alone.requests) == 8


def test_repeats_and_requests_of_several_processes_are_asked():
    model = counting()
    run(["binaryqa_sc", "binaryqa_qa", "binaryqa"], model, n=4)
    asked = Counter((request.args[0], request.question.repeats) for request in model.requests)
    assert {repeats: n for (_, repeats), n in asked.items()} == {False: 1, True: 4}
    tasks = manager(data="core", n=4).load(SHARING)["tasks"].values()
    for task in tasks:
        task.build_all_requests(rank=0, world_size=2)
    assert {request.repeats for task in tasks for request in task.instances} == {1}
