"""`bias-tasks reformulate`, run again: nothing is lost, and nothing asked twice."""

import json

import pytest

from bias_tasks.binary_qa.data.load import load_binary
from bias_tasks.binary_qa.items import VARIANTS
from bias_tasks.commands.reformulate import commands
from bias_tasks.data.errors import DataError
from tests.bias_tasks.binary_qa.reformulator_runs import (
    Asked,
    good,
    plain_grammar,
    questions,
    read,
    run,
    with_model,
    write,
)
from tests.bias_tasks.full_disk import full_disk


@pytest.fixture(autouse=True)
def grammar(monkeypatch):
    plain_grammar(monkeypatch)


@pytest.fixture
def asked(monkeypatch):
    return Asked(monkeypatch)


@pytest.fixture
def mine(tmp_path):
    return write(tmp_path / "mine.jsonl", questions(4))


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out.jsonl"


def test_a_model_can_follow_a_run_without_one(mine, out, asked):
    run(mine, "--out", out)
    assert with_model(mine, out).exit_code == 0
    assert len(asked) == 12
    assert with_model(mine, out).exit_code == 0
    assert len(asked) == 12


def test_more_kinds_can_follow(mine, out, asked):
    assert with_model(mine, out, "--kinds", "polite").exit_code == 0
    assert {tuple(row["reformulations"]) for row in read(out)} == {("polite",)}
    assert with_model(mine, out).exit_code == 0
    assert len(asked) == len(set(asked)) == 12
    assert len(read(out)) == 4


@pytest.mark.parametrize("kept", range(0, 9000, 400))
def test_a_run_that_was_killed_goes_on(mine, out, asked, kept):
    with_model(mine, out)
    whole = out.read_bytes()
    out.write_bytes(whole[:kept])
    complete = whole[:kept].count(b"\n")
    asked.clear()
    assert with_model(mine, out).exit_code == 0
    assert out.read_bytes() == whole
    assert len(asked) == 4 * (3 - min(complete, 3))


def test_a_last_line_without_its_end_is_kept(mine, out, asked):
    with_model(mine, out)
    whole = out.read_bytes()
    out.write_bytes(whole.rstrip(b"\n"))
    asked.clear()
    assert with_model(mine, out).exit_code == 0
    assert not asked
    assert out.read_bytes() == whole


class Killed(BaseException):
    """Ends the run as a signal would: nothing of the run's own code gets to handle it."""


def test_every_reply_is_on_the_disk_at_once(mine, out, asked, monkeypatch):
    def answer(prompt):
        if len(asked) == 6:
            raise Killed
        return good(prompt)

    asked.answer = answer
    with monkeypatch.context() as patch:
        # a kill leaves no time to put the file in order either
        patch.setattr(commands.Output, "__exit__", lambda self, *error: None)
        with pytest.raises(Killed):
            with_model(mine, out, "--max-connections", 1)
    with pytest.raises(DataError, match="is the id of line 1 already"):
        load_binary(str(out), variants=("original",))
    first = list(asked)
    asked.answer = good
    asked.clear()
    assert with_model(mine, out).exit_code == 0
    assert len(asked) == 7  # five were answered, the sixth was not
    assert set(asked) & set(first) == {first[-1]}
    assert len(read(out)) == 4


def test_an_interrupted_run_leaves_the_file_in_order(mine, out, asked):
    def answer(prompt):
        if len(asked) == 6:
            raise KeyboardInterrupt
        return good(prompt)

    asked.answer = answer
    result = with_model(mine, out, "--max-connections", 1)
    assert result.exit_code == 1
    assert [len(row["reformulations"]) for row in read(out)] == [4, 1]
    asked.answer = good
    assert with_model(mine, out).exit_code == 0


def test_edited_rows_stay(mine, out, asked):
    with_model(mine, out)
    first, *others = read(out)
    first["reformulations"]["polite"] = "Might it be there?"
    first["provenance"]["polite"]["reviewed_by"] = "me"
    write(out, [*others[::-1], first])
    asked.clear()
    assert with_model(mine, out).exit_code == 0
    assert not asked
    assert read(out)[0] == first  # in the order of the questions again
    rewordings = load_binary(str(out), variants=VARIANTS).provenance[-1]["rewordings"]
    assert rewordings == {"grammar": 4, "model": 11, "given": 1}


