"""A probed task's runs in the harness are read, compared and told as those of other tasks."""

import pytest

from bias_tasks.contract.record import RECORD
from bias_tasks.families import load_family
from bias_tasks.results.find import read_answers
from bias_tasks.statistics.estimate import flatten
from tests.bias_tasks.harness_runs import log, values
from tests.bias_tasks.probing.harness_tasks import Scripted, run, write, write_lettered
from tests.bias_tasks.probing.test_harness_probe import COUNT, first_label, reply


def results_file(folder):
    [path] = folder.rglob("results_*.json")
    return path


def test_figures_worked_out_from_the_samples_are_those_of_the_run(tmp_path):
    write(tmp_path, "mmlu", COUNT)
    write_lettered(tmp_path, COUNT)
    for task in ("mmlu", "lettered"):
        model = Scripted(first_label, reply)
        results = run(tmp_path, task, model, n="all", probes="order,typo")
        log(results, "bias_probe", tmp_path / f"of_{task}")
        [found] = read_answers(results_file(tmp_path / f"of_{task}"))
        again = load_family("probing").scorecard(found.outcomes(), {})
        assert flatten(again) == pytest.approx(values(results, "bias_probe"), abs=0, nan_ok=True)
        assert all(answer.prompt for answer in found.answers)


def test_the_digest_moves_with_how_the_probed_task_asks_and_scores(tmp_path):
    digests = []
    for changed in ({}, {"target_delimiter": "\n"}, {"description": "Answer.\n\n"}):
        write(tmp_path, "openbookqa", 4, **changed)
        results = run(tmp_path, "openbookqa", Scripted(lambda *_: 0), n=2)
        digests.append(results["configs"]["bias_probe"]["metadata"][RECORD]["digest"])
    results = run(tmp_path, "openbookqa", Scripted(lambda *_: 0), n=2, metric="acc_norm")
    digests.append(results["configs"]["bias_probe"]["metadata"][RECORD]["digest"])
    assert len(set(digests)) == 4
