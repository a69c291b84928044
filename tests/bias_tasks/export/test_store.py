"""A store: every answer and record of runs in one Parquet file, from which figures are made."""

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from bias_tasks.cli import main
from bias_tasks.data.replacing import replacing
from bias_tasks.export import store as writing
from bias_tasks.export.store import StoreWriter
from bias_tasks.families import load_family
from bias_tasks.family import Answer, Outcome
from bias_tasks.results import every_figure
from bias_tasks.results.answers import Answered, UnusableRunError, answers_of
from bias_tasks.results.every_figure import with_every_figure
from bias_tasks.results.find import apart, read_runs
from bias_tasks.results.run import FigureValue, Run
from bias_tasks.results.store.columns import StoredColumns
from bias_tasks.results.store.layout import KEY, LAYOUT
from bias_tasks.results.store.read import read_store
from tests.bias_tasks.contract.test_outcomes import HOSTS, TASKS, planned, some_text

SENSIBLE = {name.partition("/")[0]: texts for name, (_, _, _, texts) in HOSTS.items()}


def command(*arguments):
    return CliRunner().invoke(main, [str(each) for each in arguments])


def of_task(name, path):
    family, _, task = name.partition("/")
    given = {each.name: each.default for each in load_family(family).tasks[task].parameters}
    record = {
        **{"family": family, "task": task, "protocol": "corrected", "data": "synthetic"},
        **{"parameters": given, "notes": [], "provenance": [], "changed": {}},
    }
    return Run(task, "lm-eval", "m", record, 1, (FigureValue("items", 1, 1, 1, 1),), path)


def written(path, *runs):
    """A store of runs, each with its answers."""
    with replacing(path) as stream, StoreWriter(stream, path.parent) as store:
        for run, answers in runs:
            store.add(run, iter(answers))
    return path


def stored(path):
    runs, problems = apart(read_store(path))
    assert not problems, problems
    return runs


def answered(outcomes):
    return [Answered({"item": each.item}, each, f"Who is {each.item}?") for each in outcomes]


@pytest.mark.parametrize("name", TASKS)
def test_figures_of_a_store_are_those_of_the_outcomes_to_the_digit(name, tmp_path):
    family, plan = planned(name)
    sensible = SENSIBLE.get(family.name, ())
    said = [
        (question, epoch, some_text(f"{epoch}{question.id}", sensible))
        for epoch in (1, 2)
        for question in plan.questions
    ]
    outcomes = [family.read(q.facts, Answer(text, epoch=epoch)) for q, epoch, text in said]
    path = written(tmp_path / "a.parquet", (of_task(name, Path("log")), answered(outcomes)))
    [run] = stored(path)
    assert repr(family.scorecard_of(StoredColumns(run.stored), {})) == repr(
        family.scorecard(outcomes, {})
    )


def test_commands_take_a_store_like_the_logs(store, tmp_path):
    """The same figures in the same order, whether they are shown, compared or told on a page."""
    path = tmp_path / "answers.parquet"
    assert command("export", "parquet", store, "--out", path).exit_code == 0
    shown = [
        json.loads(command("results", each, "--all", "--format", "json").stdout)
        for each in (store, path)
    ]
    assert shown[0] == shown[1]
    assert len(shown[0]) == len(stored(path))
    shown = [command("results", each).stdout for each in (store, path)]
    assert shown[0] == shown[1]
    [log] = (store / "logs").glob("*conformity*")
    for each in (log, path):
        compared = command("compare", log, each, "--all")
        assert compared.exit_code == 0, compared.output
        assert "EQUIVALENT" in compared.stdout or "0.000" in compared.stdout
    page = tmp_path / "report.html"
    told = command("report", path, "--out", page)
    assert told.exit_code == 0, told.output
    assert page.stat().st_size > 10_000


def test_answers_come_back_as_they_were(store, tmp_path):
    path = tmp_path / "answers.parquet"
    command("export", "parquet", store, "--out", path)
    logged = {(run.path, run.task): run for run in read_runs([store])}
    for run in stored(path):
        log = logged[run.path, run.task]
        found, expected = answers_of(run), answers_of(log)
        assert [replace(each, text=None) for each in expected.answers] == list(found.answers)
        assert found.unscored == expected.unscored
        assert repr(replace(run, stored=None)) == repr(log)


def test_a_store_can_be_exported_and_stored_again(store, tmp_path):
    first, again = tmp_path / "first.parquet", tmp_path / "again.parquet"
    command("export", "parquet", store / "results", "--out", first)
    assert command("export", "parquet", first, "--out", again).exit_code == 0
    assert pq.read_table(first).equals(pq.read_table(again))
    csv = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for source, out in zip((store / "results", first), csv, strict=True):
        assert command("export", "csv", source, "--out", out).exit_code == 0
    assert csv[0].read_text() == csv[1].read_text()


def right(number, **changes):
    own = {"domain": "reading", "answer_to_original": "Yes"}
    made = Outcome(f"i{number}", f"c{number}", "original", "Yes", "Yes", 1.0, "explicit", own=own)
    return replace(made, **changes)


