"""A folder of finished runs: at least one run of each family in Inspect, and two of lm-eval."""

import shutil
from pathlib import Path

import pytest

from bias_tasks.results.answers import load_answers
from bias_tasks.results.find import read_runs
from tests.bias_tasks.harness_runs import gold
from tests.bias_tasks.mocks import mock
from tests.bias_tasks.results.runs import run_inspect, run_lm_eval

INSPECT = {
    "instruction_boundary/conformity": {"data": "synthetic", "n": 6},
    "binary_qa/binaryqa_prc": {"data": "synthetic", "n": 6},
    "output_format/format_mapping": {"data": "synthetic", "n": 10},
    "complex_eval/complexeval_math": {"data": "synthetic", "n": 3},
    "complex_eval/complexeval_attention_limit": {"n": 2, "k": "0,2,5"},
    "judge_bias/judge_pairwise": {"data": "synthetic", "n": 3},
}
RUNS = 9


@pytest.fixture(scope="session")
def store(tmp_path_factory):
    """Return the folder; no test writes to it."""
    folder = tmp_path_factory.mktemp("store")
    for task, parameters in INSPECT.items():
        run_inspect(folder / "logs", task, "simulated/conformist", **parameters)
    # Every seventh judgement is unparsable and has no score.
    replies = iter([*['{"reasoning": "fine", "score": 7}'] * 6, "no verdict"] * 100)
    model = mock(lambda prompt: next(replies))
    run_inspect(folder / "logs", "complex_eval/complexeval_basic", model, data="synthetic", n=4)
    run_lm_eval(folder / "results", "ib_vanilla_judging", gold, data="synthetic", n=6)
    run_lm_eval(folder / "results", "binaryqa_qa_ll", prefer_yes, data="synthetic", n=6)
    return folder


@pytest.fixture(scope="session")
def runs(store):
    """Return each run in the store with all of its metrics, by digest."""
    by_digest = {run.record.digest: run for run in read_runs([store])}
    assert len(by_digest) == RUNS
    loaded = {digest: load_answers(run).run for digest, run in by_digest.items()}
    return {digest: (run, run.metrics) for digest, run in loaded.items()}


@pytest.fixture(scope="session")
def logs(tmp_path_factory):
    """Return logs of `binaryqa_qa` by two models; no test changes them."""
    folder, parameters = tmp_path_factory.mktemp("logs"), {"data": "synthetic", "n": 4}
    models = ("simulated/coin", "simulated/perfect")
    return [Path(run_inspect(folder, "binary_qa/binaryqa_qa", m, **parameters)) for m in models]


@pytest.fixture
def folder(logs, tmp_path):
    """Return a folder with one valid log, to which tests add other files."""
    folder = tmp_path / "folder"
    folder.mkdir()
    shutil.copy(logs[0], folder / "good.eval")
    return folder


def prefer_yes(doc, continuation):
    """Return a log-likelihood that is higher for Yes, whatever the question is."""
    return -0.1 if "Yes" in continuation else -2.0
