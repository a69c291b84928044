"""Outputs of lm-eval of a run's parts, made one run again."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from bias_tasks.cli import main
from bias_tasks.merging.pieces import Piece
from bias_tasks.record import FIGURES, RECORD
from tests.bias_tasks import harness_runs

TASK = "binaryqa"


def answer(doc):
    """An answer that follows from the question alone, now right and now wrong."""
    return "Yes." if sum(map(ord, doc["id"])) % 3 else "No."


def asked(folder, **metadata):
    """The output of a run on twelve questions, or of its part."""
    found = harness_runs.run(
        [TASK], answer, options={"log_samples": True}, data="synthetic", n=12, **metadata
    )
    harness_runs.log(found, TASK, folder)
    return folder


def merged(*arguments):
    return CliRunner().invoke(main, ["merge", *map(str, arguments)])


def read(folder):
    """The results file below a folder."""
    [path] = folder.rglob("results_*.json")
    return json.loads(path.read_text(encoding="utf-8"))


def test_merged_parts_are_the_whole_run(tmp_path):
    whole = read(asked(tmp_path / "whole"))
    parts = [asked(tmp_path / f"part{k}", shard=f"{k}/3") for k in (3, 1, 2)]
    done = merged(*parts, "--out", tmp_path / "merged")
    assert done.exit_code == 0, done.output
    made = read(tmp_path / "merged")
    assert json.dumps(made["results"]) == json.dumps(whole["results"])
    ours, theirs = (each["configs"][TASK]["metadata"][RECORD] for each in (made, whole))
    assert json.dumps(ours[FIGURES]) == json.dumps(theirs[FIGURES])
    assert ours["digest"] == theirs["digest"]
    # What stands beside it is read as the whole run's is.
    tables = [
        CliRunner().invoke(main, ["results", str(folder), "--format", "json", "--all"])
        for folder in (tmp_path / "whole", tmp_path / "merged")
    ]
    figures = [json.loads(table.stdout)[0]["metrics"] for table in tables]
    assert figures[0] == figures[1]


def test_a_missing_part_is_named(tmp_path):
    done = merged(asked(tmp_path / "part", shard="1/3"), "--out", tmp_path / "merged")
    assert done.exit_code == 1
    assert "no log of shard 2/3, 3/3" in done.stderr


def test_a_run_without_samples_is_named(tmp_path):
    part = asked(tmp_path / "part", shard="1/3")
    next(part.rglob("samples_*.jsonl")).unlink()
    done = merged(part, "--out", tmp_path / "merged")
    assert done.exit_code == 1
    assert "run lm-eval with --log_samples" in done.stderr


def cut_off(path):
    path.write_bytes(path.read_bytes()[:-40])


def spoilt(path):
    first, *others = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([first, b"{}\n", *others]))


@pytest.mark.parametrize(
    ("harm", "told"),
    [(cut_off, "it lacks 1 of"), (spoilt, "line 2 is no sample of lm-eval. Leave its log out")],
)
def test_broken_samples_are_named(tmp_path, harm, told):
    part = asked(tmp_path / "part", shard="1/1")
    harm(next(part.rglob("samples_*.jsonl")))
    done = merged(part, "--out", tmp_path / "merged")
    assert done.exit_code == 1
    assert done.stderr.count("not merged") == 1
    assert told in done.stderr


def test_what_was_merged_of_fewer_logs_is_replaced(tmp_path):
    whole = tmp_path / "merged"
    parts = [asked(tmp_path / f"part{k}", shard=f"{k}/2") for k in (1, 2)]
    assert merged(parts[0], "--partial", "--out", whole).exit_code == 0
    assert merged(*parts, "--out", whole).exit_code == 0
    assert read(whole)["n-samples"][TASK]["effective"] == 12 * 8
    assert len(list(whole.rglob("*.json*"))) == 2


def piece(**model_args):
    record = {"changed": {}, "questions": 1, "digest": "d"}
    settings = {"model_args": {"model": "m", **model_args}, "until": []}
    return Piece(Path("results.json"), "lm-eval", "t", "m", record, settings, "")


def test_where_a_worker_asks_does_not_set_its_part_apart():
    here = piece(base_url="http://a/v1", num_concurrent="8", max_retries="3", timeout="5")
    assert here.run == piece(base_url="http://b/v1", device="cuda:1").run == piece().run
    assert here.run != piece(dtype="float16").run