BINARY = "binary_qa/binaryqa_qa"


def test_long_and_strange_texts_are_kept_and_few_of_them_held(tmp_path, monkeypatch):
    """Row groups end where their texts are long, not only where there are many rows."""
    monkeypatch.setattr(writing, "_BYTES", 1000)
    monkeypatch.setattr(writing, "_HELD_BYTES", 500)
    names = ["é ₂ 🙂\u2028", "", "a\tb\x00c", "日本" * 400, "-0", "nan"]
    outcomes = [right(k, item=name, cluster=name, why="x" * 400) for k, name in enumerate(names)]
    path = written(tmp_path / "a.parquet", (of_task(BINARY, Path("log")), answered(outcomes)))
    assert pq.ParquetFile(path).num_row_groups >= 3
    [run] = stored(path)
    assert answers_of(run).outcomes() == outcomes
    assert list(StoredColumns(run.stored).coded("item").values) == names


def test_missing_values_have_a_place_of_their_own(tmp_path):
    outcomes = [right(0, answer=None, score=None), right(1), right(2, answer=None, score=0.0)]
    path = written(tmp_path / "a.parquet", (of_task(BINARY, Path("log")), answered(outcomes)))
    columns = StoredColumns(stored(path)[0].stored)
    answer, (score, known) = columns.coded("answer"), columns.numbers("score")
    assert list(answer.values) == [None, "Yes"]
    assert answer.codes.tolist() == [0, 1, 0]
    assert (score.tolist(), known.tolist()) == ([0.0, 1.0, 0.0], [False, True, True])


def test_runs_of_one_store_have_their_own_figures(tmp_path):
    wrong = [right(k, answer="No", score=0.0) for k in range(3)]
    one, other = of_task(BINARY, Path("one")), of_task(BINARY, Path("other"))
    path = written(
        tmp_path / "a.parquet",
        (one, answered([right(k) for k in range(4)])),
        (other, answered(wrong)),
    )
    cards = [{f.name: f for f in with_every_figure(run).metrics} for run in stored(path)]
    assert [card["acc/original"].value for card in cards] == [1.0, 0.0]
    assert [card["items"].n for card in cards] == [4, 3]


def test_an_item_twice_is_told_of_its_run(tmp_path):
    run = of_task(BINARY, Path("doubled"))
    path = written(tmp_path / "a.parquet", (run, answered([right(0), right(1), right(0)])))
    with pytest.raises(UnusableRunError, match="doubled: item 'i0': variant 'original' stands twi"):
        with_every_figure(stored(path)[0])


def test_of_a_run_that_breaks_half_way_nothing_stands_in_the_store(tmp_path):
    def breaking():
        yield from answered([right(0), right(1)])
        raise UnusableRunError("cut short")

    path = tmp_path / "a.parquet"
    with replacing(path) as stream, StoreWriter(stream, tmp_path) as store:
        with pytest.raises(UnusableRunError):
            store.add(of_task(BINARY, Path("broken")), breaking())
        assert store.add(of_task(BINARY, Path("whole")), iter(answered([right(5)]))) == 1
    [run] = stored(path)
    assert (run.path, [each.item for each in answers_of(run).outcomes()]) == (Path("whole"), ["i5"])
    assert pq.read_table(path).num_rows == 1
    assert [each.name for each in tmp_path.iterdir()] == ["a.parquet"]


def test_runs_at_the_same_place_in_two_stores_are_two(tmp_path):
    """Two machines' logs may have one name."""
    run = of_task(BINARY, Path("logs/a.json"))
    one = written(tmp_path / "one.parquet", (run, answered([right(0), right(1)])))
    other = written(tmp_path / "other.parquet", (run, answered([right(2, answer="No", score=0.0)])))
    both = tmp_path / "both.parquet"
    done = command("export", "parquet", one, other, "--out", both)
    assert "3 answers of 2 runs" in done.stdout
    assert [len(answers_of(each).answers) for each in stored(both)] == [2, 1]
    none = command("results", tmp_path)
    assert "name the stores in it" in none.stderr


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"span": ("a", 2)}, "span is ('a', 2)"),
        ({"span": (-1, 2)}, "span is (-1, 2)"),
        ({"own": ["reading"]}, "own is ['reading']"),
        ({"score": math.inf}, "score is inf"),
    ],
)
def test_an_edited_outcome_is_named_and_not_stored(change, told, tmp_path):
    run = of_task(BINARY, Path("log"))
    with pytest.raises(UnusableRunError, match="log: its answers are not as") as e:
        written(tmp_path / "a.parquet", (run, answered([right(0), right(1, **change)])))
    assert told in str(e.value)
    assert not list(tmp_path.iterdir())


def small(path):
    return written(path, (of_task(BINARY, Path("log")), answered([right(k) for k in range(40)])))


def edited(change):
    """Writes a store again with its table, and what its metadata tell, changed."""

    def write(path):
        file = pq.ParquetFile(small(path))
        table, told = file.read(), json.loads(file.metadata.metadata[KEY])
        table, told = change(table, told)
        metadata = {} if told is None else {KEY: json.dumps(told)}
        pq.write_table(table.replace_schema_metadata(metadata), path)

    return write


