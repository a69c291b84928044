"""`bias-tasks reformulate`: what is asked, what is written, and who made it."""

import pytest

from bias_tasks.binary_qa.data import paper
from bias_tasks.binary_qa.data.converters import PendingNumberQuestion
from bias_tasks.binary_qa.data.load import load_binary
from bias_tasks.binary_qa.items import VARIANTS, BinaryItem
from bias_tasks.binary_qa.reformulation import checks, grammar, numeric
from tests.bias_tasks.commands.asking import Asked, read, run, write

KINDS = ("synonym", "polite", "contradictory", "false")


@pytest.fixture(autouse=True)
def plain_grammar(monkeypatch):
    """A grammar that knows questions which begin with Is, and checks that want a question mark."""

    def reformulate(question, kind):
        return f"{kind} of {question}" if question.startswith("Is ") else None

    def check(question, kind, text):
        return None if text.endswith("?") else "it is no question"

    monkeypatch.setattr(grammar, "reformulate", reformulate)
    monkeypatch.setattr(checks, "check", check)


def good(prompt):
    """A question that differs with the prompt."""
    return f"Is it so, {abs(hash(prompt))}?"


@pytest.fixture
def asked(monkeypatch):
    return Asked(monkeypatch, good)


@pytest.fixture
def mine(tmp_path):
    """Two questions beyond the grammar, one of them twice, and one that it knows."""
    rows = [
        {"id": "q0", "question": "Where is 0?", "answer": "Yes"},
        {"id": "q1", "question": "Where is 1?", "answer": "No"},
        {"id": "q2", "question": "Where is 1?", "answer": "No", "context": "Elsewhere."},
        {"id": "easy", "question": "Is it here?", "answer": "Yes"},
    ]
    return write(tmp_path / "mine.jsonl", rows)


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out.jsonl"


def reformulate(mine, out, *more, model="m"):
    given = ["--model", model] if model else []
    return run("reformulate", mine, "--out", out, *given, *more)


def test_without_a_model_the_grammar_does_what_it_can(mine, out, asked):
    result = reformulate(mine, out, model=None)
    assert result.exit_code == 1
    assert f"{out}: 4 questions; rewordings: 4 by grammar, 12 missing" in result.output
    assert "3 of 4 questions remain without a rewording" in result.output
    assert "Run the same again with --model MODEL" in result.output
    easy = read(out)[3]
    assert easy["reformulations"]["polite"] == "polite of Is it here?"
    assert easy["provenance"]["polite"] == {"by": "grammar", "output": "polite of Is it here?"}
    assert reformulate(mine, out).exit_code == 0
    assert len(asked) == 8


def test_the_model_is_asked_for_the_rest_alone_and_once_for_what_is_worded_alike(mine, out, asked):
    result = reformulate(mine, out)
    assert result.exit_code == 0, result.output
    assert "rewordings: 4 by grammar, 12 by a model" in result.output
    assert len(asked) == len(set(asked)) == 8
    assert not any("Is it here?" in prompt for prompt in asked.prompts)
    rows = read(out)
    assert [row["id"] for row in rows] == ["q0", "q1", "q2", "easy"]
    origin = rows[0]["provenance"]["false"]
    assert (origin["by"], origin["model"], origin["attempts"]) == ("model", "mockllm/m", 1)
    assert origin["prompt"] in asked.prompts
    assert origin["output"] == good(origin["prompt"]) == rows[0]["reformulations"]["false"]
    assert rows[1]["reformulations"] == rows[2]["reformulations"]
    loaded = load_binary(str(out), variants=VARIANTS)
    assert loaded.provenance[-1]["rewordings"] == {"grammar": 4, "model": 12}
    # Again, or of what is left of the file: what a log has is not asked.
    whole = out.read_bytes()
    for kept in (whole, b"", whole[: whole.index(b"\n") + 1]):
        out.write_bytes(kept)
        assert reformulate(mine, out).exit_code == 0
        assert out.read_bytes() == whole
    assert len(asked) == 8


def test_given_and_edited_rewordings_are_kept_and_kinds_are_added(tmp_path, out, asked):
    rows = [
        {"question": "Is it here?", "answer": "Yes", "reformulations": {"polite": "Mine?"}},
        {"question": "Where?", "answer": "No", "reformulations": {"synonym": "At what place?"}},
    ]
    mine = write(tmp_path / "mine.jsonl", rows)
    assert reformulate(mine, out, "--kinds", "polite,synonym").exit_code == 0
    first, second = read(out)
    assert first["reformulations"] == {"synonym": "synonym of Is it here?", "polite": "Mine?"}
    assert first["provenance"]["polite"] == {"by": "given", "output": "Mine?"}
    assert second["reformulations"]["synonym"] == "At what place?"
    assert len(asked) == 1
    second["reformulations"]["polite"] = "Edited?"
    write(out, [first, second])
    assert reformulate(mine, out).exit_code == 0
    assert read(out)[1]["reformulations"]["polite"] == "Edited?"
    assert len(asked) == 3


