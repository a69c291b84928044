"""Clients that mean no good, and places that can't be written: the served respondent goes on."""

import json
import os
import socket
import threading
from contextlib import contextmanager
from urllib.parse import urlsplit

import httpx
import pytest
from click.testing import CliRunner

from bias_tasks.respondents import bodies
from bias_tasks.respondents.commands import serve
from bias_tasks.respondents.personas import make_respondent
from bias_tasks.respondents.serve import bind, make_app, make_server
from tests.bias_tasks.data.places import PLACES, told

LONG = 1_000_000


@contextmanager
def serving(respondent=None, log=None):
    """The base address of a respondent served by a thread."""
    app = make_app(respondent or make_respondent("perfect"), "perfect", log=log)
    ready = threading.Event()
    server = make_server(app, ready.set)
    listening = bind("127.0.0.1", 0)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    assert ready.wait(300)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(300)
    assert not thread.is_alive()


def ask(address, prompt):
    return httpx.post(f"{address}/v1/completions", json={"prompt": prompt}, timeout=300)


@contextmanager
def connected(address):
    parts = urlsplit(address)
    with socket.create_connection((parts.hostname, parts.port), timeout=300) as client:
        yield client


def received(client):
    """All that comes until the server hangs up."""
    parts = []
    while part := client.recv(65536):
        parts.append(part)
    return b"".join(parts)


class Slow:
    """Answers a long prompt only when it is told to."""

    def __init__(self):
        self.begun, self.go_on = threading.Event(), threading.Event()

    def respond(self, prompt, known):
        if len(prompt) >= LONG:
            self.begun.set()
            assert self.go_on.wait(300)
        return f"{len(prompt)} characters"


def test_a_long_prompt_does_not_hold_up_other_clients():
    slow, answers = Slow(), []
    with serving(slow) as address:
        waiting = [
            threading.Thread(target=lambda: answers.append(ask(address, "x" * LONG).json()))
            for _ in range(3)
        ]
        for thread in waiting:
            thread.start()
        assert slow.begun.wait(300)
        for _ in range(20):
            assert ask(address, "short").json()["choices"][0]["text"] == "5 characters"
        assert not answers
        slow.go_on.set()
        for thread in waiting:
            thread.join(300)
    assert [body["choices"][0]["text"] for body in answers] == [f"{LONG} characters"] * 3


def test_a_long_request_that_is_wrong_is_refused_as_any():
    with serving() as address:
        response = httpx.post(f"{address}/v1/completions", content=b"[" * LONG)
        assert (response.status_code, "not JSON" in response.text) == (400, True)
        response = httpx.post(f"{address}/tokenize", json={"prompt": "a " * LONG}, timeout=300)
        assert response.json()["count"] == LONG + 1


HEAD = b"POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n"


@pytest.mark.parametrize("limit", ["IDLE_SECONDS", "WHOLE_SECONDS"])
@pytest.mark.parametrize("sent", [b"", b'{"prompt": '], ids=["nothing", "a part"])
def test_a_body_that_never_comes_is_dropped(monkeypatch, limit, sent):
    monkeypatch.setattr(bodies, limit, 0.2)
    with serving() as address, connected(address) as client:
        client.sendall(HEAD + b"\r\n" + sent)
        answer = received(client)
        monkeypatch.setattr(bodies, limit, 300)
        assert ask(address, "short").status_code == 200
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b"connection: close" in answer.lower()
    assert b"the body did not come in time" in answer


@pytest.mark.parametrize("sent", [b"", b"POST", HEAD], ids=["nothing", "a word", "half a head"])
def test_a_request_that_never_comes_is_dropped(monkeypatch, sent):
    monkeypatch.setattr(bodies, "IDLE_SECONDS", 0.2)
    with serving() as address, connected(address) as client:
        client.sendall(sent)
        assert received(client) == b""
        monkeypatch.setattr(bodies, "IDLE_SECONDS", 300)
        assert ask(address, "short").status_code == 200


def test_half_a_second_request_on_a_connection_is_dropped(monkeypatch):
    with serving() as address, connected(address) as client:
        client.sendall(b"GET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n")
        assert client.recv(65536).startswith(b"HTTP/1.1 200 ")
        monkeypatch.setattr(bodies, "IDLE_SECONDS", 0.2)
        client.sendall(b"GET /v1/mod")
        received(client)


def test_a_body_beyond_the_bound_is_refused(monkeypatch):
    monkeypatch.setattr(bodies, "MOST_BYTES", 1000)
    with serving() as address:
        assert ask(address, "x" * 900).status_code == 200
        response = ask(address, "x" * 1001)
    assert response.status_code == 413
    assert response.json()["error"]["message"] == "the body has more than 1,000 bytes"


@pytest.mark.parametrize("place", PLACES)
def test_a_log_that_can_not_be_written_is_an_error_at_the_start(tmp_path, place):
    log = tmp_path / "requests.jsonl"
    PLACES[place](log)
    options = ["--port", "0", "--task", "binaryqa", "-T", "data=synthetic", "-T", "n=1"]
    result = CliRunner().invoke(serve, [*options, "--log", str(log)])
    assert result.exit_code == 1
    assert result.output == f"Error: cannot write {log}: it is {told(place)}, not a file\n"


def test_a_log_in_a_folder_that_is_not_there(tmp_path):
    options = ["--port", "0", "--task", "binaryqa", "-T", "data=synthetic", "-T", "n=1"]
    result = CliRunner().invoke(serve, [*options, "--log", str(tmp_path / "none" / "log.jsonl")])
    assert result.exit_code == 1
    assert result.output.endswith("log.jsonl: No such file or directory\n")


def test_a_log_that_can_no_longer_be_written_is_told(tmp_path):
    log = tmp_path / "requests.jsonl"
    with serving(log=log) as address:
        assert ask(address, "short").status_code == 200
        os.replace(log, tmp_path / "old.jsonl")
        os.mkfifo(log)
        response = ask(address, "short")
    assert response.status_code == 500
    assert "the request can't be logged: cannot write" in response.json()["error"]["message"]
    assert json.loads((tmp_path / "old.jsonl").read_text())["request"] == 0


@pytest.mark.parametrize(
    ("host", "message"),
    [
        ("", "the host is empty; give 127.0.0.1"),
        (" ", "the host is empty; give 127.0.0.1"),
        ("\u00fc" * 70, "--host"),
        ("nowhere.invalid", "can't listen on nowhere.invalid"),
    ],
)
def test_a_host_that_is_none_is_refused(host, message):
    options = ["--port", "0", "--task", "binaryqa", "-T", "data=synthetic", "-T", "n=1"]
    result = CliRunner().invoke(serve, [*options, "--host", host])
    assert result.exit_code == 1
    assert message in result.output
    assert result.output.count("\n") == 1


@pytest.mark.parametrize("value", ["{[]: 1}", "2020-13-01", "[" * 5000, "!!python/name:os.system"])
def test_a_value_that_can_not_be_read_is_told_in_one_line(value):
    result = CliRunner().invoke(serve, ["--port", "0", "-M", f"adopt={value}"])
    assert result.exit_code == 1
    assert result.output.count("\n") == 1
