"""What `bias-tasks compare` says of mitigations, and `finetune-data`, for runs of both hosts."""

import json
import shutil

import pytest
from click.testing import CliRunner
from inspect_ai.log import read_eval_log, write_eval_log
from lm_eval.loggers import EvaluationTracker

from bias_tasks.cli import main
from bias_tasks.commands.mitigation.answers import read_format_run
from bias_tasks.commands.mitigation.compare import compare_runs
from bias_tasks.commands.mitigation.report import comparison_to_dict
from bias_tasks.respondents.harness_model import SimulatedLM
from bias_tasks.results.answers import UnusableRunError
from bias_tasks.tasks.binary_qa import binaryqa_qa
from bias_tasks.tasks.output_format import format_wrapping
from tests.bias_tasks.harness_runs import run
from tests.bias_tasks.output_format.runs import answers_of, asked, logged, numbers, training_file

FORMATS = ("bolding", "brackets", "placeholder")
PLANTED = {"follow_gain": 0.4}
ITEMS = numbers(20)
EVALUATION = {"formats": ",".join(FORMATS), "n": 20}


def invoke(*arguments):
    return CliRunner().invoke(main, [str(part) for part in arguments], env={"COLUMNS": "80"})


def plain(run):
    """The numbers of a run, whatever it was read from."""
    outcomes = [answer.outcome for answer in answers_of(run)]
    return {(each.item, each.variant): (each.own["follows"], each.score) for each in outcomes}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def data(folder):
    return training_file(folder / "evaluated.jsonl", ITEMS)


@pytest.fixture(scope="module")
def logs(folder, data):
    """Inspect logs in which the instruction stands once and three times."""
    return [
        logged(
            format_wrapping(dataset=str(data), repeat=repeat, **EVALUATION),
            folder / str(repeat),
            "format_blind",
            PLANTED,
        )
        for repeat in (1, 3)
    ]


@pytest.fixture(scope="module")
def outputs(folder, data):
    """Results files of lm-eval of the same two runs, with their samples beside them."""
    files = []
    for repeat in (1, 3):
        found = run(
            ["format_wrapping_file"],
            SimulatedLM("format_blind", **PLANTED),
            dataset=str(data),
            repeat=repeat,
            **EVALUATION,
        )
        tracker = EvaluationTracker(output_path=str(folder / f"lm{repeat}"))
        tracker.general_config_tracker.model_name_sanitized = "model"
        tracker.general_config_tracker.model_name = "model"
        samples = found.pop("samples")
        tracker.save_results_aggregated(found, samples=samples)
        for task, rows in samples.items():
            tracker.save_results_samples(task, rows)
        files += (folder / f"lm{repeat}").rglob("results_*.json")
    return files


def test_both_hosts_answers_are_those_in_memory(logs, outputs):
    for repeat, log, output in zip((1, 3), logs, outputs, strict=True):
        alone = asked(ITEMS, "format_blind", PLANTED, FORMATS, repeat=repeat)
        by_inspect, by_harness = read_format_run(log), read_format_run(output)
        assert plain(by_inspect) == plain(by_harness)
        assert plain(by_inspect) == plain(alone)
        assert by_inspect.params.repeat == by_harness.params.repeat == repeat
        assert by_inspect.unscored == 0
        for found in (by_inspect, by_harness):
            (source,) = found.provenance
            assert source["source"] == "file"


def told(*arguments):
    """What `compare` says of the mitigation."""
    done = invoke("compare", *arguments, "--format", "json")
    assert done.exit_code == 0, done.output
    [mitigation] = json.loads(done.stdout)["mitigations"]
    return mitigation


@pytest.mark.parametrize("runs", ["logs", "outputs"])
def test_compare_prints_the_criteria_and_the_verdict(runs, request):
    base, mitigated = request.getfixturevalue(runs)
    done = invoke("compare", base, mitigated)
    assert done.exit_code == 0, done.output
    for text in ("bias_f_corrected", "fi falls in no format: yes", "all 60 ", "repeat 1 / 3"):
        assert text in " ".join(done.output.split())
    found = told(base, mitigated)
    runs = compare_runs(read_format_run(base), read_format_run(mitigated), 0.05)
    assert found == json.loads(json.dumps(comparison_to_dict(runs)))
    (comparison,) = found["comparisons"]
    assert comparison["verdict"] in " ".join(done.output.split())


def test_runs_of_different_hosts_with_the_same_answers_have_no_difference(logs, outputs):
    (comparison,) = told(logs[0], outputs[0])["comparisons"]
    assert {figure["difference"] for figure in comparison["figures"]} == {0.0}


def test_runs_that_were_prompted_otherwise_are_refused(logs, data, tmp_path):
    task = format_wrapping(dataset=str(data), prompting="zs_cot", **EVALUATION)
    reasoned = logged(task, tmp_path, "format_blind", PLANTED)
    done = invoke("compare", logs[0], reasoned)
    assert done.exit_code == 1
    assert "prompting zs / zs_cot" in " ".join(done.output.split())


def test_a_results_file_whose_tasks_were_asked_in_different_ways_is_refused(outputs, tmp_path):
    shutil.copytree(outputs[0].parent, tmp_path, dirs_exist_ok=True)
    path = tmp_path / outputs[0].name
    rows = json.loads(path.read_text(encoding="utf-8"))
    task, other = "format_wrapping_file", "format_other"
    (samples,) = tmp_path.glob("samples_*")
    shutil.copy(samples, samples.with_name(samples.name.replace(task, other)))
    for part in ("results", "configs", "n-samples"):
        rows[part][other] = json.loads(json.dumps(rows[part][task]))
    rows["configs"][other]["metadata"]["bias_tasks"]["parameters"]["repeat"] = 2
    path.write_text(json.dumps(rows), encoding="utf-8")
    with pytest.raises(UnusableRunError, match=r"asked with different repeat: \[1, 2\]"):
        read_format_run(path)


