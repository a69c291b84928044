"""A name that a task does not take, or a value that it can't have, is refused in either host."""

import json

from lm_eval.tasks import TaskManager

from bias_tasks.contract.record import RECORD
from bias_tasks.data.errors import DataError
from bias_tasks.families import FAMILY_NAMES, load_family
from bias_tasks.harness.link import task_configs_folder
from bias_tasks.harness.parameters import read_parameters
from tests.bias_tasks.harness_runs import load, model_arguments

TASK = "binaryqa_qa"
SYNTHETIC = {"data": "synthetic", "n": 2}


def refusal(call):
    try:
        call()
    except (ValueError, DataError) as error:
        return str(error)
    return "not refused"


def test_lm_eval_refuses_what_is_misspelt_another_task_s_or_no_value():
    cases = [
        (TASK, {"protocl": "published"}, "did you mean 'protocol'"),
        (TASK, {"formats": "bolding"}, "`formats` belongs to format_"),
        (TASK, {"n": "x"}, "n='x': expected an integer of at least 1"),
        ("ib_conformity_choice", {"suggest": "spars"}, "did you mean 'sparse'"),
        ("ib_conformity_choice", {"form": "judging"}, "says form='choice'"),
        ("ib_conformity_choice", {"polish": "live"}, "needs Inspect's model roles"),
        ("binaryqa_nrc", {"data": "no.jsonl"}, "cannot read no.jsonl"),
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


def test_lm_eval_keeps_the_data_that_a_task_s_name_says(caplog):
    task = load("format_wrapping_synthetic", data="core", n=4)
    assert task.config.metadata[RECORD]["data"] == "synthetic"
    said = "format_wrapping_synthetic: the task's name says data='synthetic': `data` has no effect"
    assert said in caplog.text
    own_file = refusal(lambda: load("format_wrapping_synthetic", data="mine.jsonl"))
    advice = "says data='synthetic': for your own file, run the task format_wrapping_file"
    assert own_file.endswith(advice)
    for name in ("format_list_scidocs_bullet", "format_mapping_scirex_easy", "format_mcq_core"):
        task = "_".join(name.split("_")[:2])
        assert refusal(lambda name=name: load(name, data="mine.jsonl")).endswith(f"{task}_file")
        assert (task_configs_folder() / f"output_format/{task}_file.yaml").is_file()


def test_lm_eval_leaves_the_arguments_of_its_models_to_them():
    """The harness mixes them into the metadata, and nothing says which is which."""
    refused = []
    for family in map(load_family, FAMILY_NAMES):
        for spec in family.tasks.values():
            known = {
                parameter.name: parameter
                for parameter in (*spec.parameters, *family.group_parameters)
            }
            others = {name: "x" for name in model_arguments() if name not in known}
            said = refusal(
                lambda known=known, others=others: read_parameters(others, known.values(), {})
            )
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
    assert "did you mean 'domains'" in refusal(lambda: record(domain="x"))
    for name in ("domain", "temperature", "formats"):
        assert f"unknown parameter '{name}'" in refusal(lambda name=name: record({name: "x"}))
