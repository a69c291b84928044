"""Requests are samples of an evaluation: what a log has is not asked again."""

import socket
from dataclasses import replace
from types import SimpleNamespace

import click
import pytest
from inspect_ai.log import list_eval_logs, read_eval_log

from bias_tasks.commands.asking import ask as ask_module
from bias_tasks.commands.asking.ask import (
    AGAIN,
    ATTEMPTS,
    MOST_FAILURES,
    Host,
    ModelError,
    UnusableReplyError,
    host_options,
)
from tests.bias_tasks.mocks import mock


def read(name, reply):
    if reply == "bad":
        raise UnusableReplyError("it is bad")
    return f"{name}: {reply}"


def ask(host, answer, requests, name="m"):
    interview = replace(host)
    asked = []

    def reply(prompt):
        asked.append(prompt)
        return answer(prompt)

    interview.models = {"writer": mock(reply, name)}
    steps = interview.ask("stage", "writer", requests, read)
    return interview, steps, asked


@pytest.fixture
def host(tmp_path):
    limits = {"max_connections": 1, "max_retries": 3, "timeout": 600}
    return Host(tmp_path / "logs", {}, None, limits, "none")


def test_a_refused_reply_is_asked_for_again_with_the_reason(host):
    again = AGAIN.format(request="one", reply="bad", reason="it is bad")
    answers = {"one": "bad", again: "<think>bad</think>good"}
    _, steps, asked = ask(host, lambda p: answers.get(p, "bad"), {"a": "one", "b": "two"})
    assert steps["a"].value == "a: good"
    replies = {"bad": "it is bad", "good": None}
    assert steps["a"].record == {
        **{"role": "writer", "model": "mockllm/m", "prompt": "one"},
        "replies": [{"output": said, "refused": why} for said, why in replies.items()],
    }
    assert (steps["b"].value, steps["b"].refused) == (None, "it is bad")
    assert asked.count("two") == 1
    assert asked.count(AGAIN.format(request="two", reply="bad", reason="it is bad")) == 2
    assert len(steps["b"].record["replies"]) == ATTEMPTS
    [log] = list_eval_logs(str(host.log_dir))
    assert {sample.id for sample in read_eval_log(log).samples} == {"a", "b"}


def test_a_failed_request_leaves_the_others_and_is_asked_again(host):
    def fails(prompt):
        if prompt == "two":
            raise RuntimeError("quota\nexceeded")
        return "good"

    requests = {"a": "one", "b": "two", "c": "three"}
    interview, steps, _ = ask(host, fails, requests)
    assert list(steps) == ["a", "c"]
    with pytest.raises(Exception, match=r"(?s)during 1 texts.*quota.*run the same again"):
        interview.complain("texts")
    _, steps, asked = ask(host, lambda prompt: "good", requests)
    assert (list(steps), asked) == (["a", "b", "c"], ["two"])
    many = {str(n): f"two {n}" for n in range(30)}  # a model that always fails is soon left alone
    interview, steps, asked = ask(host, lambda prompt: fails("two"), many)
    assert (steps, len(interview.failures)) == ({}, 30)
    assert len(asked) <= MOST_FAILURES + 1


def test_a_run_that_is_stopped_asks_no_further_stage(host, monkeypatch):
    stopped = SimpleNamespace(status="cancelled", samples=[], error=None)
    monkeypatch.setattr(Host, "eval", lambda *given, **more: stopped)
    with pytest.raises(ModelError, match="run the same again"):
        ask(host, str, {"a": "one"})


def test_models_are_opened_with_the_host_s_limits(tmp_path, monkeypatch):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
    monkeypatch.setenv("DEAD_API_KEY", "none")
    limits = {"max_connections": 3, "max_retries": 0, "timeout": 50}
    interview = Host(tmp_path / "logs", {}, address, limits, "none")
    interview.open({"writer": "openai-api/dead/m"})
    config = interview.models["writer"].config
    assert (config.temperature, config.max_connections) == (0, 3)
    assert (config.max_retries, config.timeout) == (0, 50)
    assert not interview.ask("stage", "writer", {"a": "one"}, read)
    assert "Connection error" in interview.failures[0]
    with pytest.raises(ModelError, match="cannot use the model nobody/knows as writer"):
        interview.model("writer", "nobody/knows")


def test_an_address_where_nothing_answers_is_told(tmp_path, monkeypatch, capsys):
    @click.command()
    @host_options()
    def command(*, host):
        click.echo("asked")

    def run(url):
        given = ["--model-base-url", url, "--log-dir", str(tmp_path)]
        command.main(given, standalone_mode=False)
        return capsys.readouterr()

    monkeypatch.setattr(ask_module, "_WAIT", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as silent:  # it accepts, and never answers
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        assert run(url) == ("asked\n", f"nothing has answered at {url} for 0.1 s; going on\n")
    with pytest.raises(click.ClickException, match=f"nothing answers at {url}"):
        run(url)
