"""Tasks with ways of their own under `bias_probe`, and arguments of the command line."""

import pytest

from tests.bias_tasks.harness_runs import values
from tests.bias_tasks.probing.harness_tasks import Scripted, run, write
from tests.bias_tasks.probing.test_harness_probe import COUNT, first_label, knowing

SCORING = """
def score(doc, results):
    likelihoods = [likelihood for likelihood, _ in results]
    return {"acc": float(likelihoods.index(max(likelihoods)) == doc["answer"])}

"""


def with_scoring(path, function):
    """The task with a function of its own that looks into the document."""
    (path.parent / "scoring.py").write_text(SCORING)
    path.write_text(f"{path.read_text()}process_results: !function scoring.{function}\n")


@pytest.mark.parametrize(("habit", "score"), [(knowing, 1.0), (first_label, None)])
def test_a_function_that_looks_for_the_target_in_the_document_finds_it(habit, score, tmp_path):
    with_scoring(write(tmp_path, "mmlu", COUNT), "score")
    found = values(run(tmp_path, "mmlu", Scripted(habit), n="all", probes="order"), "bias_probe")
    assert found["score/order"] == (found["gained/order"] if score is None else score)
    assert found["lost/order"] == (0.25 if score is None else 0)
