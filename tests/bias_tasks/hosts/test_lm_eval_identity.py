"""What tells runs of lm-eval apart: digests in its results, and caches that know what is asked."""

import json
from dataclasses import replace

import pytest

from bias_tasks.binary_qa.prompts import ask as binary_prompts
from bias_tasks.families import load_family
from bias_tasks.harness.link import task_configs_folder
from bias_tasks.record import RECORD, run_record, version_of
from tests.bias_tasks.contract.runs import SPECS, inspect_task, small
from tests.bias_tasks.harness_runs import Answering, gold, load, log, run

TASK = "binaryqa_qa"
LM_EVAL = {
    "conformity": "ib_conformity_judging",
    "binaryqa": "binaryqa",
    "format_list": "format_list_synthetic",
    "complexeval_basic": "complexeval_basic",
    "complexeval_attention_limit": "complexeval_attention_limit",
}


def questions(path, word, right="Yes"):
    rows = [{"id": f"q{n}", "question": f"Is {n} {word}?", "answer": right} for n in range(4)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return {"data": str(path)}


def always(doc):
    return "Yes"


@pytest.fixture
def requests(tmp_path, monkeypatch):
    """Options that keep built requests in a cache of the test's own."""
    monkeypatch.setattr("lm_eval.caching.cache.PATH", str(tmp_path / "requests"))
    return {"cache_requests": True}


def asked(task, options=None, **metadata):
    """The requests that a model was sent."""
    model = Answering(always)
    run([task], model, options=options, **metadata)
    return [request.args for request in model.requests]


def test_the_digest_stands_in_the_results_file(tmp_path):
    results = run([TASK], gold, data="synthetic", n=4)
    log(results, TASK, tmp_path)
    [path] = tmp_path.rglob("results_*.json")
    written = json.loads(path.read_text(encoding="utf-8"))
    record = written["configs"][TASK]["metadata"][RECORD]
    assert len(record["digest"]) == 16
    assert written["versions"][TASK] == version_of(record) == f"2+{record['digest']}"


@pytest.mark.parametrize("task", LM_EVAL)
def test_both_hosts_know_the_same_questions_by_the_same_digest(task):
    family = next(family for family, spec in SPECS if spec.name == task)
    given = small(f"{family}/{task}")
    there = load(LM_EVAL[task], **given).config.metadata[RECORD]
    chosen = {"form": "judging"} if task == "conformity" else {}
    here = inspect_task(f"{family}/{task}", **given, **chosen).metadata[RECORD]
    assert there == here


def test_a_yaml_s_version_is_its_family_s():
    for path in task_configs_folder().rglob("_*.yaml"):
        text = path.read_text(encoding="utf-8")
        if "version:" in text:
            assert f"version: {load_family(path.parent.name).version}\n" in text


@pytest.mark.parametrize(
    "changed",
    [
        {"prompt": "x"},
        {"gold": "x"},
        {"facts": {"x": 1}},
        {"schema": {"x": 1}},
        {"id": "x"},
        {"cluster": "x"},
        {"repeats": True},
    ],
)
def test_the_digest_moves_with_every_part_of_a_question(changed):
    family = load_family("binary_qa")
    values = family.tasks[TASK].values({"data": "synthetic", "n": 4})
    plan = family.plan(TASK, values)
    first, *rest = plan.questions
    other = replace(plan, questions=(replace(first, **changed), *rest))
    digests = [run_record(family, TASK, values, each)["digest"] for each in (plan, plan, other)]
    assert digests[0] == digests[1] != digests[2]


@pytest.mark.parametrize(
    ("task", "one", "other"),
    [
        # What shows in no prompt: how figures are made, and what a solver does later.
        ("binary_qa/binaryqa", {}, {"weights": {"f1": 1.0}}),
        ("instruction_boundary/multi_turn", {"rounds": 2}, {"rounds": 3}),
        ("instruction_boundary/prompt_polishing", {}, {"polish": "live"}),
        ("complex_eval/complexeval_basic", {}, {"theta": 1}),
    ],
)
def test_the_digest_moves_with_every_parameter(task, one, other):
    digests = {
        inspect_task(task, **small(task), **given).metadata[RECORD]["digest"]
        for given in (one, other)
    }
    assert len(digests) == 2


def test_what_is_not_the_default_is_listed():
    task = inspect_task("output_format/format_wrapping", dataset="synthetic", n=2, repeat=3, seed=0)
    record = task.metadata[RECORD]
    assert record["changed"] == {"dataset": "synthetic", "n": 2, "repeat": 3}
    assert record["parameters"]["prompting"] == "zs"


def test_every_record_is_plain_json():
    for name, spec in SPECS:
        record = inspect_task(f"{name}/{spec.name}", **small(f"{name}/{spec.name}")).metadata[
            RECORD
        ]
        assert json.loads(json.dumps(record)).keys() == record.keys()


def test_built_requests_are_sent_again_while_nothing_changes(requests, monkeypatch, tmp_path):
    first = asked(TASK, requests, data="synthetic", n=4)
    built = []
    monkeypatch.setattr("lm_eval.api.task.save_to_cache", lambda **kept: built.append(kept))
    assert asked(TASK, requests, data="synthetic", n=4) == first
    assert built == []
    assert len(list((tmp_path / "requests").iterdir())) == 1


@pytest.mark.parametrize(
    ("task", "before", "after"),
    [
        (TASK, {"seed": 1}, {"seed": 2}),
        ("format_list_synthetic", {}, {"prompting": "zs_cot"}),
        ("format_list_synthetic", {}, {"protocol": "published"}),
        ("complexeval_basic", {}, {"aux": "none"}),
        ("complexeval_writing", {}, {"bias": "format"}),
        ("ib_vanilla_judging", {"seed": 1}, {"seed": 2}),
    ],
)
def test_built_requests_of_other_parameters_are_not_sent(requests, task, before, after):
    data = {"n": 4} if task.startswith("format") else {"data": "synthetic", "n": 4}
    fresh = asked(task, **data, **after)
    asked(task, requests, **data, **before)
    assert asked(task, requests, **data, **after) == fresh


def test_built_requests_of_other_content_are_not_sent(requests, tmp_path, monkeypatch):
    path = tmp_path / "mine.jsonl"
    asked(TASK, requests, **questions(path, "odd"))
    prime = asked(TASK, requests, **questions(path, "prime"))
    assert all("prime" in prompt for prompt, _ in prime)
    original = binary_prompts.template
    monkeypatch.setattr(binary_prompts, "template", lambda name: original(name) + " Think first.")
    assert all("Think first." in prompt for prompt, _ in asked(TASK, requests, data=str(path)))


def test_built_requests_of_other_generation_arguments_are_not_sent(requests):
    asked(TASK, requests, data="synthetic", n=4)
    warm = requests | {"gen_kwargs": {"temperature": 0.7}}
    sent = asked(TASK, warm, data="synthetic", n=4)
    assert {arguments["temperature"] for _, arguments in sent} == {0.7}


def test_built_requests_of_all_documents_do_not_stand_for_chosen_ones(requests):
    everything = asked(TASK, requests, data="synthetic", n=4)
    chosen = asked(TASK, requests | {"samples": {TASK: [2]}}, data="synthetic", n=4)
    assert chosen == everything[2:3]


def test_cached_answers_are_answers_to_the_same_prompts(tmp_path):
    path, options = tmp_path / "mine.jsonl", {"use_cache": str(tmp_path / "answers")}
    assert len(asked(TASK, options, **questions(path, "odd"))) == 4
    assert asked(TASK, options, data=str(path)) == []
    assert len(asked(TASK, options, **questions(path, "prime"))) == 4
    # Only what is right has changed: the same answers, scored anew.
    assert asked(TASK, options, **questions(path, "prime", right="No")) == []


@pytest.mark.parametrize(
    ("task", "given"),
    [
        ("binaryqa_nrc", {"weights": {"f1": 1.0, "nrc": 1.0}}),
        ("binaryqa_sc", {"reformulate": "skip"}),
        ("ib_vanilla_judging", {"suggest": "wrong", "paired": False}),
    ],
)
def test_what_other_tasks_of_a_run_take_changes_nothing_where_there_is_no_use_for_it(
    task, given, caplog
):
    alone, grouped = (load(task, data="synthetic", n=4, **more) for more in ({}, given))
    assert alone.config.metadata[RECORD] == grouped.config.metadata[RECORD]
    assert alone.task_docs.to_list() == grouped.task_docs.to_list()
    assert alone.aggregation().keys() == grouped.aggregation().keys()
    for name in given:
        assert f"{task}: `{name}` changes nothing in this task" in caplog.text


def test_tasks_of_one_run_may_be_given_weights_together():
    weights = {"f1": 0.5, "prc": 0.5}
    tasks = ["binaryqa", "binaryqa_nrc", "binaryqa_qa"]
    results = run(tasks, always, data="synthetic", n=8, weights=weights)
    records = {task: results["configs"][task]["metadata"][RECORD] for task in tasks}
    assert records["binaryqa"]["changed"]["weights"] == weights
    assert "weights" not in records["binaryqa_nrc"]["parameters"]
    assert "mbs,none" not in results["results"]["binaryqa_nrc"]