def test_a_rewording_that_was_struck_out_is_made_again(mine, out, asked):
    with_model(mine, out)
    first, *others = read(out)
    del first["reformulations"]["polite"]
    write(out, [first, *others])
    asked.clear()
    assert with_model(mine, out).exit_code == 0
    assert not asked  # the model is known to answer so
    assert read(out)[0]["reformulations"]["polite"]


def test_questions_worded_alike_are_asked_once(tmp_path, out, asked):
    alike = [
        {"id": f"q{i}", "question": "Where?", "context": f"c{i}", "answer": "No"} for i in range(9)
    ]
    mine = write(tmp_path / "mine.jsonl", alike)
    assert with_model(mine, out, "-n", 6).exit_code == 0
    assert len(asked) == 4
    assert with_model(mine, out).exit_code == 0
    assert len(asked) == 4
    assert len({json.dumps(row["reformulations"]) for row in read(out)}) == 1
    assert {row["provenance"]["polite"]["by"] for row in read(out)} == {"model"}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"question": "Where?"}, "of 'q0', the question differs"),
        ({"answer": "No"}, "of 'q0', the answer differs"),
        ({"domain": "d"}, "of 'q0', the domain differs"),
        ({"context": "c", "cluster": "q0"}, "of 'q0', the context differs"),
        ({"id": "other"}, "of 'q0', that question is not among them"),
        ({"reformulations": {"polite": "P?"}}, "of 'q0', the given polite rewording differs"),
    ],
)
def test_other_questions_are_refused(mine, out, asked, change, told):
    with_model(mine, out)
    before = out.read_bytes()
    first, *others = read(mine)
    write(mine, [{**first, **change}, *others])
    result = with_model(mine, out)
    assert result.exit_code == 1
    assert f"{out} was made from other questions than these: {told}" in result.output
    assert "another --out" in result.output
    assert out.read_bytes() == before


def test_further_questions_are_welcome(mine, out, asked):
    assert with_model(mine, out, "-n", 2).exit_code == 0
    assert [row["id"] for row in read(out)] == ["q0", "q1"]
    write(mine, [{"question": "Where now?", "answer": "No"}, *read(mine)])
    assert with_model(mine, out).exit_code == 0
    assert len(read(out)) == 5
    assert len(asked) == len(set(asked)) == 16


def test_a_wrong_row_of_the_output_is_named(mine, out, asked):
    with_model(mine, out)
    first, second, *others = read(out)
    write(out, [first, {**second, "answer": "maybe"}, *others])
    result = with_model(mine, out)
    assert "line 2: column answer: expected 'Yes' or 'No', found 'maybe'" in result.output


def test_the_same_model_is_not_asked_again_but_another_is(mine, out, asked, monkeypatch):
    asked.answer = lambda prompt: "No."
    with_model(mine, out)
    assert len(asked) == 36
    with_model(mine, out)
    assert len(asked) == 36
    asked.answer = good
    assert run(mine, "--out", out, "--model", "better").exit_code == 0
    assert len(asked) == 48
    assert read(out)[0]["provenance"]["polite"]["model"] == "mockllm/better"


def test_what_another_model_made_is_named(mine, out, asked):
    assert with_model(mine, out, "--kinds", "polite").exit_code == 0
    result = run(mine, "--out", out, "--model", "other")
    assert result.exit_code == 0
    assert f"{out} keeps what other models made: mockllm/m (3)" in result.stderr
    assert {row["provenance"]["polite"].get("model") for row in read(out)} == {"mockllm/m", None}


@pytest.mark.parametrize("most", [0, 1200, 3000])
def test_a_full_disk_is_one_line_and_loses_nothing(mine, out, asked, tmp_path, most):
    whole = tmp_path / "whole.jsonl"
    with_model(mine, whole)
    asked.clear()
    with full_disk(most):
        result = with_model(mine, out, "--max-connections", 1)
    assert result.exit_code == 1
    assert result.output.count("Error: cannot write") == 1
    assert with_model(mine, out).exit_code == 0
    assert out.read_bytes() == whole.read_bytes()
    assert len(asked) in (12, 13)  # the one whose reply found no room is asked again
