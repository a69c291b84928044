"""lm-eval's own data parallelism: processes ask every so many questions, the first gathers all.

The harness's evaluator runs here once for each process, the first one last; what goes from one to
another does so as the bytes that PyTorch's `gather_object` sends. Of PyTorch, which the tests do
without, the evaluator takes one number a task.
"""

import json
import pickle
import sys
from types import SimpleNamespace
from unittest.mock import patch

import pytest
from lm_eval.evaluator import evaluate

from tests.bias_tasks import harness_runs

TORCH = SimpleNamespace(tensor=lambda value, device: value)


def answer(doc):
    """An answer that follows from the question alone, now right and now wrong."""
    yes = sum(map(ord, doc["id"])) % 3
    return f"Final Answer: {doc['gold']}" if yes else "Final Answer: A"


class Counts(list):
    """As much of a tensor as numbers of requests need."""

    cpu = detach = numpy = lambda self: self
    tolist = list.copy


class Process(harness_runs.Answering):
    """One of several processes."""

    device = "cpu"

    def __init__(self, rank, counts, sent):
        super().__init__(answer)
        self._rank, self._world_size = rank, len(counts)
        self.counts, self.sent = counts, sent

    def all_gather(self, tensor):
        assert tensor == self.counts[self.rank]
        return Counts(self.counts)

    def gather_object(self, obj, dst=0):
        self.sent[self.rank].append(pickle.dumps(obj))
        turn = len(self.sent[self.rank]) - 1
        return [pickle.loads(each[turn]) for each in self.sent] if self.rank == dst else None


def asked_by(processes, task, **given):
    """What the first of so many processes makes of a run, and the items that each asked."""
    docs = len(harness_runs.load(task, **given).test_docs())
    counts = [len(range(rank, docs, processes)) for rank in range(processes)]
    sent = [[] for _ in counts]
    items = []
    for rank in reversed(range(processes)):
        process = Process(rank, counts, sent)
        loaded = harness_runs.manager(**given).load([task])
        with patch.dict(sys.modules, {"torch": TORCH}):
            found = evaluate(process, loaded, log_samples=True)
        assert (found is None) is (rank > 0)
        asked = {request.doc["id"] for request in process.requests}
        assert len(asked) == counts[rank]
        items.append({each.partition("/")[0] for each in asked})
    return found, items


def test_figures_are_those_of_one_process():
    """To the last digit, though an item's ways of being asked fall to several processes."""
    task, given = "binaryqa", {"data": "synthetic", "n": 8, "shard": "1/2"}
    alone, _ = asked_by(1, task, **given)
    several, (last, *others) = asked_by(3, task, **given)
    assert last & set.union(*others)
    figures = [
        json.dumps([each["results"], harness_runs.values(each, task)]) for each in (several, alone)
    ]
    assert figures[0] == figures[1]


def test_more_processes_than_questions_are_refused():
    """By each of them, so that none waits for one that is gone."""
    given = {"data": "synthetic", "n": 1}
    for rank in (0, 8):
        with pytest.raises(ValueError, match="8 questions for 9 processes: use fewer"):
            evaluate(Process(rank, [1] * 9, []), harness_runs.manager(**given).load(["binaryqa"]))
