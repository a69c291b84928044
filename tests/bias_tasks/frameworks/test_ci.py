"""The CI job of `examples/ci`: its steps run as they are, with a stand-in for GitHub's `gh`."""

import os
import re
import shlex
import shutil
import subprocess
from contextlib import chdir
from string import Template

import pytest
import yaml

from tests.bias_tasks.command_line import typed, typed_inspect
from tests.bias_tasks.loopback import chat_server, error
from tests.bias_tasks.paper_coverage import EXACT, ROOT

PAGE = (ROOT / "docs" / "compare.md").read_text(encoding="utf-8")
WORKFLOW = (ROOT / "examples/ci/bias.yml").read_text(encoding="utf-8")
JOB = yaml.safe_load(WORKFLOW)
STEPS = {step["name"]: step for step in JOB["jobs"]["gate"]["steps"] if "name" in step}
EVALUATE = ["Evaluate", "Check the log"]
ROWS = {
    model: (int(status), reason)
    for model, status, reason in re.findall(
        r"^\| `?(.*?)`? \| (\d) \| (.*) \|$", PAGE, re.MULTILINE
    )
}
"""Exit status and reason by model, as the page says."""
N = 60
"""Items of a run, fewer than the job's."""
GH = """#!/bin/sh
set -eu
case "$1 $2" in
"run list") echo 42 ;;
"run download")
  [ "$3 $4 $6" = "42 --name --dir" ]
  mkdir -p "$7"
  cp ARTIFACTS/"$5"/* "$7" ;;
esac
"""


def run_steps(folder, names, **changed):
    """Run steps of one command in a folder, until one fails; return what came of the last."""
    environment = {name: str(value) for name, value in JOB["env"].items()}
    environment |= {"N": str(N), "INSPECT_DISPLAY": "none", "INSPECT_EVAL_NO_LOG_REALTIME": "true"}
    folder.mkdir(exist_ok=True)
    with pytest.MonkeyPatch.context() as patch, chdir(folder):
        for name, value in (environment | changed).items():
            patch.setenv(name, value)
        for name in names:
            program, *words = shlex.split(Template(STEPS[name]["run"]).substitute(os.environ))
            run = {"inspect": typed_inspect, "bias-tasks": typed}[program]
            done = run(*words, columns=100)
            if done.exit_code:
                break
    return done


@pytest.fixture(scope="module")
def baseline(tmp_path_factory):
    """Return the folder of the job's runs, with the baseline's artifact and `gh` beside it."""
    folder = tmp_path_factory.mktemp("ci")
    commands, artifact = folder / "bin", folder / "artifacts" / "bias-log"
    commands.mkdir()
    (commands / "gh").write_text(GH.replace("ARTIFACTS", str(artifact.parent)), encoding="utf-8")
    (commands / "gh").chmod(0o755)
    done = run_steps(folder / "main", EVALUATE)
    assert done.exit_code == 0, done.output
    uploaded = STEPS["Store the log"]["with"]
    assert uploaded["name"] == artifact.name
    shutil.copytree(folder / "main" / uploaded["path"], artifact)
    return folder


@pytest.mark.parametrize("model", ["as in the baseline", "simulated/conformist", "simulated/mute"])
def test_the_job_says_what_the_page_says(baseline, model):
    changed = {} if model == "as in the baseline" else {"MODEL": model}
    folder = baseline / model.replace("/", "-")
    assert run_steps(folder, EVALUATE, **changed).exit_code == 0
    path = f"{baseline / 'bin'}:{os.environ['PATH']}"
    load = ["bash", "-e", "-c", STEPS["Load the baseline"]["run"]]
    subprocess.run(load, cwd=folder, env={"PATH": path}, check=True)
    done = run_steps(folder, ["Compare"], **changed)
    status, reason = ROWS[model]
    reason = reason.strip("`").replace(f"{2 * JOB['env']['N']}", f"{2 * N}")
    assert done.exit_code == status, done.output
    if status:
        [failure] = done.stderr.splitlines()
        assert failure == f"--fail-on worse: {reason}"
    else:
        assert done.stderr == ""
        assert re.search(r"moved_to_suggestion .* EQUIVALENT", done.stdout)


def test_a_run_that_failed_is_not_stored(tmp_path):
    before = list(STEPS)[: list(STEPS).index("Store the log")]
    assert before == ["Install", *EVALUATE]
    with chat_server(lambda prompt: (401, error("Incorrect API key"))) as url:
        access = {"LOCAL_API_KEY": "none", "LOCAL_BASE_URL": url}
        done = run_steps(tmp_path / "job", EVALUATE, MODEL="openai-api/local/m", N="5", **access)
    assert done.exit_code == 1
    assert "401 - Incorrect API key" in done.stderr


def test_a_baseline_that_is_not_there_fails_the_job_as_not_compared(tmp_path):
    (tmp_path / "logs" / "baseline").mkdir(parents=True)
    (tmp_path / "logs" / "new").mkdir()
    assert run_steps(tmp_path, ["Compare"]).exit_code == 3


def test_the_page_has_the_number_of_items_that_plan_gives():
    [command] = re.findall(r"^  N: \d+ # bias-tasks (plan .*)$", WORKFLOW, re.MULTILINE)
    assert f"bias-tasks {command}   # {JOB['env']['N']} items" in PAGE
    assert float(command.split()[-1]) == JOB["env"]["MARGIN"] / 2
    if EXACT:  # The search takes ten seconds.
        done = typed(*command.split())
        assert str(JOB["env"]["N"]) in done.stdout.split(), done.output
