"""Judges under auxiliary information have the same metrics in lm-eval as in Inspect."""

import pytest
from inspect_ai import eval as inspect_eval

from bias_tasks import complex_eval_tasks as tasks
from bias_tasks.simulated.lm_eval_model import SimulatedLM
from tests.bias_tasks import inspect_runs
from tests.bias_tasks.harness_runs import run, values

N = 8
SYNTHETIC = {"data": "synthetic", "n": N}
PARTS = [f"complexeval_basic_{part}" for part in ("original", "reference", "rubric")]
ATTENTION, WRITING = "complexeval_attention_limit", "complexeval_writing"
JUDGE = {"accuracy": 0.8, "noise": 0.06, "reference_pull": 0.4, "rubric_pull": 0.3}
JUDGE |= {"abstention": 0.05, "seed": 2}


def build_judge():
    """Return a new judge, because a judge counts its calls."""
    return SimulatedLM("fair_judge", **JUDGE)


def test_the_same_judge_has_the_same_metrics_in_both_frameworks(tmp_path):
    differences = []
    for name, params in (
        ("complexeval_basic", SYNTHETIC | {"theta": 1, "aux": "none,rubric", "attacks": "rubric"}),
        ("complexeval_math", SYNTHETIC),
        ("complexeval_role_playing", SYNTHETIC | {"n": 3, "beta": 2.0, "judge_prompt": "guarded"}),
        (WRITING, SYNTHETIC),
        (WRITING, SYNTHETIC | {"n": 3, "mode": "per_dimension"}),
        (ATTENTION, {"n": 3, "k": [0, 4, 9], "mode": "joint,per_dimension"}),
    ):
        [log] = inspect_eval(
            getattr(tasks, name)(**params),
            model="simulated/fair_judge",
            model_args=JUDGE,
            log_dir=str(tmp_path),
            display="none",
            log_realtime=False,
            max_samples=1,
        )
        assert log.status == "success", log.error
        inspect_values = inspect_runs.values(log)
        lm_eval_values = values(run([name], build_judge(), **params), name)
        assert inspect_values.get("unparsed", inspect_values.get("unparsed/joint")) < 0.5
        if inspect_values != pytest.approx(lm_eval_values, abs=1e-9, nan_ok=True):
            differences.append((inspect_values, lm_eval_values))
    assert differences == []


@pytest.mark.parametrize("part", PARTS[:2])
def test_a_part_of_the_conditions_has_the_metrics_of_the_whole(part):
    """Exceptions are p-values, which depend on the number of comparisons, and metrics over all
    conditions: `unparsed` and `attack_acc_drop` without a condition."""
    steady = SimulatedLM("fair_judge", **JUDGE | {"noise": 0})
    results = run(["complexeval_basic", part], steady, **SYNTHETIC)
    whole, partial = (values(results, task) for task in ("complexeval_basic", part))
    over_all = [f"attack_acc_drop{part}" for part in ("", "_ci_low", "_ci_high", "_n")]
    excluded = ("outcome", *over_all)
    names = [
        n for n in partial if not n.endswith("_p") and "unparsed" not in n and n not in excluded
    ]
    assert {name: partial[name] for name in names} == pytest.approx(
        {name: whole[name] for name in names}, nan_ok=True
    )
    aux = part.removeprefix("complexeval_basic_")
    assert (f"attack_acc_drop/none~{aux}" in names) == (aux != "original")
