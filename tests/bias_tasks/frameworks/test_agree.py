"""The same answers give the same metrics in Inspect and in lm-eval."""

import pytest

from bias_tasks.families import family_of_task
from bias_tasks.simulated.lm_eval_model import SimulatedLM
from tests.bias_tasks.contract.runs import inspect_task
from tests.bias_tasks.harness_runs import log, run, values
from tests.bias_tasks.inspect_runs import evaluate
from tests.bias_tasks.inspect_runs import values as inspect_values
from tests.bias_tasks.judge_bias.runs import CONTROLS

CONFORMIST = {"adopt": 0.4, "reflect": 0.3, "abstention": 0.1, "accuracy": 0.6, "seed": 5}
STEADFAST = {"accuracy": 0.7, "no_lean": 0.2, "negation": 0.3, "abstention": 0.1, "seed": 5}
JUDGE = {"accuracy": 0.8, "noise": 0.06, "abstention": 0.05, "seed": 2}
PULLED = JUDGE | {"reference_pull": 0.4, "rubric_pull": 0.3}
BIASED = JUDGE | {"unsteady": 0.2, "order_effect": 0.2, "length_pull": 0.3, "authority_pull": 0.4}
MODELS = {
    "instruction_boundary": ("conformist", CONFORMIST),
    "binary_qa": ("steadfast", STEADFAST),
    "complex_eval": ("fair_judge", PULLED),
    "judge_bias": ("steadfast", BIASED),
}
BOTH_MODES = {"k": [0, 4, 9], "mode": "joint,per_dimension"}
CASES = [
    ("vanilla", {"form": "judging", "n": 12}),
    ("conformity", {"form": "choice", "n": 12, "protocol": "published"}),
    ("multi_turn", {"form": "choice", "n": 12}),
    ("binaryqa", {"n": 12, "protocol": "published"}),
    ("complexeval_basic", {"n": 6, "theta": 1, "aux": "none,rubric", "attacks": "rubric"}),
    ("complexeval_math", {"n": 6}),
    ("complexeval_role_playing", {"n": 3, "beta": 2.0, "judge_prompt": "guarded"}),
    ("complexeval_writing", {"n": 6}),
    ("complexeval_writing", {"n": 3, "mode": "per_dimension"}),
    ("complexeval_attention_limit", {"data": "core", "n": 3, **BOTH_MODES}),
    ("judge_pairwise", {"n": 8, "probes": f"verbosity,authority,position,{CONTROLS}"}),
    ("judge_single", {"n": 8, "probes": f"verbosity,authority,{CONTROLS}"}),
]


def in_lm_eval(task, model, folder, *, form=None, **parameters):
    name = f"ib_{task}_{form}" if form else task
    if task == "multi_turn":
        first = run([f"{name}_round1"], model, **parameters)
        parameters["first_round"] = str(log(first, f"{name}_round1", folder))
    return values(run([name], model, **parameters), name)


@pytest.mark.parametrize(("task", "parameters"), CASES)
def test_metrics_are_equal(task, parameters, tmp_path):
    family = family_of_task(task).name
    persona, traits = MODELS[family]
    parameters = {"data": "synthetic", "seed": 3} | parameters
    log = evaluate(
        inspect_task(f"{family}/{task}", **parameters),
        tmp_path / "inspect",
        f"simulated/{persona}",
        model_args=traits,
        max_samples=1,  # A judge counts its calls.
    )
    metrics = inspect_values(log)
    model = SimulatedLM(persona, **traits)
    assert metrics == pytest.approx(
        in_lm_eval(task, model, tmp_path / "lm_eval", **parameters), abs=1e-9, nan_ok=True
    )
    assert metrics.get("unparsed", metrics.get("unparsed/joint")) < 0.5
    assert any(0 < value < 1 for value in metrics.values())
