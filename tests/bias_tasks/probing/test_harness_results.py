"""A probed task's runs in the harness are read, compared and told as those of other tasks."""

import json

import pytest
from click.testing import CliRunner

from bias_tasks.cli import main
from bias_tasks.families import load_family
from bias_tasks.record import RECORD
from bias_tasks.results.find import read_answers
from bias_tasks.results.frames import outcomes_df, results_df
from bias_tasks.statistics.estimate import flatten
from tests.bias_tasks.harness_runs import log, typed, values
from tests.bias_tasks.probing.harness_tasks import Scripted, run, write, write_lettered
from tests.bias_tasks.probing.test_harness_probe import COUNT, first_label, knowing, reply


@pytest.fixture
def runs(tmp_path):
    """A folder with the outputs of two models over the same task, by likelihood."""
    write(tmp_path, "mmlu", COUNT)
    for name, habit in (("one", knowing), ("other", first_label)):
        results = run(tmp_path, "mmlu", Scripted(habit), n="all", probes="order,labels")
        log(results, "bias_probe", tmp_path / name)
    return tmp_path


def results_file(folder):
    [path] = folder.rglob("results_*.json")
    return path


def test_figures_worked_out_from_the_samples_are_those_of_the_run(tmp_path):
    write(tmp_path, "mmlu", COUNT)
    write_lettered(tmp_path, COUNT)
    for task in ("mmlu", "lettered"):
        model = Scripted(first_label, reply)
        results = run(tmp_path, task, model, n="all", probes="order,typo")
        log(results, "bias_probe", tmp_path / f"of_{task}")
        [found] = read_answers(results_file(tmp_path / f"of_{task}"))
        again = load_family("probing").scorecard(found.outcomes(), {})
        assert flatten(again) == pytest.approx(values(results, "bias_probe"), abs=0, nan_ok=True)
        assert all(answer.prompt for answer in found.answers)


def test_the_record_says_what_was_asked_and_how_it_is_scored(runs):
    results = json.loads(results_file(runs / "one").read_text())
    record = results["configs"]["bias_probe"]["metadata"][RECORD]
    assert record["family"] == "probing"
    assert record["data"] == "mmlu"
    assert record["parameters"]["probes"] == "order,labels"
    assert record["items"] == COUNT
    [source] = record["provenance"]
    assert (source["metric"], source["documents"]) == ("acc", COUNT)


def test_the_digest_moves_with_how_the_probed_task_asks_and_scores(tmp_path):
    digests = []
    for changed in ({}, {"target_delimiter": "\n"}, {"description": "Answer.\n\n"}):
        write(tmp_path, "openbookqa", 4, **changed)
        results = run(tmp_path, "openbookqa", Scripted(lambda *_: 0), n=2)
        digests.append(results["configs"]["bias_probe"]["metadata"][RECORD]["digest"])
    results = run(tmp_path, "openbookqa", Scripted(lambda *_: 0), n=2, metric="acc_norm")
    digests.append(results["configs"]["bias_probe"]["metadata"][RECORD]["digest"])
    assert len(set(digests)) == 4


def test_the_table_shows_the_headline_with_its_standard_error(tmp_path):
    write(tmp_path, "mmlu", COUNT)
    results = run(tmp_path, "mmlu", Scripted(first_label), n="all", probes="order")
    table = results["results"]["bias_probe"]
    assert table["fragile,none"] == 1
    assert "fragile_stderr,none" in table
    assert table["score/plain,none"] == 0.25
    assert results["higher_is_better"]["bias_probe"]["fragile"] is False


@pytest.mark.parametrize("command", ["results", "compare", "report"])
def test_each_command_reads_it(command, runs):
    files = [str(results_file(runs / name)) for name in ("one", "other")]
    extra = ["--out", str(runs / "page.html")] if command == "report" else []
    done = CliRunner().invoke(main, [command, *files, *extra])
    assert done.exit_code == 0, done.output
    told = done.output if command != "report" else (runs / "page.html").read_text()
    assert "fragile" in told


def test_frames_have_its_figures_and_answers(runs):
    figures = results_df(runs)
    told = figures[(figures.figure == "same_answer/labels")]
    assert list(told.value) == [1, 1]
    answers = outcomes_df(runs)
    assert len(answers) == 2 * 3 * COUNT
    assert set(answers.variant) == {"plain", "order", "labels"}
    assert set(answers.answer) <= {"#0", "#1", "#2", "#3"}


def test_the_command_line_runs_it(tmp_path):
    """With the harness's own model that has a random likelihood for each choice."""
    write(tmp_path, "mmlu", COUNT)
    metadata = {
        "task": "mmlu",
        "include_path": str(tmp_path),
        "probes": "order,labels,typo",
        "n": 6,
        "repeats": 2,
    }
    output = tmp_path / "logs"
    arguments = ("--model", "dummy", "--tasks", "bias_probe", "--metadata", json.dumps(metadata))
    done = typed(*arguments, "--log_samples", "--output_path", str(output))
    assert done.returncode == 0, done.stderr[-2000:]
    assert "fragile" in done.stdout
    [found] = read_answers(results_file(output))
    assert len(found.answers) == 6 * 4
