"""`make_reformulations`: its requests, the rows, and the provenance of rewordings."""

import pytest

from bias_tasks.binary_qa.data import load
from bias_tasks.binary_qa.data.load import load_binary
from bias_tasks.binary_qa.items import (
    REFORMULATIONS,
    VARIANTS,
    BinaryItem,
    PendingNumberQuestion,
)
from bias_tasks.digests import content_hash
from bias_tasks.solvers.inspect_api import TaskError
from bias_tasks.written_texts_tasks import make_reformulations
from tests.bias_tasks.commands.rows import write
from tests.bias_tasks.written_texts.writing import Writing, collect

PASSAGE = {"domain": "numerical", "source": "drop", "cluster": "passage", "context": "Three."}


def good(prompt):
    """Return a question that depends on the prompt, or Yes for the checker."""
    if "Answer with Yes or No." in prompt:
        return "Yes"
    return f"Is it false that it is {content_hash(prompt)}?"


@pytest.fixture
def mine(tmp_path):
    """Two questions, one with a rewording."""
    rows = [
        {"id": "q0", "question": "Is 0 here?", "answer": "Yes"},
        {"id": "q1", "question": "Is 1 here?", "answer": "No"},
    ]
    rows[1]["reformulations"] = {"polite": "Mine?"}
    return str(write(tmp_path / "mine.jsonl", rows))


def test_missing_rewordings_are_written(mine, out):
    writing = Writing(make_reformulations(data=mine), good)
    done, rows = collect(writing.log, to=out)
    assert done.exit_code == 0, done.output
    assert len(writing.requests) == 4 + 3
    assert [row["id"] for row in rows] == ["q0", "q1"]
    origin = rows[0]["provenance"]["false"]
    assert (origin["by"], origin["model"], origin["attempts"]) == ("model", "mockllm/model", 1)
    assert origin["output"] == good(origin["prompt"]) == rows[0]["reformulations"]["false"]
    assert rows[1]["reformulations"]["polite"] == "Mine?"
    loaded = load_binary(str(out), variants=VARIANTS)
    assert loaded.provenance[-1]["rewordings"] == {"model": 7, "given": 1}
    # Rows with all rewordings stay as they are, without a request.
    again = Writing(make_reformulations(data=str(out)), good)
    later = collect(again.log, to=out.with_name("later.jsonl"))
    assert (later[1], again.requests, later[0].exit_code) == (rows, [], 0)


def test_refusals_are_recorded_and_another_model_can_write_them(mine, out):
    writing = Writing(
        make_reformulations(data=mine), lambda p: good(p) if "polite" not in p else "No."
    )
    done, rows = collect(writing.log, to=out)
    origin = rows[0]["provenance"]["polite"]
    assert (origin["by"], origin["attempts"], origin["output"]) == ("refused", 3, "No.")
    assert origin["reason"] == "it does not end with a question mark"
    assert "1 x it does not end with a question mark" in done.output
    assert done.exit_code == 0
    again = Writing(make_reformulations(data=str(out)), good)
    assert len(again.requests) == 1
    _, rows = collect(again.log, writing.log, to=out.with_name("later.jsonl"))
    assert rows[0]["provenance"]["polite"]["by"] == "model"


def test_a_checker_checks_the_meaning_of_each_rewording(mine, out):
    def answer(prompt):
        return "No." if "ask the opposite" in prompt else good(prompt)

    writing = Writing(make_reformulations(data=mine), answer, "checker")
    checks = [prompt for role, prompt in writing.requests if role == "checker"]
    assert sum("First question: Is 0 here?\n\nSecond question: Is it " in p for p in checks) == 4
    done, rows = collect(writing.log, to=out)
    assert set(rows[0]["reformulations"]) == {"synonym", "polite"}
    assert rows[0]["provenance"]["false"]["by"] == "refused"
    assert rows[0]["provenance"]["false"]["reason"] == "the checker rejected it: No."
    assert "2 x the checker rejected it" in done.output


def test_a_question_for_a_number_is_turned_into_a_yes_no_question_and_reworded(monkeypatch, out):
    plain = BinaryItem("a", "Is a here?", "Yes", "reading", "boolq", "cluster", "About a.")
    pending = PendingNumberQuestion(
        id="p", question="How many?", answer="No", value=3, style="exact", **PASSAGE
    )
    monkeypatch.setattr(load, "load_paper", lambda *_, **__: ([plain, pending], []))

    def answer(prompt, number=4):
        return good(prompt) if "Its answer: 3" not in prompt else f"Are there {number}?"

    writing = Writing(make_reformulations(), lambda prompt: answer(prompt, 3))
    done, rows = collect(writing.log, to=out)
    assert "1 x its number doesn't make No the right answer" in done.output
    assert [(row["id"], set(row["reformulations"])) for row in rows] == [("a", {*REFORMULATIONS})]
    writing = Writing(make_reformulations(kinds="polite"), answer, "checker")
    assert sum("Is No then the right answer to the second?" in p for p in writing.prompts) == 1
    _, rows = collect(writing.log, to=out.with_name("later.jsonl"))
    row = next(row for row in rows if row["id"] == "p")
    assert (row["question"], row["answer"], row["source"]) == ("Are there 4?", "No", "drop")
    assert row["provenance"]["question"]["turned_from"] == "How many?"
    assert set(row["reformulations"]) == {"polite"}


def test_wrong_arguments_are_one_error():
    for arguments, message in (
        ({"data": "nothing.jsonl"}, "nothing.jsonl"),
        ({"data": "core", "kinds": "polite,rude"}, "expected some of synonym, polite"),
        ({"data": "core", "sources": "drop"}, "sources"),
    ):
        with pytest.raises(TaskError, match=message):
            make_reformulations(**arguments)
