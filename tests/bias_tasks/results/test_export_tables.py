"""`bias-tasks export csv|parquet`."""

import pandas as pd
import pyarrow.parquet as pq
import pytest
from inspect_ai.log import read_eval_log, write_eval_log

from bias_tasks import outcomes_df
from bias_tasks.results.frames import OUTCOME_COLUMNS
from bias_tasks.results.run import UnusableRunError
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.results.conftest import RUNS


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_row_an_answer_of_either_host(store, tmp_path, form):
    out = tmp_path / "below" / f"answers.{form}"
    done = typed("export", form, store, "--out", out)
    assert done.exit_code == 0, done.output
    expected = outcomes_df(store)
    found = pd.read_csv(out, dtype={"gold": str}) if form == "csv" else pd.read_parquet(out)
    assert list(found) == list(OUTCOME_COLUMNS)
    assert f"{len(expected):,} answers of {RUNS} runs" in done.stdout
    assert found["log"].nunique() == RUNS
    lossy = {"prompt"} if form == "csv" else set()  # a text's "\r\n" is one line break in CSV
    for name in set(found) - lossy:
        assert _plain(found[name]) == _plain(expected[name]), name
    if form == "parquet":
        file = pq.ParquetFile(out)
        kinds = {"string": "large_string", "Int64": "int64", "Float64": "double", "boolean": "bool"}
        types = dict(zip(file.schema_arrow.names, map(str, file.schema_arrow.types), strict=True))
        assert types == {name: kinds[kind] for name, kind in OUTCOME_COLUMNS.items()}


def _plain(column):
    """The values without what CSV cannot tell apart, and with its texts as they were."""
    told = [None if pd.isna(each) or each == "" else each for each in column]
    return [each.removeprefix("'") if isinstance(each, str) else each for each in told]


def test_right_is_told_where_there_is_a_right_answer(store):
    found = outcomes_df(store)
    assert "output" not in found
    right = {task: set(rows["right"]) for task, rows in found.groupby("task")}
    assert right["complexeval_basic"] == right["complexeval_attention_limit"] == {None}
    assert right["vanilla"] == {True}, "every answer was the right one"
    math = found[found["task"] == "complexeval_math"]
    assert list(math["right"]) == list(math["gold"].astype(float) == math["score"])


def test_a_file_that_cannot_be_written_is_one_error(store, tmp_path):
    (tmp_path / "taken.csv").mkdir()
    (tmp_path / "file").write_text("")
    for out, told in (
        ("answers.txt", "has to end in .csv"),
        ("taken.csv", "cannot write"),
        ("file/below.csv", "cannot write"),
    ):
        done = typed("export", "csv", store / "results", "--out", tmp_path / out)
        assert done.exit_code != 0
        assert told in done.stderr
        assert done.stderr.count("Error") == 1
    assert not list(tmp_path.rglob("*.tmp"))


def test_an_edited_answer_is_no_row(store, tmp_path):
    """A value of another type would be a column of its own, or half a file."""
    [path] = (store / "logs").glob("*conformity*")
    log, edited = read_eval_log(str(path)), tmp_path / "edited.eval"
    for sample in log.samples:
        sample.scores["outcome"].metadata["outcome"]["score"] = "much"
    write_eval_log(log, str(edited))
    with pytest.raises(UnusableRunError, match=r"not as conformity logs them \(score is 'much'\)"):
        outcomes_df(edited)
    done = typed("export", "csv", edited, "--out", tmp_path / "answers.csv")
    assert (done.exit_code, "score is 'much'" in done.stderr) == (1, True)
    assert not (tmp_path / "answers.csv").exists()
