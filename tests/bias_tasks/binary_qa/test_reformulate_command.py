"""`bias-tasks reformulate`: what is written, and who made it."""

import asyncio
import json

import pytest

from bias_tasks.binary_qa.data import paper
from bias_tasks.binary_qa.data.converters import PendingNumberQuestion
from bias_tasks.binary_qa.data.load import load_binary
from bias_tasks.binary_qa.items import VARIANTS, BinaryItem
from bias_tasks.binary_qa.reformulation import numeric
from bias_tasks.commands.model_calls.alone import alone
from bias_tasks.commands.reformulate import commands
from tests.bias_tasks.binary_qa.reformulator_runs import (
    KINDS,
    Asked,
    ProviderError,
    good,
    plain_grammar,
    questions,
    read,
    run,
    with_model,
    write,
)
from tests.bias_tasks.mocks import output


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


def test_one_process_at_a_time_writes_a_file(mine, out, asked):
    with alone(out):
        result = run(mine, "--out", out, "--model", "mockllm/model")
    assert f"another process writes {out}: wait for it to end" in result.output
    assert not asked


def test_without_a_model_the_grammar_does_what_it_can(mine, out):
    result = run(mine, "--out", out)
    assert result.exit_code == 1
    assert f"{out}: 4 questions; rewordings: 4 by grammar, 12 missing" in result.output
    assert "3 of 4 questions remain without a rewording" in result.output
    assert "Run the same again with --model MODEL" in result.output
    easy = read(out)[3]
    assert easy["reformulations"]["polite"] == "polite of Is it here?"
    assert easy["provenance"]["polite"] == {"by": "grammar", "output": "polite of Is it here?"}
    assert [row["id"] for row in read(out)] == ["q0", "q1", "q2", "easy"]


def test_the_model_is_asked_for_the_rest_alone(mine, out, asked):
    result = with_model(mine, out)
    assert result.exit_code == 0, result.output
    assert "rewordings: 4 by grammar, 12 by a model" in result.output
    assert len(asked) == len(set(asked)) == 12
    assert not any("Is it here?" in prompt for prompt in asked)
    origin = read(out)[0]["provenance"]["false"]
    assert origin["by"] == "model"
    assert origin["model"] == "mockllm/m"
    assert origin["attempts"] == 1
    assert origin["prompt"] in asked
    assert origin["output"] == good(origin["prompt"]) == read(out)[0]["reformulations"]["false"]


def test_the_output_is_data_for_a_task(mine, out, asked):
    with_model(mine, out)
    loaded = load_binary(str(out), variants=VARIANTS)
    assert sorted(item.id for item in loaded.items) == ["easy", "q0", "q1", "q2"]
    assert loaded.provenance[-1]["rewordings"] == {"grammar": 4, "model": 12}
    bare = load_binary(str(mine), variants=("original",))
    assert {(i.id, i.cluster, i.domain) for i in bare.items} == {
        (i.id, i.cluster, i.domain) for i in loaded.items
    }


def test_given_rewordings_are_kept(tmp_path, out, asked):
    row = {**questions(1)[0], "reformulations": {"polite": "Mine?"}}
    hard = {"question": "Where?", "answer": "No", "reformulations": {"synonym": "At what place?"}}
    with_model(write(tmp_path / "mine.jsonl", [row, hard]), out, "--kinds", "polite,synonym")
    first, second = read(out)
    assert first["reformulations"] == {"synonym": "synonym of Is it here?", "polite": "Mine?"}
    assert first["provenance"]["polite"] == {"by": "given", "output": "Mine?"}
    assert second["reformulations"]["synonym"] == "At what place?"
    assert len(asked) == 1


def test_three_refusals_are_recorded_with_their_reason(mine, out, asked):
    asked.answer = lambda prompt: good(prompt) if "polite" not in prompt else "No."
    result = with_model(mine, out)
    refused = [row for row in read(out) if "polite" not in row["reformulations"]]
    assert len(refused) == 3
    origin = refused[0]["provenance"]["polite"]
    assert (origin["by"], origin["attempts"], origin["output"]) == ("refused", 3, "No.")
    assert origin["reason"] == "it is no question"
    assert result.exit_code == 1
    assert "q0, polite: refused, because it is no question" in result.output
    assert "another --model" in result.output
    assert "asked in the variants that it has" in result.output
    again = [prompt for prompt in asked if 'you replied "No."' in prompt]
    assert len(again) == 6
    assert all("which can't be used: it is no question" in prompt for prompt in again)


def test_a_second_attempt_can_be_accepted(mine, out, asked):
    asked.answer = lambda prompt: good(prompt) if "you replied" in prompt else "No."
    assert with_model(mine, out).exit_code == 0
    origin = read(out)[0]["provenance"]["false"]
    assert origin["attempts"] == 2
    assert "you replied" not in origin["prompt"]


def test_a_model_that_fails_leaves_what_was_made(mine, out, asked):
    def answer(prompt):
        if "Where is 1?" in prompt and len(asked) > 2:
            raise ProviderError("quota\nexceeded")
        return good(prompt)

    asked.answer = answer
    result = with_model(mine, out)
    assert result.exit_code == 1
    assert "The model failed during 1 questions" in result.output
    assert "mockllm/m failed: ProviderError: quota exceeded" in result.output
    assert "run the same again to go on" in result.output
    assert sorted(len(row["reformulations"]) for row in read(out))[1:] == [4, 4, 4]
    answered = len(asked) - 1
    asked.answer = good
    assert with_model(mine, out).exit_code == 0
    assert len(asked) == 1 + 12
    assert answered < 12


