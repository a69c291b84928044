"""`bias-tasks export csv|parquet`: what every answer came to, of either host."""

import json
import shutil
import zipfile

import pandas as pd
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from bias_tasks import outcomes_df
from bias_tasks.cli import main
from bias_tasks.results.frames import OUTCOME_COLUMNS
from bias_tasks.results.run import UnusableRunError
from tests.bias_tasks.results.conftest import RUNS


def export(*arguments):
    return CliRunner().invoke(main, ["export", *map(str, arguments)])


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_row_an_answer_of_either_host(store, tmp_path, form):
    out = tmp_path / "below" / f"answers.{form}"
    done = export(form, store, "--out", out)
    assert done.exit_code == 0, done.output
    expected = outcomes_df(store)
    found = pd.read_csv(out, dtype={"gold": str}) if form == "csv" else pd.read_parquet(out)
    assert list(found) == list(OUTCOME_COLUMNS)
    assert f"{len(expected):,} answers of {RUNS} runs" in done.stdout
    assert found["log"].nunique() == RUNS
    pd.testing.assert_frame_equal(
        _plain(found).drop(columns="prompt"), _plain(expected).drop(columns="prompt")
    )
    if form == "parquet":  # a text's "\r\n" is one line break in pandas' CSV
        assert list(found["prompt"]) == list(expected["prompt"])


def _plain(frame):
    """The values without what the files cannot tell apart: types of columns, missing and empty."""
    return frame.astype(object).where(frame.notna() & (frame != ""), None)


def test_the_columns_of_parquet_have_one_type_and_every_run_its_own_rows(store, tmp_path):
    out = tmp_path / "answers.parquet"
    export("parquet", store, "--out", out)
    file = pq.ParquetFile(out)
    types = {
        name: str(kind)
        for name, kind in zip(file.schema_arrow.names, file.schema_arrow.types, strict=True)
    }
    kinds = {str: "string", int: "int64", float: "double", bool: "bool"}
    assert types == {name: kinds[kind] for name, kind in OUTCOME_COLUMNS.items()}
    groups = [file.read_row_group(each)["log"].unique() for each in range(file.num_row_groups)]
    assert len(groups) == RUNS, "the runs were not written one after the other"
    assert all(len(each) == 1 for each in groups)


def test_right_is_told_where_there_is_a_right_answer(store):
    found = outcomes_df(store)
    right = {task: set(rows["right"]) for task, rows in found.groupby("task")}
    assert right["complexeval_basic"] == right["complexeval_attention_limit"] == {None}
    assert right["vanilla"] == {True}, "every answer was the right one"
    for task in ("conformity", "binaryqa_prc", "complexeval_math", "binaryqa_qa"):
        assert right[task] <= {True, False}
    math = found[found["task"] == "complexeval_math"]
    assert list(math["right"]) == [
        float(gold) == score for gold, score in zip(math["gold"], math["score"], strict=True)
    ]


@pytest.mark.parametrize(
    ("out", "told"),
    [
        ("answers.txt", "has to end in .csv"),
        ("answers", "has to end in .csv"),
        ("taken.csv", "cannot write"),
        ("file/below.csv", "cannot write"),
    ],
)
def test_a_file_that_cannot_be_written_is_one_error(store, tmp_path, out, told):
    (tmp_path / "taken.csv").mkdir()
    (tmp_path / "file").write_text("")
    done = export("csv", store / "results", "--out", tmp_path / out)
    assert done.exit_code != 0
    assert told in done.stderr
    assert done.stderr.count("Error") == 1
    assert "Traceback" not in done.output
    assert not list(tmp_path.rglob("*.tmp"))


def test_without_a_run_what_stood_there_stays(tmp_path):
    notes = tmp_path / "notes.json"
    notes.write_text("{}")
    out = tmp_path / "answers.csv"
    out.write_text("mine")
    done = export("csv", notes, "--out", out)
    assert done.exit_code == 1
    assert "notes.json: skipped" in done.stderr
    assert "no finished run of bias-tasks was found" in done.stderr
    assert out.read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["answers.csv", "notes.json"]


def test_a_broken_run_is_told_and_hides_no_other(store, tmp_path):
    for path in (store / "results").rglob("*ib_vanilla*"):
        shutil.copy(path, tmp_path)
    (log,) = (store / "logs").glob("*conformity*")
    shutil.copy(log, tmp_path / "a.eval")
    (tmp_path / "b.eval").write_bytes(b"PK cut short")
    (tmp_path / "c.json").write_text("[]")
    out = tmp_path / "out" / "answers.csv"
    done = export("csv", tmp_path, "--out", out)
    assert done.exit_code == 1
    assert "b.eval: cannot be read" in done.stderr
    assert "c.json" not in done.stderr, "files that are no runs are not told unless they are named"
    assert set(pd.read_csv(out)["task"]) == {"conformity"}


def test_an_edited_answer_is_no_row(store, tmp_path):
    """A value of another type would be a column of its own, or half a file."""
    (log,) = (store / "logs").glob("*conformity*")
    edited = tmp_path / "edited.eval"
    with zipfile.ZipFile(log) as before, zipfile.ZipFile(edited, "w") as after:
        for name in before.namelist():
            text = before.read(name)
            if name.startswith("samples/"):
                sample = json.loads(text)
                sample["scores"]["outcome"]["metadata"]["outcome"]["score"] = "much"
                text = json.dumps(sample).encode()
            after.writestr(name, text)
    with pytest.raises(UnusableRunError, match=r"not as conformity logs them \(score is 'much'\)"):
        outcomes_df(edited)
    for form in ("csv", "parquet"):
        out = tmp_path / f"answers.{form}"
        done = export(form, edited, "--out", out)
        assert done.exit_code == 1
        assert "score is 'much'" in done.stderr
        assert not out.exists()
