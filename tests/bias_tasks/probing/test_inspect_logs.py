"""Runs of `probe` that take plain answers from a log, go on with one, or are scored by one."""

from pathlib import Path

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai import eval_retry, score
from inspect_ai._eval.score import resolve_scorers
from inspect_ai.log import list_eval_logs, read_eval_log, write_eval_log

from bias_tasks.commands.plan import plan_task
from bias_tasks.contract.record import RECORD
from bias_tasks.simulated.inspect_model import SimulatedAPI
from bias_tasks.solvers.inspect_api import TaskError
from bias_tasks.tasks.probing import probe
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
def plain(tmp_path_factory):
    return _run(SUMS, tmp_path_factory.mktemp("plain"))


def _probed(path, **given):
    return probe(task=SUMS, n=N, probes="order,typo", repeats=1, baseline_log=str(path), **given)


def test_logged_answers_are_reused_and_give_the_same_metrics(plain, tmp_path, monkeypatch):
    without = _run(probe(task=SUMS, n=N, probes="order,typo", repeats=1), tmp_path)
    asked = []
    answer = SimulatedAPI.generate

    async def generate(self, **given):
        asked.append(given)
        return await answer(self, **given)

    monkeypatch.setattr(SimulatedAPI, "generate", generate)
    log = _run(_probed(plain.location), tmp_path)
    assert log.status == "success"
    assert len(asked) == 3 * N
    assert values(log) == pytest.approx(values(without), abs=1e-12, nan_ok=True)
    [note] = [each for each in log.eval.metadata[RECORD]["notes"] if "baseline answers" in each]
    assert note.startswith(
        f"the baseline answers of {N} items, and their scores, are from {plain.location}"
    )
    given = {"task": SUMS, "n": N, "probes": "order,typo", "repeats": 1}
    planned = plan_task("probe", given | {"baseline_log": plain.location}, power=False)
    assert planned.calls.calls == 3 * N


def test_items_that_differ_or_have_no_score_are_prompted(plain, tmp_path):
    log = read_eval_log(plain.location)
    inside = sorted({each.state.question.item for each in _probed(plain.location).dataset})

    def change(sample):
        if sample.id == inside[0]:
            sample.target = "ABCD"["ABCD".index(sample.target) - 1]
        if sample.id == inside[1]:
            sample.scores = {}
        if sample.id == inside[2]:
            sample.id = "another"

    task = _probed(_changed(log, tmp_path, change))
    known = [sample.state.question for sample in task.dataset]
    assert {each.item for each in known if each.source.has_logged_answer} == set(inside[3:])
    [note] = [each for each in task.metadata[RECORD]["notes"] if "cannot be reused" in each]
    for reason in ("1 without a score", "2 not in the log with this input, choices and target"):
        assert reason in note


def test_a_log_above_the_maximum_size_is_not_read(plain, monkeypatch):
    monkeypatch.setenv("BIAS_TASKS_MAX_LOG_MB", "0")
    with pytest.raises(ValueError, match=r"baseline_log=.*: it has more than 0 MB, the maximum"):
        _probed(plain.location)


def _changed(log, folder, change=lambda sample: None):
    copied = log.model_copy(deep=True)
    for sample in copied.samples:
        change(sample)
    path = folder / "changed.eval"
    write_eval_log(copied, str(path))
    return path


def test_a_log_of_another_run_is_refused(plain, tmp_path):
    log = read_eval_log(plain.location)
    cases = [
        (log.eval, "task", "free_sums", "is of the task free_sums, and not of .*@sums"),
        (
            log,
            "status",
            "error",
            "did not finish .status error.: resume it with `inspect eval-retry`",
        ),
        (log.eval.config, "epochs", 2, "has 2 epochs: give a log with one answer per item"),
        (
            log.plan.steps[0],
            "solver",
            "generate",
            "other solvers: generate in the log, multiple_choice",
        ),
    ]
    for part, name, value, told in cases:
        before = getattr(part, name)
        setattr(part, name, value)
        with pytest.raises(TaskError, match=told):
            _probed(_changed(log, tmp_path))
        setattr(part, name, before)
    with pytest.raises(TaskError, match="none of the answers can be reused"):
        _probed(_changed(log, tmp_path, lambda sample: setattr(sample, "scores", {})))
    with pytest.raises(TaskError, match="cannot be read as an Inspect log"):
        _probed(tmp_path / "none.eval")


def test_answers_of_another_model_or_settings_end_the_run(plain, tmp_path):
    log = read_eval_log(plain.location)
    log.eval.model = "openai/other"
    other = _run(_probed(_changed(log, tmp_path)), tmp_path)
    assert other.status == "error"
    assert (
        "has answers of openai/other, not of simulated/examples/sums.py@Calculator: omit it"
        in other.error.message
    )
    warm = _run(_probed(plain.location), tmp_path, temperature=0.7)
    assert "other settings: temperature - in the log, 0.7 in the run" in warm.error.message


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
