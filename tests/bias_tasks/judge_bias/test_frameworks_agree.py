"""The same judge gets the same metrics in Inspect and in lm-eval."""

import pytest
from inspect_ai import eval as inspect_eval

from bias_tasks import judge_bias_tasks as tasks
from bias_tasks.simulated.lm_eval_model import SimulatedLM
from tests.bias_tasks import inspect_runs
from tests.bias_tasks.harness_runs import run, values
from tests.bias_tasks.judge_bias.runs import CONTROLS

JUDGE = {"accuracy": 0.8, "unsteady": 0.2, "noise": 0.1, "order_effect": 0.2, "abstention": 0.05}
PULLS = {"length_pull": 0.3, "layout_pull": 0.2, "authority_pull": 0.4}


@pytest.mark.parametrize("name", ["judge_pairwise", "judge_single"])
def test_metrics_are_equal_in_both_frameworks(name, tmp_path):
    traits = JUDGE | PULLS
    params = {"data": "synthetic", "n": 8, "seed": 3, "probes": f"verbosity,authority,{CONTROLS}"}
    params["probes"] += ",position" if name == "judge_pairwise" else ""
    [log] = inspect_eval(
        getattr(tasks, name)(**params),
        model="simulated/steadfast",
        model_args=traits,
        log_dir=str(tmp_path),
        display="none",
        log_realtime=False,
        max_samples=1,
    )
    assert log.status == "success", log.error
    in_inspect = inspect_runs.values(log)
    in_lm_eval = values(run([name], SimulatedLM("steadfast", **traits), **params), name)
    assert in_inspect == pytest.approx(in_lm_eval, abs=1e-9, nan_ok=True)
    assert 0 < in_inspect["unparsed"] < 0.5
    assert in_inspect["items"] == 8
