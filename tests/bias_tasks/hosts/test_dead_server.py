"""The commands that ask models, where nothing answers: they end soon, and say what limited them."""

import asyncio
import json
import socket
from contextlib import suppress
from functools import partial

import pytest
from click.testing import CliRunner

from bias_tasks.cli import main
from bias_tasks.commands.model_calls.failures import MOST_FAILURES, Failures
from bias_tasks.commands.model_calls.model import ModelFailedError

MODEL = "openai-api/dead/m"
HUES = ("red", "green", "blue", "white", "black", "brown", "yellow", "grey")


@pytest.fixture
def address(monkeypatch):
    """Of a port at which nothing listens."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        found = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
    monkeypatch.setenv("DEAD_API_KEY", "none")
    monkeypatch.setenv("DEAD_BASE_URL", found)
    return found


def run(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def attack(out, *more):
    return run("attack", "basic", "--data", "synthetic", "-n", 20, "--out", out, *more)


@pytest.fixture
def questions(tmp_path):
    path = tmp_path / "questions.jsonl"
    rows = ({"question": f"Zounds {n}, forsooth?", "answer": "Yes"} for n in range(20))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_attack_ends_with_the_address_and_the_limits(tmp_path, address):
    out = tmp_path / "out.jsonl"
    result = attack(out, "--attacker", MODEL, "--max-retries", 0, "--timeout", 50)
    assert result.exit_code == 1
    assert "Error: 20 of 20 items are not attacked yet." in result.output
    assert (
        f"{MODEL} at {address} gave no usable answer within --max-retries 0 and --timeout 50: "
        "APIConnectionError: Connection error. from ConnectError: "
    ) in result.output
    assert "Traceback" not in result.output


def test_reformulate_ends_with_the_address_and_the_limits(tmp_path, questions, address):
    out = tmp_path / "out.jsonl"
    result = run("reformulate", questions, "--out", out, "--model", MODEL, "--max-retries", 0)
    assert result.exit_code == 1
    assert f"{MODEL} at {address} gave no usable answer within --max-retries 0" in result.output
    assert "run the same again to go on" in result.output


def asked_of(failures, count, retried=False, answers=()):
    """How many of so many requests were made, where all but `answers` fail."""
    made = []

    async def request(number):
        made.append(number)
        if number not in answers:
            raise ModelFailedError("no answer", retried=retried)

    async def every():
        for number in range(count):
            with suppress(ModelFailedError):
                await failures.counted("it", partial(request, number))

    asyncio.run(every())
    return len(made)


@pytest.mark.parametrize(("retried", "most"), [(True, 1), (False, MOST_FAILURES)])
def test_where_nothing_ever_answered_one_request_that_was_retried_is_enough(retried, most):
    assert asked_of(Failures(), 50, retried) == most


@pytest.mark.parametrize("retried", [True, False])
def test_after_an_answer_so_many_in_a_row_count(retried):
    answers = (0, 1 + MOST_FAILURES - 1)
    assert asked_of(Failures(), 50, retried, answers) == answers[-1] + 1 + MOST_FAILURES


def test_a_model_that_is_left_alone_is_named():
    failures = Failures()
    asked_of(failures, 9)
    with pytest.raises(ModelFailedError, match=r"^it was not asked, after so many failures"):
        asyncio.run(failures.counted("it", None))


def test_what_the_grammar_can_do_is_done_with_a_dead_model_too(tmp_path, address):
    mine, out = tmp_path / "mine.jsonl", tmp_path / "out.jsonl"
    rows = [{"question": f"Zounds {n}, forsooth?", "answer": "Yes"} for n in range(20)]
    rows += [{"question": f"Is the {hue} house in the town?", "answer": "No"} for hue in HUES]
    mine.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    run("reformulate", mine, "--out", out, "--model", MODEL, "--max-retries", 0)
    made = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [row["question"] for row in made if row.get("reformulations")] == [
        row["question"] for row in rows[20:]
    ]
