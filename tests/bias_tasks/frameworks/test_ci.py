"""The CI job of `docs/compare.md`: its steps run as they are, with a stand-in for GitHub's `gh`."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.bias_tasks.loopback import chat_server, error

PAGE = (Path(__file__).parents[3] / "docs" / "compare.md").read_text(encoding="utf-8")
[WORKFLOW] = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
JOB = yaml.safe_load(WORKFLOW)
STEPS = {step["name"]: step for step in JOB["jobs"]["gate"]["steps"] if "name" in step}
ROWS = {
    model: (int(status), reason)
    for model, status, reason in re.findall(
        r"^\| `?(.*?)`? \| (\d) \| (.*) \|$", PAGE, re.MULTILINE
    )
}
"""Exit status and reason by model, as the page says."""
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
    """Run steps of the job in a folder, until one fails; return the last one that ran."""
    commands = folder.parent / "bin"
    path = f"{commands}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {name: str(value) for name, value in JOB["env"].items()}
    folder.mkdir(exist_ok=True)
    for name in names:
        done = subprocess.run(
            ["bash", "-e", "-c", STEPS[name]["run"]],
            cwd=folder,
            env={**os.environ, **environment, "PATH": path, "COLUMNS": "100", **changed},
            capture_output=True,
            text=True,
        )
        if done.returncode:
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
    done = run_steps(folder / "main", ["Evaluate", "Check the log"])
    assert done.returncode == 0, done.stdout + done.stderr
    uploaded = STEPS["Store the log"]["with"]
    assert uploaded["name"] == artifact.name
    shutil.copytree(folder / "main" / uploaded["path"], artifact)
    return folder


@pytest.mark.parametrize("model", ["the same", "simulated/conformist", "simulated/mute"])
def test_the_job_says_what_the_page_says(baseline, model):
    changed = {} if model == "the same" else {"MODEL": model}
    names = ["Evaluate", "Check the log", "Load the baseline", "Compare"]
    done = run_steps(baseline / model.replace("/", "-"), names, **changed)
    status, reason = ROWS[model]
    assert done.returncode == status, done.stdout + done.stderr
    if status:
        [failure] = done.stderr.splitlines()
        assert failure == f"--fail-on worse: {reason.strip('`')}"
    else:
        assert done.stderr == ""
        assert re.search(r"moved_to_suggestion .* EQUIVALENT", done.stdout)


def test_a_run_that_failed_is_not_stored(tmp_path):
    before = list(STEPS)[: list(STEPS).index("Store the log")]
    assert before == ["Install", "Evaluate", "Check the log"]
    with chat_server(lambda prompt: (401, error("Incorrect API key"))) as url:
        access = {"LOCAL_API_KEY": "none", "LOCAL_BASE_URL": url}
        done = run_steps(tmp_path / "job", before[1:], MODEL="openai-api/local/m", **access)
    assert done.returncode == 1
    assert "401 - Incorrect API key" in done.stderr


def test_a_baseline_that_is_not_there_fails_the_job_as_not_compared(tmp_path):
    (tmp_path / "logs" / "baseline").mkdir(parents=True)
    (tmp_path / "logs" / "new").mkdir()
    assert run_steps(tmp_path, ["Compare"]).returncode == 3


def test_the_page_has_the_number_of_items_that_plan_gives():
    [command] = re.findall(r"^  N: \d+ # (bias-tasks plan .*)$", WORKFLOW, re.MULTILINE)
    assert f"{command}   # {JOB['env']['N']} items" in PAGE
    done = subprocess.run(
        [*command.replace("bias-tasks", f"{Path(sys.executable).parent}/bias-tasks", 1).split()],
        capture_output=True,
        text=True,
    )
    assert str(JOB["env"]["N"]) in done.stdout.split(), done.stdout + done.stderr
    assert float(command.split()[-1]) == JOB["env"]["MARGIN"] / 2
