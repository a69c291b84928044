"""A profile: small frozen tasks, one per family, whose run can be resumed."""

import re

from inspect_ai.log import read_eval_log

from bias_tasks.commands.profile import read_profile
from bias_tasks.results.find import read_runs
from bias_tasks.results.run import Run
from tests.bias_tasks.commands.batch_requests import run


def test_models_are_called_once_and_shown_side_by_side(tmp_path):
    models = "simulated/perfect,simulated/conformist"
    arguments = ("--model", models, "--calls", 200, "--base-model", "--max-tokens", 7)
    result = run("profile", *arguments, "--log-dir", tmp_path)
    assert result.exit_code == 0, result.output
    name = read_profile()["name"]
    first = rf"\d+% of the items of {name}, which is not comparable: (\d+) calls per model\n"
    [calls] = re.findall(first, result.output)
    assert abs(int(calls) - 200) < 20  # each task has a whole number of items
    paths = set(tmp_path.glob("*.eval"))
    logs = [read_eval_log(str(log), header_only=True) for log in paths]
    assert [log.plan.config.max_tokens for log in logs] == [7] * 10
    with_base_model = {
        log.eval.task.partition("/")[2] for log in logs if log.eval.task_args.get("base_model")
    }
    assert with_base_model == {"conformity", "binaryqa"}
    runs = {
        (one.model, one.record.task): one.metrics[one.headline]
        for one in read_runs([tmp_path])
        if isinstance(one, Run) and one.headline is not None
    }
    assert runs["simulated/perfect", "conformity"].value == 0
    again = run("profile", *arguments, "--log-dir", tmp_path)
    assert again.exit_code == 0, again.output
    assert set(tmp_path.glob("*.eval")) == paths  # no call is repeated
    assert again.output.split("unparsed")[1:] == result.output.split("unparsed")[1:]


def test_what_can_be_mistyped_is_one_line(tmp_path):
    for arguments, message in {
        "": "Missing option '--model'",
        "--model simulated/conformst": "did you mean 'conformist'?",
        "--model nobody/knows": "nobody",
        "--model simulated/perfect --calls 50": "50 calls are too few: give --calls",
        "--model simulated/perfect -M adopt": "expected NAME=VALUE",
        "--model simulated/perfect -M adopt=7": "adopt",
    }.items():
        result = run("profile", *arguments.split(), "--log-dir", tmp_path)
        assert result.exit_code != 0, arguments
        assert message in result.output, arguments
        assert result.output.splitlines()[-1].startswith("Error: "), arguments
