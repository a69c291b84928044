"""Profiles that are interrupted or fail: one line has the reason, and what is done is kept."""

import errno
import re
import signal
from threading import Event

import pytest
from inspect_ai.log._recorders.eval import ZipLogFile

from tests.bias_tasks.command_line import typed
from tests.bias_tasks.loopback import chat_server, completion, error

TASKS = {
    "conformity": {"n": 6, "parameters": {"data": "core"}, "pair_mde": {}},
    "binaryqa_sc": {"n": 5, "parameters": {"data": "core"}, "pair_mde": {}},
}
CALLS = 6 * 2 + 5 * 3
FAULTS = {
    "401 - Incorrect API key": (401, error("Incorrect API key", code="invalid_api_key")),
    "404 - The model `m` does not exist": (404, error("The model `m` does not exist")),
    "404": (302, ""),
    "500 - internal fault": (500, error("internal fault")),
    "429 - You exceeded your quota": (429, error("You exceeded your quota")),
    "TypeError": (200, '{"detail": "nope"}'),
    "IndexError": (200, completion("").replace('"choices": [', '"choices": [], "other": [')),
}


@pytest.fixture
def profile(tmp_path, monkeypatch):
    """Return a function that runs a profile of two small tasks on a server."""
    monkeypatch.setenv("LOCAL_API_KEY", "none")
    small = {"name": "bias profile 0", "tasks": TASKS}
    monkeypatch.setattr("bias_tasks.commands.profile.read_profile", lambda: small)
    monkeypatch.setattr("bias_tasks.commands.profile.render_page", lambda *_, **__: "")

    def run_profile(reply, *words, name="m", prompts=None):
        def answer(prompt):
            if prompts is not None:
                prompts.append(prompt)
            return reply(prompt)

        with chat_server(answer) as url:
            options = ("--model-base-url", url, "--max-retries", 0, "--display", "none")
            options += ("--log-dir", tmp_path / "logs", *words)
            return typed("profile", "--model", f"openai-api/local/{name}", *options, columns=500)

    return run_profile


@pytest.fixture
def ctrl_c():
    """Let SIGINT interrupt this process, although a shell starts background jobs without it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c")
def test_an_interrupted_profile_is_resumed(profile):
    prompts = []

    def interrupt(prompt):
        if len(prompts) == 8:
            signal.raise_signal(signal.SIGINT)
        return "Yes"

    result = profile(interrupt, "--max-connections", 1, prompts=prompts)
    assert result.exit_code == 1, result.output
    assert "report" not in result.output
    assert "repeat the command to resume" in result.output
    n_before = len(prompts)
    result = profile(lambda prompt: "Yes", prompts=prompts)
    assert result.exit_code == 0, result.output
    assert CALLS <= len(prompts) <= CALLS + 3
    assert n_before < CALLS


def test_models_and_sizes_share_a_folder(profile, monkeypatch):
    prompts = []
    for name in ("a", "b"):
        result = profile(lambda prompt: "Yes", name=name, prompts=prompts)
        assert result.exit_code == 0, result.output
    assert "local/a" in result.output
    assert "local/b" in result.output
    usage = f"used: {CALLS} calls \\(0 retries\\), {10 * CALLS} tokens in, {CALLS} out, \\d+ s"
    assert re.fullmatch(usage, result.output.splitlines()[-1])
    prices = ("--price-in", 1e6, "--price-out", 1e6)
    priced = profile(lambda prompt: "Yes", *prices, name="a", prompts=prompts)
    assert priced.output.splitlines()[-1].endswith(f" s, ${11 * CALLS}.00")
    assert len(prompts) == 2 * CALLS
    monkeypatch.setitem(TASKS["conformity"], "n", 7)
    assert profile(lambda prompt: "Yes", name="a", prompts=prompts).exit_code == 0
    assert len(prompts) == 2 * CALLS + 2 * 7


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_the_server_is_named_and_ends_the_calls(profile, fault, tmp_path):
    prompts = []
    result = profile(lambda _: FAULTS[fault], "--max-connections", 1, prompts=prompts)
    assert result.exit_code == 1
    assert "Traceback" not in result.output
    line = result.output.splitlines()[-1]
    assert line.startswith("Error: did not finish: bias_tasks/conformity of openai-api/local/m")
    assert fault in line
    assert "repeat the command to resume" in line
    assert len(prompts) < CALLS
    assert fault in typed("results", tmp_path / "logs", columns=500).output


def test_a_prompt_that_always_fails_can_be_left_out(profile, tmp_path):
    refused = []

    def reply(prompt):
        if not refused or prompt in refused:
            refused.append(prompt)
            return 400, error("This prompt is not allowed")
        return "Yes"

    result = profile(reply)
    assert result.exit_code == 1
    print(result.output[-700:])
    assert "400 - This prompt is not allowed" in result.output
    assert "--fail-on-error" in result.output
    result = profile(reply, "--fail-on-error", 0.5)
    assert result.exit_code == 0, result.output
    assert len(set(refused)) == 1
    output = typed("results", tmp_path / "logs", columns=500).output
    # Which prompt comes first is open; binaryqa_sc sends its prompts three times.
    assert re.search(r"([13]) of \d+ samples are in no metric: \1 failed", output)


def test_a_full_disk_is_the_reason(profile, monkeypatch):
    async def fail(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(ZipLogFile, "flush", fail)
    result = profile(lambda prompt: "Yes")
    assert result.exit_code == 1
    assert "No space left on device" in " ".join(result.output.splitlines()[-2:])


def test_a_server_that_stalls_ends_the_run_with_the_limit(profile):
    done = Event()

    def stall(prompt):
        done.wait(20)
        return "Yes"

    result = profile(stall, "--timeout", 1)
    done.set()
    assert result.exit_code == 1
    assert "The first reason: attempt_timeout '1' exceeded." in result.output.splitlines()[-1]
