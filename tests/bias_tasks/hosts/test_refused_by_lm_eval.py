"""Whatever is mistyped for our tasks on lm-eval's command line ends in its cause alone."""

import json

import pytest
from lm_eval import __main__ as command
from lm_eval.tasks import TaskManager

from bias_tasks.data.errors import DataError
from bias_tasks.harness.link import task_configs_folder
from tests.bias_tasks.harness_runs import gold, lm_eval, run, without_defaults


@pytest.fixture
def typed(monkeypatch, tmp_path):
    """Runs the harness's command in this process; what ends it is the message of its exit."""
    monkeypatch.setenv("BIAS_TASKS_DATA", str(tmp_path))
    monkeypatch.setattr("bias_tasks.data.fetch._RAW_FILES", "http://127.0.0.1:1")
    monkeypatch.setattr(command, "setup_logging", lambda: None)  # it outlasts the test
    monkeypatch.setattr(TaskManager, "__init__", without_defaults)

    def type_in(task, metadata):
        folder = ("--include_path", str(task_configs_folder()))
        arguments = ("run", "--model", "dummy", "--tasks", task, *folder)
        monkeypatch.setattr("sys.argv", ["lm_eval", *arguments, "--metadata", json.dumps(metadata)])
        with pytest.raises(SystemExit) as ended:
            command.cli_evaluate()
        assert ended.value.__suppress_context__
        return ended.value.code

    return type_in


@pytest.mark.parametrize(
    ("task", "metadata", "told"),
    [
        ("ib_conformity_choice", {"n": "x"}, "n='x': expected a whole number from 1 on"),
        ("ib_conformity_choice", {"nn": 4}, "unknown parameter 'nn': did you mean 'n'?"),
        ("ib_conformity_choice", {"suggest": "spars"}, "suggest='spars' (did you mean 'sparse'?)"),
        *(
            ("ib_conformity_choice", {"shard": shard}, "expected which part of how many, such as")
            for shard in ("0/3", "4/3", "1/0", "a/b", 3, [1, 2], "1/3 ", float("nan"), "1/3\n")
        ),
        ("binaryqa_nrc", {"data": "no.jsonl"}, "cannot read no.jsonl: No such file or directory"),
        ("binaryqa_nrc", {"domains": "readng"}, "unknown domain 'readng' (did you mean 'reading'"),
        ("format_wrapping_bbh", {"repeat": 0}, "repeat=0: expected a whole number from 1"),
        ("complexeval_basic", {"aux": "nosuch"}, "aux='nosuch': expected some of"),
        ("ib_vagueness_judging", {"data": "paper"}, "run `bias-tasks data fetch folio`"),
        (
            "complexeval_basic",
            {"data": "paper", "attack": "none"},
            "run `bias-tasks data fetch rmb_brainstorming r",
        ),
        (
            "complexeval_role_playing",
            {"data": "paper"},
            "data='paper' brings no attacked responses: make",
        ),
        ("complexeval_math", {"attacks": "rules"}, "attacks='rules' (did you mean 'rule'?)"),
    ],
)
def test_the_command_ends_with_the_cause_and_the_name_of_the_task(typed, task, metadata, told):
    said = typed(task, {"data": "synthetic"} | metadata if "format" not in task else metadata)
    assert said.startswith(f"{task}: ")
    assert told in said
    assert "\n" not in said


@pytest.mark.parametrize(
    ("given", "error"), [({"n": "x"}, ValueError), ({"data": "no.jsonl"}, DataError)]
)
def test_called_from_python_the_error_itself_comes_through(given, error):
    """An exit would end whatever had called the harness."""
    with pytest.raises(error):
        run(["ib_conformity_choice"], gold, **{"data": "synthetic"} | given)


def test_the_command_prints_nothing_of_ours_above_it():
    done = lm_eval(
        *("run", "--model", "dummy", "--tasks", "ib_conformity_choice"),
        *("--metadata", '{"data": "synthetic", "n": "x"}'),
    )
    assert done.returncode == 1
    *before, last = (done.stdout + done.stderr).splitlines()
    assert last.startswith("ib_conformity_choice: n='x': expected a whole number from 1 on")
    assert all(" INFO " in line for line in before)  # the harness's own
