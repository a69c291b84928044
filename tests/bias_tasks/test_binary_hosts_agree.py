"""The same yes/no answers give the same figures in Inspect and in lm-eval."""

import math

import pytest
from inspect_ai import eval as inspect_eval

from bias_tasks.binary_qa.parameters import ASKED
from bias_tasks.respondents.harness_model import SimulatedLM
from bias_tasks.tasks import binary_qa as tasks
from tests.bias_tasks.harness_runs import run, values

RESPONDENT = {"accuracy": 0.7, "no_lean": 0.2, "negation": 0.3, "abstention": 0.1, "seed": 5}


@pytest.mark.parametrize("protocol", ["corrected", "published"])
@pytest.mark.parametrize("name", ASKED)
def test_figures_are_equal(name, protocol, tmp_path):
    parameters = {"data": "synthetic", "n": 24, "seed": 3, "protocol": protocol}
    [log] = inspect_eval(
        getattr(tasks, name)(**parameters),
        model="simulated/steadfast",
        model_args=RESPONDENT,
        log_dir=str(tmp_path),
        display="none",
    )
    assert log.status == "success", log.error
    [result] = log.results.scores
    in_inspect = {key: metric.value for key, metric in result.metrics.items()}
    in_lm_eval = values(run([name], SimulatedLM("steadfast", **RESPONDENT), **parameters), name)
    assert in_lm_eval.pop("outcome") == 24 * len(ASKED[name])
    assert set(in_inspect) == set(in_lm_eval)
    for figure, value in in_inspect.items():
        other = in_lm_eval[figure]
        same = math.isnan(value) and math.isnan(other)
        assert same or abs(value - other) < 1e-9, figure
    assert 0 < in_inspect["f1"] < 1
