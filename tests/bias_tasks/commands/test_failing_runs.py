"""Runs that are interrupted or fail: one line has the reason, and what is done is kept."""

import errno
import re
import signal
from threading import Event

import pytest
from inspect_ai.log._recorders.eval import ZipLogFile

from tests.bias_tasks.commands.batch_requests import Requests, run, write
from tests.bias_tasks.loopback import chat_server, completion, error

TASKS = {
    "conformity": {"n": 12, "parameters": {"data": "core"}},
    "binaryqa": {"n": 5, "parameters": {"data": "core"}},
}
CALLS = 12 * 2 + 5 * 8
FAULTS = {
    "a wrong key": (401, error("Incorrect API key", code="invalid_api_key")),
    "an unknown model": (404, error("The model `m` does not exist")),
    "no permission": (403, error("Not allowed here")),
    "a redirect": (302, ""),
    "a page": (200, "<html><body>Welcome to the proxy</body></html>"),
    "an error": (500, error("internal fault")),
    "no credit": (429, error("You exceeded your quota", code="insufficient_quota")),
    "no choices": (200, completion("").replace('"choices": [', '"choices": [], "other": [')),
    "no completion": (200, '{"detail": "nope"}'),
}
REASONS = {
    "a wrong key": "401 - Incorrect API key",
    "an unknown model": "404 - The model `m` does not exist",
    "no permission": "403 - Not allowed here",
    "a redirect": "404",
    "a page": "Welcome to the proxy",
    "an error": "500 - internal fault",
    "no credit": "429 - You exceeded your quota",
    "no choices": "the response of the server is not a chat completion (IndexError: no choices)",
    "no completion": "the response of the server is not a chat completion (TypeError",
}


@pytest.fixture
def profile(tmp_path, monkeypatch):
    """Return a function that runs a profile of two small tasks."""
    monkeypatch.setenv("LOCAL_API_KEY", "none")
    small = {"name": "bias profile 0", "tasks": TASKS}
    monkeypatch.setattr("bias_tasks.commands.profile.read_profile", lambda: small)

    def run_profile(*words):
        return run("profile", *words, "--log-dir", tmp_path / "logs")

    return run_profile


def run_on(profile, url, *words):
    options = ("--model-base-url", url, "--max-retries", 0)
    return profile("--model", "openai-api/local/m", *options, *words)


def interrupt_at(number, requests):
    """Return a function that replies Yes, and presses Ctrl-C at a request."""

    def reply(prompt):
        if len(requests) == number:
            signal.raise_signal(signal.SIGINT)
        return "Yes"

    return reply


@pytest.mark.usefixtures("ctrl_c")
def test_an_interrupted_profile_is_resumed(profile, monkeypatch):
    requests = Requests(monkeypatch, None)
    requests.answer = interrupt_at(20, requests)
    result = profile("--model", "m")
    assert result.exit_code == 130, result.output
    assert "report" not in result.output
    message = rf"Error: interrupted; (\d+) of {CALLS} samples are kept in .*: repeat the command .*"
    kept = int(re.fullmatch(message, result.output.splitlines()[-1])[1])
    assert 0 < kept <= 20
    requests.clear()
    requests.answer = lambda prompt: "Yes"
    result = profile("--model", "m")
    assert result.exit_code == 0, result.output
    assert len(requests) == CALLS - kept


@pytest.mark.usefixtures("ctrl_c")
def test_an_interrupted_rewording_is_one_line(tmp_path, monkeypatch):
    requests = Requests(monkeypatch, None)
    requests.answer = interrupt_at(1, requests)
    rows = [{"id": f"q{n}", "question": f"Is {n} odd?", "answer": "Yes"} for n in range(3)]
    source = write(tmp_path / "mine.jsonl", rows)
    result = run("reformulate", source, "--model", "m", "--out", tmp_path / "out.jsonl")
    assert result.exit_code == 130, result.output
    assert re.search(r"^Error: interrupted; \d of \d+ samples are kept in ", result.output, re.M)


def test_models_and_sizes_share_a_folder(profile, monkeypatch):
    requests = Requests(monkeypatch, lambda prompt: "Yes")
    for name in ("a", "b"):
        result = profile("--model", name)
        assert result.exit_code == 0, result.output
    assert "mockllm/a" in result.output
    assert "mockllm/b" in result.output
    usage = f"used: {CALLS} calls \\(0 retries\\), {CALLS} tokens in, {CALLS} out, \\d+ s"
    assert re.fullmatch(usage, result.output.splitlines()[-1])
    priced = profile("--model", "a", "--price-in", 1e6, "--price-out", 1e6)
    assert priced.output.splitlines()[-1].endswith(f" s, ${2 * CALLS}.00")
    assert len(requests) == 2 * CALLS
    monkeypatch.setitem(TASKS["conformity"], "n", 13)
    assert profile("--model", "a").exit_code == 0
    assert len(requests) == 2 * CALLS + 2 * 13


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_the_server_is_named_and_ends_the_calls(profile, fault, tmp_path):
    prompts = []

    def reply(prompt):
        prompts.append(prompt)
        return FAULTS[fault]

    with chat_server(reply) as url:
        result = run_on(profile, url, "--max-connections", 1)
    assert result.exit_code == 1
    assert "Traceback" not in result.output
    line = result.output.splitlines()[-1]
    assert line.startswith("Error: did not finish: bias_tasks/conformity of openai-api/local/m")
    assert REASONS[fault] in line
    assert "repeat the command to resume" in line
    assert len(prompts) < CALLS
    shown = run_on_results(tmp_path)
    assert REASONS[fault] in shown


def run_on_results(tmp_path):
    from tests.bias_tasks.command_line import typed

    return typed("results", tmp_path / "logs", columns=500).output


def test_a_prompt_that_always_fails_can_be_left_out(profile, tmp_path):
    refused = []

    def reply(prompt):
        if not refused or prompt in refused:
            refused.append(prompt)
            return 400, error("This prompt is not allowed")
        return "Yes"

    with chat_server(reply) as url:
        result = run_on(profile, url)
        assert result.exit_code == 1
        assert "400 - This prompt is not allowed" in result.output
        assert "--fail-on-error" in result.output
        result = run_on(profile, url, "--fail-on-error", 0.2)
    assert result.exit_code == 0, result.output
    assert len(set(refused)) == 1
    assert re.search(r"1 of \d+ samples are in no metric: 1 failed", run_on_results(tmp_path))


def test_a_full_disk_is_the_reason(profile, monkeypatch):
    async def fail(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    Requests(monkeypatch, lambda prompt: "Yes")
    monkeypatch.setattr(ZipLogFile, "flush", fail)
    result = profile("--model", "m")
    assert result.exit_code == 1
    assert "No space left on device" in " ".join(result.output.splitlines()[-2:])


def test_a_server_that_stalls_ends_the_run_with_the_limit(profile):
    done = Event()

    def stall(prompt):
        done.wait()
        return "Yes"

    with chat_server(stall) as url:
        result = run_on(profile, url, "--timeout", 1)
        done.set()
    assert result.exit_code == 1
    assert "The first reason: attempt_timeout '1' exceeded." in result.output.splitlines()[-1]