def test_a_model_that_always_fails_is_soon_left_alone(tmp_path, out, asked):
    def answer(prompt):
        raise ProviderError("no such model")

    asked.answer = answer
    mine = write(tmp_path / "mine.jsonl", questions(50))
    result = with_model(mine, out, "--max-connections", 2)
    assert result.exit_code == 1
    assert 5 <= len(asked) <= 6
    assert "failed: ProviderError: no such model" in result.output


def test_an_unknown_model_is_told_in_one_line(mine, out):
    result = run(mine, "--out", out, "--model", "nobody/knows")
    assert result.exit_code == 1
    assert "cannot use the model nobody/knows: " in result.output
    assert not out.exists()


class Slow:
    """A model whose replies come only when `together` requests wait for one."""

    def __init__(self, together):
        self.together, self.waiting, self.most = together, 0, 0
        self.full = asyncio.Event()

    async def generate(self, prompt):
        self.waiting += 1
        self.most = max(self.most, self.waiting)
        if self.waiting == self.together:
            self.full.set()
        await asyncio.wait_for(self.full.wait(), timeout=300)
        self.waiting -= 1
        return output(good(prompt))


@pytest.mark.parametrize("connections", [1, 8])
def test_requests_run_at_once_and_no_more(tmp_path, out, monkeypatch, connections):
    slow = Slow(connections)
    monkeypatch.setattr(commands, "open_model", lambda role, name, limits: slow)
    mine = write(tmp_path / "mine.jsonl", questions(18))
    result = with_model(mine, out, "--max-connections", connections)
    assert result.exit_code == 0, result.output
    assert slow.most == connections
    assert [row["id"] for row in read(out)] == [row["id"] for row in read(mine)]


@pytest.fixture
def recipe(monkeypatch):
    """A question of the paper's and one that asks for a number."""
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
        assert all(map(accept, items))
        calls.append((domains, sources))
        return items, []

    monkeypatch.setattr(paper, "paper_items", paper_items)
    monkeypatch.setattr(
        numeric,
        "check_number_question",
        lambda question, value, style, answer, text: None if "4" in text else "no other number",
    )
    return calls


def test_a_number_question_is_turned_and_then_reworded(recipe, out, asked):
    asked.answer = lambda prompt: "Are there 4?" if "Its answer: 3" in prompt else good(prompt)
    assert run("paper", "--out", out, "--model", "m").exit_code == 0
    row = next(row for row in read(out) if row["id"] == "p")
    assert (row["question"], row["answer"]) == ("Are there 4?", "No")
    assert (row["source"], row["cluster"], row["context"]) == ("drop", "passage", "Three.")
    assert row["provenance"]["question"]["turned_from"] == "How many?"
    assert set(row["reformulations"]) == set(KINDS)
    assert len(asked) == 5
    assert all("Question: Are there 4?" in prompt for prompt in asked[1:])
    assert run("paper", "--out", out, "--model", "m").exit_code == 0
    assert len(asked) == 5
    loaded = load_binary(str(out), variants=VARIANTS)
    assert {(i.id, i.source, i.cluster) for i in loaded.items} == {
        ("a", "boolq", "cluster"),
        ("p", "drop", "passage"),
    }


def test_a_number_question_is_never_written_as_it_is(recipe, out, asked):
    result = run("boolq,drop", "--out", out, "--domains", "reading,numerical")
    assert result.exit_code == 1
    assert "1 ask for a number, were not turned yes/no, and are left out" in result.output
    assert [row["id"] for row in read(out)] == ["a"]
    asked.answer = lambda prompt: "Are there 3?"
    result = run("paper", "--out", out, "--model", "m")
    assert result.exit_code == 1
    assert [row["id"] for row in read(out)] == ["a"]
    assert recipe == [(["reading", "numerical"], ["boolq", "drop"]), (None, None)]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nothing.jsonl", "--out", "o.jsonl"], "neither a file, nor 'paper', nor the name of a d"),
        (["synthetic", "--out", "o.jsonl"], "synthetic questions come with all their rewordings"),
        (["paper", "--out", "o.csv"], "must end in .jsonl"),
        (["paper", "--out", "o.jsonl", "--kinds", "polite,rude"], "rude: choose among synonym, p"),
        (["paper", "--out", "o.jsonl", "--kinds", ""], "nothing: choose among synonym, polite"),
        (["o.jsonl", "--out", "o.jsonl"], "--out is FILE itself"),
    ],
)
def test_wrong_arguments(arguments, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    assert result.exit_code != 0
    assert told in " ".join(result.output.split())


def test_an_output_that_cannot_be_written(mine, tmp_path):
    result = run(mine, "--out", tmp_path / "no" / "out.jsonl")
    assert result.exit_code == 1
    assert "out.jsonl: No such file or directory" in " ".join(result.output.split())


def test_one_domain_of_a_file(tmp_path, out):
    first, second = questions(2)
    mine = write(tmp_path / "mine.jsonl", [{**first, "domain": "d"}, {**second, "domain": "e"}])
    assert run(mine, "--out", out, "--domains", "e").exit_code == 0
    assert [row["id"] for row in read(out)] == ["easy"]
    assert "the domains of" in run(mine, "--out", out, "--domains", "f").output


def test_provenance_is_plain_json(mine, out, asked):
    with_model(mine, out)
    assert json.loads(json.dumps(read(out))) == read(out)
