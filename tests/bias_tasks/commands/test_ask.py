"""Requests are samples of an evaluation: those that a log has are not sent again."""

import re
import signal
import socket
from dataclasses import replace

import click
import pytest
from inspect_ai.log import list_eval_logs, read_eval_log

from bias_tasks.commands.batch_requests import runner as runner_module
from bias_tasks.commands.batch_requests.runner import (
    MAX_ATTEMPTS,
    MAX_FAILURES,
    RETRY_TEMPLATE,
    InspectRunner,
    InterruptedRunError,
    ModelError,
    UnusableReplyError,
    inspect_options,
)
from tests.bias_tasks.mocks import mock


def parse(name, reply):
    if reply == "bad":
        raise UnusableReplyError("it is bad")
    return f"{name}: {reply}"


def ask(runner, answer, requests, name="m"):
    """Return the runner, its results and the prompts that the model got."""
    asking_runner = replace(runner)
    prompts = []

    def reply(prompt):
        prompts.append(prompt)
        return answer(prompt)

    asking_runner.models = {"writer": mock(reply, name)}
    results = asking_runner.ask("stage", "writer", requests, parse)
    return asking_runner, results, prompts


@pytest.fixture
def runner(tmp_path):
    limits = {"max_connections": 1, "max_retries": 3, "timeout": 600}
    return InspectRunner(tmp_path / "logs", {}, None, limits, "none")


def test_a_refused_reply_is_requested_again_with_the_reason(runner):
    retry = RETRY_TEMPLATE.format(request="one", reply="bad", reason="it is bad")
    answers = {"one": "bad", retry: "<think>bad</think>good"}
    _, results, prompts = ask(runner, lambda p: answers.get(p, "bad"), {"a": "one", "b": "two"})
    assert results["a"].value == "a: good"
    replies = {"bad": "it is bad", "good": None}
    assert results["a"].record == {
        **{"role": "writer", "model": "mockllm/m", "prompt": "one"},
        "replies": [{"output": output, "refused": reason} for output, reason in replies.items()],
    }
    assert (results["b"].value, results["b"].refused) == (None, "it is bad")
    assert prompts.count("two") == 1
    assert prompts.count(RETRY_TEMPLATE.format(request="two", reply="bad", reason="it is bad")) == 2
    assert len(results["b"].record["replies"]) == MAX_ATTEMPTS
    [log] = list_eval_logs(str(runner.log_dir))
    assert {sample.id for sample in read_eval_log(log).samples} == {"a", "b"}


def test_a_failed_request_leaves_the_others_and_is_sent_again(runner):
    def fails(prompt):
        if prompt == "two":
            raise RuntimeError("quota\nexceeded")
        return "good"

    requests = {"a": "one", "b": "two", "c": "three"}
    asking_runner, results, _ = ask(runner, fails, requests)
    assert list(results) == ["a", "c"]
    with pytest.raises(
        Exception, match=r"(?s)failed for 1 text\..*quota.*repeat the command to resume"
    ):
        asking_runner.raise_failures("text")
    _, results, prompts = ask(runner, lambda prompt: "good", requests)
    assert (list(results), prompts) == (["a", "b", "c"], ["two"])
    # A model that always fails is soon not called.
    many = {str(n): f"two {n}" for n in range(30)}
    asking_runner, results, prompts = ask(runner, lambda prompt: fails("two"), many)
    assert (results, len(asking_runner.failures)) == ({}, 30)
    assert len(prompts) <= MAX_FAILURES + 1


@pytest.mark.usefixtures("ctrl_c")
def test_an_interrupted_run_says_what_is_kept_and_sends_it_once(runner):
    def reply(prompt):
        if prompt == "two":
            signal.raise_signal(signal.SIGINT)
        return "good"

    requests = {"a": "one", "b": "two", "c": "three"}
    with pytest.raises(InterruptedRunError) as interruption:
        ask(runner, reply, requests)
    kept = "interrupted; 2 of 3 samples are kept in .*/logs: repeat the command to resume"
    assert re.fullmatch(kept, interruption.value.message)
    assert interruption.value.exit_code == 130
    _, results, prompts = ask(runner, lambda prompt: "good", requests)
    assert (list(results), prompts) == ([*"abc"], ["three"])


def test_models_are_opened_with_the_runner_s_limits(tmp_path, monkeypatch):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
    monkeypatch.setenv("DEAD_API_KEY", "none")
    limits = {"max_connections": 3, "max_retries": 0, "timeout": 50}
    inspect_runner = InspectRunner(tmp_path / "logs", {}, address, limits, "none")
    inspect_runner.open({"writer": "openai-api/dead/m"})
    config = inspect_runner.models["writer"].config
    assert (config.temperature, config.max_connections) == (0, 3)
    assert (config.max_retries, config.timeout) == (0, 50)
    assert not inspect_runner.ask("stage", "writer", {"a": "one"}, parse)
    assert "Connection error" in inspect_runner.failures[0]
    with pytest.raises(ModelError, match="cannot use the model nobody/knows as writer"):
        inspect_runner.model("writer", "nobody/knows")


def test_an_address_without_a_response_is_reported(tmp_path, monkeypatch, capsys):
    @click.command()
    @inspect_options()
    def command(*, runner):
        click.echo("done")

    def run(url):
        words = ["--model-base-url", url, "--log-dir", str(tmp_path)]
        command.main(words, standalone_mode=False)
        return capsys.readouterr()

    monkeypatch.setattr(runner_module, "_ADDRESS_TIMEOUT", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as silent:  # it accepts, and never responds
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        assert run(url) == ("done\n", f"no response from {url} for 0.1 s; continuing\n")
    with pytest.raises(click.ClickException, match=f"no response from {url} \\("):
        run(url)
