"""The same judge gives the same figures in Inspect and in lm-eval."""

import math

import pytest
from inspect_ai import eval as inspect_eval

from bias_tasks.simulated.lm_eval_model import SimulatedLM
from bias_tasks.tasks import complex_eval as tasks
from tests.bias_tasks import inspect_runs
from tests.bias_tasks.harness_runs import run, values

JUDGE = {
    "accuracy": 0.8,
    "noise": 0.06,
    "reference_pull": 0.4,
    "rubric_pull": 0.3,
    "abstention": 0.05,
}
SYNTHETIC = {"data": "synthetic", "n": 8, "seed": 3}
DIALOGUES = {"n": 3, "k": [0, 4, 9], "mode": "joint,per_dimension", "seed": 3}


def figures(name, judge, parameters, folder):
    """The figures of one judge in Inspect and in lm-eval."""
    [log] = inspect_eval(
        getattr(tasks, name)(**parameters),
        model="simulated/fair_judge",
        model_args=judge,
        log_dir=str(folder),
        display="none",
        log_realtime=False,
        max_samples=1,
    )
    assert log.status == "success", log.error
    in_inspect = inspect_runs.values(log)
    return in_inspect, values(run([name], SimulatedLM("fair_judge", **judge), **parameters), name)


@pytest.mark.parametrize(
    ("name", "parameters", "seed"),
    [
        (
            "complexeval_basic",
            SYNTHETIC | {"theta": 1, "aux": "none,rubric", "attack": "rubric"},
            2,
        ),
        ("complexeval_math", SYNTHETIC, 3),
        ("complexeval_role_playing", SYNTHETIC | {"beta": 2.0, "protocol": "published"}, 5),
        ("complexeval_writing", SYNTHETIC, 6),
        ("complexeval_attention_limit", DIALOGUES, 7),
    ],
)
def test_figures_are_equal(name, parameters, seed, tmp_path):
    judge = JUDGE | {"seed": seed}  # a judge of its own for each run: it counts its calls
    in_inspect, in_lm_eval = figures(name, judge, parameters, tmp_path)
    assert set(in_inspect) == set(in_lm_eval)
    for figure, value in in_inspect.items():
        other = in_lm_eval[figure]
        same = math.isnan(value) and math.isnan(other)
        assert same or abs(value - other) < 1e-9, figure
    assert in_inspect.get("unread", in_inspect.get("unread/joint")) < 0.5
