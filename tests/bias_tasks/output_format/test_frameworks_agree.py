"""The same answers in output formats give the same metrics in Inspect and in lm-eval."""

import pytest

from bias_tasks import output_format_tasks as tasks
from bias_tasks.simulated.lm_eval_model import SimulatedLM
from tests.bias_tasks import inspect_runs
from tests.bias_tasks.harness_runs import run, values
from tests.bias_tasks.output_format.runs import evaluated

SIMULATED_MODEL = {
    **{"accuracy": 0.6, "follow": 0.7, "near_miss": 0.5, "abstention": 0.1, "seed": 5},
    **{"follow_italicizing": 0.2, "accuracy_bullet": 0.3, "follow_yaml": 0.0},
}


@pytest.mark.parametrize(
    ("name", "protocol", "prompting"),
    [
        ("format_mcq", "corrected", "zs_cot"),
        ("format_wrapping", "published", "zs,zs_cot"),
        ("format_list", "corrected", "zs"),
        ("format_mapping", "published", "zs_cot"),
    ],
)
def test_metrics_are_equal(name, protocol, prompting, tmp_path):
    parameters = {"n": 12, "seed": 3, "protocol": protocol, "prompting": prompting, "moe": 0.3}
    parameters["data"] = "synthetic"
    inspect_task = getattr(tasks, name)(**parameters)
    log = evaluated(inspect_task, tmp_path, model_args=SIMULATED_MODEL)
    assert log.status == "success", log.error
    in_inspect = inspect_runs.values(log)
    results = run([name], SimulatedLM("steadfast", **SIMULATED_MODEL), **parameters)
    in_lm_eval = values(results, name)
    assert set(in_inspect) == set(in_lm_eval)
    for metric, value in in_inspect.items():
        assert in_lm_eval[metric] == pytest.approx(value, abs=1e-9, rel=0, nan_ok=True), metric
    scores = [value for name, value in in_inspect.items() if "sys/" in name and name[-1] != "n"]
    assert 0 < sum(scores) < len(scores)
    if "," in prompting:
        parts = [in_inspect[f"{part}/fi/bolding"] for part in ("zs", "zs_cot", "average")]
        assert parts[2] == pytest.approx(sum(parts[:2]) / 2)
