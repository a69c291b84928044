"""What tells runs of lm-eval apart: digests in its results, and caches that know what is asked."""

import json
from dataclasses import replace

import pytest

from bias_tasks.contract.questions import ScoringData
from bias_tasks.contract.record import RECORD, run_record, task_version
from bias_tasks.families import load_family
from bias_tasks.harness.link import task_configs_folder
from bias_tasks.instruction_boundary.items import FORMS
from bias_tasks.instruction_boundary.settings import SETTINGS
from tests.bias_tasks.contract.runs import SPECS, inspect_task, small
from tests.bias_tasks.harness_runs import Answering, gold, load, log, run

TASK = "binaryqa_qa"
NOT_ALONE = ("instruction_boundary", "multi_turn", "pushback", "format_bias", "self_preference")
"""Tasks that are a group in lm-eval, need an earlier run, or are Inspect's alone."""
SETTING_FORMS = {name: FORMS[index % 2] for index, name in enumerate(SETTINGS)}
BOTH = [
    (f"{family}/{spec.name}", SETTING_FORMS.get(spec.name))
    for family, spec in SPECS
    if spec.name not in NOT_ALONE
]
"""The other tasks, and the form of the lm-eval task."""


def questions(path, word, right="Yes"):
    rows = [{"id": f"q{n}", "question": f"Is {n} {word}?", "answer": right} for n in range(4)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return {"data": str(path)}


def asked(task, options=None, **metadata):
    model = Answering(lambda doc: "Yes")
    run([task], model, options=options, **metadata)
    return [request.args for request in model.requests]


def test_the_digest_stands_in_the_results_file(tmp_path):
    results = run([TASK], gold, data="synthetic", n=4)
    log(results, TASK, tmp_path)
    [path] = tmp_path.rglob("results_*.json")
    written = json.loads(path.read_text(encoding="utf-8"))
    record = written["configs"][TASK]["metadata"][RECORD]
    assert len(record["digest"]) == 16
    version = f"{load_family('binary_qa').version}+{record['digest']}"
    assert written["versions"][TASK] == task_version(record) == version
    for config in task_configs_folder().rglob("*.yaml"):
        text = config.read_text(encoding="utf-8")
        if "version:" in text and config.stem != "bias_profile":
            assert f"version: {load_family(config.parent.name).version}\n" in text


@pytest.mark.parametrize(("name", "form"), BOTH)
def test_both_hosts_know_the_same_questions_by_the_same_digest(name, form):
    task, given = name.partition("/")[2], small(name)
    there = load(f"ib_{task}_{form}" if form else task, **given).config.metadata[RECORD]
    # lm-eval has but two of the modes of structured output.
    chosen = {"form": form} if form else {"modes": "json"} if task == "format_structured" else {}
    assert there == inspect_task(name, **given, **chosen).metadata[RECORD]


def test_the_digest_moves_with_every_part_of_a_question_and_every_parameter():
    family = load_family("binary_qa")
    values = family.tasks[TASK].values({"data": "synthetic", "n": 4})
    plan = family.plan(TASK, values)
    first, *rest = plan.questions
    parts = {
        "prompt": "x",
        "gold": "x",
        "scoring_data": ScoringData(item="x", cluster="x", variant="x"),
        "schema": {"x": 1},
        "id": "x",
    }
    parts |= {"repeats": True}
    changed = [replace(first, **{name: value}) for name, value in parts.items()]
    plans = [plan, *(replace(plan, questions=(each, *rest)) for each in changed)]
    assert len({run_record(family, TASK, values, each)["digest"] for each in plans}) == 7
    for name, other in (
        # What shows in no prompt: how figures are made, and what a solver does later.
        ("binary_qa/binaryqa", {"weights": {"f1": 1.0}}),
        ("instruction_boundary/multi_turn", {"rounds": 3}),
        ("complex_eval/complexeval_basic", {"theta": 1}),
    ):
        tasks = [inspect_task(name, **small(name), **given) for given in ({}, other)]
        assert len({task.metadata[RECORD]["digest"] for task in tasks}) == 2, name


def test_built_requests_are_sent_again_while_nothing_changes(tmp_path, monkeypatch):
    monkeypatch.setattr("lm_eval.caching.cache.PATH", str(tmp_path / "requests"))
    options, path = {"cache_requests": True}, tmp_path / "mine.jsonl"
    given = {"data": "synthetic", "n": 4}
    first = asked(TASK, options, **given)
    assert asked(TASK, options, **given) == first
    assert len(list((tmp_path / "requests").iterdir())) == 1
    assert asked(TASK, options, **given, seed=2) == asked(TASK, **given, seed=2)
    assert asked(TASK, options | {"samples": {TASK: [2]}}, **given) == first[2:3]
    warm = asked(TASK, options | {"gen_kwargs": {"temperature": 0.7}}, **given)
    assert {arguments["temperature"] for _, arguments in warm} == {0.7}
    asked(TASK, options, **questions(path, "odd"))
    prime = asked(TASK, options, **questions(path, "prime"))
    assert all("prime" in prompt for prompt, _ in prime)


def test_cached_answers_are_answers_to_the_same_prompts(tmp_path):
    path, options = tmp_path / "mine.jsonl", {"use_cache": str(tmp_path / "answers")}
    assert len(asked(TASK, options, **questions(path, "odd"))) == 4
    assert asked(TASK, options, data=str(path)) == []
    assert len(asked(TASK, options, **questions(path, "prime"))) == 4
    # Only what is right has changed: the same answers, scored anew.
    assert asked(TASK, options, **questions(path, "prime", right="No")) == []


def test_what_other_tasks_of_a_run_take_changes_nothing_where_there_is_no_use_for_it():
    for task, given in (
        ("binaryqa_nrc", {"weights": {"f1": 1.0, "nrc": 1.0}}),
        ("ib_vanilla_judging", {"suggest": "wrong", "paired": False}),
    ):
        alone, grouped = (load(task, data="synthetic", n=4, **more) for more in ({}, given))
        assert alone.config.metadata[RECORD] == grouped.config.metadata[RECORD]
        assert alone.task_docs.to_list() == grouped.task_docs.to_list()
