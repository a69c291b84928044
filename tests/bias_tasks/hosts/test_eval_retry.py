"""A run killed halfway loses nothing: `inspect eval-retry` asks only what was not answered."""

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log

from bias_tasks.instruction_boundary.data.load import load_items
from bias_tasks.respondents.faults import Faults
from bias_tasks.respondents.known_items import KnownItems
from bias_tasks.respondents.personas import make_respondent
from bias_tasks.respondents.serve import bind, make_app, make_server
from tests.bias_tasks import inspect_runs

ITEMS = 40
SAMPLES = 2 * ITEMS


def command(*parts):
    return [str(Path(sys.executable).with_name(parts[0])), *parts[1:]]


class Halting:
    """A respondent that stops in the middle of an answer, once, until it is told to go on."""

    def __init__(self, respondent, after):
        self.respondent, self.left = respondent, after
        self.halted, self.go_on = threading.Event(), threading.Event()

    def respond(self, prompt, known):
        self.left -= 1
        if self.left == 0:
            self.halted.set()
            assert self.go_on.wait(900)
        return self.respondent.respond(prompt, known)


@pytest.fixture
def server(tmp_path):
    """A served respondent with faults, its address, and the file of requests it answered."""
    requests = tmp_path / "requests.jsonl"
    known = KnownItems(load_items("synthetic", form="judging", n=ITEMS).items)
    respondent = Halting(make_respondent("conformist"), after=SAMPLES // 2)
    faults = Faults(error_429=0.07, error_500=0.07, cut=0.06)
    app = make_app(respondent, "conformist", known=known, faults=faults, log=requests)
    ready, listening = threading.Event(), bind("127.0.0.1", 0)
    running = make_server(app, ready.set)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]})
    thread.start()
    assert ready.wait(900)
    yield respondent, f"http://127.0.0.1:{listening.getsockname()[1]}/v1", requests
    respondent.go_on.set()
    running.should_exit = True
    thread.join(300)


def answered(requests):
    """How many requests were answered without a fault."""
    if not requests.exists():
        return 0
    rows = [json.loads(line) for line in requests.read_text(encoding="utf-8").splitlines()]
    return sum(row["fault"] is None for row in rows)


def test_killed_run_is_finished_by_eval_retry(server, tmp_path):
    respondent, address, requests = server
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
    assert respondent.halted.wait(900)
    running.send_signal(signal.SIGKILL)
    running.wait()
    respondent.go_on.set()
    [killed] = (tmp_path / "logs").glob("*.eval")
    before = answered(requests)
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
    assert answered(requests) <= SAMPLES + 12
