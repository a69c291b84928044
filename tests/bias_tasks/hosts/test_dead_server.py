"""The commands that ask models, where nothing answers: they end soon, and say what limited them."""

import json
import socket

import pytest
from click.testing import CliRunner

from bias_tasks.cli import main
from bias_tasks.commands.model_calls.model import ModelFailedError
from bias_tasks.commands.model_calls.workers import MOST_FAILURES, Failures, work

MODEL = "openai-api/dead/m"


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


def failing(asked, retried, until=0):
    """A task that fails while fewer than `until` requests were made, or always without one."""

    async def do(task):
        asked.append(task)
        if not until or len(asked) <= until:
            raise ModelFailedError("no answer", retried=retried)

    return do


@pytest.mark.parametrize(("retried", "most"), [(True, 1), (False, MOST_FAILURES)])
def test_where_nothing_ever_answered_one_request_that_was_retried_is_enough(retried, most):
    asked = []
    failures = work("asking", range(50), 1, failing(asked, retried))
    assert len(asked) == len(failures) == most


def test_what_needs_no_model_is_taken_up_all_the_same():
    asked = []
    work("asking", range(50), 1, failing(asked, retried=True), every=True)
    assert len(asked) == 50


def test_after_an_answer_so_many_in_a_row_count():
    model, error = Failures(), ModelFailedError("no answer", retried=True)
    model.answered()
    for _ in range(MOST_FAILURES - 1):
        model.failed(error)
    assert not model.too_many
    model.answered()
    for _ in range(MOST_FAILURES):
        assert not model.too_many
        model.failed(error)
    assert model.too_many