def test_refusals_are_recorded_with_their_reason_and_other_models_may_try(mine, out, asked):
    asked.answer = lambda prompt: good(prompt) if "polite" not in prompt else "No."
    result = reformulate(mine, out)
    origin = read(out)[0]["provenance"]["polite"]
    assert (origin["by"], origin["attempts"], origin["output"]) == ("refused", 3, "No.")
    assert origin["reason"] == "it is no question"
    assert result.exit_code == 1
    assert "q0, polite: refused, because it is no question" in result.output
    assert "another --model" in result.output
    again = [prompt for prompt in asked.prompts if 'you replied "No."' in prompt]
    assert len(again) == 4
    assert all("which can't be used: it is no question" in prompt for prompt in again)
    asked.answer = good
    assert reformulate(mine, out, model="other").exit_code == 0
    assert read(out)[0]["provenance"]["polite"]["model"] == "mockllm/other"


def test_a_model_that_fails_leaves_what_was_made(mine, out, asked):
    def answer(prompt):
        if "Where is 1?" in prompt:
            raise RuntimeError("quota exceeded")
        return good(prompt)

    asked.answer = answer
    result = reformulate(mine, out, "--max-connections", 1)
    assert result.exit_code == 1
    assert "The model failed during 4 rewordings" in result.output
    assert "quota exceeded" in result.output
    assert [len(row.get("reformulations", ())) for row in read(out)] == [4, 0, 0, 4]
    asked.answer = good
    asked.clear()
    assert reformulate(mine, out).exit_code == 0
    assert len(asked) == 4


def test_a_number_question_is_turned_and_then_reworded(monkeypatch, out, asked):
    items = [
        BinaryItem("a", "Is a here?", "Yes", "reading", "boolq", "cluster", "About a."),
        PendingNumberQuestion(
            id="p",
            question="How many?",
            answer="No",
            domain="numerical",
            source="drop",
            cluster="passage",
            context="Three.",
            value=3,
            style="exact",
        ),
    ]
    calls = []

    def paper_items(domains, sources, accept):
        calls.append((domains, sources))
        return items, []

    monkeypatch.setattr(paper, "paper_items", paper_items)
    monkeypatch.setattr(
        numeric,
        "check_number_question",
        lambda question, value, style, answer, text: None if "4" in text else "no other number",
    )
    result = reformulate("boolq,drop", out, "--domains", "reading,numerical", model=None)
    assert "1 ask for a number, were not turned yes/no, and are left out" in result.output
    assert [row["id"] for row in read(out)] == ["a"]
    asked.answer = lambda prompt: "Are there 4?" if "Its answer: 3" in prompt else good(prompt)
    assert reformulate("paper", out).exit_code == 0
    assert calls == [(["reading", "numerical"], ["boolq", "drop"]), (None, None)]
    row = next(row for row in read(out) if row["id"] == "p")
    assert (row["question"], row["answer"], row["source"]) == ("Are there 4?", "No", "drop")
    assert row["provenance"]["question"]["turned_from"] == "How many?"
    assert set(row["reformulations"]) == set(KINDS)
    assert len(asked) == 5
    assert all("Question: Are there 4?" in prompt for prompt in asked.prompts[1:])
    whole = out.read_bytes()
    assert reformulate("paper", out).exit_code == 0
    assert (out.read_bytes(), len(asked)) == (whole, 5)
    assert len(load_binary(str(out), variants=VARIANTS).items) == 2


def test_a_file_of_other_questions_is_refused(tmp_path, mine, out):
    reformulate(mine, out, model=None)
    whole = out.read_bytes()
    rows = read(mine)
    rows[0]["answer"] = "No"
    for other, told in ((rows, "of 'q0', the answer differs"), (rows[1:], "not among them")):
        result = reformulate(write(tmp_path / "other.jsonl", other), out, model=None)
        assert told in " ".join(result.output.split())
    assert out.read_bytes() == whole


def test_wrong_arguments_are_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    wrong = {
        "nothing.jsonl --out o.jsonl": "neither a file, nor 'paper', nor the name of a data set",
        "synthetic --out o.jsonl": "synthetic questions come with all their rewordings",
        "paper --out o.csv": "must end in .jsonl",
        "paper --out o.jsonl --kinds polite,rude": "expected some of synonym, polite",
        "o.jsonl --out o.jsonl": "--out is FILE itself",
    }
    for words, told in wrong.items():
        result = run("reformulate", *words.split())
        assert result.exit_code != 0, words
        assert told in " ".join(result.output.split()), words
