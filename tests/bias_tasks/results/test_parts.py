"""The parts of a run (`shard`) are read as the run: every figure to the digit, in either host."""

import shutil

import pytest
from inspect_ai.log import read_eval_log

from bias_tasks import outcomes_df, results_df
from bias_tasks.results.answers import answers_of, with_every_figure
from bias_tasks.results.find import read_runs
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.harness_runs import gold
from tests.bias_tasks.results.runs import evaluated, harness

PARTS, TASK = 3, "instruction_boundary/conformity"


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """A run in one piece and in parts, of each host."""
    folder = tmp_path_factory.mktemp("parts")
    asked = {"data": "synthetic", "n": 9}
    shards = [f"{number}/{PARTS}" for number in range(1, PARTS + 1)]
    for where, given in [("whole", [{}]), ("parts", [{"shard": each} for each in shards])]:
        for place, part in enumerate(given):
            log = folder / "inspect" / where
            evaluated(log, TASK, "simulated/conformist", **asked, **part)
            below = folder / "lm-eval" / where / str(place)
            harness(below, "ib_conformity_choice", gold, **asked, **part)
    return folder


@pytest.mark.parametrize("host", ["inspect", "lm-eval"])
def test_the_parts_are_the_whole_run_to_the_digit(logs, host):
    [whole] = read_runs([logs / host / "whole"])
    [run] = read_runs([logs / host / "parts"])
    assert len(run.parts) == PARTS
    assert repr(run.metrics) == repr(whole.metrics)
    assert repr(with_every_figure(run).metrics) == repr(with_every_figure(whole).metrics)
    assert answers_of(run, str).answers == answers_of(whole, str).answers
    own = dict.fromkeys(("log", "date", "metrics"))
    assert run.to_dict() | own == whole.to_dict() | own
    for frame in (results_df, outcomes_df):
        one, other = (
            frame(logs / host / where).drop(columns=["log", "date"], errors="ignore")
            for where in ("whole", "parts")
        )
        assert one.equals(other)
    done = typed("compare", logs / host / "whole", logs / host / "parts", "--all")
    assert done.exit_code == 0, done.output
    assert {"BETTER", "WORSE", "HIGHER", "LOWER"}.isdisjoint(done.stdout.split())


def parts_in(folder, logs):
    """The parts of the Inspect run, copied to a folder."""
    folder.mkdir()
    for path in (logs / "inspect" / "parts").glob("*.eval"):
        shard = read_eval_log(str(path), header_only=True).eval.task_args["shard"]
        shutil.copy(path, folder / f"{shard[0]}.eval")
    return folder


def test_missing_doubled_and_foreign_parts_are_named(logs, tmp_path):
    folder = parts_in(tmp_path / "a", logs)
    again = parts_in(tmp_path / "b", logs)
    first, second, third = (folder / f"{number}.eval" for number in (1, 2, 3))
    [problem] = read_runs([first, second, third, again / "1.eval"])
    assert "part 1/3 stands twice (1.eval, 1.eval)" in problem.reason
    other = {"data": "synthetic", "n": 9, "suggest": "wrong", "shard": "2/3"}
    evaluated(tmp_path / "c", TASK, "simulated/conformist", **other)
    problem, other = read_runs([first, third, tmp_path / "c"])
    assert (problem.failed, other.failed) == (True, True)
    assert "part 2/3 is missing" in problem.reason
    assert len(read_runs([folder, again])) == 2, "the same run, asked twice in two folders"
    done = typed("results", first, third)
    assert done.exit_code == 1
    assert done.stderr.count("is missing") == 1
