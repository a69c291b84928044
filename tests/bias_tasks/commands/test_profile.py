"""A profile: small frozen tasks, one a family, that go on where they stopped."""

from inspect_ai.log import read_eval_log

from bias_tasks.results.find import read_runs
from bias_tasks.results.run import Run
from tests.bias_tasks.commands.asking import run


def test_models_are_asked_once_and_shown_side_by_side(tmp_path):
    models = "simulated/perfect,simulated/conformist"
    arguments = ("--model", models, "--calls", 200, "--base", "--max-tokens", 7)
    found = run("profile", *arguments, "--log-dir", tmp_path)
    assert found.exit_code == 0, found.output
    assert "13% of the items of bias profile 1, which is not comparable" in found.output
    assert "202 calls of each model" in found.output
    paths = set(tmp_path.glob("*.eval"))
    logs = [read_eval_log(str(log), header_only=True) for log in paths]
    assert [log.plan.config.max_tokens for log in logs] == [7] * 10
    based = {log.eval.task.partition("/")[2] for log in logs if log.eval.task_args.get("base")}
    assert based == {"conformity", "binaryqa"}
    runs = {
        (each.model, each.record["task"]): each.metrics[each.headline]
        for each in read_runs([tmp_path])
        if isinstance(each, Run) and each.headline is not None
    }
    assert runs["simulated/perfect", "conformity"].value == 0
    again = run("profile", *arguments, "--log-dir", tmp_path)
    assert again.exit_code == 0, again.output
    assert set(tmp_path.glob("*.eval")) == paths  # nothing is asked twice
    assert again.output.split("unread")[1:] == found.output.split("unread")[1:]


def test_what_can_be_mistyped_is_one_line(tmp_path):
    for arguments, said in {
        "": "Missing option '--model'",
        "--model simulated/conformst": "did you mean 'conformist'?",
        "--model nobody/knows": "nobody",
        "--model simulated/perfect --calls 50": "50 calls are too few: give --calls 170 or more",
        "--model simulated/perfect -M adopt": "expected NAME=VALUE",
        "--model simulated/perfect -M adopt=7": "adopt",
    }.items():
        found = run("profile", *arguments.split(), "--log-dir", tmp_path)
        assert found.exit_code != 0, arguments
        assert said in found.output, arguments
        assert found.output.splitlines()[-1].startswith("Error: "), arguments
