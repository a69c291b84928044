"""Binary question answering through lm-eval by the likelihoods of the two answers."""

import collections

import pytest
from lm_eval.api.model import LM

from bias_tasks.binary_qa.plan import ASKED, REPEATS
from tests.bias_tasks.harness_runs import facts, load, run, values

SYNTHETIC = {"data": "synthetic", "n": 16}
TASKS = [f"{task}_ll" for task in ASKED if task != "binaryqa_sc"]


class Likelihoods(LM):
    """A model whose log-likelihoods a function makes of document and continuation."""

    def __init__(self, likelihood):
        super().__init__()
        self.likelihood = likelihood
        self.requests = []

    def loglikelihood(self, requests, disable_tqdm=False):
        self.requests += requests
        return [(self.likelihood(request.doc, request.args[1]), False) for request in requests]

    def generate_until(self, requests):
        raise NotImplementedError

    def loglikelihood_rolling(self, requests):
        raise NotImplementedError


def towards_gold(doc, continuation):
    return -1.0 if continuation.strip() == doc["gold"] else -1.5


@pytest.mark.parametrize("task", TASKS)
def test_two_likelihoods_a_prompt_and_no_repeats(task):
    model = Likelihoods(towards_gold)
    run([task], model, **SYNTHETIC)
    asked = set(ASKED[task.removesuffix("_ll")]) - REPEATS
    assert {facts(request.doc)["variant"] for request in model.requests} == asked
    counts = collections.Counter(request.args for request in model.requests)
    assert counts.total() == 2 * 16 * len(asked)
    assert set(counts.values()) == {1}
    assert {continuation for _, continuation in counts} == {" Yes", " No"}
    assert {prompt.rpartition("\n")[2] for prompt, _ in counts} == {"Answer:"}


def test_the_likelier_answer_counts():
    figures = values(run(["binaryqa_ll"], Likelihoods(towards_gold), **SYNTHETIC), "binaryqa_ll")
    assert [figures[name] for name in ("f1", "prc", "nrc", "arc")] == [1] * 4
    assert "sc" not in figures
    assert "mbs" not in figures

    def yes(doc, continuation):
        return -0.5 if continuation == " Yes" else -0.6

    figures = values(run(["binaryqa_ll"], Likelihoods(yes), **SYNTHETIC), "binaryqa_ll")
    assert [figures[name] for name in ("yes_rate", "prc", "nrc", "arc")] == [1, 1, 0, 1]
    assert figures["delta_recall"] == -1


@pytest.mark.parametrize("likelihood", [-2.0, float("-inf"), float("nan")])
def test_a_tie_is_unread(likelihood):
    model = Likelihoods(lambda doc, continuation: likelihood)
    figures = values(run(["binaryqa_ll"], model, **SYNTHETIC), "binaryqa_ll")
    assert [figures[name] for name in ("unread", "f1", "prc", "nrc", "arc")] == [1, 0, 0, 0, 0]


def test_one_domain_by_likelihood():
    docs = load("binaryqa_numerical_ll", **SYNTHETIC).task_docs
    assert {facts(doc)["domain"] for doc in docs} == {"numerical"}
    assert len(docs) == 6 * 16
