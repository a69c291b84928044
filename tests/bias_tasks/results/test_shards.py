"""The shards of a run (`shard`) are read as one run with exactly the same metrics."""

import shutil

import pytest
from inspect_ai.log import read_eval_log

from bias_tasks import outcomes_df, results_df
from bias_tasks.results.answers import load_all_metrics, load_answers
from bias_tasks.results.find import read_runs
from bias_tasks.results.run import Run
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.harness_runs import gold
from tests.bias_tasks.results.runs import copy_as_other_run, run_inspect, run_lm_eval

SHARDS, TASK = 3, "instruction_boundary/conformity"


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """Return a folder with a run in one piece and in shards, in each framework."""
    folder = tmp_path_factory.mktemp("shards")
    parameters = {"data": "synthetic", "n": 12}
    shards = [{"shard": f"{number}/{SHARDS}"} for number in range(1, SHARDS + 1)]
    for name, variants in [("whole", [{}]), ("shards", shards)]:
        for index, shard in enumerate(variants):
            run_inspect(
                folder / "inspect" / name, TASK, "simulated/conformist", **parameters, **shard
            )
            below = folder / "lm-eval" / name / str(index)
            run_lm_eval(below, "ib_conformity_choice", gold, **parameters, **shard)
    return folder


@pytest.mark.parametrize("framework", ["inspect", "lm-eval"])
def test_shards_have_exactly_the_metrics_of_the_whole_run(logs, framework):
    paths = [logs / framework / name for name in ("whole", "shards")]
    [whole], [run] = (read_runs([path]) for path in paths)
    assert len(run.shard_paths) == SHARDS
    assert repr(load_all_metrics(run).metrics) == repr(load_all_metrics(whole).metrics)
    assert load_answers(run, str).answers == load_answers(whole, str).answers
    for read_frame in (results_df, outcomes_df):
        first, second = (
            read_frame(path).drop(columns=["log", "run_id", "created"]) for path in paths
        )
        assert first.equals(second)
    done = typed("compare", *paths, "--all")
    assert done.exit_code == 0, done.output
    assert {"BETTER", "WORSE", "HIGHER", "LOWER"}.isdisjoint(done.stdout.split())


def copy_shards(folder, logs):
    """Copy the shards of the Inspect run to a folder, named by their numbers."""
    folder.mkdir()
    for path in (logs / "inspect" / "shards").glob("*.eval"):
        shard = read_eval_log(str(path), header_only=True).eval.task_args["shard"]
        shutil.copy(path, folder / f"{shard[0]}.eval")
    return folder


def test_missing_shards_duplicates_and_shards_of_another_run_are_reported(logs, tmp_path):
    folder, copies = copy_shards(tmp_path / "a", logs), copy_shards(tmp_path / "b", logs)
    first, second, third = (folder / f"{number}.eval" for number in (1, 2, 3))
    [run, copy] = read_runs([first, second, third, copies / "1.eval"])
    assert (len(run.shard_paths), copy.path) == (3, copies / "1.eval"), "a copy is not a shard"
    repeated = copy_as_other_run(first, tmp_path / "repeated") / "1.eval"
    [problem] = read_runs([first, second, third, repeated])
    assert "shard 1/3 occurs twice (1.eval, 1.eval)" in problem.reason
    parameters = {"data": "synthetic", "n": 12, "suggest": "wrong", "shard": "2/3"}
    run_inspect(tmp_path / "c", TASK, "simulated/conformist", **parameters)
    problem, other = read_runs([first, third, tmp_path / "c"])
    assert (problem.failed, other.failed) == (True, True)
    assert "shard 2/3 is missing" in problem.reason
    results = read_runs([folder, copies])
    assert [isinstance(result, Run) for result in results] == [True, False, False, False]
    for path in sorted(copies.iterdir()):
        copy_as_other_run(path, tmp_path / "again")
    assert len(read_runs([folder, tmp_path / "again"])) == 2, "two runs in two folders"
    done = typed("results", first, third)
    assert done.exit_code == 1
    assert done.stderr.count("is missing") == 1
