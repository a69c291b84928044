"""`bias-tasks reformulate`: its requests, its output, and the provenance of rewordings."""

import pytest

from bias_tasks.binary_qa.data import paper
from bias_tasks.binary_qa.data.load import load_binary
from bias_tasks.binary_qa.items import (
    REFORMULATIONS,
    VARIANTS,
    BinaryItem,
    PendingNumberQuestion,
)
from bias_tasks.digests import content_hash
from tests.bias_tasks.commands.batch_requests import Requests, read, run, write


def good(prompt):
    """Return a question that depends on the prompt, or Yes for the checker."""
    if "Answer with Yes or No." in prompt:
        return "Yes"
    return f"Is it false that it is {content_hash(prompt)}?"


@pytest.fixture
def requests(monkeypatch):
    return Requests(monkeypatch, good)


@pytest.fixture
def mine(tmp_path):
    """Four questions, two with the same text and one with a rewording."""
    rows = [
        {"id": "q0", "question": "Is 0 here?", "answer": "Yes"},
        {"id": "q1", "question": "Is 1 here?", "answer": "No"},
        {"id": "q2", "question": "Is 1 here?", "answer": "No", "context": "Elsewhere."},
        {"id": "q3", "question": "Is 3 here?", "answer": "Yes"},
    ]
    rows[3]["reformulations"] = {"polite": "Mine?"}
    return write(tmp_path / "mine.jsonl", rows)


def reformulate(mine, out, *options, model="m"):
    return run("reformulate", mine, "--out", out, "--model", model, *options)


def test_equal_requests_are_made_once_and_never_repeated(mine, out, requests):
    result = reformulate(mine, out)
    assert result.exit_code == 0, result.output
    assert f"{out}: 4 questions; rewordings: 1 given, 15 model" in result.output
    assert len(requests) == len(set(requests)) == 4 + 4 + 3
    rows = read(out)
    assert [row["id"] for row in rows] == ["q0", "q1", "q2", "q3"]
    origin = rows[0]["provenance"]["false"]
    assert (origin["by"], origin["model"], origin["attempts"]) == ("model", "mockllm/m", 1)
    assert origin["output"] == good(origin["prompt"]) == rows[0]["reformulations"]["false"]
    assert rows[1]["reformulations"] == rows[2]["reformulations"]
    assert rows[3]["reformulations"]["polite"] == "Mine?"
    loaded = load_binary(str(out), variants=VARIANTS)
    assert loaded.provenance[-1]["rewordings"] == {"model": 15, "given": 1}
    # Rerun with a shorter file: an edit is kept, and the log's replies are not requested again.
    rows[0]["reformulations"]["polite"] = "Edited?"
    write(out, rows[:1])
    assert reformulate(mine, out).exit_code == 0
    assert (read(out), len(requests)) == (rows, 11)


def test_refusals_are_recorded_with_their_reason_and_another_model_can_retry(mine, out, requests):
    requests.answer = lambda prompt: good(prompt) if "polite" not in prompt else "No."
    result = reformulate(mine, out)
    origin = read(out)[0]["provenance"]["polite"]
    assert (origin["by"], origin["attempts"], origin["output"]) == ("refused", 3, "No.")
    assert origin["reason"] == "it does not end with a question mark"
    assert result.exit_code == 1
    assert "3 of 4 questions lack a rewording (the first: it does not end" in result.output
    requests.answer = good
    assert reformulate(mine, out, model="other").exit_code == 0
    assert read(out)[0]["provenance"]["polite"]["model"] == "mockllm/other"


def test_a_checker_checks_the_meaning_of_each_rewording(mine, out, requests):
    requests.answer = lambda prompt: "No." if "ask the opposite" in prompt else good(prompt)
    result = reformulate(mine, out, "--checker", "grader")
    assert result.exit_code == 1
    assert "rewordings: 1 given, 8 missing, 7 model" in result.output
    checks = [prompt for role, prompt in requests if role == "checker"]
    assert sum("First question: Is 0 here?\n\nSecond question: Is it " in p for p in checks) == 4
    origin = read(out)[0]["provenance"]["false"]
    assert origin["by"] == "refused"
    assert origin["reason"] == "the checker does not confirm that it means what it should"


def test_a_question_for_a_number_is_turned_into_a_yes_no_question_and_reworded(
    monkeypatch, out, requests
):
    plain = BinaryItem("a", "Is a here?", "Yes", "reading", "boolq", "cluster", "About a.")
    number = {"domain": "numerical", "source": "drop", "cluster": "passage", "context": "Three."}
    pending = PendingNumberQuestion(
        id="p", question="How many?", answer="No", value=3, style="exact", **number
    )
    monkeypatch.setattr(paper, "paper_items", lambda chosen: ([plain, pending], []))
    requests.answer = lambda prompt: (
        good(prompt) if "Its answer: 3" not in prompt else "Are there 3?"
    )
    result = reformulate("boolq,drop", out, "--domains", "reading,numerical", "--kinds", "polite")
    assert "1 for numbers are excluded, because no model turned them into yes/no" in result.output
    assert [(row["id"], set(row["reformulations"])) for row in read(out)] == [("a", {"polite"})]
    requests.answer = lambda prompt: (
        good(prompt) if "Its answer: 3" not in prompt else "Are there 4?"
    )
    assert reformulate("paper", out, "--checker", "grader", model="other").exit_code == 0
    row = next(row for row in read(out) if row["id"] == "p")
    assert (row["question"], row["answer"], row["source"]) == ("Are there 4?", "No", "drop")
    assert row["provenance"]["question"]["turned_from"] == "How many?"
    assert set(row["reformulations"]) == set(REFORMULATIONS)
    assert sum("Is No then the right answer to the second?" in p for p in requests.prompts) == 1
    whole, count = out.read_bytes(), len(requests)
    assert reformulate("paper", out, model="other").exit_code == 0
    assert (out.read_bytes(), len(requests)) == (whole, count)


def test_wrong_arguments_are_refused_and_a_file_of_other_questions_is_kept(
    tmp_path, monkeypatch, mine, out, requests
):
    monkeypatch.chdir(tmp_path)
    reformulate(mine, out)
    whole = out.read_bytes()
    rows = read(mine)
    write(tmp_path / "changed.jsonl", [{**rows[0], "answer": "No"}, *rows[1:]])
    wrong = {
        "nothing.jsonl --out o.jsonl": "nothing.jsonl",
        "paper --out o.csv": "must end in .jsonl",
        "paper --out o.jsonl --kinds polite,rude": "expected some of synonym, polite",
        "o.jsonl --out o.jsonl": "--out is FILE itself",
        "changed.jsonl --out out.jsonl": "'q0' is not in FILE, or has another question, answer or",
    }
    for words, message in wrong.items():
        result = run("reformulate", *words.split(), "--model", "m")
        assert result.exit_code != 0, words
        assert message in " ".join(result.output.split()), words
    assert out.read_bytes() == whole
