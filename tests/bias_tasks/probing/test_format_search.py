"""The command that searches for prompt formats, through the host, of a planted respondent."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from inspect_ai.log import read_eval_log

from bias_tasks.cli import main
from bias_tasks.tasks._probe import ROUND
from tests.bias_tasks import inspect_runs
from tests.bias_tasks.probing.probed import own

SUMS = Path(__file__).parents[3] / "examples" / "sums.py"
TASK = f"{SUMS}@sums"
SMALL = ("--budget", "120", "--formats", "12", "--seed", "3")
PLANTED = ("--model", "simulated/examples/sums.py@Calculator", "-M", "square=1")


def search(folder, *arguments, task=TASK):
    options = ("--log-dir", str(folder), "--format", "json")
    return CliRunner(env={"COLUMNS": "160"}).invoke(
        main, ["format-search", task, *options, *arguments]
    )


def logs(folder):
    return sorted(folder.glob("*.eval"))


def by_round(folder):
    """The logs in the order of their rounds: names that hold the same second sort by luck."""
    headers = {path: read_eval_log(str(path), header_only=True) for path in logs(folder)}
    return sorted(headers, key=lambda path: headers[path].eval.metadata[ROUND]["round"])


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """A finished search: its folder, and what was found."""
    folder = tmp_path_factory.mktemp("formats")
    found = search(folder, *PLANTED, *SMALL)
    assert found.exit_code == 0, found.output
    return folder, json.loads(found.stdout)


def test_the_planted_mark_is_found_and_measured_on_held_out_items(first):
    folder, found = first
    assert "square" in found["worst"]["name"]
    assert "square" not in found["best"]["name"]
    assert found["calls"] <= 120
    held = found["held_out"]
    assert held["items"] == 16
    assert held["spread"]["ci_low"] > 0.4
    assert held[f"score/{found['worst']['name']}"]["value"] == 0
    asked = [
        {each["item"] for each in inspect_runs.outcomes(log).values()}
        for log in map(read_eval_log, map(str, by_round(folder)))
    ]
    assert len(asked) == 12  # the pilot, ten rounds, the held-out items
    assert not asked[-1] & set.union(*asked[:-1])


def test_a_killed_search_can_be_resumed(first, tmp_path):
    """One log is cut short, as of a process that was killed, and the last was never begun."""
    folder, found = first
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    *_, cut, last = by_round(tmp_path)
    last.unlink()
    cut.write_bytes(cut.read_bytes()[:1000])
    again = search(tmp_path, *PLANTED, *SMALL)
    assert again.exit_code == 0, again.output
    told = [line for line in again.stderr.splitlines() if line.startswith("round ")]
    assert ["from its log" in line for line in told] == [True] * 10 + [False] * 2
    assert json.loads(again.stdout) == found | {"log_dir": str(tmp_path)}


def test_finished_logs_give_a_table_and_a_run_of_probe(first):
    folder, found = first
    table = CliRunner(env={"COLUMNS": "160"}).invoke(
        main, ["format-search", TASK, *PLANTED, *SMALL, "--log-dir", str(folder)]
    )
    assert table.exit_code == 0
    assert "best - worst" in table.output
    name = found["worst"]["name"]
    results = CliRunner().invoke(main, ["results", str(folder), "--all", "--format", "json"])
    assert results.exit_code == 0, results.output
    [run] = json.loads(results.stdout)
    figures = {each["name"]: each["value"] for each in run["metrics"]}
    worst, plain = (found["held_out"][f"score/{n}"]["value"] for n in (name, "baseline"))
    assert figures[f"score_change/{name}"] == pytest.approx(worst - plain)


@pytest.mark.parametrize(
    ("task", "arguments", "said"),
    [
        (f"{SUMS}@sms", PLANTED, "sms"),
        (f"{SUMS}@free_sums", PLANTED, "items whose prompt displays 2 to 26 choices"),
        (TASK, (*PLANTED, "--budget", "20"), "too small for a search: give --budget 24 or more"),
        (TASK, (*PLANTED, "-T", "m=3"), "unknown parameter 'm'"),
        (own("an_agent"), PLANTED, "agent"),
        (own("unscoring"), (*PLANTED, "--budget", "60"), "no answer has a score (no luck)"),
        (own("unprinted"), (*PLANTED, "--budget", "60"), "no format can be applied"),
    ],
)
def test_errors_are_one_line(tmp_path, task, arguments, said):
    found = search(tmp_path, *arguments, task=task)
    assert found.exit_code == 1
    assert said in found.output
    assert "Traceback" not in found.output
    assert found.output.splitlines()[-1].startswith("Error: ")
