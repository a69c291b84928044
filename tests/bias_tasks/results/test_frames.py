"""Options as the prompt shows them, and runs that are told apart, in frames and exports."""

import csv
import json

import pandas as pd
import pytest
from inspect_ai.log import read_eval_log

from bias_tasks import answer_distribution_df, outcomes_df, results_df
from bias_tasks.instruction_boundary.data.files import parse_correct_options
from bias_tasks.instruction_boundary_tasks import vanilla
from bias_tasks.output_format_tasks import format_mcq
from bias_tasks.results.find import read_runs
from bias_tasks.results.run import UnusableRunError
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.harness_runs import gold
from tests.bias_tasks.mocks import mock
from tests.bias_tasks.results.runs import copy_as_other_run, edit_log, run_inspect, run_lm_eval

FRAMES = (results_df, outcomes_df, answer_distribution_df)
OPTIONS = ["rust", "salt", "tin"]


def write_items(path):
    row = {"id": "q", "question": "Which is a metal?", "options": OPTIONS, "answer": 2}
    path.write_text(json.dumps(row), encoding="utf-8")
    return path


def test_an_option_is_shown_by_its_text_and_as_the_prompt_displays_it(tmp_path):
    """The file counts from 0, the prompt from its first number, in its own order."""
    task = vanilla(data=str(write_items(tmp_path / "mine.jsonl")), form="choice")
    log = run_inspect(tmp_path / "logs", task, mock(lambda prompt: "Final Answer: 1"))
    [row] = outcomes_df(log).to_dict("records")
    assert row["gold_text"] == "tin"
    shown = dict(line.split(". ", 1) for line in row["prompt"].splitlines() if line[1:3] == ". ")
    assert shown[row["gold_label"]] == row["gold_text"]
    assert (row["answer_label"], row["answer_text"]) == ("1", shown["1"])
    typed("export", "eee", log, "--out", tmp_path / "eee")
    [samples] = (tmp_path / "eee").rglob("*_samples.jsonl")
    metadata = json.loads(samples.read_text("utf-8"))["metadata"]
    assert [metadata[name] for name in ("gold_text", "answer_label")] == ["tin", "1"]


def test_letters_of_options_have_texts_and_open_answers_no_label(tmp_path, store):
    task = format_mcq(data="synthetic", n=2)
    frame = outcomes_df(run_inspect(tmp_path, task, "simulated/perfect"))
    assert (frame["gold_text"] != frame["gold_label"]).all()
    assert set(frame["gold_label"]) <= set("ABCDE")
    everything = outcomes_df(store)
    assert everything[everything["answer"].isna()]["answer_label"].isna().all()
    writing = everything[everything["task"] == "complexeval_attention_limit"]
    assert writing["answer_label"].isna().all()


def test_a_message_about_a_file_counts_options_as_the_file_does():
    with pytest.raises(ValueError, match=r"text of the option at position 2, counted from 0"):
        parse_correct_options("1", ["0", "2", "1"])
    with pytest.raises(ValueError, match=r"a position from 0 to 2 \(0 is the first option\)"):
        parse_correct_options("steel", OPTIONS)


def test_runs_are_told_apart_by_id_and_time(store, tmp_path):
    [path] = (store / "logs").glob("*conformity*")
    copy_as_other_run(path, tmp_path / "again")
    for read_frame in FRAMES:
        frame = read_frame([path, tmp_path])
        assert frame["run_id"].nunique() == 2
        assert isinstance(frame["created"].dtype, pd.DatetimeTZDtype)
        assert {"inspect"} == set(frame["framework"])
    harness = results_df(store / "results")
    assert harness.groupby("run_id")["task"].nunique().tolist() == [1, 1]
    assert harness["created"].notna().all()


def test_one_model_under_two_names_is_one_model(tmp_path):
    task = vanilla(form="judging", data="synthetic", n=6)
    run_inspect(tmp_path / "logs", task, mock(lambda prompt: "Final Answer: True"))
    run_lm_eval(tmp_path / "results", "ib_vanilla_judging", gold, data="synthetic", n=6)
    names = [run.model for run in read_runs([tmp_path])]
    assert len(set(names)) == 2
    alias = ["--model-alias", f"{names[0]}=My model", "--model-alias", f"{names[1]}=My model"]
    page, table = tmp_path / "report.html", tmp_path / "answers.csv"
    typed("report", tmp_path, *alias, "--out", page)
    for text in (
        page.read_text("utf-8"),
        typed("results", tmp_path, *alias, columns=200).stdout,
        typed("compare", tmp_path, *alias, columns=200).stdout,
    ):
        assert "My model" in text
        assert not any(name in text.replace("<wbr>", "") for name in names)
    typed("export", "csv", tmp_path, *alias, "--out", table)
    assert set(pd.read_csv(table)["model"]) == {"My model"}
    for wrong, message in (("gpt=x", "no run is of gpt"), ("gpt", "expected NAME=ALIAS")):
        done = typed("results", tmp_path, "--model-alias", wrong)
        assert (done.exit_code, message in " ".join(done.stderr.split())) == (2, True), done.stderr


def test_a_long_answer_is_cut_in_csv_alone(tmp_path):
    """Python's reader refuses a cell of more than 131,072 characters."""
    task = vanilla(data=str(write_items(tmp_path / "mine.jsonl")), form="choice")
    log = run_inspect(tmp_path / "logs", task, mock(lambda prompt: "Final Answer: 1"))
    long = "=" + "\x1b" * 200_000

    def lengthen(run):
        for sample in run.samples:
            sample.scores["outcome"].metadata["outcome"] |= {"answer": long, "explanation": long}

    path = edit_log(log, tmp_path / "long.eval", lengthen)
    for form in ("csv", "parquet"):
        done = typed("export", form, path, "--out", tmp_path / f"answers.{form}")
        assert done.exit_code == 0, done.output
    with (tmp_path / "answers.csv").open(encoding="utf-8", newline="") as stream:
        [row] = csv.DictReader(stream)
    assert len(row["answer"]) < 2100
    assert "characters omitted" in row["answer"]
    assert row["answer"].startswith("'=")
    assert 2100 < len(row["explanation"]) < 32_767
    assert pd.read_parquet(tmp_path / "answers.parquet")["answer"][0] == long


def test_frames_take_logs_of_a_notebook(tmp_path):
    path = write_items(tmp_path / "mine.jsonl")
    task = vanilla(data=path, form="choice")  # a pathlib.Path
    log_path = run_inspect(tmp_path / "logs", task, "simulated/perfect")
    log = read_eval_log(str(log_path))
    assert log.eval.task_args["data"] == str(path)
    for frame in FRAMES:
        expected = frame(log_path)
        for logs in (log, [log], (log, log_path)):
            pd.testing.assert_frame_equal(frame(logs), expected)
        without_file = log.model_copy(update={"location": ""})
        for logs in (without_file, [log_path, without_file]):
            with pytest.raises(UnusableRunError, match=r"^a log has no file .*: give the path of"):
                frame(logs)
