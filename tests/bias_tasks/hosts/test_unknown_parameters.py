"""A name that a task does not take is refused by name in either host, however it is given."""

import json

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai import eval_set
from lm_eval import simple_evaluate
from lm_eval.tasks import TaskManager

from bias_tasks.harness.link import task_configs_folder
from tests.bias_tasks.harness_runs import Answering, manager, typed

TASK = "binaryqa_qa"
SYNTHETIC = {"data": "synthetic", "n": 2}
UNKNOWN = [
    ("protocl", "published", "did you mean 'protocol'"),
    ("nn", None, "did you mean 'n'"),
    ("temperature", 0.7, "unknown parameter 'temperature'"),
    ("pretrained", "x", "unknown parameter 'pretrained'"),
    ("description", "x", "unknown parameter 'description'"),
    ("version", 9, "unknown parameter 'version'"),
    ("num_fewshot", 5, "unknown parameter 'num_fewshot'"),
    ("config_source", "x", "unknown parameter 'config_source'"),
    ("bias_tasks", {}, "unknown parameter 'bias_tasks'"),
    ("task", "binaryqa", "unknown parameter 'task'"),
    ("formats", "bolding", "`formats` belongs to format_mcq"),
]
every_unknown = pytest.mark.parametrize(("name", "value", "said"), UNKNOWN)


def evaluated(tasks=(TASK,), model_args=None, **options):
    return simple_evaluate(
        model=Answering(lambda doc: "Yes"),
        model_args=model_args,
        tasks=list(tasks),
        bootstrap_iters=0,
        **options,
    )


@every_unknown
def test_lm_eval_refuses_it_from_a_task_manager(name, value, said):
    with pytest.raises(ValueError, match=said):
        evaluated(task_manager=manager(**SYNTHETIC, **{name: value}))


@every_unknown
def test_lm_eval_refuses_it_where_no_evaluation_runs(name, value, said):
    with pytest.raises(ValueError, match=said):
        manager(**SYNTHETIC, **{name: value}).load([TASK])


@pytest.mark.parametrize("model_args", [{"pretrained": "x", "temperature": 0.5}, "pretrained=x"])
def test_lm_eval_lets_the_arguments_of_its_model_pass_with_their_own_values(model_args):
    given = {"pretrained": "x"} | (model_args if isinstance(model_args, dict) else {})
    results = evaluated(model_args=model_args, task_manager=manager(**SYNTHETIC, **given))
    assert results["results"][TASK]
    with pytest.raises(ValueError, match="unknown parameter 'pretrained'"):
        evaluated(
            model_args=model_args,
            task_manager=manager(**SYNTHETIC, **given | {"pretrained": "y"}),
        )


def test_an_argument_that_model_and_task_share_is_taken_and_said(caplog):
    results = evaluated(model_args={"seed": 5}, task_manager=manager(**SYNTHETIC, seed=5))
    record = results["configs"][TASK]["metadata"]["bias_tasks"]
    assert record["changed"]["seed"] == 5
    assert "seed=5 of --model_args is taken by the task too" in caplog.text
    caplog.clear()
    told = evaluated(model_args={"seed": 5}, task_manager=manager(**SYNTHETIC, seed=0))
    assert "seed" not in told["configs"][TASK]["metadata"]["bias_tasks"]["changed"]
    assert "of --model_args" not in caplog.text


def own_yaml(folder, kwargs=(), **metadata):
    """A task of the user's own, made of ours; JSON is YAML."""
    config = {
        "include": str(task_configs_folder() / "binary_qa" / "_binary_qa.yaml"),
        "task": "my_task",
        "dataset_kwargs": {"task": TASK, **dict(kwargs)},
        "metadata": {**SYNTHETIC, **metadata},
    }
    (folder / "my_task.yaml").write_text(json.dumps(config), encoding="utf-8")
    return TaskManager(include_path=str(folder), include_defaults=False)


def test_a_yaml_may_give_parameters_and_say_what_it_is(tmp_path):
    told = own_yaml(tmp_path, version=3, description="mine", num_fewshot=0, seed=4)
    task = told.load(["my_task"])["tasks"]["my_task"]
    assert task.config.metadata["bias_tasks"]["changed"] == {**SYNTHETIC, "seed": 4}


@pytest.mark.parametrize("where", ["metadata", "dataset_kwargs"])
@pytest.mark.parametrize(
    ("name", "said"), [("domain", "did you mean 'domains'"), ("temperature", "'temperature'")]
)
def test_a_yaml_s_unknown_name_is_refused(tmp_path, where, name, said):
    given = {"kwargs": {name: "x"}} if where == "dataset_kwargs" else {name: "x"}
    told = own_yaml(tmp_path, **given)
    with pytest.raises(ValueError, match=said):
        told.load(["my_task"])


def test_a_yaml_may_not_fix_what_the_task_does_not_take(tmp_path):
    told = own_yaml(tmp_path, kwargs={"formats": "bolding"})
    with pytest.raises(ValueError, match="unknown parameter 'formats'"):
        told.load(["my_task"])


def test_the_command_refuses_it_and_names_the_nearest():
    given = json.dumps({**SYNTHETIC, "protocl": "published"})
    done = typed("--model", "dummy", "--tasks", TASK, "--metadata", given)
    assert done.returncode != 0
    assert "unknown parameter 'protocl': did you mean 'protocol'?" in done.stderr
    arguments = ["--model_args", "temperature=0.5", "--metadata", "data=synthetic", "n=2", "top=1"]
    done = typed("--model", "dummy", "--tasks", TASK, *arguments)
    assert "unknown parameter 'top'" in done.stderr


@pytest.mark.parametrize(
    ("task", "given", "said"),
    [
        ("complexeval_attention_limit", {"data": "synthetic"}, "unknown parameter 'data'"),
        ("complexeval_attention_limit", {"modes": "joint"}, "did you mean 'mode'"),
        ("binaryqa_nrc", {"weights": {"f1": 1}}, "unknown parameter 'weights'"),
        ("vanilla", {"unknown": 1}, "unknown parameter 'unknown'"),
        ("format_mcq", {"factory": 1}, "unknown parameter 'factory'"),
    ],
)
def test_inspect_refuses_it(task, given, said, tmp_path):
    for run in (inspect_eval, eval_set):
        with pytest.raises(ValueError, match=said):
            run(
                f"bias_tasks/{task}",
                task_args=given,
                model="simulated/perfect",
                log_dir=str(tmp_path),
                display="none",
            )


def test_inspect_takes_what_is_declared_from_a_command_line(tmp_path):
    [log] = inspect_eval(
        "bias_tasks/complexeval_attention_limit",
        task_args={"mode": "joint", "k": 0, "n": 1},
        model="simulated/fair_judge",
        log_dir=str(tmp_path),
        display="none",
    )
    assert log.status == "success"
    assert log.eval.task_args_passed == {"mode": "joint", "k": 0, "n": 1}
    assert log.eval.task_args.keys() == {"mode", "k", "protocol", "seed", "n", "shard"}
