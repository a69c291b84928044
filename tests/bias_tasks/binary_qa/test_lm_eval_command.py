"""`lm_eval --tasks binaryqa_nrc` against the served respondent, as a user types it."""

import collections
import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from bias_tasks.respondents.harness_model import SimulatedLM
from bias_tasks.results.commands import results
from tests.bias_tasks.harness_runs import run, typed, values

TASK = "binaryqa_nrc"
SYNTHETIC = {"data": "synthetic", "n": 24}
PERSONA = {"accuracy": 0.8, "negation": 0.4}
SERVE = [sys.executable, "-c", "from bias_tasks.respondents.commands import serve; serve()"]


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The finished command, its output folder and the requests that the server got."""
    folder = tmp_path_factory.mktemp("out")
    requests = folder / "requests.log"
    options = ["--port", "0", "--task", "binaryqa", "-Tdata=synthetic", "-Tn=24"]
    planted = [f"-M{name}={value}" for name, value in PERSONA.items()]
    server = subprocess.Popen(
        [*SERVE, *options, "--persona", "steadfast", *planted, "--log", str(requests)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )
    try:
        address = server.stdout.readline().split()[-1]
        done = typed(
            *("run", "--model", "local-chat-completions", "--apply_chat_template"),
            *("--model_args", f"base_url={address}/chat/completions,model=x,num_concurrent=4"),
            *("--tasks", TASK, "--metadata", json.dumps(SYNTHETIC)),
            *("--output_path", str(folder), "--log_samples"),
        )
    finally:
        server.kill()
        server.communicate()
    assert done.returncode == 0, done.stderr
    lines = requests.read_text(encoding="utf-8").splitlines()
    return done, folder, [json.loads(json.loads(line)["body"]) for line in lines]


def test_three_calls_a_question_and_no_prompt_twice(finished):
    prompts = [body["messages"][-1]["content"] for body in finished[2]]
    assert len(prompts) == 3 * 24
    assert set(collections.Counter(prompts).values()) == {1}


def test_figures_are_those_of_the_same_respondent_in_process(finished):
    expected = values(run([TASK], SimulatedLM("steadfast", **PERSONA), **SYNTHETIC), TASK)
    written = json.loads(next(finished[1].rglob("results_*.json")).read_text(encoding="utf-8"))
    assert values(written, TASK) == pytest.approx(expected, abs=1e-12, nan_ok=True)
    assert 0 < expected["nrc"] < 1


def test_it_says_which_domains_are_left_out(finished):
    assert "WARNING" in finished[0].stderr
    assert "without translation, ethics:" in finished[0].stderr


def test_results_reads_its_output(finished):
    [row] = json.loads(
        CliRunner().invoke(results, ["--format=json", "--all", str(finished[1])]).stdout
    )
    assert (row["task"], row["host"], row["model"]) == (TASK, "lm-eval", "x")
    assert (row["protocol"], row["data"], row["n"]) == ("corrected", "synthetic", 24)
    assert "without translation, ethics" in row["note"]
    assert {"nrc", "acc/false", "reading/nrc"} <= {figure["name"] for figure in row["metrics"]}
