"""The same answers, item by item, give the same metrics in Inspect and in lm-eval."""

import pytest
from inspect_ai import eval as inspect_eval

from bias_tasks import instruction_boundary_tasks as tasks
from bias_tasks.instruction_boundary.items import FORMS
from bias_tasks.instruction_boundary.settings import SETTINGS
from bias_tasks.simulated.lm_eval_model import SimulatedLM
from tests.bias_tasks import inspect_runs
from tests.bias_tasks.harness_runs import log, run, values

TRAITS = {"adopt": 0.4, "reflect": 0.3, "abstention": 0.1, "accuracy": 0.6, "seed": 5}
CASES = [(setting, FORMS[index % 2]) for index, setting in enumerate(SETTINGS)]


def in_inspect(setting, form, tmp_path, **parameters):
    task = getattr(tasks, setting)(form=form, **parameters)
    options = {"log_dir": str(tmp_path), "display": "none", "log_realtime": False}
    [log] = inspect_eval(task, model="simulated/conformist", model_args=TRAITS, **options)
    assert log.status == "success", log.error
    return inspect_runs.values(log)


def in_lm_eval(setting, form, tmp_path, **parameters):
    task, model = f"ib_{setting}_{form}", SimulatedLM("conformist", **TRAITS)
    if setting == "multi_turn":
        results = run([f"{task}_round1"], model, **parameters)
        parameters["first_round"] = str(log(results, f"{task}_round1", tmp_path))
    return values(run([task], model, **parameters), task)


@pytest.mark.parametrize(("setting", "form"), CASES)
def test_metrics_are_equal(setting, form, tmp_path):
    parameters = {"data": "synthetic", "n": 24, "seed": 3}
    if setting == "conformity":
        parameters["protocol"] = "published"
    metrics = in_inspect(setting, form, tmp_path / "inspect", **parameters)
    other = in_lm_eval(setting, form, tmp_path / "lm_eval", **parameters)
    assert metrics == pytest.approx(other, abs=1e-9, nan_ok=True)
    assert 0 < metrics[f"{form}/acc"] < 1
