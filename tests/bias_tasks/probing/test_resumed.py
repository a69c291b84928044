"""Runs of `probe` that are broken off and go on, or are scored later."""

from pathlib import Path

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai import eval_retry, score
from inspect_ai._eval.score import resolve_scorers
from inspect_ai.log import list_eval_logs, read_eval_log

from bias_tasks.simulated.sums import Calculator
from tests.bias_tasks.inspect_runs import values

SUMS = f"{Path(__file__).parents[3] / 'examples' / 'sums.py'}@sums"


def _run(folder, **options):
    [log] = inspect_eval(
        "bias_tasks/probe",
        task_args={"task": SUMS, "n": 3, "probes": "order,labels", "repeats": 1},
        model="simulated/calculator",
        model_args={"first": 0.5},
        log_dir=str(folder),
        display="none",
        max_samples=1,
        **options,
    )
    return log


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return _run(tmp_path_factory.mktemp("whole"))


def test_run_that_broke_off_goes_on_and_asks_only_what_is_missing(whole, tmp_path, monkeypatch):
    answer, asked = Calculator.respond, []

    def respond(self, prompt, known):
        asked.append(prompt)
        if len(asked) == 6:
            raise RuntimeError("the line is dead")
        return answer(self, prompt, known)

    monkeypatch.setattr(Calculator, "respond", respond)
    broken = _run(tmp_path)
    assert broken.status == "error"

    [log] = eval_retry(broken, log_dir=str(tmp_path), display="none")

    assert log.status == "success"
    assert len(asked) == 13  # 12 questions, one of them in vain
    assert values(log) == pytest.approx(values(whole), abs=1e-12, nan_ok=True)


def test_run_without_scores_is_scored_by_its_log_alone(whole, tmp_path):
    _run(tmp_path, score=False)
    [path] = list_eval_logs(str(tmp_path))
    log = read_eval_log(path)

    scored = score(log, resolve_scorers(log))  # as `inspect score LOG` does

    assert values(scored) == pytest.approx(values(whole), abs=1e-12, nan_ok=True)
    assert values(scored)["score/plain"] > 0
