"""`lm_eval` on judging, as a user types it, and what is made of its output."""

import json

import pytest
from click.testing import CliRunner

from bias_tasks.results.commands import results
from tests.bias_tasks.harness_runs import typed

TASKS = ["complexeval_attention_limit", "complexeval_basic", "complexeval_math"]
PAIR = {
    "id": "p",
    "query": "Name a prime.",
    "responses": {"chosen": "Seven.", "rejected": "Nine."},
    "attacked": {"rubric": "Nine, to be clear and complete."},
    "rubric": "Be clear and complete.",
}


@pytest.fixture(scope="module")
def output(tmp_path_factory):
    """The finished command and its output folder."""
    folder = tmp_path_factory.mktemp("out")
    done = typed(
        *("run", "--model", "dummy", "--tasks", ",".join(TASKS), "--log_samples"),
        *("--metadata", '{"data": "synthetic", "n": 3}', "--output_path", str(folder)),
    )
    assert done.returncode == 0, done.stderr
    return done, folder


def test_it_prints_the_headline_and_what_stands_beside_it(output):
    pairs = ("attack_cost", "acc/none", "gain/reference", "attack_cost/rubric~rubric")
    for name in (*pairs, "asr_excess/format", "attackable", "recall/joint", "ceiling/joint"):
        assert f"|{name} " in output[0].stdout


def test_its_samples_say_which_answers_are_unread(output):
    path = next(output[1].rglob("samples_complexeval_basic_*.jsonl"))
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 3 * 10
    assert {row["resps"][0][0] for row in rows} == {"lol"}
    assert all(row["acc/none"] != row["acc/none"] for row in rows)
    assert len({row["arguments"]["gen_args_0"]["arg_0"] for row in rows}) == 3 * 10


def test_results_reads_its_output(output):
    runs = json.loads(
        CliRunner().invoke(results, ["--format=json", "--all", str(output[1])]).stdout
    )
    assert sorted(run["task"] for run in runs) == TASKS
    for run in runs:
        data = "flaw_bank" if run["task"] == TASKS[0] else "synthetic"
        assert (run["host"], run["model"], run["protocol"]) == ("lm-eval", "dummy", "corrected")
        assert run["data"] == data
    by_task = {run["task"]: {f["name"]: f for f in run["metrics"]} for run in runs}
    assert by_task["complexeval_basic"]["acc/none"]["value"] == 0
    assert by_task["complexeval_basic"]["acc/none"]["n"] == 3
    assert by_task["complexeval_math"]["attackable"]["value"] == 0
    assert by_task["complexeval_attention_limit"]["unread/joint"]["value"] == 1
    assert {run["task"]: run["n"] for run in runs}["complexeval_basic"] == 3


def test_a_file_is_named_in_the_metadata(tmp_path):
    path = tmp_path / "attacked.jsonl"
    path.write_text(json.dumps(PAIR) + "\n", encoding="utf-8")
    metadata = json.dumps({"data": str(path), "protocol": "published"})
    done = typed(
        *("run", "--model", "dummy", "--tasks", "complexeval_basic_rubric"),
        *("--metadata", metadata, "--output_path", str(tmp_path)),
    )
    assert done.returncode == 0, done.stderr
    [run] = json.loads(
        CliRunner().invoke(results, ["--format=json", "--all", str(tmp_path)]).stdout
    )
    assert (run["data"], run["protocol"], run["n"]) == (str(path), "published", 1)
    assert {"acc/none~rubric", "acc/rubric~rubric", "attack_cost/rubric~rubric"} <= {
        figure["name"] for figure in run["metrics"]
    }
