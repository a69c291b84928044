"""Inspect logs of parts, of retries and of epochs, made one run again."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from inspect_ai import eval as evaluate
from inspect_ai.log import read_eval_log, write_eval_log

import bias_tasks
from bias_tasks.cli import main
from bias_tasks.merging.inspect_logs import samples_in
from bias_tasks.merging.pieces import pieces_in
from bias_tasks.record import RECORD
from tests.bias_tasks.full_disk import full_disk
from tests.bias_tasks.inspect_runs import values

RUN = {
    "conformity": {"data": "synthetic", "n": 12},
    "binaryqa": {"data": "synthetic", "n": 8},
    "format_bias": {"dataset": "synthetic", "n": 4},
    "complexeval_basic": {"data": "synthetic", "n": 6},
}


def asked(task, folder, shard=None, **more):
    """The log of a run of a task, or of its part."""
    part = {} if shard is None else {"shard": shard}
    made = getattr(bias_tasks, task)(**RUN[task], **part)
    options = {"display": "none", "log_dir": str(folder), "model": "simulated/conformist"}
    [log] = evaluate(made, **(options | more))
    assert log.status == "success", log.error
    return Path(log.location)


def merged(*arguments):
    return CliRunner().invoke(main, ["merge", *map(str, arguments)])


def written(folder):
    """The logs below a folder."""
    return [read_eval_log(str(path)) for path in sorted(folder.rglob("*.eval"))]


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """A run of conformity in three parts, for tests that copy from it."""
    folder = tmp_path_factory.mktemp("logs")
    return [asked("conformity", folder, f"{k}/3") for k in (1, 2, 3)]


@pytest.mark.parametrize("task", RUN)
def test_merged_parts_are_the_whole_run(task, tmp_path):
    whole = read_eval_log(str(asked(task, tmp_path / "whole")))
    parts = [asked(task, tmp_path / "parts", f"{k}/2") for k in (2, 1)]
    done = merged(*parts, "--out", tmp_path / "merged")
    assert done.exit_code == 0, done.output
    [log] = written(tmp_path / "merged")
    # Not one digit of any figure differs: nan is the same as nan in JSON's text.
    assert json.dumps(values(log)) == json.dumps(values(whole))
    ours, theirs = (each.results.scores[0].metrics for each in (log, whole))
    assert {n: str(m.value) for n, m in ours.items()} == {
        n: str(m.value) for n, m in theirs.items()
    }
    told, record = log.eval.metadata[RECORD], whole.eval.metadata[RECORD]
    assert told.pop("merged") == {"logs": 2, "parts": 2, "doubled": 0}
    assert told == record
    assert log.eval.task_version == whole.eval.task_version
    assert [s.metadata for s in log.samples] == [s.metadata for s in whole.samples]


def test_a_missing_part_is_named_and_nothing_written(logs, tmp_path):
    done = merged(logs[0], logs[2], "--out", tmp_path / "merged")
    assert done.exit_code == 1
    assert "no log of shard 2/3" in done.stderr
    assert not (tmp_path / "merged").exists()


def test_what_there_is_can_be_merged_and_says_what_it_lacks(logs, tmp_path):
    done = merged(logs[0], logs[2], "--out", tmp_path, "--partial")
    assert done.exit_code == 0
    [log] = written(tmp_path)
    assert "no log of shard 2/3" in log.eval.metadata[RECORD]["notes"][-1]
    shown = CliRunner().invoke(main, ["results", str(tmp_path)])
    assert "no log of shard 2/3" in " ".join(shown.output.split())


def test_a_killed_log_counts_as_far_as_it_got(logs, tmp_path):
    killed = read_eval_log(str(logs[1]))
    killed.status, killed.results = "started", None
    lost = killed.samples.pop()
    killed.samples[0].error, killed.samples[0].scores = None, None
    write_eval_log(killed, str(tmp_path / "killed.eval"))
    done = merged(logs[0], logs[2], tmp_path / "killed.eval", "--out", tmp_path / "merged")
    assert done.exit_code == 1
    assert "2 of 24 answers" in done.stderr
    assert killed.samples[0].id in done.stderr
    # Asked again as a whole, the part is complete; what both logs answer counts once.
    done = merged(*logs, tmp_path / "killed.eval", "--out", tmp_path / "merged")
    assert done.exit_code == 0, done.output
    assert lost.id in {sample.id for sample in written(tmp_path / "merged")[0].samples}


def test_the_later_of_two_answers_counts(logs, tmp_path):
    again = asked("conformity", tmp_path, "2/3", model="simulated/steadfast")
    later = read_eval_log(str(again))
    later.eval.model = "simulated/conformist"
    write_eval_log(later, str(again))
    done = merged(*logs, again, "--out", tmp_path / "merged")
    assert done.exit_code == 0, done.output
    assert f"{len(later.samples)} doubled left out" in done.output
    [log] = written(tmp_path / "merged")
    kept = {sample.id: sample.uuid for sample in log.samples}
    assert all(kept[sample.id] == sample.uuid for sample in later.samples)


def test_what_was_merged_of_other_logs_is_replaced(logs, tmp_path):
    for these in (logs[1:], logs[:2]):
        assert merged(*these, "--partial", "--out", tmp_path).exit_code == 0
        assert len(written(tmp_path)) == 1


def test_a_full_disk_leaves_what_was_merged_before(logs, tmp_path):
    assert merged(*logs[:2], "--partial", "--out", tmp_path).exit_code == 0
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    with full_disk(2000):
        done = merged(*logs, "--out", tmp_path)
    assert done.exit_code == 1
    assert done.output.count("Error: ") == 1
    assert f"cannot write in {tmp_path}: File too large" in done.stderr
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_what_is_no_log_is_named_where_it_is_given(logs, tmp_path):
    (tmp_path / "empty.eval").touch()
    (tmp_path / "cut.eval").write_bytes(logs[0].read_bytes()[:-40])
    (tmp_path / "notes.json").write_text("{}", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    given = [tmp_path / name for name in ("empty.eval", "cut.eval", "notes.json", "folder")]
    done = merged(*logs, *given, "--out", tmp_path / "merged")
    assert done.exit_code == 1
    assert len(written(tmp_path / "merged")) == 1  # what can be merged is
    assert [line.removeprefix(f"{tmp_path}/") for line in done.stderr.splitlines()] == [
        "empty.eval: cannot be read as an Inspect log (it is empty): copy it again, run it again, "
        "or leave it out",
        "cut.eval: cannot be read as an Inspect log (it was cut short, or is something else's): "
        "copy it again, run it again, or leave it out",
        "notes.json: skipped: neither an Inspect log nor results of lm-eval",
        "folder: holds no Inspect log and no results of lm-eval",
    ]


def test_runs_of_one_task_and_model_are_told_apart(logs, tmp_path):
    other = read_eval_log(str(logs[1]))
    other.eval.metadata[RECORD]["changed"]["seed"] = 3
    write_eval_log(other, str(tmp_path / "other.eval"))
    done = merged(logs[0], tmp_path / "other.eval", "--out", tmp_path / "merged")
    one, another = done.stderr.splitlines()
    assert f"(1 log: {logs[0].name}): not merged" in one
    assert "seed=3 in 3 shards (1 log: other.eval): not merged" in another
    assert "seed" not in one


def test_further_logs_can_be_epochs(logs, tmp_path):
    more = [asked("conformity", tmp_path / "more", f"{k}/3") for k in (1, 2, 3)]
    whole = read_eval_log(str(asked("conformity", tmp_path / "whole", epochs=2)))
    done = merged(*logs, *more, "--out", tmp_path / "merged", "--as-epochs")
    assert done.exit_code == 0, done.output
    [log] = written(tmp_path / "merged")
    assert json.dumps(values(log)) == json.dumps(values(whole))
    done = merged(*logs, *more[:2], "--out", tmp_path / "lacking", "--as-epochs")
    assert done.exit_code == 1
    assert "of 48 answers" in done.stderr


def test_logs_that_ask_something_else_are_named(logs, tmp_path):
    other = shutil.copy(logs[1], tmp_path / "other.eval")
    changed = read_eval_log(str(other))
    changed.eval.metadata[RECORD]["shard"]["whole"]["digest"] = "of another file"
    write_eval_log(changed, str(other))
    done = merged(logs[0], other, logs[2], "--out", tmp_path / "merged")
    assert done.exit_code == 1
    assert "ask something else than the others" in done.stderr
    assert "other.eval" in done.stderr


def test_runs_are_merged_apart_and_merged_ones_left_alone(logs, tmp_path):
    others = [
        asked("conformity", tmp_path / "logs", f"{k}/2", model="simulated/steadfast")
        for k in (1, 2)
    ]
    for _ in range(2):
        done = merged(*logs, *others, tmp_path, "--out", tmp_path / "merged")
        assert done.exit_code == 0, done.output
        assert len(written(tmp_path / "merged")) == 2


def test_a_run_with_a_limit_is_left_out(tmp_path):
    asked("conformity", tmp_path, "1/2", limit=1)
    done = merged(tmp_path, "--out", tmp_path / "merged")
    assert done.exit_code == 1
    assert "--limit or --sample-id: cut a run by `shard` instead" in done.stderr


def test_of_all_logs_only_what_answers_came_to_is_held(logs):
    """A run may be larger than memory: what was said is copied one log at a time."""
    [piece], _ = pieces_in([logs[0]])
    whole = read_eval_log(str(logs[0])).samples
    found = [asked.what.sample for asked in samples_in(piece)]
    assert [each.scores for each in found] == [each.scores for each in whole]
    assert not any(each.messages or each.events or each.attachments for each in found)
    assert all(each.messages and each.events for each in whole)
