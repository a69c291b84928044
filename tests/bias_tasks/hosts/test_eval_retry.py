"""A run killed halfway loses nothing: `inspect eval-retry` asks only what was not answered."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log

from tests.bias_tasks import inspect_runs
from tests.bias_tasks.http_server import serving

ITEMS = 40
SAMPLES = 2 * ITEMS


def command(*parts):
    return [str(Path(sys.executable).with_name(parts[0])), *parts[1:]]


class Halting:
    """Answers that stop in the middle of one, once, until they are told to go on."""

    def __init__(self, after):
        self.left = after
        self.halted, self.go_on = threading.Event(), threading.Event()

    def answer(self, prompt):
        self.left -= 1
        if self.left == 0:
            self.halted.set()
            assert self.go_on.wait(900)
        return "Final Answer: 1"


@pytest.fixture
def halting():
    """What answers, and a server of it some of whose requests fail."""
    answers = Halting(after=SAMPLES // 2)
    with serving(answers.answer, {0: 429, 5: 500, 9: 503}.get) as server:
        yield answers, server
        answers.go_on.set()


def test_killed_run_is_finished_by_eval_retry(halting, tmp_path):
    answers, server = halting
    environment = os.environ | {
        "SIM_BASE_URL": server.address,
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
    assert answers.halted.wait(120)
    running.send_signal(signal.SIGKILL)
    running.wait()
    answers.go_on.set()
    [killed] = (tmp_path / "logs").glob("*.eval")
    before = len(server.prompts)
    assert SAMPLES // 2 <= before < SAMPLES

    subprocess.run(
        command("inspect", "eval-retry", str(killed), "--display", "plain"),
        env=environment,
        check=True,
        stdout=subprocess.DEVNULL,
        timeout=900,
    )
    logs = [read_eval_log(str(path)) for path in (tmp_path / "logs").glob("*.eval")]
    [finished] = [log for log in logs if log.status == "success"]
    assert len(finished.samples) == SAMPLES
    assert all(sample.error is None for sample in finished.samples)
    assert all(sample.scores["outcome"].answer for sample in finished.samples)
    assert inspect_runs.values(finished)["judging/acc_n"] == ITEMS
    # What the killed run had logged was not asked again; at most what was under way was.
    assert len(server.prompts) <= SAMPLES + 12