def cut(share):
    def write(path):
        whole = small(path).read_bytes()
        path.write_bytes(whole[: int(len(whole) * share)])

    return write


OLD = ["run", "own", "facts", "span_start", "span_end"]
HOSTILE = {
    "empty": (lambda path: path.write_bytes(b""), "is empty: export the logs again"),
    "text": (lambda path: path.write_text("item,answer\n1,2\n"), "is no Parquet file"),
    "cut by a byte": (lambda p: p.write_bytes(small(p).read_bytes()[:-1]), "was cut short"),
    "cut in two": (cut(0.5), "was cut short: export the logs again"),
    "only its ends": (lambda path: path.write_bytes(b"PAR1" + bytes(40) + b"PAR1"), "cannot be re"),
    "a table": (
        lambda path: pq.write_table(pa.table({"a": [1]}), path),
        "skipped: is no store of `bias-tasks export parquet`",
    ),
    "older": (edited(lambda t, told: (t.drop_columns(OLD), None)), "by an older version of bias"),
    "newer": (
        edited(lambda t, told: (t, told | {"layout": LAYOUT + 1})),
        f"is a store of layout {LAYOUT + 1}, and this version of bias-tasks reads {LAYOUT}: update",
    ),
    "no column": (edited(lambda t, told: (t.drop_columns(["own"]), told)), "lacks the columns own"),
    "rows gone": (
        edited(lambda t, told: (t.slice(1), told)),
        "does not hold the rows that it tell",
    ),
    "no run": (edited(lambda t, told: (t.slice(0, 0), told | {"runs": []})), "holds no run"),
    "no record": (
        edited(lambda t, told: (t, told | {"runs": [{**told["runs"][0], "record": {}}]})),
        "has no family that can be read",
    ),
    "metadata": (edited(lambda t, told: (t, ["runs"])), "its metadata are not those that"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_what_is_no_whole_store_is_one_clear_line(what, tmp_path):
    write, expected = HOSTILE[what]
    path = tmp_path / "a.parquet"
    write(path)
    done = command("results", path, "--all")
    assert done.exit_code == 1
    lines = done.stderr.splitlines()
    assert len(lines) == 2, done.output
    assert expected in lines[0]
    assert lines[0].startswith(f"{path}: ")
    assert "no finished run" in lines[1]


def test_a_damaged_page_is_no_figure(tmp_path):
    path = small(tmp_path / "a.parquet")
    column = pq.ParquetFile(path).metadata.row_group(0).column(3)
    assert column.path_in_schema == "item"
    content = bytearray(path.read_bytes())
    content[column.data_page_offset + column.total_compressed_size - 20] ^= 0xFF
    path.write_bytes(content)
    done = command("results", path, "--all")
    assert done.exit_code == 1
    assert "log: its store is damaged" in done.stderr
    assert "Traceback" not in done.output


@pytest.mark.parametrize("rows", [39, 41])
def test_rows_that_a_damaged_page_leaves_out_are_told(tmp_path, rows):
    # A flipped bit in a page's head has pyarrow read fewer rows, without an error.
    [run] = stored(small(tmp_path / "a.parquet"))
    other = replace(run, stored=replace(run.stored, rows=rows))
    told = rf"is damaged \(40 of {rows} rows can be read\): export the logs again"
    for read in (with_every_figure, answers_of):
        with pytest.raises(UnusableRunError, match=told):
            read(other)


def test_what_has_to_be_held_at_once_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(every_figure, "_MANY", 2)
    name = "complex_eval/complexeval_math"
    family, plan = planned(name)
    outcomes = [family.outcome_with_all_figures(each.facts) for each in plan.questions]
    path = written(
        tmp_path / "a.parquet",
        (of_task(name, Path("judged")), answered(outcomes)),
        (of_task(BINARY, Path("asked")), answered([right(k) for k in range(4)])),
    )
    done = command("results", path, "--all")
    assert done.exit_code == 0, done.output
    [line] = [each for each in done.stderr.splitlines() if "at once" in each]
    assert line.startswith(f"judged: figures of complex_eval are made of all {len(outcomes)} ")


def test_columns_of_a_store_are_in_the_order_of_first_appearance(tmp_path):
    items = [right(k, cluster=f"c{k % 7}") for k in (5, 3, 5, 9, 3, 1) * 3]
    outcomes = [replace(each, epoch=k) for k, each in enumerate(items)]
    path = written(tmp_path / "a.parquet", (of_task(BINARY, Path("log")), answered(outcomes)))
    columns = StoredColumns(stored(path)[0].stored)
    for name in ("item", "cluster", "variant", "own"):
        found = columns.coded(name)
        values = [found.values[code] for code in found.codes]
        assert values == [getattr(each, name) for each in outcomes]
        assert np.array_equal(
            np.unique(found.codes, return_index=True)[1],
            sorted(np.unique(found.codes, return_index=True)[1]),
        )
    assert not math.isnan(columns.numbers("epoch")[0].sum())
    assert load_family("binary_qa").columnar
