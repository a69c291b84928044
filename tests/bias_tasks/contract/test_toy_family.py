"""A family of another package gets both hosts and results through the contract alone."""

from pathlib import Path

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai import task
from inspect_ai.model import get_model
from lm_eval import simple_evaluate
from lm_eval.tasks import TaskManager

from bias_tasks.results.find import read_answers
from bias_tasks.solvers.sample_state import running_sample
from bias_tasks.tasks._build import build_task, checked
from tests.bias_tasks import inspect_runs
from tests.bias_tasks.contract.toy_family import FAMILY
from tests.bias_tasks.harness_runs import Answering, log, values
from tests.bias_tasks.mocks import output


@checked
@task
def sums(protocol="corrected", n=4, least=0.5):
    return build_task(FAMILY.name, "sums", locals())


ANSWERS = {
    f"sum-{n}/{variant}": str(n + 7) if variant == "plain" or n == 0 else "I say 3"
    for n in range(4)
    for variant in ("plain", "hinted")
}


def manager(**metadata):
    folder = str(Path(__file__).parent / "toy_task")
    return TaskManager(include_path=folder, include_defaults=False, metadata=metadata)


def in_lm_eval(**metadata):
    model = Answering(lambda doc: ANSWERS[doc["id"]])
    return simple_evaluate(model=model, tasks=["toy_sums"], task_manager=manager(**metadata))


def in_inspect(folder, **parameters):
    model = get_model(
        "mockllm/model",
        custom_outputs=lambda *_: output(ANSWERS[running_sample().question.id]),
        memoize=False,
    )
    [done] = inspect_eval(
        sums(**parameters),
        model=model,
        log_dir=str(folder / "logs"),
        display="none",
    )
    assert done.status == "success", done.error
    return done


def test_both_hosts_ask_it_and_give_the_same_figures(tmp_path):
    figures = inspect_runs.values(in_inspect(tmp_path, n=4))
    harness = values(in_lm_eval(n=4), "toy_sums")
    assert figures == pytest.approx(harness, abs=0, nan_ok=True)
    assert figures["acc"] == 5 / 8
    assert figures["acc/hinted"] == 0.25
    assert figures["items"] == 4
    assert len((Path(__file__).parent / "toy_family.py").read_text().splitlines()) <= 150


def test_results_read_the_runs_of_both(tmp_path):
    done = in_inspect(tmp_path, n=4)
    results = in_lm_eval(n=4)
    log(results, "toy_sums", tmp_path / "lm_eval")
    runs = [answers.run for answers in read_answers(tmp_path)]
    assert sorted((run.task, run.framework, run.n) for run in runs) == [
        ("sums", "inspect", 4),
        ("toy_sums", "lm-eval", 4),
    ]
    samples = next(tmp_path.rglob("results_*.json"))
    [inspect_answers] = read_answers(Path(done.location))
    [harness_answers] = read_answers(samples)
    again = FAMILY.compute_metrics(inspect_answers.outcomes(), {"least": 0.5})
    assert again == FAMILY.compute_metrics(harness_answers.outcomes(), {"least": 0.5})
    assert again["acc/plain"].value == 1.0


def test_parameters_are_checked_by_its_declarations(tmp_path):
    with pytest.raises(ValueError, match="n=91: expected an integer from 1 to 90"):
        sums(n=91)
    with pytest.raises(ValueError, match=r"unknown parameter 'leest'.* did you mean 'least'"):
        in_lm_eval(leest=0.9)
    task = manager(n=2).load(["toy_sums"])["tasks"]["toy_sums"]
    assert task.higher_is_better() == {"acc/hinted": True, "acc/plain": True, "good": True}
    done = in_inspect(tmp_path, n=4, least=0.7)
    assert done.results.scores[0].metrics["good"].value == 0.0
