"""`lm_eval` on output formats, as a user types it, and what is made of its output."""

import json

import pytest
from click.testing import CliRunner

from bias_tasks.results.command import results
from tests.bias_tasks.harness_runs import typed

TASKS = ["format_mapping_synthetic", "format_wrapping_synthetic_bolding"]


@pytest.fixture(scope="module")
def output(tmp_path_factory):
    """The finished command and its output folder."""
    folder = tmp_path_factory.mktemp("out")
    done = typed(
        *("run", "--model", "dummy", "--tasks", ",".join(TASKS), "--log_samples"),
        *("--metadata", '{"n": 5, "repeat": 2}', "--output_path", str(folder)),
    )
    assert done.returncode == 0, done.stderr
    return done, folder


def test_it_prints_the_headline_and_what_stands_beside_it(output):
    for name in ("fi/json", "bias_f", "bias_f_corrected", "left_out", "fi/bolding"):
        assert f"|{name}" in output[0].stdout


def test_its_samples_are_plain_json(output):
    path = next(output[1].rglob("samples_format_mapping_synthetic_*.jsonl"))
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 2 * 5
    assert {row["resps"][0][0] for row in rows} == {"lol"}
    assert {row["fi/json"] for row in rows} == {0.0}


def test_results_reads_its_output(output):
    runs = json.loads(
        CliRunner().invoke(results, ["--format=json", "--all", str(output[1])]).stdout
    )
    assert [run["task"] for run in runs] == TASKS
    for run in runs:
        assert (run["host"], run["model"]) == ("lm-eval", "dummy")
        assert (run["protocol"], run["data"], run["n"]) == ("corrected", "synthetic", 5)
    figures = {figure["name"]: figure for figure in runs[0]["metrics"]}
    assert (figures["fi/yaml"]["value"], figures["left_out"]["value"]) == (0, 2)
    assert (figures["bias_f"]["value"], figures["bias_f"]["n"]) == (None, 0)
    assert figures["est_true/json"]["value"] is None
    [bolding] = [f for f in runs[1]["metrics"] if f["name"] == "fi/bolding"]
    assert (bolding["value"], bolding["n"]) == (0, 5)
