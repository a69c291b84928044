"""Runs of `probe` that go on with a log, or are scored from one."""

from pathlib import Path

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai import eval_retry, score
from inspect_ai._eval.score import resolve_scorers
from inspect_ai.log import list_eval_logs, read_eval_log

from bias_tasks.probing_tasks import probe
from bias_tasks.simulated.inspect_model import SimulatedAPI
from tests.bias_tasks.inspect_runs import values

CALCULATOR = "simulated/examples/sums.py@Calculator"
SUMS = f"{Path(__file__).parents[3] / 'examples' / 'sums.py'}@sums"
N = 6
ASKED = {"n": 3, "probes": "order,typo", "repeats": 1}


def _run(task, folder, **options):
    [log] = inspect_eval(
        task,
        model=CALCULATOR,
        model_args={"first": 0.5, "typo": 0.5},
        log_dir=str(folder),
        display="none",
        **options,
    )
    return log


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return _run(probe(task=SUMS, **ASKED), tmp_path_factory.mktemp("whole"))


def test_a_retry_of_a_broken_run_sends_only_missing_requests(whole, tmp_path, monkeypatch):
    answer, asked = SimulatedAPI.generate, []

    async def generate(self, **given):
        asked.append(given)
        if len(asked) == 6:
            raise RuntimeError("the line is dead")
        return await answer(self, **given)

    monkeypatch.setattr(SimulatedAPI, "generate", generate)
    broken = _run(probe(task=SUMS, **ASKED), tmp_path, max_samples=1)
    assert broken.status == "error"

    [log] = eval_retry(broken, log_dir=str(tmp_path), display="none")

    assert log.status == "success"
    assert len(asked) == 13  # 12 questions, one of them in vain
    assert values(log) == pytest.approx(values(whole), abs=1e-12, nan_ok=True)


def test_a_run_without_scores_can_be_scored_from_its_log(whole, tmp_path):
    _run(probe(task=SUMS, **ASKED), tmp_path, score=False)
    [path] = list_eval_logs(str(tmp_path))
    log = read_eval_log(path)

    scored = score(log, resolve_scorers(log))  # as `inspect score LOG` does

    assert values(scored) == pytest.approx(values(whole), abs=1e-12, nan_ok=True)
    assert values(scored)["score/baseline"] > 0
