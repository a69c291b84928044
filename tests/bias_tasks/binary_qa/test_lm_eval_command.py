"""`lm_eval --tasks binaryqa_nrc` against a server, as a user types it."""

import collections
import json

import pytest
from click.testing import CliRunner

from bias_tasks.binary_qa.family import FAMILY
from bias_tasks.results.command import results
from bias_tasks.simulated.lm_eval_model import SimulatedLM
from bias_tasks.simulated.persona import make_respondent
from tests.bias_tasks.harness_runs import run, typed, values
from tests.bias_tasks.http_server import serving

TASK = "binaryqa_nrc"
SYNTHETIC = {"data": "synthetic", "n": 24}
PERSONA = {"accuracy": 0.8, "negation": 0.4}


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The finished command, its output folder and the prompts that the server answered."""
    folder = tmp_path_factory.mktemp("out")
    persona = make_respondent("steadfast", PERSONA)
    planned = FAMILY.plan(TASK, FAMILY.tasks[TASK].values(SYNTHETIC))
    asked = {each.prompt: each for each in planned.questions}
    with serving(lambda prompt: persona.respond(prompt, asked[prompt])) as server:
        address = f"{server.address}/chat/completions"
        done = typed(
            *("run", "--model", "local-chat-completions", "--apply_chat_template"),
            *("--model_args", f"base_url={address},model=x,num_concurrent=4"),
            *("--tasks", TASK, "--metadata", json.dumps(SYNTHETIC)),
            *("--output_path", str(folder), "--log_samples"),
        )
    assert done.returncode == 0, done.stderr
    return done, folder, server.prompts


def test_three_calls_a_question_and_no_prompt_twice(finished):
    prompts = finished[2]
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
