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
from tests.bias_tasks.results.runs import edit_log, run_inspect, run_lm_eval

N, PRESENT = 20, 9
COUNTS = f"{PRESENT} of {N} samples are in the log"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return a folder with a complete run of each framework."""
    folder = tmp_path_factory.mktemp("whole")
    run_inspect(folder / "inspect", "binary_qa/binaryqa_qa", "simulated/coin", **SMALL)
    run_lm_eval(folder / "lm_eval", "ib_vanilla_judging", mostly_gold, data="synthetic", n=N)
    return folder


SMALL = {"data": "synthetic", "n": N}


def mostly_gold(doc):
    """Return the correct answer, except to every third document."""
    return gold(doc) if sum(map(ord, str(doc["id"]))) % 3 else "I would rather not say."


def logs_in(folder):
    return [path for path in folder.rglob("*") if path.suffix == ".eval"]


def results_in(folder):
    return next(folder.rglob("results_*.json"))


def edit_json(path, change):
    content = json.loads(path.read_text(encoding="utf-8"))
    change(content)
    path.write_text(json.dumps(content), encoding="utf-8")


def statuses(path, out):
    """Return exit status and output of each command that reads the runs of a path."""
    commands = {
        "results": ["results", path],
        "all": ["results", path, "--all"],
        "json": ["results", path, "--format", "json"],
        "csv": ["results", path, "--format", "csv"],
        "report": ["report", path, "--out", out / "report.html"],
        "eee": ["export", "eee", path, "--out", out / "eee"],
        "answers": ["export", "csv", path, "--out", out / "answers.csv"],
        "compare": ["compare", path, path.parent / "other", "--all"],
    }
    return {name: typed(*words, columns=200) for name, words in commands.items()}


def assert_all_fail(done):
    """`compare` has its own exit status for runs that it cannot compare."""
    expected = dict.fromkeys(done, 1) | {"compare": 3}
    assert {name: result.exit_code for name, result in done.items()} == expected


def remove_samples(folder, kind):
    """Remove all but the first samples of a run; return its headline before, and the run after."""
    [before] = map(load_all_metrics, read_runs([folder]))
    if kind == "inspect":
        [path] = logs_in(folder)
        edit_log(path, path, lambda log: setattr(log, "samples", log.samples[:PRESENT]))
    else:
        path = results_in(folder)
        [samples] = folder.rglob("samples_*.jsonl")
        lines = samples.read_text(encoding="utf-8").splitlines(keepends=True)
        samples.write_text("".join(lines[:PRESENT]), encoding="utf-8")
    [run] = read_runs([path])
    return before.metrics[before.headline].value, load_all_metrics(run)


@pytest.mark.parametrize("kind", ["inspect", "lm_eval"])
def test_a_log_with_missing_samples_shows_recomputed_metrics_only(whole, tmp_path, kind):
    shutil.copytree(whole / kind, tmp_path / "runs")
    shutil.copytree(whole / kind, tmp_path / "other")
    logged, run = remove_samples(tmp_path / "runs", kind)
    value = run.metrics[run.headline].value
    assert f"{value:.3f}" != f"{logged:.3f}"
    assert (run.n, run.samples.missing) == (run.metrics["items"].value, N - PRESENT)
    done = statuses(tmp_path / "runs", tmp_path)
    assert {name: result.exit_code for name, result in done.items()} == dict.fromkeys(done, 0)
    for name in ("results", "all", "compare"):
        assert COUNTS in " ".join(done[name].stdout.split())
    for name in ("results", "all"):
        assert f"{value:.3f}" in done[name].stdout
    [row] = json.loads(done["json"].stdout)
    assert row["n"] == run.n
    assert row["samples"]["missing"] == N - PRESENT
    values = {metric["name"]: metric["value"] for metric in row["metrics"]}
    assert values[run.headline] == pytest.approx(value)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert COUNTS in page
    [record_path] = (tmp_path / "eee").rglob("*.json")
    record = json.loads(record_path.read_text(encoding="utf-8"))
    result = record["evaluation_results"][0]
    assert result["metric_config"]["metric_name"] == run.headline
    assert result["score_details"]["score"] == pytest.approx(value)
    assert record["source_metadata"]["additional_details"]["items"] == str(run.n)
    shown = [done[name].stdout for name in ("results", "all", "csv", "compare")]
    # The other run in `compare` is complete, so that it has the logged value.
    assert not [text for text in [*shown[:-1], page] if f"{logged:.3f}" in text]


def edit_header(log):
    """Change every metric that the header shows, and the numbers of samples."""
    for metric in log.results.scores[0].metrics.values():
        metric.value = -5.0
    log.results.total_samples = log.results.completed_samples = 3


def test_metrics_in_the_header_of_a_log_are_not_read(whole, tmp_path):
    [path] = logs_in(whole)
    edited = edit_log(path, tmp_path / "edited.eval", edit_header)
    results = [json.loads(typed("results", p, "--format", "json").stdout) for p in (path, edited)]
    assert results[0][0]["metrics"] == results[1][0]["metrics"]
    copy = shutil.copytree(whole / "lm_eval", tmp_path / "lm_eval")

    def change(results):
        results["configs"]["ib_vanilla_judging"]["metadata"]["bias_tasks"]["metrics"] = {}

    edit_json(results_in(copy), change)
    first, second = (
        json.loads(typed("results", folder, "--format", "json").stdout)[0]["metrics"]
        for folder in (whole / "lm_eval", copy)
    )
    assert first == second


def test_the_page_does_not_publish_a_run_whose_answers_are_unusable(whole, tmp_path):
    folder = shutil.copytree(whole / "inspect", tmp_path / "runs")
    shutil.copytree(whole / "inspect", tmp_path / "other")
    [path] = logs_in(folder)
    run_inspect(folder, "instruction_boundary/vanilla", "simulated/conformist", **SMALL)

    def change(log):
        for sample in log.samples:
            for score in sample.scores.values():
                score.metadata["outcome"]["variant"] = 3

    edit_log(path, path, change)
    done = statuses(folder, tmp_path)
    del done["compare"]
    assert {name: result.exit_code for name, result in done.items()} == dict.fromkeys(done, 1)
    assert done["report"].stdout.startswith("1 run: ")


def inflate(path, name, size, declared=None):
    """Add a member that inflates to a size to a log, and that declares another size."""
    with zipfile.ZipFile(path) as log:
        parts = {part: log.read(part) for part in log.namelist()}
    text = parts[name].decode() if name in parts else "{}"
    parts[name] = (text[: text.index("{") + 1] + " " * size + text[text.index("{") + 1 :]).encode()
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
    whole, tmp_path, monkeypatch, part, declared
):
    [path] = logs_in(shutil.copytree(whole / "inspect", tmp_path / "runs"))
    shutil.copytree(whole / "inspect", tmp_path / "other")
    monkeypatch.setenv(SIZE_VARIABLE, "128")
    inflate(path, part, 5 * 2**20, declared)
    monkeypatch.setattr(zlib, "decompress", None)
    done = statuses(tmp_path / "runs", tmp_path)
    assert_all_fail(done)
    for result in done.values():
        assert f"its part {part} has more than 4 MB" in result.stderr
        assert SIZE_VARIABLE in result.stderr


def test_many_small_members_and_large_files_are_over_the_limit(whole, tmp_path, monkeypatch):
    [path] = logs_in(shutil.copytree(whole / "inspect", tmp_path / "runs"))
    monkeypatch.setenv(SIZE_VARIABLE, "64")
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as log:
        for number in range(40):
            log.writestr(f"samples/{number}_epoch_1.json", "[" + " " * (2**21 - 2) + "]")
    assert "it has more than 64 MB" in typed("results", path).stderr
    monkeypatch.setenv(SIZE_VARIABLE, "0")
    results = results_in(whole)
    assert "it has more than 0 MB, the maximum" in typed("results", results).stderr
    monkeypatch.setenv(SIZE_VARIABLE, "many")
    assert "give a number of MB" in typed("results", results).stderr


def test_a_log_within_the_limit_is_read(whole):
    [path] = logs_in(whole)
    assert typed("results", path).exit_code == 0
    assert read_eval_log(str(path)).results.total_samples == N
