"""`bias-tasks export csv|parquet`."""

import pandas as pd
import pyarrow.parquet as pq
import pytest
from inspect_ai.log import read_eval_log, write_eval_log

from bias_tasks import outcomes_df
from bias_tasks.instruction_boundary_tasks import multi_turn
from bias_tasks.results import frames
from bias_tasks.results.frames import OUTCOME_COLUMNS
from bias_tasks.results.run import UnusableRunError
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.mocks import mock
from tests.bias_tasks.results.conftest import RUNS
from tests.bias_tasks.results.runs import run_inspect


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_each_answer_of_both_frameworks_is_a_row(store, tmp_path, form):
    out = tmp_path / "below" / f"answers.{form}"
    done = typed("export", form, store, "--out", out)
    assert done.exit_code == 0, done.output
    expected = outcomes_df(store)
    texts = dict.fromkeys(("gold", "level", *frames.LABEL_COLUMNS, "answer", "run_id"), str)
    table = pd.read_csv(out, dtype=texts) if form == "csv" else pd.read_parquet(out)
    assert list(table) == list(OUTCOME_COLUMNS)
    assert f"{len(expected):,} answers of {RUNS} runs" in done.stdout
    assert table["log"].nunique() == RUNS
    lossy = {"prompt"} if form == "csv" else set()  # a text's "\r\n" is one line break in CSV
    table["created"] = pd.to_datetime(table["created"])
    for name in set(table) - lossy:
        assert csv_values(table[name]) == csv_values(expected[name]), name
    if form == "parquet":
        file = pq.ParquetFile(out)
        kinds = {"string": "large_string", "Int64": "int64", "Float64": "double", "boolean": "bool"}
        kinds |= {"datetime64[ns, UTC]": "timestamp[ns, tz=UTC]"}
        types = dict(zip(file.schema_arrow.names, map(str, file.schema_arrow.types), strict=True))
        assert types == {name: kinds[kind] for name, kind in OUTCOME_COLUMNS.items()}


def csv_values(column):
    """Return the values with None for empty texts, and without the mark of escaped formulas."""
    values = [None if pd.isna(value) or value == "" else value for value in column]
    return [value.removeprefix("'") if isinstance(value, str) else value for value in values]


def test_correct_is_missing_if_no_answer_is_correct(store):
    frame = outcomes_df(store)
    assert "output" not in frame
    assert set(frame["level"].dropna()) == {"1", "2", "3"}
    correct = {task: set(rows["correct"]) for task, rows in frame.groupby("task")}
    assert correct["complexeval_basic"] == correct["complexeval_attention_limit"] == {None}
    assert correct["vanilla"] == {True}, "the model always answers correctly"
    math = frame[frame["task"] == "complexeval_math"]
    assert list(math["correct"]) == list(math["gold"].astype(float) == math["score"])


def test_the_prompt_of_several_rounds_is_that_of_the_output(tmp_path):
    """Each model's second prompt quotes its first answer; `compare` compares what was planned."""
    logs = []
    for name in ("first", "second"):
        model = mock(lambda prompt, name=name: f"The {name} model. Final Answer: 1")
        task = multi_turn(data="synthetic", n=2, form="judging", dialogue=False)
        logs.append(run_inspect(tmp_path / name, task, model))
        log = read_eval_log(logs[-1])
        as_json = tmp_path / name / "copy.json"
        write_eval_log(log, str(as_json))
        for path in (logs[-1], as_json):
            rows = outcomes_df(path, output=True)
            assert set(rows["variant"]) == {"multi_turn", "vanilla"}
            for variant, prompt, output in rows[["variant", "prompt", "output"]].values:
                quotes = f"Your previous answer: {output}" in prompt
                assert quotes == (variant == "multi_turn"), prompt
        as_json.unlink()
    done = typed("compare", *logs)
    assert done.exit_code == 0, done.output
    assert "not compared" not in done.output


def test_a_file_that_cannot_be_written_is_one_error(store, tmp_path):
    (tmp_path / "taken.csv").mkdir()
    (tmp_path / "file").write_text("")
    for out, message in (
        ("answers.txt", "must end in .csv"),
        ("taken.csv", "cannot write"),
        ("file/below.csv", "cannot write"),
    ):
        done = typed("export", "csv", store / "results", "--out", tmp_path / out)
        assert done.exit_code != 0
        assert message in done.stderr
        assert done.stderr.count("Error") == 1
    assert not list(tmp_path.rglob("*.tmp"))


def test_an_edited_answer_is_refused(store, tmp_path):
    """A value of another type would change the type of a column, or end a file half-way."""
    [path] = (store / "logs").glob("*conformity*")
    log, edited = read_eval_log(str(path)), tmp_path / "edited.eval"
    for sample in log.samples:
        sample.scores["outcome"].metadata["outcome"]["score"] = "much"
    write_eval_log(log, str(edited))
    with pytest.raises(UnusableRunError, match=r"edited\.eval: .*'much'"):
        outcomes_df(edited)
    done = typed("export", "csv", edited, "--out", tmp_path / "answers.csv")
    assert (done.exit_code, "'much'" in done.stderr) == (1, True)
    assert not (tmp_path / "answers.csv").exists()