def test_the_margin_counts(logs):
    wide = told(*reversed(logs), "--margin", "0.99")
    assert wide["margin"] == 0.99
    assert wide["comparisons"][0]["holds"] is False
    assert invoke("compare", *logs, "--margin", "0").exit_code == 2


def test_a_sample_without_a_score_is_left_out_where_that_is_asked_for(logs, tmp_path):
    log = read_eval_log(str(logs[0]))
    log.samples[0].scores = {}
    path = tmp_path / "cut.eval"
    write_eval_log(log, str(path))
    cut = read_format_run(path)
    assert (cut.unscored, len(answers_of(cut))) == (1, 59)
    refused = invoke("compare", path, logs[1])
    assert refused.exit_code == 1
    assert "1 answers of the second run are not in the other" in " ".join(refused.output.split())
    output = " ".join(invoke("compare", path, logs[1], "--overlap").output.split())
    assert "left out: 0 answers of the first run and 1 of the second" in output


def test_other_runs_and_files_are_refused(logs, tmp_path):
    other = logged(binaryqa_qa(data="synthetic", n=2), tmp_path)
    text = tmp_path / "notes.json"
    text.write_text("{}", encoding="utf-8")
    log = read_eval_log(str(logs[0]))
    log.status = "cancelled"
    stopped = tmp_path / "stopped.eval"
    write_eval_log(log, str(stopped))
    for path, message in (
        (text, "neither an Inspect log nor results of lm-eval"),
        (stopped, "did not finish"),
    ):
        done = invoke("compare", logs[0], path)
        assert done.exit_code == 1
        assert message in done.output
        assert str(path) in done.output
        with pytest.raises(UnusableRunError, match=message):
            read_format_run(path)
    with pytest.raises(UnusableRunError, match="has no scored answer of a format task"):
        read_format_run(other)
    assert "no two of the 2 runs are of one task" in invoke("compare", logs[0], other).output


def test_results_without_samples_are_refused(outputs, tmp_path):
    shutil.copy(outputs[0], tmp_path)
    done = invoke("compare", tmp_path / outputs[0].name, outputs[1])
    assert done.exit_code == 1
    assert "--log_samples" in done.output


def test_broken_samples_are_refused(outputs, tmp_path):
    shutil.copytree(outputs[0].parent, tmp_path, dirs_exist_ok=True)
    (samples,) = tmp_path.glob("samples_*")
    samples.write_text('{"doc": {}}\n', encoding="utf-8")
    done = invoke("compare", tmp_path / outputs[0].name, outputs[1])
    assert done.exit_code == 1
    assert "cannot be read as samples" in done.output


@pytest.mark.parametrize("part", ["doc", "outcome"])
def test_samples_of_another_shape_are_refused(outputs, tmp_path, part):
    shutil.copytree(outputs[0].parent, tmp_path, dirs_exist_ok=True)
    (samples,) = tmp_path.glob("samples_*")
    rows = [json.loads(line) for line in samples.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        if part == "doc":
            row["doc"]["facts"] = json.dumps({"dataset": "file"})
        else:
            row["outcome"]["own"] = {}
    samples.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    done = invoke("compare", tmp_path / outputs[0].name, outputs[1])
    assert done.exit_code == 1
    assert "not as format_wrapping logs them" in done.output


@pytest.mark.parametrize("runs", ["logs", "outputs"])
def test_finetune_data_writes_rows_and_says_how_many(runs, request, tmp_path):
    train = training_file(tmp_path / "train.jsonl", numbers(100, training=True))
    log = request.getfixturevalue(runs)[1]
    first, again, other = (tmp_path / f"{name}.jsonl" for name in ("first", "again", "other"))
    done = invoke("finetune-data", log, "--data", train, "--out", first, "--total", 90)
    assert done.exit_code == 0, done.output
    assert "90 rows in " in done.output
    invoke("finetune-data", log, "--data", train, "--out", again, "--total", 90)
    invoke("finetune-data", log, "--data", train, "--out", other, "--total", 90, "--seed", 1)
    assert first.read_bytes() == again.read_bytes() != other.read_bytes()
    rows = [json.loads(line) for line in first.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 90
    # As in the run, the instruction stands three times.
    prompts = [row["messages"][0]["content"].splitlines() for row in rows]
    assert {lines.count(lines[-1]) for lines in prompts} == {3}
    wording = {"bolding": "in bold", "brackets": "square", "placeholder": "filling"}
    counts = {name: sum(words in lines[-1] for lines in prompts) for name, words in wording.items()}
    cells = [line.split() for line in done.output.splitlines() if line.startswith("│")]
    assert {row[1]: int(row[5]) for row in cells} == counts


def test_finetune_data_writes_nothing_where_it_refuses(logs, data, tmp_path):
    leaking = training_file(tmp_path / "leaking.jsonl", [*numbers(50, training=True), ITEMS[3]])
    copied = tmp_path / "copied.jsonl"
    shutil.copy(data, copied)
    out = tmp_path / "out.jsonl"
    for train, total, message in (
        (leaking, 20, "holds items that"),
        (data, 20, "is the file that"),
        (copied, 20, "is the file that"),
        (training_file(tmp_path / "few.jsonl", numbers(9, training=True)), 90, "there are 9 trai"),
    ):
        done = invoke("finetune-data", logs[0], "--data", train, "--out", out, "--total", total)
        assert done.exit_code == 1
        assert message in " ".join(done.output.split())
        assert not out.exists()
    done = invoke("finetune-data", logs[0], "--data", leaking, "--out", leaking, "--total", 20)
    assert done.exit_code == 2
