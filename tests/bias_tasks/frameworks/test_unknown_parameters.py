"""A name that a task does not take, or a value that it can't have, is refused in either host."""

import json
from importlib import import_module
from weakref import WeakSet

from lm_eval.tasks import TaskManager

from bias_tasks.contract.record import RECORD
from bias_tasks.data.errors import DataError
from bias_tasks.families import FAMILY_NAMES, load_family
from bias_tasks.harness.link import task_configs_folder
from bias_tasks.harness.parameters import check_keys
from bias_tasks.harness.task import FamilyTask
from tests.bias_tasks.harness_runs import Answering, gold, load, model_arguments, run

TASK = "binaryqa_qa"
SYNTHETIC = {"data": "synthetic", "n": 2}


def refusal(call):
    try:
        call()
    except (ValueError, DataError) as error:
        return "\n".join([str(error), *getattr(error, "__notes__", ())])
    return "not refused"


def test_lm_eval_refuses_what_is_misspelt_another_task_s_or_no_value():
    cases = [
        (TASK, {"n": "x"}, "n='x': expected an integer of at least 1"),
        ("ib_conformity_choice", {"suggest": "spars"}, "did you mean 'sparse'"),
        ("ib_conformity_choice", {"form": "judging"}, "says form='choice'"),
        ("ib_conformity_choice", {"suggest": "Unknown"}, "suggest=Unknown"),
        ("ib_multi_turn_choice", {"rounds": 2}, "`rounds`"),
        ("ib_prompt_polishing_choice", {"polish": "live"}, "needs Inspect's model roles"),
        ("binaryqa_nrc", {"data": "no.jsonl"}, "cannot read no.jsonl"),
        ("binaryqa_nrc", {"data": "no.jsonl"}, "--metadata"),
        ("binaryqa_nrc", {"domains": "readng"}, "did you mean 'reading'"),
        ("complexeval_role_playing", {"data": "paper"}, "has no attacked responses"),
        *(
            (TASK, {"shard": shard}, "expected which part of how many, such as")
            for shard in ("0/3", "4/3", "1/0", "a/b", 3, [1, 2], "1/3 ", float("nan"), "1/3\n")
        ),
    ]
    told = [
        (case, refusal(lambda case=case: load(case[0], **SYNTHETIC | case[1]))) for case in cases
    ]
    assert [(case, said) for case, said in told if case[2] not in said] == []


def test_a_key_that_no_task_of_a_run_reads_is_named_or_refused_before_the_first_call(
    caplog, monkeypatch
):
    monkeypatch.setattr(FamilyTask, "_unchecked", WeakSet())  # other tests load tasks, too
    tasks, model = ["ib_conformity_choice", "ib_few_shot_choice"], Answering(gold)
    read = {"n": 2, "data": "core", "suggest": "wrong", "shots": 2, "reasoning": False}
    run(tasks, model, **read)
    assert "no task of this run reads" not in caplog.text
    asked = len(model.requests)
    for given, told in (
        ({"N": 4}, "unknown parameter 'N': did you mean 'n'?"),
        ({"sugest": "wrong"}, "unknown parameter 'sugest': did you mean 'suggest'?"),
        ({"shot": 2}, "unknown parameter 'shot': did you mean 'shots'?"),
    ):
        assert told in refusal(lambda given=given: run(tasks, model, **read, **given))
    assert len(model.requests) == asked
    import_module("lm_eval.models.api_models")  # it has an argument `base_url`
    run(tasks, model, **read, formats="bolding", colour=3, base_url="x", unset=None)
    [warned] = [line for line in caplog.messages if "no task of this run reads" in line]
    assert "reads `formats`, `colour` in --metadata: leave out" in warned


def test_each_task_of_a_run_reads_its_own_keys(caplog):
    results = run(["format_mcq", TASK], gold, n=2, data="core", formats="text", domains="reading")
    records = [results["configs"][name]["metadata"][RECORD] for name in ("format_mcq", TASK)]
    assert [list(record["task_args"]) for record in records] == [
        ["data", "formats", "n"],
        ["domains", "n"],
    ]
    assert "no task of this run reads" not in caplog.text


def test_lm_eval_leaves_the_arguments_of_its_models_to_them():
    """The harness mixes them into the metadata, and nothing says which is which."""
    import_module("lm_eval.models.api_models")
    arguments, refused = model_arguments(), []
    for family in map(load_family, FAMILY_NAMES):
        for spec in family.tasks.values():
            known = [parameter.name for parameter in spec.parameters]
            others = dict.fromkeys(arguments - {*known}, "x")
            said = refusal(lambda k=known, o=others: check_keys(o, k, warn=True))
            refused += [] if said == "not refused" else [said]
    assert refused == []


def test_a_yaml_of_one_s_own_gives_parameters_and_is_refused_alike(tmp_path):
    def record(kwargs=(), **metadata):
        config = {
            "include": str(task_configs_folder() / "binary_qa" / "_binary_qa.yaml"),
            "task": "my_task",
            "dataset_kwargs": {"task": TASK, **dict(kwargs)},
            "metadata": {**SYNTHETIC, **metadata},
        }
        (tmp_path / "my_task.yaml").write_text(json.dumps(config), encoding="utf-8")
        told = TaskManager(include_path=str(tmp_path), include_defaults=False)
        return told.load(["my_task"])["tasks"]["my_task"].config.metadata["bias_tasks"]

    found = record(version=3, description="mine", num_fewshot=0, seed=4)
    assert found["task_args"] == {**SYNTHETIC, "seed": 4}
    for name in ("domain", "temperature", "formats"):
        assert f"unknown parameter '{name}'" in refusal(lambda name=name: record({name: "x"}))
