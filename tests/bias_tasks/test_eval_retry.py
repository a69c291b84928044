"""A run killed halfway loses nothing: `inspect eval-retry` asks only what was not answered."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log

ITEMS = 40
SAMPLES = 2 * ITEMS


def command(*parts):
    return [str(Path(sys.executable).with_name(parts[0])), *parts[1:]]


@pytest.fixture
def server(tmp_path):
    """The address of a served respondent with faults, and the file of requests it answered."""
    requests = tmp_path / "requests.jsonl"
    options = ["--persona", "conformist", "-Tdata=synthetic", "-Tform=judging"]
    options += [f"-Tn={ITEMS}", "--latency", "0.3", "--log", str(requests)]
    options += ["--error-429", "0.07", "--error-500", "0.07", "--cut", "0.06"]
    process = subprocess.Popen(
        command("bias-tasks", "serve", "--port", "0", *options),
        stdout=subprocess.PIPE,
        text=True,
    )
    line = process.stdout.readline()
    yield line.split()[-1], requests
    process.send_signal(signal.SIGINT)
    process.wait(20)


def answered(requests):
    """How many requests were answered without a fault."""
    if not requests.exists():
        return 0
    rows = [json.loads(line) for line in requests.read_text(encoding="utf-8").splitlines()]
    return sum(row["fault"] is None for row in rows)


def test_killed_run_is_finished_by_eval_retry(server, tmp_path):
    address, requests = server
    environment = os.environ | {
        "SIM_BASE_URL": address,
        "SIM_API_KEY": "none",
        "INSPECT_LOG_DIR": str(tmp_path / "logs"),
    }
    parameters = ["-T", "data=synthetic", "-T", "form=judging", "-T", f"n={ITEMS}"]
    model = ["--model", "openai-api/sim/conformist", "-M", "max_retries=10"]
    options = ["--max-connections", "4", "--log-buffer", "1", "--display", "plain"]
    running = subprocess.Popen(
        command("inspect", "eval", "bias_tasks/conformity", *parameters, *model, *options),
        env=environment,
        stdout=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 120
    while answered(requests) < SAMPLES // 2 and time.monotonic() < deadline:
        time.sleep(0.1)
    running.send_signal(signal.SIGKILL)
    running.wait()
    [killed] = (tmp_path / "logs").glob("*.eval")
    before = answered(requests)
    assert SAMPLES // 2 <= before < SAMPLES

    subprocess.run(
        command("inspect", "eval-retry", str(killed), "--display", "plain"),
        env=environment,
        check=True,
        stdout=subprocess.DEVNULL,
        timeout=180,
    )
    logs = [read_eval_log(str(path)) for path in (tmp_path / "logs").glob("*.eval")]
    [finished] = [log for log in logs if log.status == "success"]
    assert len(finished.samples) == SAMPLES
    assert all(sample.error is None for sample in finished.samples)
    assert all(sample.scores["outcome"].answer for sample in finished.samples)
    assert finished.results.scores[0].metrics["judging/acc_n"].value == ITEMS
    # What the killed run had logged was not asked again; at most what was under way was.
    assert answered(requests) <= SAMPLES + 12
