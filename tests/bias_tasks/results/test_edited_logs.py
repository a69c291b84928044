"""Logs with missing samples, edited numbers or members that inflate: all commands agree on them."""

import json
import shutil
import zipfile
import zlib

import pytest
from inspect_ai.log import read_eval_log

from bias_tasks.data.log_size import SIZE_VARIABLE
from bias_tasks.results.answers import load_all_metrics
from bias_tasks.results.find import read_runs
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.harness_runs import gold
from tests.bias_tasks.results.runs import edit_log, run_commands, run_inspect, run_lm_eval

N, PRESENT = 20, 9
COUNTS = f"{PRESENT} of {N} samples are in the log"
SMALL = {"data": "synthetic", "n": N}


def mostly_gold(doc):
    """Return the correct answer, except to every third document."""
    return gold(doc) if sum(map(ord, str(doc["id"]))) % 3 else "I would rather not say."


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return a folder with a complete run of each framework."""
    folder = tmp_path_factory.mktemp("whole")
    run_inspect(folder / "inspect", "binary_qa/binaryqa_qa", "simulated/coin", **SMALL)
    run_lm_eval(folder / "lm_eval", "ib_vanilla_judging", mostly_gold, **SMALL)
    return folder


@pytest.fixture
def copy(whole, tmp_path):
    """Return a copy of the log of Inspect."""
    [path] = shutil.copytree(whole / "inspect", tmp_path / "runs").iterdir()
    return path


def read_json(*arguments):
    return json.loads(typed("results", *arguments, "--format", "json").stdout)


def read_values(path):
    return [(row["metric"], row["value"], row["ci_low"], row["n"]) for row in read_json(path)]


@pytest.mark.parametrize("kind", ["inspect", "lm_eval"])
def test_a_log_with_missing_samples_shows_recomputed_metrics_only(whole, tmp_path, kind):
    folder = shutil.copytree(whole / kind, tmp_path / "runs")
    [before] = map(load_all_metrics, read_runs([folder]))
    if kind == "inspect":
        edit_log(
            before.path, before.path, lambda log: setattr(log, "samples", log.samples[:PRESENT])
        )
    else:
        [samples] = folder.rglob("samples_*.jsonl")
        lines = samples.read_text(encoding="utf-8").splitlines(keepends=True)
        samples.write_text("".join(lines[:PRESENT]), encoding="utf-8")
    [run] = map(load_all_metrics, read_runs([folder]))
    logged, value = (f"{r.metrics[r.headline].value:.3f}" for r in (before, run))
    assert logged != value
    assert (run.n, run.samples.missing) == (run.metrics["items"].value, N - PRESENT)
    texts = [typed("results", folder, *words, columns=200).stdout for words in ([], ["--all"])]
    done = run_commands(tmp_path, folder, whole / kind)
    assert {name: result.exit_code for name, result in done.items()} == dict.fromkeys(done, 0)
    assert COUNTS in " ".join(done["compare"].stdout.split())
    [row, *_] = read_json(folder)
    assert (row["items"], row["samples_missing"]) == (run.n, N - PRESENT)
    assert (row["metric"], f"{row['value']:.3f}") == (run.headline, value)
    typed("report", folder, "--out", tmp_path / "page.html")
    texts.append((tmp_path / "page.html").read_text(encoding="utf-8"))
    for text in texts:
        assert (COUNTS in " ".join(text.split()), value in text, logged in text) == (
            True,
            True,
            False,
        )
    records = [json.loads(p.read_text("utf-8")) for p in (tmp_path / "out/eee").rglob("*.json")]
    scores = [record["evaluation_results"][0]["score_details"]["score"] for record in records]
    assert sorted(f"{score:.3f}" for score in scores) == sorted((logged, value))


def test_metrics_in_the_header_of_a_log_are_not_read(whole, copy, tmp_path):
    in_inspect = read_values(copy)

    def change(log):
        for metric in log.results.scores[0].metrics.values():
            metric.value = -5.0
        log.results.total_samples = log.results.completed_samples = 3

    assert read_values(edit_log(copy, tmp_path / "edited.eval", change)) == in_inspect
    [path] = shutil.copytree(whole / "lm_eval", tmp_path / "lm_eval").rglob("results_*.json")
    in_lm_eval = read_values(path)
    content = json.loads(path.read_text(encoding="utf-8"))
    content["configs"]["ib_vanilla_judging"]["metadata"]["bias_tasks"]["metrics"] = {}
    path.write_text(json.dumps(content), encoding="utf-8")
    assert read_values(path) == in_lm_eval


def test_the_page_does_not_publish_a_run_whose_answers_are_unusable(copy, tmp_path):
    run_inspect(copy.parent, "instruction_boundary/vanilla", "simulated/conformist", **SMALL)

    def change(log):
        for sample in log.samples:
            for score in sample.scores.values():
                score.metadata["outcome"]["variant"] = 3

    edit_log(copy, copy, change)
    done = run_commands(tmp_path, copy.parent)
    del done["compare"]
    assert {name: result.exit_code for name, result in done.items()} == dict.fromkeys(done, 1)
    assert done["report"].stdout.startswith("1 run: ")


def inflate(path, name, size, declared=None):
    """Add a member that inflates to a size to a log, and that declares another size."""
    with zipfile.ZipFile(path) as log:
        parts = {part: log.read(part) for part in log.namelist()}
    text = parts[name].decode() if name in parts else "{}"
    parts[name] = text.replace("{", "{" + " " * size, 1).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as log:
        for part, content in parts.items():
            log.writestr(part, content)
    if declared is not None:
        content = path.read_bytes()
        real, sizes = parts[name], (len(parts[name]), declared)
        # A prefix with its own checksum passes for the whole member.
        sums = (zlib.crc32(real), zlib.crc32(real[:declared]))
        for old, new in (sizes, sums):
            content = content.replace(old.to_bytes(4, "little"), new.to_bytes(4, "little"))
        path.write_bytes(content)
    assert path.stat().st_size < size / 20


@pytest.mark.parametrize("part", ["header.json", "samples/x_epoch_1.json", "other.json"])
@pytest.mark.parametrize("declared", [None, 1000])
def test_a_log_that_inflates_beyond_the_limit_is_not_read(
    copy, tmp_path, monkeypatch, part, declared
):
    monkeypatch.setenv(SIZE_VARIABLE, "128")
    inflate(copy, part, 5 * 2**20, declared)
    monkeypatch.setattr(zlib, "decompress", None)
    done = run_commands(tmp_path, copy.parent)
    expected = dict.fromkeys(done, 1) | {"compare": 3}
    assert {name: result.exit_code for name, result in done.items()} == expected
    for result in done.values():
        assert f"its part {part} has more than 4 MB" in result.stderr
        assert SIZE_VARIABLE in result.stderr


def test_many_small_members_and_large_files_are_over_the_limit(whole, copy, monkeypatch):
    assert typed("results", copy).exit_code == 0
    assert read_eval_log(str(copy)).results.total_samples == N
    monkeypatch.setenv(SIZE_VARIABLE, "64")
    with zipfile.ZipFile(copy, "a", zipfile.ZIP_DEFLATED) as log:
        for number in range(40):
            log.writestr(f"samples/{number}_epoch_1.json", "[" + " " * (2**21 - 2) + "]")
    assert "it has more than 64 MB" in typed("results", copy).stderr
    [results] = whole.rglob("results_*.json")
    for limit, message in (("0", "it has more than 0 MB, the maximum"), ("many", "a number of MB")):
        monkeypatch.setenv(SIZE_VARIABLE, limit)
        assert message in typed("results", results).stderr
